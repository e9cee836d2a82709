"""A network that cannot be read."""

from __future__ import annotations

import pytest

from rage.say import NotReadable


def lose_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, the file of the bots' network is missing."""

    def missing(name: str) -> None:
        raise NotReadable("net.missing", file=f"{name}.safetensors")

    for module in ("learned", "stand_in"):
        monkeypatch.setattr(f"rage.bots.{module}.network", missing)
