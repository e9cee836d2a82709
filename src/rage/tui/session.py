"""One person's game at this terminal: its table, its bots and the file that saves it.

Moves go in and views come out. Every decision of the table is on disk before anyone sees it, and
before a bot answers it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rage.bots.advice import Advice, advise
from rage.bots.custom import any_bot
from rage.engine.deal import NamedSeed, new_seed
from rage.game.view import View
from rage.rules.ruleset import RuleSet
from rage.rules.values import Move
from rage.say import NotReadable, Reason
from rage.table import BotTurn, Command, Event, Fact, Play, ProposeUndo, Table
from rage.tui import game_files, saved
from rage.tui.opening import PERSON, open_table


class OnlyCard(NamedTuple):
    """A card that plays itself because it is the only one possible, and the sentence about it."""

    move: Move
    says: Reason


class Session:
    """A table with one person, bots in the other seats, and the ``log`` that saves it. If saving
    fails, ``problem`` says why, and the game continues anyway. Without ``keep`` nothing is
    saved."""

    def __init__(self, table: Table, log: saved.Log, *, keep: bool = True) -> None:
        seat = table.state.seat_of(PERSON)
        assert seat is not None
        self.seat = seat
        self.problem: Reason | None = None
        #: Whether the person also plays an only possible card themselves.
        self.by_hand = False
        self._left: int | None = None  # the ply of the decision that was taken back
        self.kept = keep
        self._table = table
        self._log = log
        self._record: Path | None = None
        self._keep(())
        self._end()

    @classmethod
    def start(
        cls,
        rules: RuleSet,
        names: Sequence[str],
        bots: Sequence[str],
        seed: bytes | None = None,
        *,
        keep: bool = True,
    ) -> Session:
        """A new game: the person in seat 0, ``bots`` in turn in the others; ``seed``: if the person
        chose one. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
        if not bots:
            raise NotReadable("play.no_bots")
        seats = [None, *(bots[i % len(bots)] for i in range(len(names) - 1))]
        named = None if seed is None else NamedSeed(seed)
        table, events = open_table(rules, names, seats, named or new_seed(), _now())
        return cls(table, saved.Log(game_files.new_path(), [events]), keep=keep)

    @classmethod
    def resume(cls, path: Path, *, keep: bool = True) -> Session:
        """The unfinished game of a file. Raises :class:`rage.NotReadable`."""
        kept = saved.load(path)
        return cls(kept.table, saved.Log(path, kept.commands), keep=keep)

    @property
    def path(self) -> Path:
        """The file that holds the game: its log, or its record once it is over."""
        return self._record or self._log.path

    def where_kept(self, command: str) -> Reason:
        """Where the game is saved, if it is, and how ``command`` resumes it, or analyses it once it
        is over."""
        if not self.kept:
            return Reason("play.not_kept")
        params = {"file": str(self.path), "command": command}
        if not self.over:
            return Reason("play.kept", params)
        return Reason("play.done", {**params, "game": game_files.name_of_game(self.path)})

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        return self._table.state.ruleset()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self._table.state.names

    @property
    def bots(self) -> tuple[str | None, ...]:
        """The names of the bots by seat; ``None`` is the person's."""
        return tuple(seat.bot for seat in self._table.state.seats)

    @property
    def commitment(self) -> str:
        """The commitment to the seed of all deals, shown before the first card."""
        return self._table.state.commitment

    @property
    def over(self) -> bool:
        """Whether the last round of the game is over."""
        return self._table.phase == "over"

    @property
    def my_turn(self) -> bool:
        """Whether the person is to act; with simultaneous bids they need not wait."""
        return self._table.state.is_awaited(self.seat)

    @property
    def hurries(self) -> bool:
        """Whether bots need not pretend to think, because they bid while the person does."""
        return self._table.state.sealing

    @property
    def ply(self) -> int:
        """The number of the person's pending decision; no number is ever used again."""
        return self._table.ply_of(self.seat)

    def view(self) -> View:
        """The person's current view of the game."""
        return self._table.view_in_turn(self.seat)

    def only_card(self) -> OnlyCard | None:
        """The only card that the person can play; ``None`` for a bid, if there is a choice, such as
        of a colour, or if that card was taken back."""
        if self.by_hand or not self.my_turn or self.ply == self._left:
            return None
        view = self.view()
        moves = view.legal_moves
        if view.bidding or len(moves) != 1:
            return None
        code = "turn.last" if len(view.hand) == 1 else "turn.only"
        return OnlyCard(moves[0], Reason(code, {"card": str(moves[0])}))

    def advice(self) -> Advice:
        """Advice for the person's current decision; can run in any thread. Raises
        :class:`rage.NotAllowed` if it is not their turn, or the table allows no advice."""
        return advise(self._table.view_to_advise(PERSON, self.ply))

    def play(self, move: Move) -> list[Fact]:
        """Make the move of the player to act, and return what happened. Raises
        :class:`rage.NotAllowed`."""
        if self.my_turn:
            return self._do(Play(self.ply, str(move)), PERSON)
        return self._do(Play(self.bot_turn().ply, str(move)), None)

    def undo(self) -> None:
        """Undo the person's last decision. Raises :class:`rage.NotAllowed` if they have learnt
        something since, or have decided nothing."""
        self._do(ProposeUndo(self._table.ply), PERSON)
        self._left = self.ply

    def bot_turn(self) -> BotTurn:
        """The decision of the bot to act."""
        turn = self._table.bot_to_act()
        assert turn is not None
        return turn

    def is_due(self, turn: BotTurn) -> bool:
        """Return whether a bot still has this decision to make."""
        due = turn.seat in self._table.bots_to_act
        return due and self._table.ply_of(turn.seat) == turn.ply

    def bot_move(self) -> Move:
        """The move that the bot to act would make; changes nothing."""
        return choose(self.bot_turn())

    def _do(self, command: Command, actor: str | None) -> list[Fact]:
        """Decide a command, save its events, and only then apply them."""
        events = self._table.decide(command, actor, _now())
        self._keep(events)
        for event in events:
            self._table.apply(event)
        self._end()
        return [event.fact for event in events]

    def _keep(self, events: Sequence[Event]) -> None:
        if not self.kept:
            return
        try:
            self._log.keep(events)
            self.problem = None
        except OSError as error:
            self._failed(error)

    def _end(self) -> None:
        """Replace the log by the record once the game is over."""
        if not (self.over and self.kept):
            return
        try:
            self._record = game_files.finish(self._log.path, self._table.record())
            self.problem = None
        except OSError as error:
            self._failed(error)

    def _failed(self, error: OSError) -> None:
        why = error.strerror or str(error)
        self.problem = Reason("saved.failed", {"file": str(self.path), "error": why})


def choose(turn: BotTurn) -> Move:
    """A bot's move, from its own view and with a seed for this decision; can run in any thread."""
    return any_bot(turn.bot, turn.seed).choose(turn.view)


def _now() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
