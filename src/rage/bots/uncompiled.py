"""What replaces the C structs of the bots if they are not compiled."""

from __future__ import annotations

from typing import Any

from rage.engine.uncompiled import State

Numbers = list[int]


class Weights:
    """The numbers that steady plays by: the struct of `worth.pxd`."""

    def __init__(self) -> None:
        self.higher = [0] * 4
        self.ruff = [0] * 4
        self.wild = [0] * 4
        self.bonus = self.spoil = 0
        self.slack = [0] * 2
        self.chances = [0] * 2520


class Estimate:
    """One decision of steady: the struct of `worth.pxd`."""

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


class Unseen:
    """The cards that a seat has not seen, and where they may be: the struct of `worlds.pxd`."""

    def __init__(self) -> None:
        self.size = self.places = self.bound = self.in_stock = self.exchanges = 0
        self.open_to = [0] * 8
        self.needs = [0] * 16
        self.left = [0] * 16
        self.moved = [0] * 16
        self.known = [0] * 8
        self.cards = [0] * 128
        self.place = [0] * 128
        self.stock = [0] * 128


class Search:
    """A state, a world and a game played out in it, and sums of results by move: the struct of
    `rollouts.pxd`."""

    def __init__(self) -> None:
        self.u = Unseen()
        self.root = State()
        self.world = State()
        self.tried = State()
        self.weights = Weights()
        self.layers: Any = 0
        self.policy = self.plies = self.worlds = self.patience = 0
        self.moves_lo = self.moves_hi = 0
        self.totals = [0.0] * 128
        self.counts = [0] * 128
        self.choices = 0
        self.won = [0] * 2048
        self.met = [0] * 128
        self.leads = [0.0] * 128
        self.order = [0] * 128
        self.difference = [0.0] * 16384
        self.squares = [0.0] * 16384


class Tree:
    """The tree by node and by edge, and the path down: the struct of `ismcts.pxd`."""

    def __init__(self) -> None:
        self.u = Unseen()
        self.root = State()
        self.world = State()
        self.scratch = State()
        self.weights = Weights()
        self.explore = 0.0
        self.worlds = self.nodes = self.edges = self.most_nodes = self.most_edges = 0
        self.slot_mask = 0
        self.slots: Any = 0
        self.digests: Any = 0
        self.visits: Any = 0
        self.tried: Any = 0
        self.first: Any = 0
        self.sizes: Any = 0
        self.sums: Any = 0
        self.times: Any = 0
        self.moves: Any = 0
        self.path = [0] * 256
        self.path_side = [0] * 256


class Layers:
    """The arrays of a network, and their sizes: the struct of `net.pxd`."""

    def __init__(self) -> None:
        self.width = self.blocks = 0
        self.points = 0.0
        self.first: Any = 0
        self.first_bias: Any = 0
        self.inner: Any = 0
        self.inner_bias: Any = 0
        self.values: Any = 0
        self.values_bias: Any = 0
        self.tricks: Any = 0
        self.tricks_bias: Any = 0
