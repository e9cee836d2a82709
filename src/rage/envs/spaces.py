"""Shared by the environments of Gymnasium and PettingZoo: spaces, rows, masks and moves."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rage.engine.position import Position
from rage.features.encode import FEATURES, SIZE, actual_move, colour_places, encode_into
from rage.rules.cards import N_MOVES

Row = NDArray[np.int16]
Mask = NDArray[np.int8]

#: The choices of arguments that all environments take.
Rewards = Literal["leads", "points"]
Illegal = Literal["lose", "random", "raise"]

#: The block of a row that holds the legal moves.
_LEGAL: Final = next(each.slice for each in FEATURES if each.name == "legal")


def row_space() -> Any:
    """The rows of :func:`rage.features.encode.encode`, each number with its true bounds."""
    low, high = np.empty(SIZE, np.int16), np.empty(SIZE, np.int16)
    for each in FEATURES:
        low[each.slice], high[each.slice] = each.low, each.high
    space = spaces.Box(low, high, dtype=np.int16)
    # A line when printed, and not all bounds.
    space.low_repr, space.high_repr = (np.array2string(each, threshold=1) for each in (low, high))
    return space


def mask_space() -> spaces.Box:
    """Masks of the legal moves: 1 for each, 0 for the others."""
    return spaces.Box(0, 1, (N_MOVES,), np.int8)


def row_of(position: Position, seat: int, over: bool = False) -> Row:
    """What a seat may know, as a new row; without legal moves if the episode is ``over``, which can
    happen before the position is."""
    row = np.empty(SIZE, np.int16)
    encode_into(position, seat, row)
    if over:
        row[_LEGAL] = 0
    return row


def mask_of(row: Row) -> Mask:
    """The legal moves of a row, as a new mask."""
    return row[_LEGAL].astype(np.int8)


def meant(position: Position, action: int) -> int:
    """The move that an action means, with colours named as in the row of the seat to act. Raises
    ``ValueError`` for a number that is no move."""
    if not 0 <= action < N_MOVES:
        raise ValueError(f"{action} is no action: they are 0 to {N_MOVES - 1}")
    seat = position.to_act
    assert seat is not None
    return _moves(colour_places(position, seat))[action]


@cache  # one for each order of the six colours, 720 at most
def _moves(places: tuple[int, ...]) -> tuple[int, ...]:
    """By action, the move that it means when the colours have these places."""
    return tuple(actual_move(action, places) for action in range(N_MOVES))
