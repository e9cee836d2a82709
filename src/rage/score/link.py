"""A sheet in the fragment of a link (``docs/score.md``)."""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Sequence
from typing import Final

from rage.notation.digits import Digits, from_base64url, to_base64url
from rage.notation.pasted import fragments, plain, read_linked
from rage.rules.editions import ruleset
from rage.say import RageError
from rage.score.checking import check_sheet
from rage.score.file import NotASheet, read_sheet
from rage.score.sheet import Entries, Sheet, SheetRound

_PREFIX: Final = "1."
#: No sheet needs more.
_MAX_FRAGMENT: Final = 1 << 14
#: The bases of its digits: one more than the largest hand, round count and seat count; and for the
#: seats beyond these, whose count is written as 0 and then by how many there are more. Part of the
#: format, like the prefix: a link with others is another format.
_HANDS, _ROUND_COUNTS, _SEAT_COUNTS, _MORE_SEATS = 16, 31, 9, 2


def write_link(sheet: Sheet) -> str:
    """The fragment of a sheet."""
    digits = Digits()
    digits.put(sheet.stopped, 2)
    digits.put(len(sheet.rounds), _ROUND_COUNTS)
    before = tuple(range(len(sheet.players)))
    for index, current in enumerate(sheet.rounds):
        _put_seats(digits, current.seats, before, len(sheet.players))
        _put_round(digits, sheet, index)
        before = current.seats
    head = "\n".join((sheet.rules.name, *sheet.players)).encode()
    body = digits.as_bytes()
    return _PREFIX + to_base64url(head) + "." + to_base64url(_check(head, body) + body)


def read_link(fragment: str) -> Sheet:
    """The sheet of a fragment, or of a link that ends in one. Raises :class:`NotASheet`."""
    text = fragment.rpartition("#")[2].strip()
    try:
        if not text.startswith(_PREFIX) or len(text) > _MAX_FRAGMENT:
            raise ValueError
        head, _, numbers = text[len(_PREFIX) :].partition(".")
        sheet = _read(from_base64url(head), from_base64url(numbers))
        check_sheet(sheet)
        return sheet
    except (RageError, ValueError, binascii.Error, LookupError):
        raise NotASheet("score.not_a_link") from None


def read_pasted(data: bytes) -> Sheet:
    """The sheet of a file, or of a link that may stand in a sentence. Raises :class:`NotASheet`,
    and :class:`rage.NotAllowed` as :func:`rage.score.file.read_sheet` does."""
    data = plain(data)
    text = "" if data.lstrip().startswith(b"{") else data.decode("utf-8", "replace")
    if next(fragments(text), None):
        return read_linked(text, read_link)
    return read_sheet(data)


def is_sheet(data: bytes) -> bool:
    """Return whether this is a score sheet, or several, in any form."""
    try:
        read_pasted(data)
    except NotASheet as error:
        return error.reason.code == "score.many"
    except RageError:  # it breaks a rule
        pass
    return True


def _read(head: bytes, numbers: bytes) -> Sheet:
    body = numbers[2:]
    if numbers[:2] != _check(head, body):
        raise ValueError
    name, *players = head.decode().split("\n")
    digits = Digits(body)
    stopped = bool(digits.take(2))
    sheet = Sheet(ruleset(name), tuple(players), stopped=stopped)
    for _ in range(digits.take(_ROUND_COUNTS)):
        seats = _take_seats(digits, sheet.seats, len(players))
        sheet = sheet._replace(rounds=(*sheet.rounds, _take_round(digits, sheet, seats)))
    if digits.left:
        raise ValueError
    return sheet


def _check(head: bytes, body: bytes) -> bytes:
    return (zlib.crc32(head + body) & 0xFFFF).to_bytes(2, "little")


def _put_seats(
    digits: Digits, seats: tuple[int, ...], before: tuple[int, ...], players: int
) -> None:
    digits.put(seats != before, 2)
    if seats == before:
        return
    more = len(seats) - _SEAT_COUNTS
    digits.put(0 if more >= 0 else len(seats), _SEAT_COUNTS)
    if more >= 0:
        digits.put(more, _MORE_SEATS)
    left = [*range(players)]
    for player in seats:
        digits.put(left.index(player), len(left))
        left.remove(player)


def _take_seats(digits: Digits, before: tuple[int, ...], players: int) -> tuple[int, ...]:
    if not digits.take(2):
        return before
    left = [*range(players)]
    count = digits.take(_SEAT_COUNTS) or _SEAT_COUNTS + digits.take(_MORE_SEATS)
    return tuple(left.pop(digits.take(len(left))) for _ in range(count))


def _put_round(digits: Digits, sheet: Sheet, index: int) -> None:
    current = sheet.rounds[index]
    hand = current.hand_size
    usual = sheet.rules.schedule[index]
    digits.put(hand != usual, 2)
    if hand != usual:
        digits.put(hand, _HANDS)
    digits.put(current.seats.index(current.dealer), len(current.seats))
    digits.put(current.over, 2)
    if current.over:
        for bid in current.bids:
            digits.put(bid or 0, hand + 1)
        _put_shares(digits, [won or 0 for won in current.won][:-1], hand)
    else:
        _put_entries(digits, current.bids, hand)
        if current.all_bid:
            _put_some(digits, current.won, hand)
    if any(won is not None for won in current.won):
        for counts, most in _piles(sheet, current.bonus, current.mad):
            digits.put(any(counts), 2)
            if any(counts):
                _put_shares(digits, counts, most)


def _take_round(digits: Digits, sheet: Sheet, seats: tuple[int, ...]) -> SheetRound:
    n = len(seats)
    hand = sheet.rules.schedule[len(sheet.rounds)]
    if digits.take(2):
        hand = digits.take(_HANDS)
    dealer = seats[digits.take(n)]
    won: Entries = (None,) * n
    bids: Entries
    if digits.take(2):
        bids = tuple(digits.take(hand + 1) for _ in seats)
        shares = _take_shares(digits, n - 1, hand)
        won = (*shares, hand - sum(shares))
    else:
        bids = _take_entries(digits, n, hand)
        if None not in bids:
            won = _take_some(digits, n, hand)
    cards = [(0,) * n, (0,) * n]
    if any(each is not None for each in won):
        pack = sheet.rules.pack
        cards = [
            _take_shares(digits, n, most) if digits.take(2) else (0,) * n
            for most in (pack.bonus, pack.mad)
        ]
    return SheetRound(seats, hand, dealer, bids, won, cards[0], cards[1])


def _piles(
    sheet: Sheet, bonus: tuple[int, ...], mad: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The Bonus and the Mad cards of a round, each with how many the pack holds."""
    return (bonus, sheet.rules.pack.bonus), (mad, sheet.rules.pack.mad)


def _put_shares(digits: Digits, shares: Sequence[int], left: int) -> None:
    """Write numbers that add up to at most ``left``."""
    for each in shares:
        digits.put(each, left + 1)
        left -= each


def _take_shares(digits: Digits, count: int, left: int) -> tuple[int, ...]:
    shares = []
    for _ in range(count):
        shares.append(digits.take(left + 1))
        left -= shares[-1]
    return tuple(shares)


def _put_entries(digits: Digits, entries: Entries, most: int) -> None:
    """Write numbers, some of which may be missing."""
    for each in entries:
        digits.put(0 if each is None else each + 1, most + 2)


def _take_entries(digits: Digits, count: int, most: int) -> Entries:
    found = [digits.take(most + 2) for _ in range(count)]
    return tuple(each - 1 if each else None for each in found)


def _put_some(digits: Digits, entries: Entries, left: int) -> None:
    """Write numbers that add up to at most ``left``, some of which may be missing."""
    for each in entries:
        digits.put(0 if each is None else each + 1, left + 2)
        left -= each or 0


def _take_some(digits: Digits, count: int, left: int) -> Entries:
    found: list[int | None] = []
    for _ in range(count):
        digit = digits.take(left + 2)
        found.append(digit - 1 if digit else None)
        left -= found[-1] or 0
    return tuple(found)
