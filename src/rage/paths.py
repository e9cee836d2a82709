"""Paths as people write them, and where this user's data is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rage.say import NotReadable


def expanded(written: str) -> str:
    """A path with the home folder in place of ``~``. A shell expands it only at the start of a
    word, and not in ``--data=~/rage``; a unit file never does. Raises :class:`rage.NotReadable`
    where there is no such home folder."""
    if not written.startswith("~"):
        return written
    found = os.path.expanduser(written)
    if found.startswith("~") or not _has_home():
        raise NotReadable("path.no_home", path=written)
    return found


def data_folder() -> Path:
    """Where data is kept: ``RAGE_DATA``, or this system's usual place for a user's data. Raises
    :class:`rage.NotReadable` where there is neither."""
    if chosen := os.environ.get("RAGE_DATA"):
        return Path(expanded(chosen))
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    given = os.environ.get(name, "") if sys.platform != "darwin" else ""
    if os.path.isabs(given):  # a relative one is to be ignored, by the XDG specification
        return Path(given, "rage")
    usual = {"win32": "AppData/Local", "darwin": "Library/Application Support"}
    try:
        return Path(expanded("~"), usual.get(sys.platform, ".local/share"), "rage")
    except NotReadable:
        raise NotReadable("path.no_data") from None


def _has_home() -> bool:
    """Whether ``HOME`` is not empty: Python would take that for the root folder."""
    return os.environ.get("HOME") != "" or sys.platform == "win32"
