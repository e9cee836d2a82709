"""Environments for learning: many tables in one call, and the interfaces of other libraries.

They need NumPy, which the extra ``envs`` of the package installs; :mod:`rage.envs.text` and
:class:`Episode` need nothing. Importing this package registers the environments with Gymnasium and
PettingZoo, if these are installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rage.engine.episode import Episode
from rage.envs.registration import register
from rage.envs.units import unit_rules
from rage.extras import install_command

if TYPE_CHECKING:
    from rage.envs.arrays import Results, Step, unpack
    from rage.envs.compact import LAYOUT, decode
    from rage.envs.tables import COMPACT_SIZE, Tables

_HOMES = {"LAYOUT": "compact", "decode": "compact",
          "Results": "arrays", "Step": "arrays", "unpack": "arrays",
          "COMPACT_SIZE": "tables", "Tables": "tables"}  # fmt: skip

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
    """Import a name that needs NumPy when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"rage.envs.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"rage.envs needs NumPy: {install_command('envs')}") from None


register()
