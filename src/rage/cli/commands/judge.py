"""``rage judge``: who wins a trick of physical cards, and whether a card may be played to it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from rage.cli.arguments import rule_sets, usual_edition, view_to_act
from rage.cli.parser import Parser
from rage.game.judge import (
    Difference,
    Situation,
    edition_differences,
    fewest_players,
    opinion,
    read_card,
    read_played,
    situation,
    verdict,
    why_not,
)
from rage.game.rulings import example_move, names_colour
from rage.notation.typed import cards_in, colour, record_code, split_list
from rage.rules.cards import LETTERS
from rage.rules.editions import ruleset
from rage.rules.number import read_number
from rage.rules.values import Card, Colour
from rage.say import NotAllowed, NotReadable, RageError, Reason, join, sentence, text, with_colon
from rage.score.checking import check_names

VARIABLES: Final = ("RAGE_DATA",)

T = TypeVar("T")


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage judge``."""
    each = text("cli.judge.usual.players", parser.language)
    first = text("cli.judge.usual.lead", parser.language)
    option = parser.option
    option("trick", code="cli.judge.trick", nargs="*", metavar="CARD")
    usual = text("cli.usual.rules", parser.language)
    option("--rules", code="cli.rules_name", metavar="NAME", usual=usual, values=rule_sets)
    colours = [*LETTERS, "none"]
    option("--trump", code="cli.judge.trump", metavar="COLOUR", values=lambda _: colours)
    option("--players", code="cli.players", type=int, metavar="N", usual=each)
    option("--names", code="cli.judge.names", metavar="NAME,NAME,...")
    option("--lead-seat", code="cli.judge.lead", metavar="N|NAME", usual=first)
    option("--hand", code="cli.judge.hand", metavar="CARDS")
    option("--card", code="cli.judge.card", metavar="CARD")
    option("--position", code="cli.judge.position", metavar="TEXT")
    option("--json", code="cli.judge.json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer. Returns 0, 1 for a trick that the rules do not allow, or 2 for unreadable
    input."""
    try:
        answer = _answer(arguments)
    except RageError as error:
        if not arguments.json:
            raise
        said = sentence(error.reason, arguments.language)
        print(json.dumps({"ok": False, "error": said}))
        return 2 if isinstance(error, NotReadable) else 1
    if arguments.json:
        print(json.dumps(answer))
    else:
        print(answer["sentence"])
        for other in answer.get("differences", ()):
            print(other["sentence"])
    return 0 if answer["ok"] else 1


def _answer(arguments: argparse.Namespace) -> dict[str, Any]:
    """The answer in the form of ``--json``."""
    if arguments.position is not None:
        arguments.parser.check_alone(arguments, "--position", "--json")
        return _what_may_be_done(arguments.position, arguments.language)
    if arguments.trump is None:
        raise NotReadable("judge.needs_trump")
    if (arguments.hand is None) != (arguments.card is None):
        raise NotAllowed("judge.hand_and_card")
    language = arguments.language
    names, order = _seating(arguments)
    rules = ruleset(arguments.rules or usual_edition(language))
    typed = "en" if arguments.json else language  # English letters are a record's
    moves = [_read(word, typed, read_played) for word in cards_in(" ".join(arguments.trick))]
    if arguments.players is not None:
        rules.replace(schedule=(1,)).for_players(arguments.players, real_cards=True)
    players = len(order) or arguments.players
    if players is None and arguments.card is not None:
        players = fewest_players(rules, len(moves) + 1)  # everyone who has played, and the asker
    found = situation(rules, moves, _trump(arguments.trump, typed), players)
    if not order:
        lead = _lead(arguments.lead_seat, found.players, ())
        order = [(lead + place) % found.players for place in range(found.players)]
        names = [text("judge.player", language, n=seat + 1) for seat in range(found.players)]
    speaker = _Speaker(language, [names[seat] for seat in order])
    if arguments.card is not None:
        return {"ok": True, **_may_play(found, arguments, typed, speaker)}
    return _who_wins(found, order, speaker)


def _what_may_be_done(written: str, language: str) -> dict[str, Any]:
    """What the seat to act may play in a position (``docs/position.md``), and why not the rest."""
    view = view_to_act(written)
    legal = str(view.legal_moves)
    lines = [text("judge.legal", language, seat=view.seat, moves=legal)]
    why_not = {}
    for card in () if view.bidding else view.hand:
        why = view.why_not(example_move(card, view.rules, None))
        if why is not None:
            why_not[str(card)] = sentence(why, language, edition=view.rules.edition)
    lines += [f"{with_colon(card, language)} {why}" for card, why in why_not.items()]
    return {"ok": True, "to_act": view.seat, "legal": legal, "why_not": why_not,
            "sentence": "\n".join(lines)}  # fmt: skip


class _Speaker:
    """Says reasons with the names of the players, which are in the order of play."""

    def __init__(self, language: str, names: list[str]) -> None:
        self.language = language
        self._names = names

    def say(self, reason: Reason, edition: str) -> str:
        return sentence(reason, self.language, edition=edition, names=self._names)


def _may_play(
    found: Situation, arguments: argparse.Namespace, typed: str, speaker: _Speaker
) -> dict[str, Any]:
    """Answer whether the card may be played; ``typed``: the language of the cards' letters."""
    hand = [_read(word, typed, read_card) for word in cards_in(arguments.hand)]
    code = record_code(arguments.card, typed)
    why = _read(arguments.card, typed, lambda code: why_not(found, hand, code))
    if code.startswith("C") and not names_colour(Card.CHANGE, found.rules):
        code = "C"  # the colour it will turn up is not known yet
    said = Reason("judge.allowed", {"card": code}) if why is None else why
    return {"allowed": why is None, "sentence": speaker.say(said, found.rules.edition)}


def _who_wins(found: Situation, order: Sequence[int], speaker: _Speaker) -> dict[str, Any]:
    others = [*edition_differences(found)]
    # A trick that no edition allows is an error; otherwise the editions just differ.
    mine = opinion(found) if others else verdict(found)
    edition = found.rules.edition
    said = speaker.say(mine.why, edition)
    if mine.winner is None:
        said = text("judge.cannot_be", speaker.language, said=said)
    elif left := found.players - len(found.moves):
        said = text("judge.so_far", speaker.language, left=left, said=said)
    if others:
        said = _by_editions([edition], said, speaker.language)
    refused = mine.winner is None
    return {
        "ok": not refused,
        **({"error": said} if refused else {}),
        "winner": None if mine.winner is None else order[mine.winner],
        "sentence": said,
        "differences": [_difference(each, order, speaker) for each in others],
    }


def _difference(each: Difference, order: Sequence[int], speaker: _Speaker) -> dict[str, Any]:
    said = speaker.say(each.verdict.why, each.editions[0])
    if each.verdict.winner is None:
        said = text("judge.cannot_be", speaker.language, said=said)
    return {
        "editions": list(each.editions),
        "winner": None if each.verdict.winner is None else order[each.verdict.winner],
        "sentence": _by_editions(each.editions, said, speaker.language),
    }


def _by_editions(editions: Iterable[str], said: str, language: str) -> str:
    names = [text(f"edition.short.{edition}", language) for edition in editions]
    return text("judge.by_editions", language, editions=join(names, language), said=said)


def _read(word: str, language: str, read: Callable[[str], T]) -> T:
    """Read a card as people type it, with ``read``. Raises :class:`rage.NotReadable`, which quotes
    the word as typed."""
    code = record_code(word, language)
    try:
        return read(code)
    except NotReadable as error:
        raise NotReadable(error.reason.code, **{**error.reason.params, "card": word}) from None


def _trump(written: str, language: str) -> Colour | None:
    if written.lower() in ("none", *text("judge.no_trump", language).split()):
        return None
    return colour(written, language)


def _seating(arguments: argparse.Namespace) -> tuple[list[str], list[int]]:
    """The names by seat, and the seats in the order of play; both empty without names."""
    if arguments.names is None:
        return [], []
    names = split_list(arguments.names)
    check_names(names)
    if arguments.players not in (None, len(names)):
        raise NotAllowed("judge.names", names=len(names), players=arguments.players)
    lead = _lead(arguments.lead_seat, len(names), names)
    return names, [(lead + place) % len(names) for place in range(len(names))]


def _lead(written: str | None, players: int, names: Sequence[str]) -> int:
    """The seat that leads, written as its number from 1 or its player's name."""
    if written is None:
        return 0
    if written in names:
        return names.index(written)
    number = read_number(written, 1, players)
    if number is None:
        raise NotReadable("judge.no_lead", given=written, players=players)
    return number - 1
