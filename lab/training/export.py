"""Writes the weights that the bots play by: plain arrays in half precision, read without torch."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from lab.training.network import Block, Network


def export(network: Network, path: Path) -> None:
    """Write a network as :mod:`rage.bots.net` reads it: scales multiplied into the first layer, and
    the weights of one input contiguous in all layers that add rows."""
    blocks = [block.inner for block in network.blocks if isinstance(block, Block)]
    scales = network.scales
    assert isinstance(scales, Tensor)
    arrays = {
        "first": network.first.weight.T * scales[:, None],
        "first_bias": network.first.bias,
        "inner": torch.stack([each.weight.T for each in blocks]),
        "inner_bias": torch.stack([each.bias for each in blocks]),
        "values": network.values.weight,
        "values_bias": network.values.bias,
        "tricks": network.tricks.weight,
        "tricks_bias": network.tricks.bias,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    halves = {name: each.detach().to(torch.float16).contiguous() for name, each in arrays.items()}
    save_file(halves, path)
