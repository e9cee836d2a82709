"""Bots: each chooses a move from a View and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, Self

from rage.bots.interface import Adviser, BaseBot, Bot, Budget, check_turn
from rage.game.view import View
from rage.rules.number import whole_number
from rage.rules.values import Move
from rage.say import NotReadable, in_words

__all__ = ["BOTS", "OFFERED", "Adviser", "Bot", "Budget", "Random", "bot"]


class Random(BaseBot):
    """Plays a random legal move, each equally likely."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves. Raises :class:`rage.NotAllowed` if it is not the turn of the
        view's seat."""
        moves = check_turn(view)
        return moves[int(self._random.random() * len(moves))]

    def __copy__(self) -> Self:
        """A copy with its own generator, which makes the same choices from here on."""
        other = self.__class__()
        other._random.setstate(self._random.getstate())
        return other


def _steady(seed: int | None) -> Bot:
    from rage.bots.steady import Steady

    return Steady()


def _flat(seed: int | None) -> Bot:
    from rage.bots.flat import Flat

    return Flat("random", 100, seed)


def _flat_plus(seed: int | None) -> Bot:
    from rage.bots.flat import Flat

    return _stand_in("flat+") or Flat("steady", 200, seed)


def _ismcts(seed: int | None) -> Bot:
    from rage.bots.ismcts import Ismcts

    return Ismcts(Budget(1000), seed)


def _learned(name: str) -> Callable[[int | None], Bot]:
    def make(seed: int | None) -> Bot:
        from rage.bots.learned import Learned

        return _stand_in(name) or Learned(name, seed)

    return make


def _stand_in(name: str) -> Bot | None:
    """Steady under the name of a bot that cannot play here, or ``None`` if it can."""
    from rage.bots.stand_in import StandIn, stand_in

    why = stand_in(name)
    return None if why is None else StandIn(name, why)


#: The bots by name.
BOTS: Final[Mapping[str, Callable[[int | None], Bot]]] = {
    "easy": _learned("easy"),
    "steady": _steady,
    "medium": _learned("medium"),
    "hard": _learned("hard"),
    "master": _learned("master"),
    "deep": _learned("deep"),
    "flat": _flat,
    "flat+": _flat_plus,
    "ismcts": _ismcts,
    "random": Random,
}
#: The bots offered to people, from weakest to strongest; the others are baselines.
OFFERED: Final = ("easy", "steady", "medium", "hard", "master", "deep")


def bot(name: str, seed: int | None = None) -> Bot:
    """The bot of this name; a ``seed`` makes its random choices repeatable. If it cannot play here,
    steady plays under its name (:mod:`rage.bots.stand_in`). Raises :class:`rage.NotReadable` for an
    unknown name."""
    make = BOTS.get(name) if isinstance(name, str) else None
    if make is None:
        raise NotReadable("bot.unknown", bot=in_words(name), allowed=", ".join(BOTS))
    return make(None if seed is None else whole_number(seed))
