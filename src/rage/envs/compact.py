"""Compact observations: the layout of their 256 bytes, and the arrays they decode to."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import numpy as np


class Field(NamedTuple):
    """A part of a compact row: its name, its first byte, its length in bytes, and its content: sets
    of bits, numbers of one byte (a single one has no axis), or of two."""

    name: str
    start: int
    size: int
    kind: Literal["bits", "bytes", "int16"]


#: The layout of a compact row; docs/environments.md says what each part means.
LAYOUT: Final = (
    Field("hand", 0, 16, "bits"),
    Field("seen", 128, 16, "bits"),
    Field("stock", 144, 32, "bytes"),
    Field("trick", 176, 8, "bytes"),
    Field("bids", 184, 8, "bytes"),
    Field("won", 192, 8, "bytes"),
    Field("bonus_mad", 200, 8, "bytes"),
    Field("voids", 208, 8, "bits"),
    Field("met", 216, 8, "bytes"),
    Field("scores", 224, 16, "int16"),
    Field("phase", 240, 1, "bytes"),
    Field("round", 241, 1, "bytes"),
    Field("dealer", 242, 1, "bytes"),
    Field("to_act", 243, 1, "bytes"),
    Field("leader", 244, 1, "bytes"),
    Field("trump", 245, 1, "bytes"),
    Field("led", 246, 1, "bytes"),
    Field("moves_in_trick", 247, 1, "bytes"),
    Field("tricks", 248, 1, "bytes"),
    Field("hand_size", 249, 1, "bytes"),
    Field("stock_shown", 250, 1, "bytes"),
    Field("turn_up", 251, 1, "bytes"),
    Field("face_up", 253, 1, "bytes"),
    Field("turn_up_due", 254, 1, "bytes"),
    Field("players", 255, 1, "bytes"),
)


def decode(rows: Any) -> dict[str, Any]:
    """The fields of compact observations, ``(..., 256)`` uint8: as arrays for a NumPy array, as
    tensors on the same device for a PyTorch tensor.

    Sets become 0 and 1: ``hand`` and ``seen`` ``(..., 128)``, ``voids`` ``(..., 8, 8)`` (seat,
    colour); ``scores`` are ``(..., 8)`` int16, all other fields uint8. Raises ``ValueError`` for
    arrays of another shape or kind."""
    kind, shape = str(getattr(rows, "dtype", type(rows).__name__)), getattr(rows, "shape", ())
    if kind not in ("uint8", "torch.uint8") or tuple(shape[-1:]) != (256,):
        raise ValueError(f"compact rows are uint8 of shape (..., 256), not {kind} {tuple(shape)}")
    if isinstance(rows, np.ndarray):
        bits: Any = np.arange(8, dtype=np.uint8)
        int16: Any = np.int16
        rows = np.ascontiguousarray(rows)
    else:
        import torch

        bits = torch.arange(8, dtype=torch.uint8, device=rows.device)
        int16 = torch.int16
        rows = rows.contiguous()
    found = {}
    for field in LAYOUT:
        part = rows[..., field.start : field.start + field.size]
        if field.kind == "bits":
            part = (part[..., None] >> bits) & 1
            if field.name != "voids":
                part = part.reshape(*part.shape[:-2], 8 * field.size)
        elif field.kind == "int16":
            part = part.view(int16)
        elif field.size == 1:
            part = part[..., 0]
        found[field.name] = part
    return found
