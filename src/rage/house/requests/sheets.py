"""``/api/sheets``: score sheets that others watch, and the bids of players, by phone.

No cookie is needed here. The keeper's page proves itself by a random key, from which the code of
the sheet follows, and each phone by its own random proof. Nothing is stored or logged. The code is
in the path of each request about a sheet, so that a proxy can find the server that has it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta, Struct

from rage.house.base.codes import NoTable, read_code
from rage.house.base.errors import Forbidden, NotFound
from rage.house.games.shown_sheets import LiveSheet, ShownSheet, etag
from rage.house.limits.limiting import acquire
from rage.house.requests.requester import END, Reply, Requester
from rage.rules.settings import MAX_HAND, MAX_REAL_PLAYERS, MAX_ROUNDS

#: 32 random bytes as base64url, without padding.
Secret = Annotated[
    str,
    Meta(
        pattern=f"^[A-Za-z0-9_-]{{43}}{END}",
        examples=["A" * 43],
    ),
]
Player = Annotated[str, Meta(examples=["Ann"])]
Game = Annotated[str, Meta(max_length=40, examples=["1"])]
Tricks = Annotated[int, Meta(ge=0, le=MAX_HAND)]
#: A sheet changes at any moment, and is polled.
_ASK_AGAIN: Final = "private, no-cache"


class SheetUpdate(Struct, forbid_unknown_fields=True):
    """A sheet as its keeper has it: the key that proves the keeper, the game (any text, by which
    this device tells its games apart), the fragment of a link to it, and, while bids made on phones
    are missing on it, the tricks ``won`` by seat once all are played."""

    key: Secret
    game: Game
    sheet: Annotated[str, Meta(max_length=16_000, examples=["1.AAAA.AAAA"])]
    won: Annotated[list[Tricks], Meta(max_length=MAX_REAL_PLAYERS)] | None = None


class KeepersKey(Struct, forbid_unknown_fields=True):
    """The proof of a sheet's keeper."""

    key: Secret


class SheetCode(Struct):
    """The code by which others find a sheet."""

    code: Annotated[str, Meta(examples=["abcdefgh"])]


class PlayerToFree(Struct, forbid_unknown_fields=True):
    """A player for whom another phone may bid, and the proof of the keeper."""

    key: Secret
    name: Player


class NewPhone(Struct, forbid_unknown_fields=True):
    """A phone that will bid for a player, and its proof."""

    name: Player
    proof: Secret


class PhoneBid(Struct, forbid_unknown_fields=True):
    """A bid of a player for a round of a game, by its number, and the proof of their phone."""

    name: Player
    proof: Secret
    game: Game
    round: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    bid: Tricks


async def name_sheet(requester: Requester, data: KeepersKey) -> SheetCode:
    """The code that follows from the key of a keeper; nothing is shown yet."""
    return SheetCode(requester.site.keys.sheet(data.key))


async def keep_sheet(requester: Requester, sheet: str, data: SheetUpdate) -> ShownSheet:
    """Show the current state of a sheet to everyone who has its code."""
    found = _own(requester, sheet, data.key)
    found.keep(data.game, data.sheet, data.won)
    return requester.site.live.show(found)


async def stop_sheet(requester: Requester, sheet: str, data: KeepersKey) -> None:
    """Stop showing a sheet, and forget what phones have sent."""
    _own(requester, sheet, data.key).stop()


async def free_player(requester: Requester, sheet: str, data: PlayerToFree) -> ShownSheet:
    """Let another phone bid for a player, and drop their bid."""
    found = _own(requester, sheet, data.key)
    found.free(data.name)
    return found.view(requester.site.live.now())


async def get_sheet(
    requester: Requester,
    sheet: str,
) -> Reply[ShownSheet]:
    """The current state of a sheet, for anyone who has its code."""
    shown = _found(requester, sheet).view(requester.site.live.now())
    tag = etag(shown)
    headers = {"etag": tag, "cache-control": _ASK_AGAIN}
    if tag in requester.known:
        return Reply(None, headers, 304)
    return Reply(shown, headers)


async def join_sheet(requester: Requester, sheet: str, data: NewPhone) -> ShownSheet:
    """Bid for a player from now on, on this phone."""
    proof = _digest(data.proof)
    found = _found(requester, sheet, proof)
    found.join(data.name, proof, requester.address)
    return found.view(requester.site.live.now())


async def bid_on_sheet(requester: Requester, sheet: str, data: PhoneBid) -> ShownSheet:
    """Bid for the player of this phone; a bid cannot be changed."""
    proof = _digest(data.proof)
    found = _found(requester, sheet, proof)
    found.bid(data.name, proof, data.game, data.round, data.bid)
    return found.view(requester.site.live.now())


def _own(requester: Requester, sheet: str, key: str) -> LiveSheet:
    """The sheet of a keeper, created if there is none. Raises :class:`Forbidden` if the code does
    not belong to the key, and :class:`rage.house.base.errors.TooManyRequests`."""
    if sheet != requester.site.keys.sheet(key):
        raise Forbidden("http.sheet_key")
    found = requester.site.live.of_keeper(sheet, key, requester.address)
    if found.is_new:
        requester.rate_limit("sheet")
    acquire(found.writes)
    return found


def _found(requester: Requester, sheet: str, proof: bytes = b"") -> LiveSheet:
    """A sheet that is shown; ``proof``: of a phone. Raises :class:`NotFound`, which counts as a
    guess."""
    with requester.guessing(sheet) as guess:
        try:
            found = requester.site.live.get(read_code(sheet))
        except NoTable:
            raise NotFound("http.no_sheet") from None
        guess.own = found.knows(proof)
    return found


def _digest(proof: str) -> bytes:
    return sha256(proof.encode()).digest()
