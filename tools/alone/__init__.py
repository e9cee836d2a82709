"""Builds Rage as a folder for any web host, which plays without a server: ``make alone``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
#: Files that outlast a build: what was fetched, and compiled archives by the hash of their sources.
CACHE: Final = ROOT / "build" / "alone-cache"


class Failed(Exception):
    """A step failed; the message says which, and why."""
