"""One table, on which the environments for PettingZoo and for a single seat in Gymnasium play."""

from __future__ import annotations

import secrets

from rage.engine.episode import Episode
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.envs.batch import forfeit_rewards
from rage.envs.spaces import meant
from rage.game.account import leads
from rage.game.game import Game
from rage.game.rulings import refusal
from rage.rules.number import as_int
from rage.rules.values import Move
from rage.say import NotAllowed, sentence


class OneTable:
    """Episodes at one table, one after the other: the same as in ``Tables(count=1)`` with the same
    seed.

    ``position`` is the current position; ``rewards`` are by side once the episode is over, ``None``
    before. For ``points`` and ``illegal`` see :class:`rage.envs.aec.TableEnv`."""

    def __init__(self, rules: Rules, points: bool, illegal: str, with_game: bool = False) -> None:
        self.rules = rules
        #: The same game with its history, if a bot at the table needs views of it.
        self.game: Game | None = None
        self._with_game = with_game
        self.position = Position(rules)
        self.seed, self.episode = secrets.randbits(64), -1
        self.rewards: list[float] | None = None
        self._points, self._illegal = points, illegal
        self._rounds = len(rules.ruleset.schedule)

    def begin(self, seed: int | None = None) -> None:
        """Begin an episode: the first one of ``seed``, or without a seed the next one."""
        if seed is None:
            self.episode += 1
        else:
            self.seed, self.episode = seed, 0
        self.chance = Episode(self.rules, self.seed, 0, self.episode)
        if self._with_game:
            rules, players = self.rules.ruleset, self.rules.players
            self.game = Game(rules, players, deals=self.chance.deals())
        self.position = Position(self.rules)
        self.chance.deal(self.position)
        self.rewards = None

    def take(self, action: int | None) -> str | None:
        """Make the move that an action means for the seat to act. If it is illegal, the policy for
        that is carried out and the reason returned; the policy ``"raise"`` raises
        :class:`rage.NotAllowed`, or ``ValueError`` for a number that is no move. Raises
        ``ValueError`` for anything but an integer."""
        position, number = self.position, as_int(action)
        if number is None:
            raise ValueError(f"an action is an integer, not {action!r}")
        try:
            move = meant(position, number)
        except ValueError as error:
            if self._illegal == "raise":
                raise
            why = str(error)
        else:
            if position.is_legal(move):
                self.make(move)
                return None
            reason = refusal(position, Move.of(move))
            assert reason is not None
            if self._illegal == "raise":
                raise NotAllowed(reason.code, **reason.params)
            why = sentence(reason)
        if self._illegal == "lose":
            side = (position.to_act or 0) % len(position.scores)
            self.rewards = forfeit_rewards(self.rules, self._points, side)
        else:
            self.make(self.chance.random_move(position))
        return why

    def make(self, move: int) -> None:
        """Make a legal move of the game, and deal the next round if it ends one."""
        position = self.position
        position.play(move)
        if self.game is not None:
            self.game.play(Move.of(move))
        if position.to_act is not None:
            return
        if position.round < self._rounds:
            self.chance.deal(position)
        elif self._points:
            self.rewards = [float(points) for points in position.scores]
        else:
            self.rewards = leads(position.scores)
