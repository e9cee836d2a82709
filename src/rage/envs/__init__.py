"""Environments for learning: many tables in one call, and the interfaces of other libraries.

They need NumPy, which the extra ``envs`` of the package brings.
"""

from __future__ import annotations

from rage.extras import install_command

try:
    import numpy  # noqa: F401
except ImportError:
    raise ImportError(f"rage.envs needs NumPy: {install_command('envs')}") from None

from rage.envs.batch import Episode
from rage.envs.tables import COMPACT_SIZE, Step, Tables, unit_rules, unpack

__all__ = ["COMPACT_SIZE", "Episode", "Step", "Tables", "unit_rules", "unpack"]
