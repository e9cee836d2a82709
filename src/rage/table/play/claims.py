"""Claims: whether the rest of a round can end as a player claims, and an order of play for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.rules.cards import CARD_OF_MOVE, N_COLOURED

#: The most cards that a search tries: about 30 ms if the kernel is compiled.
MAX_NODES: Final = 6000


class TooHard(Exception):
    """The search gave up before it found an answer."""


def find_order(
    position: Position, won: Sequence[int], max_nodes: int = MAX_NODES
) -> list[int] | None:
    """Legal moves that end the round with ``won`` tricks by seat, or ``None`` if there are none.
    Raises :class:`TooHard`."""
    return _Search(tuple(won), max_nodes, None).run(position)


def is_forced(
    position: Position, seat: int, won: Sequence[int], max_nodes: int = MAX_NODES
) -> bool:
    """Return whether ``seat`` can force ``won`` against any play. Raises :class:`TooHard`."""
    return _Search(tuple(won), max_nodes, seat).run(position) is not None


class _Search:
    """A search through the rest of a round. ``claimer``: the only seat that may choose its moves,
    while every move of the others has to work; ``None`` if all seats choose together."""

    def __init__(self, won: tuple[int, ...], max_nodes: int, claimer: int | None) -> None:
        self.won = won
        self.left = max_nodes
        self.claimer = claimer
        self.impossible: set[Any] = set()
        self.forced: set[Any] = set()

    def run(self, position: Position) -> list[int] | None:
        """Moves that lead to the result, or ``None``. If there is a claimer, the list is empty
        whenever the result is forced."""
        if position.phase != Phase.PLAYING:
            return [] if tuple(position.won) == self.won else None
        if any(has > due for has, due in zip(position.won, self.won, strict=True)):
            return None
        key = None if position.trick else _key(position)
        if key in self.impossible:
            return None
        if key in self.forced:
            return []
        seat = position.to_act
        assert seat is not None
        found = self._try_moves(
            position, all_must=self.claimer is not None and seat != self.claimer
        )
        if key is not None:
            if found is None:
                self.impossible.add(key)
            elif self.claimer is not None:
                self.forced.add(key)
        return found

    def _try_moves(self, position: Position, *, all_must: bool) -> list[int] | None:
        """Search below one position; if ``all_must``, every legal move has to lead to the result,
        because the claimer cannot choose among them."""
        for move in self._ordered(position):
            self.left -= 1
            if self.left < 0:
                raise TooHard
            ahead = position.copy()
            ahead.play(move)
            rest = self.run(ahead)
            if rest is not None and not all_must:
                return [move, *rest]
            if rest is None and all_must:
                return None
        return [] if all_must else None

    def _ordered(self, position: Position) -> list[int]:
        """The legal moves, the most promising first: strong ones for a seat that still needs tricks
        or wants to prevent the result, weak ones for the others."""
        seat = position.to_act
        assert seat is not None
        moves = position.legal_moves
        against = self.claimer is not None and seat != self.claimer
        needs = against or position.won[seat] < self.won[seat]
        return sorted(moves, key=lambda move: _strength(move, position.trump), reverse=needs)


def _strength(move: int, trump: int | None) -> int:
    card = CARD_OF_MOVE[move]
    if card >= N_COLOURED:
        return 16 if card == N_COLOURED else -1
    return (card & 15) + 32 * (card >> 4 == trump)


def _key(position: Position) -> tuple[Any, ...]:
    """The part of the state on which the rest of the round depends, between two tricks."""
    hands = tuple(tuple(position.hand(seat)) for seat in range(position.rules.players))
    return (hands, position.leader, position.trump, tuple(position.won), len(position.turned))
