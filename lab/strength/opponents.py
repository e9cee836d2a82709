"""The opponents of the list that are not bots of the package: a class for each name, as the arena
loads them (``python:lab.strength.opponents:NAME``)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lab.strength.listing import EXPLOITER, arena_name, budgets
from rage import Move, View
from rage.bots import Bot, bot
from rage.bots import Budget as Worlds
from rage.bots.learned import GENERAL
from rage.bots.net import Network, network
from rage.rules.values import MOVES


class Thinking:
    """A bot with a budget of worlds, or simulations, a move."""

    def __init__(self, kind: str, worlds: int, seed: int | None) -> None:
        self._bot = _made(kind, seed)
        self._budget = Worlds(worlds)

    def choose(self, view: View) -> Move:
        """The move of the bot with this budget."""
        return self._bot.choose(view, self._budget)


class ByNetwork:
    """Plays by the network of the package, always its best move, without looking ahead: ``hard``
    and ``master`` without their worlds."""

    def __init__(self, seed: int | None) -> None:
        self._network = self._read()

    def _read(self) -> Network:
        return network(GENERAL)

    def choose(self, view: View) -> Move:
        """The move that the network values most."""
        return MOVES[self._network.best_move(view.position)]


class Exploiter(ByNetwork):
    """Plays likewise by the network that was trained to exploit the network of the package."""

    def _read(self) -> Network:
        return Network(EXPLOITER.read_bytes())


def _made(kind: str, seed: int | None) -> Bot:
    """A bot of the package, or one that needs more and is loaded only when it plays."""
    if kind == "openspiel":
        made: Bot = import_module("lab.strength.openspiel.bot").OpenSpiel(seed)
        return made
    return bot(kind, seed)


def __getattr__(name: str) -> Any:
    """The class of an opponent by its name in the arena."""
    if name == "RLCard":
        return import_module("lab.strength.rlcard.bot").RLCard
    for each, budget in budgets().items():
        if arena_name(each).endswith(f":{name}"):
            return lambda seed: Thinking(budget.bot, budget.worlds, seed)
    raise AttributeError(name)
