"""What the host of a table chooses beside the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rage.bots import BOTS
from rage.say import NotAllowed, NotReadable

MAX_SECONDS: Final = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Clock:
    """A friendly clock, which never ends a game. Seconds from the moment at which a turn began:
    when the player is nudged, when the others are asked, and, where bots take over at once,
    when a bot does."""

    nudge: int = 30
    ask: int = 60
    hand_over: int = 90


@dataclass(frozen=True, slots=True)
class Options:
    """``access``: whether anybody finds the table, or who has its link. ``undo``: whether a
    decision may be taken back by consent. ``known``: whether cards seen and shown voids are
    displayed, to everybody. ``takeover``: how a bot comes to play for someone who is away.
    ``grace``: how many seconds one may be away before it does. ``bot``: which bot."""

    access: Literal["open", "link"] = "link"
    undo: bool = True
    known: bool = False
    takeover: Literal["at_once", "vote"] = "vote"
    spectators: bool = True
    grace: int = 20
    bot: str = "steady"
    clock: Clock | None = None


#: What a table has where its host chooses nothing.
USUAL: Final = Options()


def check_options(options: Options) -> Options:
    """``options`` themselves. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed` for
    a bot that there is not and for durations out of range or out of order."""
    check_bot(options.bot)
    times = [options.grace]
    clock = options.clock
    if clock is not None:
        times += [clock.nudge, clock.ask, clock.hand_over]
        if not 0 < clock.nudge <= clock.ask <= clock.hand_over:
            raise NotAllowed("table.clock_order")
    if not all(0 <= each <= MAX_SECONDS for each in times):
        raise NotAllowed("table.clock_range", most=MAX_SECONDS)
    return options


def check_bot(name: str) -> str:
    """A bot's name itself. Raises :class:`rage.NotReadable` where there is no such bot."""
    if name not in BOTS:
        raise NotReadable("bot.unknown", bot=name, allowed=", ".join(BOTS))
    return name
