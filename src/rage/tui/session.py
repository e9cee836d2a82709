"""One person's game at this terminal: views out, moves in, the bots' turns, every move kept.

The table draws what :meth:`Session.view` shows and sends moves; nothing else of a game is known
to it, so that another authority can take the place of this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from rage.bots import Bot, bot
from rage.deal import commitment, new_seed
from rage.game import Game
from rage.history import Move
from rage.rules import RuleSet
from rage.say import NotReadable, Reason, text, visible
from rage.tui import saved
from rage.view import View


class Session:
    """A game with one person in it and bots in the other seats. ``bots`` names them by seat,
    ``None`` where the person sits; ``path`` is the file in which the game is kept."""

    def __init__(
        self, game: Game, bots: Sequence[str | None], seat: int, path: Path, started: str
    ) -> None:
        assert game.dealer is not None
        self._game = game
        self._names = tuple(bots)
        self.seat = seat
        self.path = path
        self._started = started
        self.problem: Reason | None = None
        seed = game.dealer.seed
        self._bots: dict[int, Bot] = {
            at: bot(name, _bot_seed(seed, at)) for at, name in enumerate(bots) if name is not None
        }
        self.keep()

    @classmethod
    def start(
        cls,
        rules: RuleSet,
        names: Sequence[str],
        bots: Sequence[str],
        seed: bytes | None = None,
    ) -> Session:
        """A new game: the person in seat 0, ``bots`` in turn in the others. Raises
        :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
        if not bots:
            raise NotReadable("play.no_bots")
        seats = [None, *(bots[i % len(bots)] for i in range(len(names) - 1))]
        game = Game(rules, names, seed=seed or new_seed())
        return cls(game, seats, 0, saved.new_path(), saved.now())

    @classmethod
    def resume(cls, path: Path) -> Session:
        """The unfinished game of a file. Raises :class:`rage.NotReadable`."""
        kept = saved.load(path)
        return cls(kept.game, kept.bots, kept.seat, path, kept.started)

    @property
    def rules(self) -> RuleSet:
        """The rules of the game."""
        return self._game.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self._game.names

    @property
    def commitment(self) -> str:
        """The hash of the seed that all deals come from, said before the first card is."""
        assert self._game.dealer is not None
        return commitment(self._game.dealer.seed)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._game.over

    @property
    def my_turn(self) -> bool:
        """Whether the person is to act."""
        return self._game.to_act == self.seat

    @property
    def round_number(self) -> int:
        """The number of the round last dealt."""
        return self._game.first_round + len(self._game.rounds) - 1

    @property
    def tricks_over(self) -> int:
        """How many tricks have been finished in the whole game."""
        return sum(
            sum(trick.winner is not None for trick in each.tricks) for each in self._game.rounds
        )

    def view(self) -> View:
        """What the person may know."""
        return self._game.view(self.seat)

    def play(self, move: int) -> None:
        """Make the move of whoever is to act, and keep it. Raises :class:`rage.NotAllowed`."""
        self._game.play(move)
        self.keep()

    def thought(self) -> Move:
        """What the bot that is to act chooses, from its own view; changes nothing."""
        seat = self._game.to_act
        assert seat is not None
        return self._bots[seat].choose(self._game.view(seat))

    def keep(self) -> None:
        """Write the game down. Where that fails, the game goes on and ``problem`` says why."""
        try:
            self.path = saved.keep(self.path, self._game, self._names, self.seat, self._started)
            self.problem = None
        except OSError as error:
            why = error.strerror or str(error)
            self.problem = Reason("saved.failed", {"file": str(self.path), "error": why})


def _bot_seed(seed: bytes, seat: int) -> int:
    """A seed for the bot of a seat, so that a game with a given seed can be had again."""
    return int.from_bytes(sha256(b"rage-bot-1\n" + seed + bytes([seat])).digest()[:8], "big")


def player_names(own: str, players: int, language: str) -> list[str]:
    """The person's name, and others for the bots that differ from it."""
    others = [each for each in text("play.names", language).split(", ") if each != visible(own)]
    return [own, *others[: players - 1]]
