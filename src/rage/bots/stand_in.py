"""Stand-ins for bots that cannot play here.

A bot that has no network, or would look ahead uncompiled and take seconds per move, keeps its seat
and its name; steady makes its moves.
"""

from __future__ import annotations

import logging
import os
from threading import Lock
from typing import Final

from rage.bots.interface import BaseBot, Budget
from rage.bots.learned import GENERAL, LEVELS
from rage.bots.net import network
from rage.bots.steady import Steady
from rage.engine.kernel import COMPILED
from rage.game.view import View
from rage.rules.values import Move
from rage.say import NotAllowed, NotReadable, Reason, sentence

log: Final = logging.getLogger(__name__)
#: The bots that take seconds per move uncompiled.
SLOW: Final = ("flat+", *(name for name, level in LEVELS.items() if level.look is not None))

_lock: Final = Lock()
_logged: Final = set[str]()


def stand_in(name: str) -> Reason | None:
    """Why steady plays for this bot: its network cannot be read, or it is too slow uncompiled and
    ``RAGE_SLOW_BOTS`` does not allow it. ``None`` if it plays itself. Raises
    :class:`rage.NotReadable` if that variable is neither 0 nor 1."""
    if name in LEVELS:
        try:
            network(GENERAL)
        except NotReadable as error:
            return error.reason
    if name in SLOW and not slow_bots() and not COMPILED:
        return Reason("bot.slow")
    return None


def slow_bots() -> bool:
    """Whether ``RAGE_SLOW_BOTS`` allows bots to look ahead uncompiled. Raises
    :class:`rage.NotReadable` if it is neither 0 nor 1."""
    given = os.environ.get("RAGE_SLOW_BOTS") or "0"
    if given not in ("0", "1"):
        raise NotReadable("bot.slow.variable", value=given)
    return given == "1"


class StandIn(BaseBot):
    """Steady, in the seat and under the name of another bot."""

    def __init__(self, name: str, why: Reason) -> None:
        """Log why, once for each bot."""
        self.name = name
        self._why = why
        with _lock:
            if name not in _logged:
                _logged.add(name)
                log.warning("steady stands in for %s: %s", name, sentence(why))

    def __repr__(self) -> str:
        return f"<Bot {self.name}, played by steady>"

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """Steady's move. Raises :class:`rage.NotAllowed` if it is not the turn of the view's
        seat."""
        return Steady().choose(view)

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """Raise :class:`rage.NotAllowed`, because steady's values are not the other bot's."""
        raise NotAllowed("bot.stand_in.cannot", bot=self.name, why=self._why)
