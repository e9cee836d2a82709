"""Which games a match has: the same deals for every seating of the bots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from rage.bots.learned import GENERAL, LEVELS
from rage.bots.net import network
from rage.bots.own import any_bot
from rage.bots.stand_in import stand_in
from rage.engine.deal import Deal, Dealer
from rage.rules.editions import name_of, ruleset
from rage.say import NotAllowed

#: Which bot each side is, as its place among the bots of the match.
Seating = tuple[int, ...]
_SEED_BYTES: Final = 16


class Match(NamedTuple):
    """Bots that play each other: the name of the rule set, the number of players, and the seed
    from which all deals and all choices of the bots come."""

    bots: tuple[str, ...]
    rules: str
    players: int
    seed: str

    @classmethod
    def of(cls, bots: tuple[str, ...], rules: str, players: int, seed: str) -> Match:
        """A match that can be played. Raises :class:`rage.NotReadable` and
        :class:`rage.NotAllowed`."""
        chosen = ruleset(rules).for_players(players)
        if len(bots) < 2:
            raise NotAllowed("arena.few_bots")
        for bot in bots:
            if bots.count(bot) > 1:
                raise NotAllowed("arena.twice", bot=bot)
            any_bot(bot)
        check_can_play(bots)
        return cls(bots, name_of(chosen), players, seed)

    @property
    def sides(self) -> int:
        """How many score: the players, or the teams. A side is one bot."""
        return ruleset(self.rules).teams or self.players

    @property
    def network(self) -> str | None:
        """The beginning of the SHA-256 of the network that bots of the match play by, if any do:
        with another network they are other bots."""
        if LEVELS.keys().isdisjoint(self.bots):
            return None
        return network(GENERAL).digest

    def deals(self, number: int) -> tuple[Deal, ...]:
        """The deals of one game, those of a set of deals by its number, counting from 0."""
        return _deals(self.rules, self.players, self._drawn("deals", number))

    def seed_for(self, number: int, seat: int) -> int:
        """The seed of whichever bot sits in a seat while a set of deals is played: 32 bits."""
        return int.from_bytes(self._drawn("bot", number, seat)[:4], "big")

    def _drawn(self, *words: object) -> bytes:
        """Bytes that follow from the seed of the match, and from what they are for."""
        lines = "\n".join(map(str, ("rage-arena-1", *words, self.seed)))
        return sha256(lines.encode("utf-8", "surrogatepass")).digest()[:_SEED_BYTES]


@lru_cache(maxsize=2)
def _deals(rules: str, players: int, seed: bytes) -> tuple[Deal, ...]:
    """The deals of all rounds. Kept, for all seatings of a set follow each other."""
    chosen = ruleset(rules)
    dealer = Dealer(chosen, players, seed)
    return tuple(dealer.deal(number) for number in range(1, len(chosen.schedule) + 1))


def check_can_play(bots: tuple[str, ...]) -> None:
    """Raises :class:`rage.NotAllowed` where steady would stand in for one of the bots: at a table
    it plays then, and here it would be measured."""
    for bot in bots:
        if why := stand_in(bot):
            raise NotAllowed("bot.stand_in.cannot", bot=bot, why=why)


class Planned(NamedTuple):
    """A game of a match: the number of its set of deals, and who sits where."""

    number: int
    seating: Seating


def seatings(bots: int, sides: int) -> list[Seating]:
    """All seatings of so many bots, each of which is played with every set of deals.

    For each two bots: one of them at each side in turn with the other everywhere else, and the same
    with both exchanged. For three or more bots at three or more sides also mixed tables: the bots
    in turn, beginning with each of them, rotated through all sides; of more bots than sides, all
    groups of as many as there are sides.
    """
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
    """The games of a match with so many sets of deals, set by set."""
    each = seatings(len(match.bots), match.sides)
    for number in range(deals):
        yield from (Planned(number, seating) for seating in each)
