"""The arrays that :class:`rage.envs.Tables` returns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Step(NamedTuple):
    """The result of a call of :class:`rage.envs.Tables`: for each field, an array with a row for
    each table.

    - ``observation``: what the seat to act may know: ``(N, 661)`` int16 (``"full"``), ``(N, 256)``
      uint8 (``"compact"``), or ``None``. Where the episode is over, what the seat that acted last
      may know.
    - ``legal``: the legal moves, ``(N, 2)`` uint64: bit *m* % 64 of the number *m* // 64 is move
      *m*. :func:`unpack` makes ``(N, 128)`` bool of it.
    - ``to_act``: the seat to act, ``(N,)`` int8; -1 where the episode is over.
    - ``rewards``: by side, ``(N, sides)`` float32: 0 except where an episode has just ended.
    - ``terminated``: whether the episode is over, ``(N,)`` bool.
    - ``final_observation``: with ``autoreset="same_step"``, the last observations of the episodes
      that have just ended, a row for each ``terminated`` table, in order; otherwise ``None``."""

    observation: NDArray[Any] | None
    legal: NDArray[np.uint64]
    to_act: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    final_observation: NDArray[Any] | None = None


class Results(NamedTuple):
    """The last round that ended at each table: ``rounds``, how many have ended since the seed was
    set, (N,); ``hand``, its hand size, (N,); ``points`` by side, (N, sides); ``bids`` and ``won``,
    the bids and tricks of eight seats, (N, 8). All are 0 before the first."""

    rounds: NDArray[np.int64]
    hand: NDArray[np.int64]
    points: NDArray[np.int16]
    bids: NDArray[np.uint8]
    won: NDArray[np.uint8]


def unpack(legal: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Packed legal moves, ``(..., 2)`` uint64, as ``(..., 128)`` bool. Raises ``ValueError`` for
    arrays of another shape or kind."""
    packed = np.asarray(legal)
    if packed.dtype != np.uint64 or packed.shape[-1:] != (2,):
        raise ValueError(f"packed moves are uint64 of shape (..., 2), not {described(packed)}")
    bits = np.ascontiguousarray(packed).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(bits, axis=-1, bitorder="little").view(np.bool_)


def described(array: NDArray[Any]) -> str:
    """The type and shape of an array, for errors."""
    return f"{array.dtype} of shape {array.shape}"
