"""Environments for learning: many tables in one call, and the interfaces of other libraries.

They need NumPy, which the extra ``envs`` of the package brings; :mod:`rage.envs.text` and
:class:`Episode` need nothing. Importing this package registers those of Gymnasium and PettingZoo,
if these are installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rage.engine.episode import Episode
from rage.envs.registration import register
from rage.envs.units import unit_rules
from rage.extras import install_command

if TYPE_CHECKING:
    from rage.envs.compact import LAYOUT, decode
    from rage.envs.tables import COMPACT_SIZE, Results, Step, Tables, unpack

__all__ = [
    "COMPACT_SIZE",
    "LAYOUT",
    "Episode",
    "Results",
    "Step",
    "Tables",
    "decode",
    "unit_rules",
    "unpack",
]


def __getattr__(name: str) -> Any:
    """What needs NumPy, imported when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "compact" if name in ("LAYOUT", "decode") else "tables"
    try:
        return getattr(import_module(f"rage.envs.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"rage.envs needs NumPy: {install_command('envs')}") from None


register()
