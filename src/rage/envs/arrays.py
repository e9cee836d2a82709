"""The arrays that :class:`rage.envs.Tables` returns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Step(NamedTuple):
    """What a call of :class:`rage.envs.Tables` returns: for each field an array with a row for each
    table.

    - ``observation``: what the seat to act may know: ``(N, 661)`` int16 (``"full"``), ``(N, 256)``
      uint8 (``"compact"``), or ``None``. Of a table where the episode is over, what the seat that
      acted last may know.
    - ``legal``: the legal moves, ``(N, 2)`` uint64: bit *m* % 64 of the number *m* // 64 is move
      *m*. :func:`unpack` makes ``(N, 128)`` bool of it.
    - ``to_act``: the seat to act, ``(N,)`` int8; -1 where the episode is over.
    - ``rewards``: by side, ``(N, sides)`` float32: not 0 only where an episode has just ended.
    - ``terminated``: whether the episode is over, ``(N,)`` bool.
    - ``final_observation``: with ``autoreset="same_step"``, the observations with which episodes
      have just ended, a row for each table that is ``terminated``, in order; else ``None``."""

    observation: NDArray[Any] | None
    legal: NDArray[np.uint64]
    to_act: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    final_observation: NDArray[Any] | None = None


class Results(NamedTuple):
    """What came of the round that ended last at each table: ``rounds`` is how many have ended there
    since the seed was set, (N,), ``hand`` its hand size, (N,), ``points`` those of each side, (N,
    sides), ``bids`` and ``won`` the bids and tricks of eight seats, (N, 8); all 0 before the
    first."""

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
    uint8s = np.ascontiguousarray(packed).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(uint8s, axis=-1, bitorder="little").view(np.bool_)


def described(array: NDArray[Any]) -> str:
    """The type and shape of an array, for errors."""
    return f"{array.dtype} of shape {array.shape}"
