"""What stands in for the structs of `worth.pxd` and `matches.pxd` where steady is not compiled."""

from __future__ import annotations

Numbers = list[int]


class Weights:
    """The record of `worth.pxd` that holds the numbers that steady plays by."""

    def __init__(self) -> None:
        self.higher = [0] * 4
        self.ruff = [0] * 4
        self.wild = [0] * 4
        self.bonus = self.spoil = 0
        self.slack = [0] * 2
        self.chances = [0] * 2520


class Estimate:
    """The record of `worth.pxd` for one decision."""

    def __init__(self) -> None:
        self.weights = Weights()
        self.slack = 0
        self.seat = self.left = self.unseen_cards = self.wilds = self.size = 0
        self.best = self.best_key = 0
        self.partner_needs = self.spoils = self.needs_all = 0
        self.partner_chance = self.partner_doubt = 0
        self.bids = [0] * 8
        self.mine = [0] * 8
        self.unseen = [0] * 8
        self.cards = [0] * 16
        self.powers_now = [0] * 24
        self.powers_later = [0] * 24
        self.wanted = [0] * 32
        self.unwanted = [0] * 32
        self.tricks_worth = [0] * 24
        self.rest_worth = [0] * 24


class Match:
    """The record of `matches.pxd`: who plays where and by which numbers, and bids counted."""

    def __init__(self) -> None:
        self.steady_seats = self.rival_seats = 0
        self.weights = self.rival_weights = Weights()
        self.bids = [0] * 16
        self.met = [0] * 16
