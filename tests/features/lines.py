"""Random games as data, played again move by move, also with seats or colours changed. Everything
here runs compiled and uncompiled alike."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

from generators import deals_for, rules_from
from properties.worlds import renamed_deals
from rage.engine.deal import Deal
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.features.encode import canonical_move, colour_places, encode
from rage.rules.cards import N_COLOURED
from rage.rules.ruleset import RuleSet


class Line(NamedTuple):
    """A rule set, its deals and moves: everything that happens in a game."""

    rules: RuleSet
    players: int
    deals: tuple[Deal, ...]
    moves: tuple[int, ...]

    def positions(self) -> Iterator[Position]:
        """The position at every moment, before each deal and after each move."""
        position = Position(Rules(self.rules, self.players))
        deals = iter(self.deals)
        yield position
        for move in self.moves:
            if position.phase == Phase.DEALING:
                position.deal(*next(deals).numbers())
                yield position
            position.play(move)
            yield position


def random_line(rules: RuleSet, players: int, rng: Random) -> Line:
    """A game of random deals and moves."""
    deals = tuple(deals_for(rules, players, rng))
    position = Position(Rules(rules, players))
    moves: list[int] = []
    for deal in deals:
        position.deal(*deal.numbers())
        while position.phase in (Phase.BIDDING, Phase.PLAYING):
            moves.append(rng.choice(position.legal_moves))
            position.play(moves[-1])
    return Line(rules, players, deals, tuple(moves))


def any_line(rng: Random, *, rounds: int = 2, most: int = 6) -> Line:
    """A whole random game of a random rule set."""
    rules, players = rules_from(rng.choice, rounds=rounds, most=most)
    return random_line(rules, players, rng)


def rotated(line: Line, steps: int) -> Line:
    """The same game, with everybody ``steps`` seats further to the left."""
    return line._replace(deals=tuple(renamed_deals(line.deals, lambda card: card, steps)))


def recoloured(line: Line, names: tuple[int, ...]) -> Line:
    """The same game, each colour called by another's name."""

    def card(known: int) -> int:
        return canonical_move(known, names) if known < N_COLOURED else known

    deals = tuple(renamed_deals(line.deals, card, 0))
    return line._replace(deals=deals, moves=tuple(canonical_move(m, names) for m in line.moves))


def digest(games: int, seed: int) -> str:
    """One number for all encodings of some random games: equal compiled and uncompiled."""
    rng = Random(seed)
    total = sha256()
    for _ in range(games):
        line = any_line(rng)
        for position in line.positions():
            for seat in range(line.players):
                total.update(encode(position, seat).tobytes())
                total.update(bytes(colour_places(position, seat)))
    return total.hexdigest()
