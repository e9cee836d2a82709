"""Advice in a terminal: a sentence, and a bar for each move."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from rage.bots.advice import Advice, MoveAdvice
from rage.say import Reason, card_name, decimal, percent, sentence, text
from rage.tui import look
from rage.tui.look import Look

#: The longest bar, in cells.
_BAR = 24


def advice_page(found: Advice, looks: Look) -> Text:
    """The sentence, the moves with their points and a bar each, and the number of worlds."""
    edition = looks.edition
    page = looks.highlight(sentence(found.reason, looks.language, edition=edition), look.WARM)
    page.append(f"\n\n{text('advice.head', looks.language)}\n")
    names = [move_name(each, looks.language, edition) for each in found.moves]
    widest = max(map(len, names))
    for name, each in zip(names, found.moves, strict=True):
        style = look.GOOD if each is found.best else look.PAPER
        points = decimal(each.points, "+6.1f", looks.language)
        page.append(f"{name:>{widest}} {points} ", style)
        page.append(f"{looks.glyph('bar') * bar_length(found, each)}\n", style)
    if chances := trick_chances(found, looks.language, edition):
        page.append(f"\n{chances}\n")
    return page.append(text(worlds_code(found), looks.language, n=found.worlds), look.QUIET)


def bar_length(found: Advice, each: MoveAdvice) -> int:
    """The length of a bar: one cell for the worst move, the full length for the best."""
    range_ = found.best.points - found.moves[-1].points
    share = (each.points - found.moves[-1].points) / range_ if range_ else 1.0
    return 1 + round(share * (_BAR - 1))


def trick_chances(found: Advice, language: str, edition: str | None) -> str | None:
    """A line with the probability of each number of tricks after the best move, without negligible
    ones; ``None`` if unknown."""
    if found.best.tricks is None:
        return None
    chances = ", ".join(
        f"{number}: {percent(share, '.0f', language)}"
        for number, share in enumerate(found.best.tricks)
        if round(100 * share)
    )
    code = "advice.tricks" if found.best.move.tricks is None else "advice.tricks.bid"
    return f"{text(code, language, move=move_name(found.best, language, edition))}: {chances}"


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
        yield f"{move_name(each, language, edition)}: {points}"
    if chances := trick_chances(found, language, edition):
        yield chances
    yield text(worlds_code(found), language, n=found.worlds)
