"""Replacements for the C structs of the bots when they are not compiled."""

from __future__ import annotations

from rage.engine.uncompiled import Struct

Numbers = list[int]


class Weights(Struct, of="rage.bots.worth"):
    """The numbers that steady plays by."""


class Estimate(Struct, of="rage.bots.worth"):
    """One decision of steady."""


class Unseen(Struct, of="rage.bots.worlds"):
    """The cards that a seat has not seen, and where they can be."""


class Search(Struct, of="rage.bots.rollouts"):
    """A state, a world and a game played out in it, and sums of results by move."""


class Tree(Struct, of="rage.bots.ismcts"):
    """The tree by node and by edge, and the path down."""


class Layers(Struct, of="rage.bots.net"):
    """The arrays of a network, and their sizes."""
