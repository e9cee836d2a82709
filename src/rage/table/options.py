"""The options of a table: everything its host chooses except the rules."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from rage.bots import BOTS
from rage.say import NotAllowed, NotReadable
from rage.table.schema import MAX_TEXT

MAX_SECONDS: Final = 7 * 24 * 3600
Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]
BotName = Annotated[str, Meta(max_length=MAX_TEXT, examples=["steady"])]


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A friendly clock, which never ends a game: the seconds from the start of a turn until the
    player is nudged, the others are asked and, if bots take over at once, one does."""

    nudge: Seconds = 30
    ask: Seconds = 60
    hand_over: Seconds = 90


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a host chooses. ``access``: whether anyone can find the table, or only
    people with its link. ``undo``: whether decisions can be taken back by consent. ``known``:
    whether everyone is shown the cards seen and the known voids. ``takeover``: how a bot comes to
    play for a player who is away (``never``: the others wait, or the host gives the seat).
    ``grace``: how many seconds a player may be away before that. ``bot``: which bot. ``between``:
    the most seconds that the next round waits for all who play for themselves to be ready (0: it is
    dealt at once; ``None``: no limit). ``advice``: whether the player to act may ask for advice:
    ``always``, only ``alone`` with bots, or ``never``."""

    access: Literal["link", "open"] = "link"
    undo: bool = True
    known: bool = False
    takeover: Literal["vote", "at_once", "never"] = "vote"
    spectators: bool = True
    grace: Seconds = 20
    bot: BotName = "steady"
    clock: Clock | None = None
    between: Seconds | None = 0
    advice: Literal["alone", "always", "never"] = "alone"


#: The options of a table whose host has not chosen any.
DEFAULT_OPTIONS: Final = Options()


def check_options(options: Options) -> Options:
    """Return ``options``. Raises :class:`rage.NotReadable` for an unknown bot and
    :class:`rage.NotAllowed` for durations out of range or out of order."""
    check_bot(options.bot)
    times = [options.grace, options.between or 0]
    clock = options.clock
    if clock is not None:
        times += [clock.nudge, clock.ask, clock.hand_over]
        if not 0 < clock.nudge <= clock.ask <= clock.hand_over:
            raise NotAllowed("table.clock_order")
    if not all(0 <= each <= MAX_SECONDS for each in times):
        raise NotAllowed("table.clock_range", most=MAX_SECONDS)
    return options


def check_bot(name: str) -> str:
    """Return the name of a known bot. Raises :class:`rage.NotReadable` for an unknown one."""
    if name not in BOTS:
        raise NotReadable("bot.unknown", bot=name, allowed=", ".join(BOTS))
    return name
