"""The network: from the features of what a seat may know to the value of every move."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from rage.features.encode import FEATURES, SIZE
from rage.rules.cards import N_MOVES
from rage.rules.settings import MAX_HAND

#: The divisor of points, so that most values are between -1 and 1.
POINTS = 10.0


def short_floats() -> torch.autocast:
    """A context in which layers compute in bfloat16 if the processor can: emulated, it is four
    times slower than float32."""
    known = torch.cpu.get_capabilities()
    native = bool(known.get("avx512_bf16") or known.get("amx_bf16"))
    return torch.autocast("cpu", torch.bfloat16, enabled=native)


def scales() -> Tensor:
    """By feature, its factor."""
    found = torch.ones(SIZE)
    for feature in FEATURES:
        found[feature.slice] = 1 / feature.scale
    return found


class Block(nn.Module):
    """A residual layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """The input plus the output of the layer."""
        return x + torch.relu(self.inner(x))


class Network(nn.Module):
    """``blocks`` residual layers of ``width``. It gives, for each canonical move, the points to
    expect (divided by ``POINTS``), and the logits of how many tricks the seat will have won."""

    def __init__(self, width: int = 256, blocks: int = 2) -> None:
        super().__init__()
        self.register_buffer("scales", scales(), persistent=False)
        self.first = nn.Linear(SIZE, width)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.values = nn.Linear(width, N_MOVES)
        self.tricks = nn.Linear(width, MAX_HAND + 1)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """By row, the values of the moves and the logits of the tricks."""
        x = torch.relu(self.first(rows.float() * self.scales))
        x = self.blocks(x)
        return self.values(x).float(), self.tricks(x).float()
