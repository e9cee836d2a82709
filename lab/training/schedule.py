"""How the learning rate falls over a run, and the running mean of a network that bots play by."""

from __future__ import annotations

import math

import torch
from torch.nn import Module
from torch.optim import Optimizer


def set_rate(optimizer: Optimizer, rates: tuple[float, float], done: float) -> None:
    """Set the learning rate when a share of the run is done: from the first to the second, along a
    cosine."""
    rate = rates[1] + (rates[0] - rates[1]) * (1 + math.cos(math.pi * done)) / 2
    for group in optimizer.param_groups:
        group["lr"] = rate


def take_in(averaged: Module, network: Module, most: float, steps: float) -> None:
    """Update the running mean of a network's weights, of which ``most`` stays at a step; less in
    the first of the ``steps``, which are soon forgotten."""
    kept = min(most, 1 - 1 / (1 + steps / 10))
    with torch.no_grad():
        for mean, now in zip(averaged.parameters(), network.parameters(), strict=True):
            mean.lerp_(now, 1 - kept)
