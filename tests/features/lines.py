"""Random games as data, played again move by move, also with seats, colours or hidden cards
changed. Everything here runs compiled and uncompiled alike."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from generators import deals_for, rules_from
from rage.engine.deal import Deal
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.features.encode import canonical_move
from rage.rules.cards import BID, N_COLOURED
from rage.rules.hands import Cards, cards_of
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed


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


def random_line(rules: RuleSet, players: int, rng: Random, shortest: int = 10**6) -> Line:
    """A game of random deals and moves, which ends after ``shortest`` moves if not before."""
    deals = tuple(deals_for(rules, players, rng))
    position = Position(Rules(rules, players))
    moves: list[int] = []
    for deal in deals:
        position.deal(*deal.numbers())
        while position.phase in (Phase.BIDDING, Phase.PLAYING):
            if len(moves) >= shortest:
                return Line(rules, players, deals, tuple(moves))
            moves.append(rng.choice(position.legal()))
            position.play(moves[-1])
    return Line(rules, players, deals, tuple(moves))


def any_line(rng: Random, *, rounds: int = 2, most: int = 6) -> Line:
    """A whole random game of a random rule set."""
    rules, players = rules_from(rng.choice, rounds=rounds, most=most)
    return random_line(rules, players, rng)


def rotated(line: Line, steps: int) -> Line:
    """The same game, with everybody ``steps`` seats further to the left."""
    deals = tuple(
        deal._replace(
            dealer=(deal.dealer + steps) % line.players,
            hands=tuple(deal.hands[(seat - steps) % line.players] for seat in range(line.players)),
        )
        for deal in line.deals
    )
    return line._replace(deals=deals)


def recoloured(line: Line, names: tuple[int, ...]) -> Line:
    """The same game, each colour called by another's name."""

    def cards(held: Cards) -> Cards:
        return cards_of(canonical_move(c, names) if c < N_COLOURED else c for c in held.numbers)

    deals = tuple(
        deal._replace(hands=tuple(map(cards, deal.hands)), stock=cards(deal.stock))
        for deal in line.deals
    )
    return line._replace(deals=deals, moves=tuple(canonical_move(m, names) for m in line.moves))


def another_world(line: Line, seat: int, rng: Random) -> tuple[Line, int]:
    """The same game as far as a seat may know at its end: others' cards and the stock swapped
    and bids that are not shown changed where the moves stay legal. Also how many changes."""
    *_, end = line.positions()
    changes = 0
    for _ in range(8):
        changed = _with_other_cards(line, end, seat, rng)
        if rng.random() < 0.3:
            changed = _with_other_bid(line, end, seat, rng)
        if changed is not None and _can_be_played(changed):
            line = changed
            *_, end = line.positions()
            changes += 1
    return line, changes


def _can_be_played(line: Line) -> bool:
    try:
        for _ in line.positions():
            pass
    except NotAllowed:
        return False
    return True


def _under_way(end: Position) -> bool:
    return end.phase in (Phase.BIDDING, Phase.PLAYING)


def _with_other_cards(line: Line, end: Position, seat: int, rng: Random) -> Line | None:
    """Two hidden cards swapped, of the round under way."""
    if not _under_way(end):
        return None
    deal = line.deals[end.round]
    _, hands, stock = deal.numbers()
    places = [(stock, at) for at in range(len(end.turned), len(stock))]
    for other in range(line.players):
        left = end.hand(other) if other != seat else []
        places += [(hands[other], hands[other].index(card)) for card in set(left)]
    (one, i), (two, j) = rng.sample(places, 2)
    if one[i] == two[j]:
        return None
    one[i], two[j] = two[j], one[i]
    new = deal._replace(hands=tuple(map(cards_of, hands)), stock=cards_of(stock))
    deals = (*line.deals[: end.round], new, *line.deals[end.round + 1 :])
    return line._replace(deals=deals)


def _with_other_bid(line: Line, end: Position, seat: int, rng: Random) -> Line | None:
    """Another bid of a seat whose bid is not shown."""
    known = end.masked(seat).bids
    hidden = [s for s in range(line.players) if known[s] is None and end.bids[s] is not None]
    if not _under_way(end) or not hidden:
        return None
    start = len(line.moves) - sum(bid is not None for bid in end.bids)
    start -= end.tricks * line.players + len(end.trick)
    other = rng.choice(hidden)
    at = start + (other - end.dealer - 1) % line.players  # type: ignore[operator]  # it is dealt
    moves = list(line.moves)
    moves[at] = BID + rng.randint(0, end.hand_size)
    return line._replace(moves=tuple(moves))
