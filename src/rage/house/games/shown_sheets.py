"""Score sheets that others watch, and the bids that players make on their phones.

The keeper's phone is the source of truth, and the server a notice board: it has the sheet that its
keeper last sent, and the bids that phones sent for the round under way, in memory only. After a
restart the keeper's page sends the sheet again, under the same code, and the phones their bids.
"""

from __future__ import annotations

import hmac
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from rage.house.base.errors import Forbidden, NotFound
from rage.house.limits import (
    BIDS,
    FORGET_AFTER,
    JOINS,
    MAX_KEYS_PER_SHEET,
    MAX_SHEETS,
    MAX_SHEETS_FROM,
    PEOPLE,
    WRITES,
)
from rage.house.limits.limiting import AddressLimit, acquire, for_people
from rage.house.limits.networks import Crowd, is_within
from rage.house.limits.rate import RateLimit
from rage.say import NotAllowed
from rage.score.bidding import are_hidden, to_bid, with_bid, without_bids
from rage.score.checking import check_sheet
from rage.score.link import read_link, write_link
from rage.score.sheet import Sheet, SheetRound

#: Seconds without a message after which a keeper counts as away.
AWAY_AFTER: Final = 15


class ShownSheet(Struct):
    """A sheet as everyone may see it. ``sheet`` is the fragment of a link to it; its round under
    way has no bids while they are ``hidden``, and includes bids from phones once they are not. For
    that round: the players that ``have_bid``, and those ``asked`` for a bid now. ``phones``: by
    player, the number of the phone that bids for them, or ``null``. ``game`` distinguishes
    successive games; ``opened`` (milliseconds): when this server first knew the sheet; ``heard``:
    when its keeper was last active (``null``: now)."""

    code: Annotated[str, Meta(examples=["abcdefgh"])]
    opened: int
    heard: int | None
    game: str
    sheet: Annotated[str, Meta(examples=["1.AAAA.AAAA"])]
    hidden: bool
    have_bid: list[int]
    asked: list[int]
    phones: list[int | None]


class Phone(NamedTuple):
    """A phone that bids for a player: its number at this sheet, and the digest of its proof."""

    number: int
    proof: bytes


class LiveSheet:
    """One sheet, and the bids on phones. Players are identified by their names, which stay the same
    from one game to the next."""

    def __init__(
        self, code: str, key: bytes, address: str | None, now: int, people: int = PEOPLE
    ) -> None:
        self.code = code
        self.address = address
        self.opened = self.heard = now
        self.stopped = False
        self.writes = RateLimit(WRITES)
        # By address, because anyone with the code could use up a shared limit.
        self._joins = AddressLimit(for_people(JOINS, people), MAX_KEYS_PER_SHEET)
        self._tries = RateLimit(BIDS, MAX_KEYS_PER_SHEET)
        self._key = key
        self._fragment = self._game = ""
        self._sheet: Sheet | None = None
        self._played = False
        self._phones: dict[str, Phone] = {}
        self._numbers = 0
        self._bids: dict[str, int] = {}  # of the round under way
        self._shown: ShownSheet | None = None  # since the last change

    @property
    def is_new(self) -> bool:
        """Whether it has never been shown."""
        return self._sheet is None

    def check_key(self, key: bytes) -> None:
        """Raise :class:`Forbidden` for a key other than the keeper's."""
        if not hmac.compare_digest(key, self._key):
            raise Forbidden("http.sheet_key")

    # What the keeper does.

    def keep(self, game: str, fragment: str, won: Sequence[int] | None) -> None:
        """Store the current state of the sheet. ``won``: the tricks of the round under way by seat,
        once all are played and some of its bids are not on the sheet yet. Raises
        :class:`rage.NotReadable` for anything but a sheet, and :class:`rage.NotAllowed` for tricks
        that do not add up; then nothing changes."""
        same = fragment == self._fragment
        sheet = self._sheet if same and self._sheet is not None else read_link(fragment)
        played = won is not None and _check_won(sheet, won)
        if _deal(game, sheet) != (self._sheet and _deal(self._game, self._sheet)):
            self._bids.clear()
        self._game, self._fragment, self._sheet, self._played = game, fragment, sheet, played
        self._phones = {name: self._phones[name] for name in sheet.players if name in self._phones}
        self.stopped, self._shown = False, None

    def free(self, name: str) -> None:
        """Let another phone bid for a player, and drop their bid."""
        self._phones.pop(name, None)
        self._bids.pop(name, None)
        self._shown = None

    def stop(self) -> None:
        """Stop showing the sheet to phones and other browsers."""
        self.stopped = True
        self._phones.clear()
        self._bids.clear()

    # What the phones of the players do.

    def knows(self, proof: bytes) -> bool:
        """Return whether a phone bids for one of the players."""
        return any(hmac.compare_digest(each.proof, proof) for each in self._phones.values())

    def join(self, name: str, proof: bytes, address: str | None) -> None:
        """Let a phone bid for a player from now on; one phone bids for one player. ``address``: the
        phone's, as limits count it. Raises :class:`rage.NotAllowed` if another phone does or there
        is no such player, and :class:`rage.house.base.errors.TooManyRequests`."""
        sheet, _ = self._now()
        if name not in sheet.players:
            raise NotAllowed("http.sheet_no_player", name=name)
        taken = self._phones.get(name)
        if taken is not None and hmac.compare_digest(taken.proof, proof):
            return
        if taken is not None:
            raise NotAllowed("http.sheet_taken", name=name)
        acquire(self._joins, address)
        for other, phone in list(self._phones.items()):
            if hmac.compare_digest(phone.proof, proof):
                self.free(other)
        self._numbers += 1
        self._phones[name] = Phone(self._numbers, proof)
        self._shown = None

    def bid(self, name: str, proof: bytes, game: str, number: int, bid: int) -> None:
        """Store the bid of a player for a round; ``number``: of the round, from 1. Raises
        :class:`Forbidden` if another phone bids for them, :class:`rage.NotAllowed` if they cannot
        bid that now, and :class:`rage.house.base.errors.TooManyRequests`."""
        phone = self._phones.get(name)
        if phone is None or not hmac.compare_digest(phone.proof, proof):
            raise Forbidden("http.sheet_not_yours", name=name)
        acquire(self._tries, proof)
        sheet, current = self._now()
        if current is None or (game, number) != (self._game, len(sheet.rounds)):
            raise NotAllowed("http.sheet_round")
        place = _place(sheet, current, name)
        if place is None:
            raise NotAllowed("http.sheet_no_player", name=name)
        if self._bids.get(name) == bid == current.bids[place]:
            return  # a retry: the phone did not get the answer
        if self._entered(place):
            raise NotAllowed("score.bid_made", player=name)
        with_bid(sheet, current, place, bid)
        self._bids[name] = bid
        self._shown = None

    # What everyone sees.

    def view(self, now: int) -> ShownSheet:
        """The sheet as everyone may see it. Raises :class:`NotFound` if it is no longer shown."""
        heard = self.heard if now - self.heard > AWAY_AFTER * 1000 else None
        if self.stopped or self._shown is None or self._shown.heard != heard:
            self._shown = self._show(heard)
        return self._shown

    def _show(self, heard: int | None) -> ShownSheet:
        sheet, current = self._now()
        hidden, have_bid, asked = False, list[int](), list[int]()
        if current is not None:
            hidden = are_hidden(sheet, current, played=self._played)
            both = list(zip(current.seats, current.bids, strict=True))
            have_bid = [player for player, bid in both if bid is not None]
            asked = [current.seats[place] for place in to_bid(sheet, current)]
            told = without_bids(current) if hidden else current
            sheet = sheet._replace(rounds=(*sheet.rounds[:-1], told))
        phones = [self._phones.get(name) for name in sheet.players]
        return ShownSheet(
            self.code,
            self.opened,
            heard,
            self._game,
            write_link(sheet),
            hidden,
            have_bid,
            asked,
            [None if each is None else each.number for each in phones],
        )

    def _entered(self, place: int) -> bool:
        """Return whether the keeper has entered the bid of a seat, which no phone can change."""
        current = self._sheet and self._sheet.under_way
        return current is not None and current.bids[place] is not None

    def _now(self) -> tuple[Sheet, SheetRound | None]:
        """The sheet with the bids of the phones, and its round under way. Entries of the keeper
        take precedence over bids from phones."""
        sheet = self._sheet
        if self.stopped or sheet is None:
            raise NotFound("http.sheet_stopped")
        current = sheet.under_way
        if current is None or not self._bids:
            return sheet, current
        bids = tuple(
            self._bids.get(sheet.players[player]) if bid is None else bid
            for player, bid in zip(current.seats, current.bids, strict=True)
        )
        merged = current._replace(bids=bids)
        whole = sheet._replace(rounds=(*sheet.rounds[:-1], merged))
        try:
            check_sheet(whole)
        except NotAllowed:  # the keeper has entered something else meanwhile
            return sheet, current
        return whole, merged


def _deal(game: str, sheet: Sheet) -> tuple[Any, ...]:
    """The identity of the round that phones bid on, including rules and players, so that no other
    sheet shows its hidden bids."""
    current = sheet.under_way
    if current is None:
        return game, len(sheet.rounds)
    seats = [sheet.players[player] for player in current.seats]
    return game, len(sheet.rounds), sheet.rules, current.hand_size, seats


def _check_won(sheet: Sheet, won: Sequence[int]) -> bool:
    """Return whether these are the tricks of a round under way. Raises :class:`rage.NotAllowed` if
    they do not add up."""
    current = sheet.under_way
    if current is None or len(won) != len(current.seats):
        return False
    if sum(won) != current.hand_size:
        raise NotAllowed("score.won_total", n=sum(won), tricks=current.hand_size)
    return True


def _place(sheet: Sheet, current: SheetRound, name: str) -> int | None:
    """The place of a player in a round."""
    named = [sheet.players[player] for player in current.seats]
    return named.index(name) if name in named else None


class LiveSheets:
    """All sheets that are shown, the least recently updated first; ``people``: how many may share
    an address."""

    def __init__(self, now: Callable[[], int], people: int = PEOPLE) -> None:
        self.now = now
        self._people = people
        self._sheets: OrderedDict[str, LiveSheet] = OrderedDict()
        self._crowd = Crowd()

    def __len__(self) -> int:
        return len(self._sheets)

    def get(self, code: str) -> LiveSheet:
        """The sheet of a code. Raises :class:`NotFound`."""
        self._forget()
        if (found := self._sheets.get(code)) is None:
            raise NotFound("http.no_sheet")
        return found

    def of_keeper(self, code: str, key: str, address: str | None) -> LiveSheet:
        """The sheet of a code for its keeper, created if there is none. Raises :class:`Forbidden`
        for a key other than the keeper's."""
        self._forget()
        digest = sha256(key.encode()).digest()
        found = self._sheets.get(code) or LiveSheet(code, digest, address, self.now(), self._people)
        found.check_key(digest)
        return found

    def show(self, sheet: LiveSheet) -> ShownSheet:
        """Show a sheet whose keeper is active now."""
        sheet.heard = self.now()
        if sheet.code not in self._sheets:
            self._make_room(sheet.address)
            self._crowd.add(sheet.address)
        self._sheets[sheet.code] = sheet
        self._sheets.move_to_end(sheet.code)
        return sheet.view(sheet.heard)

    def _forget(self) -> None:
        """Forget the sheets whose keepers have been away for too long."""
        until = self.now() - FORGET_AFTER * 1000
        while self._sheets:
            oldest = next(iter(self._sheets.values()))
            if oldest.heard > until:
                break
            self._drop(oldest)

    def _make_room(self, address: str | None) -> None:
        """Evict a sheet if there are too many for one more: the least recently updated of a network
        that has too many, or else of the most crowded one. Its keeper's page sends it again."""
        shown = self._sheets.values()
        most = for_people(MAX_SHEETS_FROM, self._people)
        if there := self._crowd.full(address, most, MAX_SHEETS):
            self._drop(next(each for each in shown if is_within(each.address, there)))
        elif len(shown) >= MAX_SHEETS:
            self._drop(max(shown, key=lambda each: self._crowd.rank(each.address)))

    def _drop(self, sheet: LiveSheet) -> None:
        del self._sheets[sheet.code]
        self._crowd.remove(sheet.address)


def etag(shown: ShownSheet) -> str:
    """The entity tag of a sheet as shown."""
    return f'"{sha256(msgspec.json.encode(shown)).hexdigest()[:24]}"'
