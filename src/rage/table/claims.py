"""Whether the rest of a round can fall as somebody claims, and an order of play that gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rage.cards import CARD_OF_MOVE, N_COLOURED
from rage.kernel import Phase
from rage.position import Position

#: How many cards a search may try before it gives up: some 30 ms, where the kernel is compiled.
BOUND: Final = 6000


class TooHard(Exception):
    """The bound was reached before there was an answer."""


def find_order(position: Position, won: Sequence[int], bound: int = BOUND) -> list[int] | None:
    """Legal moves that end the round with ``won`` tricks by seat, or ``None`` where there are
    none. Raises :class:`TooHard`."""
    return _Search(tuple(won), bound, None).line(position)


def is_forced(position: Position, seat: int, won: Sequence[int], bound: int = BOUND) -> bool:
    """Whether ``seat`` can bring about ``won`` whatever the others play. Raises
    :class:`TooHard`."""
    return _Search(tuple(won), bound, seat).line(position) is not None


class _Search:
    """A search through the play of a round. ``claimer``: the only seat that chooses, while all
    moves of the others must do; ``None``: all choose together."""

    def __init__(self, won: tuple[int, ...], bound: int, claimer: int | None) -> None:
        self.won = won
        self.left = bound
        self.claimer = claimer
        self.hopeless: set[Any] = set()
        self.sure: set[Any] = set()

    def line(self, position: Position) -> list[int] | None:
        """A line that gives the result; of a forced one, only that there is one is told."""
        if position.phase != Phase.PLAYING:
            return [] if tuple(position.won) == self.won else None
        if any(has > due for has, due in zip(position.won, self.won, strict=True)):
            return None
        key = None if position.trick else _key(position)
        if key in self.hopeless:
            return None
        if key in self.sure:
            return []
        seat = position.to_act
        assert seat is not None
        found = self._tried(position, all_must=self.claimer is not None and seat != self.claimer)
        if key is not None:
            if found is None:
                self.hopeless.add(key)
            elif self.claimer is not None:
                self.sure.add(key)
        return found

    def _tried(self, position: Position, *, all_must: bool) -> list[int] | None:
        for move in self._ordered(position):
            self.left -= 1
            if self.left < 0:
                raise TooHard
            ahead = position.copy()
            ahead.play(move)
            rest = self.line(ahead)
            if rest is not None and not all_must:
                return [move, *rest]
            if rest is None and all_must:
                return None
        return [] if all_must else None

    def _ordered(self, position: Position) -> list[int]:
        """The legal moves; the strong ones first for whom tricks are still due or who is out
        to prevent the result, the weak ones first for the others."""
        seat = position.to_act
        assert seat is not None
        moves = position.legal()
        against = self.claimer is not None and seat != self.claimer
        needs = against or position.won[seat] < self.won[seat]
        return sorted(moves, key=lambda move: _strength(move, position.trump), reverse=needs)


def _strength(move: int, trump: int | None) -> int:
    card = CARD_OF_MOVE[move]
    if card >= N_COLOURED:
        return 16 if card == N_COLOURED else -1
    return (card & 15) + 32 * (card >> 4 == trump)


def _key(position: Position) -> tuple[Any, ...]:
    """What the rest of the play depends on, between two tricks."""
    hands = tuple(tuple(position.hand(seat)) for seat in range(position.rules.players))
    return (hands, position.leader, position.trump, tuple(position.won), len(position.turned))
