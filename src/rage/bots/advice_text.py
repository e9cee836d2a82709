"""Advice in words."""

from __future__ import annotations

from collections.abc import Iterator

from rage.bots.advice import Advice, MoveAdvice
from rage.say import Reason, card_name, decimal, percent, sentence, text, with_colon


def trick_chances(found: Advice, language: str, edition: str | None) -> str | None:
    """A line with the probability of each number of tricks after the best move, without negligible
    ones; ``None`` if unknown."""
    if found.best.tricks is None:
        return None
    chances = ", ".join(
        f"{with_colon(str(number), language)} {percent(share, '.0f', language)}"
        for number, share in enumerate(found.best.tricks)
        if round(100 * share)
    )
    code = "advice.tricks" if found.best.move.tricks is None else "advice.tricks.bid"
    head = text(code, language, move=move_name(found.best, language, edition))
    return f"{with_colon(head, language)} {chances}"


def worlds_code(found: Advice) -> str:
    """The code of the sentence that says how many worlds the advice comes from."""
    if not found.all_worlds:
        return "advice.worlds"
    return "advice.all_worlds" if found.worlds > 1 else "advice.all_worlds.one"


def move_name(each: MoveAdvice, language: str, edition: str | None) -> str:
    """A bid as its number, a card as its name."""
    bid = each.move.tricks
    return str(bid) if bid is not None else card_name(str(each.move), language, edition)


def advice_lines(found: Advice, language: str, edition: str | None) -> Iterator[str]:
    """The advice as lines without bars: the sentence, and each move with its points."""
    told = Reason("plain.advice", {"advice": found.reason})
    yield sentence(told, language, edition=edition)
    yield text("advice.head", language)
    for each in found.moves:
        points = decimal(each.points, "+.1f", language)
        yield f"{with_colon(move_name(each, language, edition), language)} {points}"
    if chances := trick_chances(found, language, edition):
        yield chances
    yield text(worlds_code(found), language, n=found.worlds)
