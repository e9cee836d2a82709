"""Table: commands in, events out; and the state they fold to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from rage.deal import commitment
from rage.notation import Record, record_of
from rage.say import NotAllowed, NotReadable
from rage.table import clock, consent, guests, playing, sight
from rage.table import commands as c
from rage.table.events import Event, Fact
from rage.table.fold import fold
from rage.table.shapes import TableData, ToActData
from rage.table.state import Phase, State
from rage.view import View

MAX_PERSON: Final = 64
_DECIDERS: Final[dict[type, Callable[[State, Any, str | None], Iterator[Fact]]]] = {
    c.Configure: guests.configure, c.Join: guests.join, c.Watch: guests.watch,
    c.Leave: guests.leave, c.Rename: guests.rename, c.GiveSeat: guests.give_seat,
    c.Vacate: guests.vacate, c.Remove: guests.remove, c.TakeHost: guests.take_host,
    c.SetPresence: guests.set_presence, c.ShowHand: guests.show_hand, c.LookAt: guests.look_at,
    c.Chat: guests.chat, c.Mute: guests.mute, c.SayWord: playing.say_word,
    c.Start: playing.start, c.Pause: playing.pause, c.Resume: playing.resume,
    c.Play: playing.play, c.ProposeUndo: consent.propose_undo, c.Claim: consent.claim,
    c.Answer: consent.answer, c.Withdraw: consent.withdraw, c.Vote: clock.vote,
    c.TakeBack: clock.take_back,
}  # fmt: skip


class BotTurn(NamedTuple):
    """A decision that a bot has to make: which bot, with which seed, and what it may know."""

    seat: int
    ply: int
    bot: str
    seed: int
    view: View


class Table:
    """The authority of one table: a fold over its events. No clock, no chance, no input or
    output of its own: time (milliseconds) and seeds come in with the commands.

    A person is an opaque text that identifies but does not authorise: all at the table may see
    it. The actor of a command is the person who sends it, or ``None`` for the house: whoever
    runs the table, lets bots think and looks at the clock."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = State()

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Table:
        """The table to which events add up, from its first on."""
        table = cls()
        for event in events:
            table.apply(event)
        return table

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.state.seq

    @property
    def ply(self) -> int:
        """The number of the decision that is due."""
        return self.state.ply

    @property
    def phase(self) -> Phase:
        """``new``, ``gathering``, ``playing``, ``paused`` or ``over``."""
        return self.state.phase

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, while the game is played."""
        return self.state.to_act

    def decide(
        self, command: c.Command, actor: str | None, now: int, *, seed: bytes | None = None
    ) -> list[Event]:
        """The events that a command of ``actor`` brings about; changes nothing. All of them are
        to be stored and applied together, or none. ``Create`` and ``Rematch`` need a new
        secret ``seed`` of 16 to 64 bytes, or a :class:`rage.deal.NamedSeed`, which is no secret:
        at a table of one. Raises :class:`rage.NotAllowed` and
        :class:`rage.NotReadable`."""
        if actor is not None and not 0 < len(actor) <= MAX_PERSON:
            raise NotReadable("table.person", most=MAX_PERSON)
        at = max(now, self.state.at)
        facts = self._facts(command, actor, at, seed)
        return [Event(number, at, fact) for number, fact in enumerate(facts, self.seq + 1)]

    def _facts(
        self, command: c.Command, actor: str | None, now: int, seed: bytes | None
    ) -> Iterator[Fact]:
        state = self.state
        if isinstance(command, c.Create):
            return playing.create(state, command, actor, seed)
        state.ruleset()
        if isinstance(command, c.Rematch):
            return playing.rematch(state, command, actor, seed)
        if isinstance(command, c.Nudge | c.Ask):
            return clock.remind(state, command, actor, now)
        if isinstance(command, c.StepIn):
            return clock.step_in(state, command, actor, now)
        return _DECIDERS[type(command)](state, command, actor)

    def apply(self, event: Event) -> None:
        """Make one event part of the table. Raises :class:`rage.NotAllowed` for one that is not
        the next; never fails for the next that :meth:`decide` gave."""
        if event.seq != self.seq + 1:
            raise NotAllowed("table.seq", seq=event.seq, due=self.seq + 1)
        fold(self.state, event)

    def do(
        self, command: c.Command, actor: str | None, now: int, *, seed: bytes | None = None
    ) -> list[Event]:
        """Decide and apply at once, for who needs no storage between the two."""
        events = self.decide(command, actor, now, seed=seed)
        for event in events:
            self.apply(event)
        return events

    def due(self, now: int) -> clock.Due:
        """What the clock asks the house to do at a time, and when to look again."""
        return clock.due(self.state, now)

    def bot_to_act(self) -> BotTurn | None:
        """The decision that a bot has to make, if one has; the answer is a ``Play`` of the
        house. The seed is its own for every decision, so that no bot need remember."""
        state, seat = self.state, self.to_act
        if state.play is None or seat is None or (bot := state.seats[seat].bot) is None:
            return None
        secret = f"rage-bot-2\n{state.seed} {seat} {state.ply}"
        seed = int.from_bytes(sha256(secret.encode()).digest()[:8], "big")
        return BotTurn(seat, state.ply, bot, seed, state.play.game.view(seat))

    def game_view(self, person: str | None) -> View | None:
        """The game as a person may see it; ``None`` where there is nothing to see."""
        return sight.game_view(self.state, person)

    def view_for(self, person: str | None) -> TableData:
        """Everything a person may know of the table and the game, as plain data for JSON."""
        return sight.view_for(self.state, person)

    def turn_for(self, person: str | None) -> ToActData | None:
        """What the person whose turn it is may do, as plain data; ``None`` for others."""
        return sight.turn_data(self.state, person)

    def redact(self, event: Event, person: str | None) -> dict[str, Any]:
        """An event of this table as a person at it may see it, as plain data for JSON."""
        return sight.redact(self.state, event, person)

    def record(self) -> Record:
        """The record of the game so far (``docs/record.md``), with all hands: for the house.
        Raises :class:`rage.NotAllowed` where none has begun."""
        play, state = self.state.require_play(), self.state
        over = play.ended is not None
        return record_of(
            play.game,
            started=_written(play.started),
            ended=None if play.ended is None else _written(play.ended),
            bots=list(play.bots if over else (seat.bot for seat in state.seats)),
            commitment=commitment(play.dealer.seed),
            words=list(play.words) or None,
            first_dealer=play.given_dealer,
            seed=play.dealer.seed.hex() if over else None,
        )

    def record_for(self, person: str | None) -> Record:
        """The record for a person at the table, once the game is over. Raises
        :class:`rage.NotAllowed`."""
        self.state.guest(person)
        self.state.in_phase("over")
        return self.record()


def _written(at: int) -> str:
    """A time in milliseconds since 1970 as RFC 3339 writes it."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
