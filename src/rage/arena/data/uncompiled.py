"""Replacements for the C structs of this package when they are not compiled."""

from __future__ import annotations

from rage.engine.uncompiled import Struct


class Log(Struct, of="rage.arena.data.rows"):
    """The columns, and where the next rows are written."""


class Match(Struct, of="rage.arena.data.matches"):
    """The seats and weights of the bots, the rows, and counts of bids."""
