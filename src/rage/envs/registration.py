"""Registration of the environments with Gymnasium and PettingZoo, if these are installed."""

from __future__ import annotations

from typing import Final

#: By id, the unit of an episode.
UNITS: Final = {"rage/Round-v0": "round", "rage/Game-v0": "game"}


def register() -> None:
    """Register all environments with the libraries that are installed."""
    try:
        import gymnasium
    except ImportError:
        return
    for name, unit in UNITS.items():
        gymnasium.register(
            name,
            "rage.envs.seat:SeatEnv",
            vector_entry_point="rage.envs.vector:SeatVectorEnv",
            kwargs={"unit": unit},
        )
    try:
        import pettingzoo
    except ImportError:
        return
    for name, unit in UNITS.items():
        pettingzoo.register("aec", name, "rage.envs.aec:TableEnv", kwargs={"unit": unit})
