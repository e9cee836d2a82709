"""What stands in for the structs of `steady.pxd` where steady runs as plain Python."""

from __future__ import annotations

from rage.uncompiled import Bulk as Bulk

Numbers = list[int]


class Lore:
    """The record of `steady.pxd` that holds what was measured and tuned."""

    def __init__(self) -> None:
        self.will = [0] * 4
        self.ruff = [0] * 4
        self.wild = [0] * 4
        self.prize = self.spoil = 0
        self.crowd = [0] * 2
        self.chance = [0] * 2520


class Thought:
    """The record of `steady.pxd` for one decision."""

    def __init__(self) -> None:
        self.lore = LORE
        self.ease = 0
        self.seat = self.left = self.unseen_cards = self.wilds = self.held = 0
        self.needy = self.gift = self.all = self.partner = self.doubt = 0
        self.mine = [0] * 8
        self.unseen = [0] * 8
        self.cards = [0] * 16
        self.now = [0] * 24
        self.later = [0] * 24
        self.high = [0] * 32
        self.low = [0] * 32
        self.target = [0] * 24
        self.line = [0] * 24


class Tally:
    """The record of `steady.pxd` that counts bids in bulk play."""

    def __init__(self) -> None:
        self.bids = [0] * 16
        self.met = [0] * 16


LORE = Lore()
RIVAL = Lore()
