"""Sheets for tests and cases, entered as on the page. Each function returns a new sheet, or raises
:class:`rage.NotAllowed` (for a name, :class:`rage.NotReadable`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed
from rage.score.checking import check_names, check_round, check_sheet
from rage.score.sheet import Sheet, SheetRound


def new_sheet(rules: RuleSet, players: Sequence[str], **extra: Any) -> Sheet:
    """An empty sheet for these players, in their order clockwise; ``extra`` are optional fields
    of the file, such as ``started``."""
    check_names(players)
    rules.for_players(len(players), real_cards=True)
    return Sheet(rules, tuple(players), extra=extra)


def begin_round(
    sheet: Sheet,
    *,
    seats: Sequence[int] | None = None,
    dealer: int | None = None,
    hand_size: int | None = None,
) -> Sheet:
    """Begin the next round: with the seats of the last one, the next dealer and the hand size of
    the schedule, unless others are given."""
    at = sheet.seats if seats is None else tuple(seats)
    size = sheet.rules.schedule[len(sheet.rounds)] if hand_size is None else hand_size
    unknown, zeros = (None,) * len(at), (0,) * len(at)
    deals = next_dealer(sheet, at) if dealer is None else dealer
    begun = SheetRound(at, size, deals, unknown, unknown, zeros, zeros)
    return _checked(sheet._replace(rounds=(*sheet.rounds, begun)), len(sheet.rounds))


def next_dealer(sheet: Sheet, seats: Sequence[int]) -> int:
    """Who deals next: the first of these seats to the left of the last dealer; before the first
    round, the first seat."""
    if not sheet.rounds or not seats:
        return seats[0] if seats else 0
    last = sheet.rounds[-1]
    at = last.seats.index(last.dealer)
    to_the_left = (*last.seats[at + 1 :], *last.seats[: at + 1])
    return next((player for player in to_the_left if player in seats), seats[0])


def enter(sheet: Sheet, **entries: Sequence[int | None]) -> Sheet:
    """Enter ``bids``, ``won``, ``bonus`` or ``mad``, by seat, into the round under way."""
    return correct(sheet, len(sheet.rounds) - 1, **entries)


def correct(sheet: Sheet, index: int, **changes: Any) -> Sheet:
    """Change fields of any round, by its index from 0."""
    fields = {
        name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()
    }
    rounds = [*sheet.rounds]
    rounds[index] = SheetRound(**{**rounds[index]._asdict(), **fields})
    return _checked(sheet._replace(rounds=tuple(rounds)), index)


def stop(sheet: Sheet) -> Sheet:
    """End the game now: what has been entered for a round under way is dropped."""
    if not sheet.finished:
        raise NotAllowed("score.nothing_to_stop")
    return sheet._replace(rounds=sheet.finished, stopped=len(sheet.finished) < _last(sheet))


def add_player(sheet: Sheet, name: str) -> Sheet:
    """Add a latecomer to the sheet; they sit down in the first round whose seats include them."""
    added = sheet._replace(players=(*sheet.players, name))
    check_names(added.players)
    return added


def with_rules(sheet: Sheet, rules: RuleSet) -> Sheet:
    """The same rounds under other rules, which must allow them."""
    return _checked(sheet._replace(rules=rules))


def _last(sheet: Sheet) -> int:
    return len(sheet.rules.schedule)


def _checked(sheet: Sheet, index: int | None = None) -> Sheet:
    """The sheet, if it keeps the rules. An error in the round at ``index`` is raised without the
    round's number."""
    if index is not None:
        check_round(sheet, index)
    check_sheet(sheet)
    return sheet
