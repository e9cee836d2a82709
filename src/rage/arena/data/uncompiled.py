"""What replaces the C structs of this package if they are not compiled."""

from __future__ import annotations

from rage.engine.uncompiled import Struct


class Log(Struct, of="rage.arena.data.rows"):
    """The columns, and where the next rows are written."""


class Match(Struct, of="rage.arena.data.matches"):
    """Who plays where and by which numbers, the rows, and bids counted."""
