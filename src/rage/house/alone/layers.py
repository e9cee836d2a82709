"""The layers of the bots' network, run by the page's worker on Python's own memory.

They take nine tenths of a learned bot's time, and JavaScript runs them in a small part of the time
that Python takes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Final

from rage.bots import net
from rage.bots.uncompiled import Layers as Arrays
from rage.features.meanings import SIZE

#: Makes a function that runs the layers of a network once: from its arrays (``first``,
#: ``first_bias``, ``inner``, ``inner_bias``), an array for the features and one for the result.
MakeLayers = Callable[..., Callable[[], object]]


class Layers:
    """Runs layers as :func:`rage.bots.net.run_layers` does, for one network at a time."""

    def __init__(self, make: MakeLayers) -> None:
        self._make: Final = make
        self._row: Final = array("f", bytes(4 * SIZE))
        self._out: Final = array("f", bytes(4 * net.MAX_WIDTH))
        self._network: Arrays | None = None
        self._run: Callable[[], object] = lambda: None

    def __call__(self, n: Arrays, row: Any, x: list[float], y: list[float]) -> None:
        """Write into ``x`` the output of the layers for a row of features."""
        if n is not self._network:
            self._network = n
            arrays = (n.first, n.first_bias, n.inner, n.inner_bias)
            self._run = self._make(*arrays, self._row, self._out)
        self._row[:] = array("f", row)
        self._run()
        x[: n.width] = self._out[: n.width]


def use(make: MakeLayers) -> None:
    """From now on, run the layers of all networks with functions made by ``make``."""
    net.use(Layers(make))
