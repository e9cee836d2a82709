"""The bots in an environment in which one seat learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rage.bots.custom import any_bot
from rage.bots.interface import Bot, check_answer
from rage.bots.steady import best_move_of
from rage.envs.one_table import OneTable

#: The name of a bot, or an object that chooses as a bot does.
Opponent = str | Bot

#: The bots that need no view, which is much faster.
_FAST: Final[dict[str, Callable[[OneTable], int]]] = {
    "steady": lambda table: best_move_of(table.position),
    "random": lambda table: table.chance.random_move(table.position),
}


def by_seat(bots: Opponent | Sequence[Opponent], seat: int, players: int) -> list[Opponent]:
    """The bot of each seat; the one at ``seat`` is never asked. Raises ``ValueError`` unless a list
    has one bot for each other seat."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        return [bots] * players
    if len(bots) != players - 1:
        raise ValueError(f"bots: {len(bots)} for {players - 1} other seats")
    return [bots[(other - seat - 1) % players % len(bots)] for other in range(players)]


class Opponents:
    """The bots of a table, by seat. Named bots are made again for each ``seed``."""

    def __init__(self, bots: Sequence[Opponent]) -> None:
        for each in bots:
            if not isinstance(each, str) and not callable(getattr(each, "choose", None)):
                raise ValueError(f"a bot is a name, or an object with choose, not {each!r}")
        self._named = list(bots)
        #: Whether one of them needs views.
        self.need_views = any(not _is_fast(each) for each in bots)
        self.seat_them(0)  # an unknown name is refused at once

    def seat_them(self, seed: int) -> None:
        """Make the named bots again, with random numbers that follow from a seed."""
        self._seated = [
            any_bot(each, seed + seat) if isinstance(each, str) and not _is_fast(each) else each
            for seat, each in enumerate(self._named)
        ]

    def move(self, table: OneTable, seat: int) -> int:
        """The move of the bot at a seat whose turn it is."""
        bot = self._seated[seat]
        if isinstance(bot, str):
            return _FAST[bot](table)
        assert table.game is not None
        view = table.game.view(seat)
        return check_answer(bot.name, bot.choose(view), view).number


def _is_fast(bot: Opponent) -> bool:
    return isinstance(bot, str) and bot in _FAST
