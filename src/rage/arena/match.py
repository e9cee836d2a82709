"""The games of a match: the same deals for every seating of the bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from rage.bots.custom import any_bot
from rage.bots.learned import GENERAL, LEVELS
from rage.bots.net import network
from rage.bots.stand_in import stand_in
from rage.engine.deal import Deal, Deals
from rage.rules.editions import ruleset
from rage.say import NotAllowed

#: The bot of each side, as an index into the bots of the match.
Seating = tuple[int, ...]
_SEED_BYTES: Final = 16


class Match(NamedTuple):
    """Bots that play each other: the name of the rule set, the number of players, and the seed of
    all deals and of all random choices of the bots."""

    bots: tuple[str, ...]
    rules: str
    players: int
    seed: str

    @classmethod
    def of(cls, bots: tuple[str, ...], rules: str, players: int, seed: str) -> Match:
        """A match, checked. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
        chosen = ruleset(rules).for_players(players)
        if len(bots) < 2:
            raise NotAllowed("arena.few_bots")
        for bot in bots:
            if bots.count(bot) > 1:
                raise NotAllowed("arena.twice", bot=bot)
            any_bot(bot)
        check_can_play(bots)
        return cls(bots, chosen.name, players, seed)

    @property
    def sides(self) -> int:
        """The number of sides that score: the players, or the teams. A side is one bot."""
        return ruleset(self.rules).teams or self.players

    @property
    def network(self) -> str | None:
        """The network that bots of the match play by, as in :func:`network_of`."""
        return network_of(self.bots)

    def deals(self, number: int) -> tuple[Deal, ...]:
        """The deals of one game: the set of deals with this number, from 0."""
        return _deals(self.rules, self.players, self._drawn("deals", number))

    def seed_for(self, number: int, seat: int) -> int:
        """The 32-bit seed of the bot in a seat for a set of deals."""
        return int.from_bytes(self._drawn("bot", number, seat)[:4], "big")

    def _drawn(self, *words: object) -> bytes:
        """Bytes derived from the seed of the match and their purpose."""
        lines = "\n".join(map(str, ("rage-arena-1", *words, self.seed)))
        return sha256(lines.encode("utf-8", "surrogatepass")).digest()[:_SEED_BYTES]


@lru_cache(maxsize=2)
def _deals(rules: str, players: int, seed: bytes) -> tuple[Deal, ...]:
    """The deals of all rounds, cached because the seatings of a set are played one after the
    other."""
    chosen = ruleset(rules)
    dealer = Deals(chosen, players, seed)
    return tuple(dealer.deal(number) for number in range(1, len(chosen.schedule) + 1))


def check_can_play(bots: Iterable[str]) -> None:
    """Raise :class:`rage.NotAllowed` if steady would stand in for one of the bots, as it does at a
    table: here it would be measured instead."""
    for bot in bots:
        if why := stand_in(bot):
            raise NotAllowed("bot.stand_in.cannot", bot=bot, why=why)


def network_of(bots: Iterable[str]) -> str | None:
    """The beginning of the SHA-256 of the network that some of the bots play by, if any: with
    another network they are other bots."""
    return None if LEVELS.keys().isdisjoint(bots) else network(GENERAL).digest


class Planned(NamedTuple):
    """A game of a match: the number of its set of deals, and the seating."""

    number: int
    seating: Seating


def seatings(bots: int, sides: int) -> list[Seating]:
    """All seatings of ``bots`` bots, each of which is played with every set of deals.

    For each pair: one bot on each side in turn and the other on all other sides, and vice versa.
    With three or more bots and sides, also mixed tables: the bots in turn, beginning with each of
    them, rotated through all sides; with more bots than sides, every group of one bot per side."""
    found = [
        tuple(alone if side == at else other for side in range(sides))
        for pair in combinations(range(bots), 2)
        for alone, other in (pair, pair[::-1])
        for at in range(sides)
    ]
    if bots > 2 and sides > 2:
        found += [
            tuple(group[(first + (side + turn) % sides) % len(group)] for side in range(sides))
            for group in combinations(range(bots), min(bots, sides))
            for first in range(len(group))
            for turn in range(sides)
        ]
    return list(dict.fromkeys(found))


def plan(match: Match, deals: int) -> Iterator[Planned]:
    """The games of a match with ``deals`` sets of deals, set by set."""
    each = seatings(len(match.bots), match.sides)
    for number in range(deals):
        yield from (Planned(number, seating) for seating in each)
