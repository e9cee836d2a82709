"""Checks of what is entered on a sheet: each refusal is a code with parameters, raised before
anything is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from rage.rules.cards import BONUS, CARD_CODES, MAD
from rage.rules.ruleset import RuleSet
from rage.rules.settings import MAX_HAND
from rage.say import NotAllowed, NotReadable, RageError
from rage.score.sheet import Sheet, SheetRound

MAX_NAME: Final = 40
#: The most people in a game, including all who come late or leave.
MAX_PEOPLE: Final = 24
#: The control characters, and those that end a line.
_CONTROLS: Final = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)))


def check_sheet(sheet: Sheet) -> None:
    """Check a whole sheet. Raises :class:`rage.NotReadable` for a wrong name, and
    :class:`rage.NotAllowed` for the first round that breaks a rule, with its number."""
    check_names(sheet.players)
    if len(sheet.rounds) > (most := len(sheet.rules.schedule)):
        raise NotAllowed("notation.too_many_rounds", rounds=len(sheet.rounds), most=most)
    if sheet.stopped and not sheet.rounds:
        raise NotAllowed("score.nothing_to_stop")
    for index in range(len(sheet.rounds)):
        try:
            check_round(sheet, index)
        except RageError as error:
            raise NotAllowed("notation.at_round", round=index + 1, why=error.reason) from None


def check_names(players: Sequence[str]) -> None:
    """Check the names of a sheet. Raises :class:`rage.NotReadable`."""
    if not 1 <= len(players) <= MAX_PEOPLE:
        raise NotReadable("score.people", n=len(players), most=MAX_PEOPLE)
    composed = [normalize("NFC", each) for each in players]
    for at, name in enumerate(composed):
        if not name.strip():
            raise NotReadable("name.empty")
        if len(name) > MAX_NAME:
            raise NotReadable("name.long", most=MAX_NAME)
        if name != name.strip() or any(_is_refused(each) for each in name):
            raise NotReadable("score.name_blanks", name=name)
        if name in composed[:at]:
            raise NotReadable("score.name_taken", name=name)


def _is_refused(character: str) -> bool:
    return character in _CONTROLS or "\ud800" <= character <= "\udfff"


def check_round(sheet: Sheet, index: int) -> None:
    """Check one round, by its index from 0, and that it follows from the rounds before it. Raises
    :class:`rage.NotAllowed`."""
    current = sheet.rounds[index]
    _check_seats(sheet, current)
    _check_bids(sheet, current)
    _check_won(sheet, current)
    _check_cards(sheet, current)
    _check_end(sheet, index)
    _check_teams(sheet, index)


def forbidden_bid(rules: RuleSet, current: SheetRound, seat: int) -> int | None:
    """The bid that a seat must not make because it would bring the total to the number of tricks;
    ``None`` if every bid is allowed, or if others have yet to bid."""
    others = [bid for at, bid in enumerate(current.bids) if at != seat]
    if rules.bid_total != "not_tricks" or None in others:
        return None
    left = current.hand_size - sum(bid or 0 for bid in others)
    return left if left >= 0 else None


def _check_end(sheet: Sheet, index: int) -> None:
    """Check that only the last round is unfinished, and no round of a game that was stopped."""
    if sheet.rounds[index].over:
        return
    if index < len(sheet.rounds) - 1:
        raise NotAllowed("score.unfinished")
    if sheet.stopped:
        raise NotAllowed("score.stopped_unfinished")


def _check_teams(sheet: Sheet, index: int) -> None:
    """Check that each player stays on one team."""
    if sheet.rules.teams is None:
        return
    seats = sheet.rounds[index].seats
    for before in sheet.rounds[:index]:
        for place, player in enumerate(before.seats):
            if player in seats and (seats.index(player) - place) % sheet.rules.teams:
                raise NotAllowed("score.team_changed", player=sheet.players[player])


def _check_seats(sheet: Sheet, current: SheetRound) -> None:
    for at, player in enumerate(current.seats):
        if player in current.seats[:at]:
            raise NotAllowed("score.seated_twice", player=sheet.players[player])
    if not 1 <= current.hand_size <= MAX_HAND:
        raise NotAllowed("score.hand_size", n=current.hand_size, most=MAX_HAND)
    rules = sheet.rules.replace(schedule=(current.hand_size,))
    rules.for_players(len(current.seats), real_cards=True)
    if current.dealer not in current.seats:
        raise NotAllowed("score.dealer_away", player=sheet.players[current.dealer])


def _check_bids(sheet: Sheet, current: SheetRound) -> None:
    most = current.hand_size
    for player, bid in zip(current.seats, current.bids, strict=True):
        if bid is not None and not 0 <= bid <= most:
            raise NotAllowed("score.bid", player=sheet.players[player], n=bid, most=most)
    total = sum(bid or 0 for bid in current.bids)
    if current.all_bid and sheet.rules.bid_total == "not_tricks" and total == most:
        raise NotAllowed("score.bid_total", tricks=most)


def _check_won(sheet: Sheet, current: SheetRound) -> None:
    tricks = current.hand_size
    for player, won in zip(current.seats, current.won, strict=True):
        if won is None:
            continue
        if not current.all_bid:
            raise NotAllowed("score.bids_first")
        if not 0 <= won <= tricks:
            raise NotAllowed("score.won", player=sheet.players[player], n=won, most=tricks)
    total = sum(won or 0 for won in current.won)
    if total > tricks or (current.over and total < tricks):
        raise NotAllowed("score.won_total", n=total, tricks=tricks)


def _check_cards(sheet: Sheet, current: SheetRound) -> None:
    bonus_code, mad_code = CARD_CODES[BONUS], CARD_CODES[MAD]
    said = {"bonus": bonus_code, "mad": mad_code, "edition": sheet.rules.edition}
    piles = (
        (current.bonus, bonus_code, sheet.rules.pack.bonus),
        (current.mad, mad_code, sheet.rules.pack.mad),
    )
    for counts, card, most in piles:
        if min(counts) < 0:
            raise NotAllowed("score.cards", n=min(counts), card=card, **said)
        if (n := sum(counts)) > most:
            raise NotAllowed("score.cards_total", n=n, card=card, most=most, **said)
    both = zip(current.seats, current.won, current.bonus, current.mad, strict=True)
    for player, won, bonus, mad in both:
        name = sheet.players[player]
        if bonus + mad and not won:
            card = bonus_code if bonus else mad_code
            raise NotAllowed("score.cards_no_trick", player=name, card=card, **said)
        if (n := bonus + mad) > (most := (won or 0) * len(current.seats)):
            raise NotAllowed("score.cards_in_tricks", player=name, n=n, most=most, **said)
