"""The class :class:`Table`, which decides commands and folds the resulting events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any, Final, NamedTuple

from rage.coach import Coach
from rage.game.view import View
from rage.notation import Record
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.facts.events import Event, Fact
from rage.table.facts.shapes import (
    BetweenData,
    HolderData,
    OwnData,
    ProposalData,
    ReactionData,
    SaidData,
    TableData,
    TakeoverData,
    ToActData,
)
from rage.table.fold import fold
from rage.table.parts import ChatLine, Occupant, Phase
from rage.table.people import guests, hosts, speech, transfers
from rage.table.play import between_rounds, clock, consent, playing, sealing, starting
from rage.table.seen import advice, records, visibility
from rage.table.snapshot import read_snapshot, write_snapshot
from rage.table.state import State

MAX_PERSON: Final = 64
_DECIDERS: Final[dict[type, Callable[[State, Any, str | None], Iterator[Fact]]]] = {
    c.Configure: guests.configure, c.Join: guests.join, c.Watch: guests.watch,
    c.Leave: guests.leave, c.Rename: guests.rename, c.RefuseSeat: transfers.refuse_seat,
    c.Vacate: transfers.vacate, c.Swap: transfers.swap, c.Remove: hosts.remove,
    c.SetPresence: guests.set_presence, c.ShowHand: guests.show_hand, c.LookAt: guests.look_at,
    c.Mute: speech.mute,
    c.CommitWord: starting.commit_word, c.RevealWord: starting.reveal_word,
    c.Start: starting.start, c.Pause: playing.pause, c.Resume: playing.resume,
    c.Ready: between_rounds.ready,
    c.Play: playing.play, c.ProposeUndo: consent.propose_undo, c.Claim: consent.claim,
    c.Answer: consent.answer, c.Withdraw: consent.withdraw, c.Settle: consent.settle,
    c.Vote: clock.vote, c.TakeBack: clock.take_back,
}  # fmt: skip

#: Deciders that need the time.
_TIMED_DECIDERS: Final[dict[type, Callable[[State, Any, str | None, int], Iterator[Fact]]]] = {
    c.Nudge: clock.remind, c.OpenTakeoverVote: clock.remind, c.SetClock: clock.set_clock,
    c.StepIn: clock.step_in, c.TakeHost: hosts.take_host, c.StartAnyway: starting.start_anyway,
    c.DealNext: between_rounds.deal, c.GiveSeat: transfers.give_seat,
    c.AskForSeat: transfers.ask_for_seat,
}  # fmt: skip


class BotTurn(NamedTuple):
    """A decision that a bot has to make: the bot, its seed, and what it may know."""

    seat: int
    ply: int
    bot: str
    seed: int
    view: View


class Table:
    """The authority of one table: a fold over its events. It has no clock, no randomness, and no
    input or output of its own: time (milliseconds) and seeds are passed in with the commands.

    A person is an opaque string, known to everyone at the table, that identifies but does not
    authorise. The actor of a command is the person who sends it, or ``None`` for the house: the
    program that runs the table, moves the bots and watches the clock.
    """

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = State()

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Table:
        """The table folded from all its events, from the first one on."""
        table = cls()
        for event in events:
            table.apply(event)
        return table

    @classmethod
    def from_snapshot(cls, data: bytes) -> Table:
        """The table of a snapshot, ready for the events after it. Raises
        :class:`rage.NotReadable`."""
        table = cls()
        table.state = read_snapshot(data)
        return table

    def snapshot(self) -> bytes:
        """The whole table except its chat, as JSON, to replace the events so far. It holds
        everyone's cards, so only the house may see it."""
        return write_snapshot(self.state)

    def __copy__(self) -> Table:
        """An independent copy."""
        other = Table()
        other.state = deepcopy(self.state)
        return other

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.state.seq

    @property
    def ply(self) -> int:
        """The number of the next decision."""
        return self.state.ply

    @property
    def phase(self) -> Phase:
        """``new``, ``gathering``, ``revealing``, ``playing``, ``paused`` or ``over``."""
        return self.state.phase

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is during a game; while bids are sealed, the first without one."""
        return self.state.to_act

    def ply_of(self, seat: int) -> int:
        """The number of the decision that a seat has to make; while bids are sealed, every seat has
        one."""
        return self.state.ply_of(seat)

    def decide(
        self, command: c.Command, actor: str | None, now: int, *, seed: bytes | None = None
    ) -> list[Event]:
        """The events that a command of ``actor`` causes; changes nothing. They must be stored and
        applied together, all or none. ``Create``, ``Rematch`` and ``GoOn`` need a new secret
        ``seed`` of 16 to 64 bytes or, for a table of one person, a
        :class:`rage.engine.deal.NamedSeed`, which is not secret. Raises
        :class:`rage.NotAllowed` and :class:`rage.NotReadable`."""
        if actor is not None and not 0 < len(actor) <= MAX_PERSON:
            raise NotReadable("table.person", most=MAX_PERSON)
        at = now if clock.is_ahead(self.state, now) else max(now, self.state.at)
        facts = self._facts(command, actor, at, seed)
        if not self.state.options.spectators:
            facts = transfers.ending_visits(self.state, facts)
        if self.state.proposal is not None:
            facts = consent.ending_open_proposal(facts)
        return [Event(number, at, fact) for number, fact in enumerate(facts, self.state.seq + 1)]

    def _facts(
        self, command: c.Command, actor: str | None, now: int, seed: bytes | None
    ) -> Iterator[Fact]:
        state, kind = self.state, type(command)
        if isinstance(command, c.Create):
            return playing.create(state, command, actor, seed)
        state.ruleset()
        if isinstance(command, c.GoOn):
            return playing.go_on(state, command, actor, seed)
        state.check_no_gap()
        if isinstance(command, c.Rematch):
            return playing.rematch(state, command, actor, seed)
        if kind in _TIMED_DECIDERS:
            return _TIMED_DECIDERS[kind](state, command, actor, now)
        return _DECIDERS[kind](state, command, actor)

    def apply(self, event: Event) -> None:
        """Fold one event into the table. Raises :class:`rage.NotAllowed` unless it is the next one;
        never fails for an event that :meth:`decide` returned."""
        if event.seq != self.state.seq + 1:
            raise NotAllowed("table.seq", seq=event.seq, due=self.state.seq + 1)
        fold(self.state, event)

    def is_settled(self, last: Event) -> bool:
        """Return whether the ``last`` event of the table may end a command: some events are always
        followed by others of the same command."""
        state = self.state
        match last.fact:
            case e.Created() | e.Rematched() | e.SeedCommitted() | e.Started():
                return False
            case e.SeedStored():
                return state.games > 1 or bool(state.guests)
            case e.Joined(screen=screen):
                return screen or state.host is not None
            case e.Left(person):
                return person != state.host
        return playing.is_complete(state, last.fact)

    def do(
        self, command: c.Command, actor: str | None, now: int, *, seed: bytes | None = None
    ) -> list[Event]:
        """Decide and apply at once, if nothing has to be stored in between."""
        events = self.decide(command, actor, now, seed=seed)
        for event in events:
            self.apply(event)
        return events

    def say(self, command: c.Chat, actor: str | None, now: int) -> ChatLine:
        """The next line of the chat, spoken by ``actor``; changes nothing. The chat is not part of
        the events: the caller keeps its last lines, and passes each to :meth:`add_chat_line`.
        Raises :class:`rage.NotAllowed` and :class:`rage.NotReadable`."""
        return speech.say(self.state, command, actor, now)

    def add_chat_line(self, line: ChatLine) -> None:
        """Add a line to the chat, dropping the oldest ones."""
        self.state.chat.append(line)

    def react(self, command: c.React, actor: str | None) -> ReactionData:
        """The reaction of ``actor`` to a card; changes nothing. The caller passes it on to everyone
        who :meth:`hears` the actor, and does not store it. Raises :class:`rage.NotAllowed` and
        :class:`rage.NotReadable`."""
        return speech.react(self.state, command, actor)

    def hears(self, person: str, speaker: str) -> bool:
        """Return whether a person is at the table and has not muted a speaker."""
        guest = self.state.guests.get(person)
        return guest is not None and speaker not in guest.muted

    def change_bid(self, command: c.ChangeBid, actor: str | None) -> bytes | None:
        """All changed bids of this table as JSON, including the one of ``actor``, or ``None`` if
        that changes nothing. They are not part of the events: the caller stores them in place of
        the last ones, passes them to :meth:`restore_changed`, and drops them once no bid is sealed.
        Raises :class:`rage.NotAllowed` and :class:`rage.NotReadable`."""
        self.state.check_no_gap()
        return sealing.change_bid(self.state, command, actor)

    def restore_changed(self, data: bytes) -> None:
        """Apply changed bids. Raises :class:`rage.NotReadable`."""
        sealing.restore_changed(self.state, data)

    @property
    def has_sealed(self) -> bool:
        """Whether bids are sealed because others are still missing."""
        return bool(self.state.sealed)

    def own_bid(self, person: str | None) -> int | None:
        """The sealed bid, if any, of the seat whose cards a person sees."""
        return sealing.own_bid(self.state, person)

    def chat_for(self, person: str | None, after: int = 0) -> list[SaidData]:
        """The lines of the chat after a number that a person may read."""
        return visibility.chat_for(self.state, person, after)

    def due(self, now: int) -> clock.Due:
        """The commands that the house may send now, and when to ask again."""
        return clock.due(self.state, now)

    @property
    def bots_to_act(self) -> list[int]:
        """The seats of the bots that have a decision to make: several, if all bid at once."""
        state = self.state
        seat = state.to_act
        if seat is None or state.gap:
            return []
        if not state.sealing:
            return [] if state.seats[seat].bot is None else [seat]
        return [
            each
            for each in filter(state.is_awaited, state.bidders)
            if state.seats[each].bot is not None
        ]

    def bot_turn(self, seat: int) -> BotTurn:
        """The decision of a bot at one of ``bots_to_act``; the house answers with a ``Play``. Every
        decision has its own seed, so bots need no memory. A bid does not depend on whether others
        have made theirs."""
        state, ply = self.state, self.ply_of(seat)
        bot = state.seats[seat].bot
        assert bot is not None
        secret = f"rage-bot-2\n{state.seed} {seat} {ply}"
        seed = int.from_bytes(sha256(secret.encode()).digest()[:8], "big")
        return BotTurn(seat, ply, bot, seed, self.view_in_turn(seat))

    def view_in_turn(self, seat: int) -> View:
        """The view of a seat at its turn. While bids are sealed, this is as if it had to bid now
        or, once it has, as if it were the turn of the first seat without a bid."""
        return sealing.view_in_turn(self.state, seat)

    def bot_to_act(self) -> BotTurn | None:
        """The decision that a bot has to make, or the first of several."""
        seats = self.bots_to_act
        return self.bot_turn(seats[0]) if seats else None

    def game_view(self, person: str | None) -> View | None:
        """The game as a person may see it; ``None`` if there is nothing to see."""
        return visibility.game_view(self.state, person)

    def view_for(self, person: str | None) -> TableData:
        """Everything a person may know about the table and the game."""
        return visibility.view_for(self.state, person)

    def turn_for(self, person: str | None, coach: Coach | None = None) -> ToActData | None:
        """What a person may do at their turn, with a hint if they have a ``coach``; ``None`` if it
        is not their turn."""
        return None if self.state.gap else visibility.turn_data(self.state, person, coach)

    def view_to_advise(self, person: str | None, ply: int) -> View:
        """The view for advice to a person on the decision numbered ``ply``. Raises
        :class:`rage.NotAllowed` if it is not theirs, or the table does not allow advice."""
        return advice.view_to_advise(self.state, person, ply)

    def own_data(self, person: str | None) -> OwnData | None:
        """What concerns only this person, and what they may do; ``None`` if they are not at the
        table."""
        return visibility.own_data(self.state, person)

    @property
    def may_undo(self) -> set[str]:
        """The people who may take back their last decision now, if all agree."""
        seats = self.state.seats
        return {seats[at].person or "" for at in consent.may_undo(self.state)}

    @property
    def may_claim(self) -> bool:
        """Whether the player to act may claim the rest of the round."""
        return consent.may_claim(self.state)

    @property
    def advice_allowed(self) -> bool:
        """Whether the players to act may ask for advice."""
        return advice.advice_allowed(self.state)

    @property
    def proposal(self) -> ProposalData | None:
        """The open proposal, as everyone at the table sees it."""
        return visibility.proposal_data(self.state)

    @property
    def takeover(self) -> TakeoverData | None:
        """What can be done about a player for whom the others wait."""
        return clock.takeover(self.state)

    @property
    def between(self) -> BetweenData | None:
        """What the table waits for between two rounds."""
        return visibility.between_data(self.state)

    @property
    def shared_data(self) -> dict[str, Any]:
        """The fields of :class:`TableData` that are the same for everyone, except its counts."""
        return visibility.shared_data(self.state)

    @property
    def waiting_data(self) -> dict[str, Any]:
        """The fields of :attr:`shared_data` that moves change: since when, and for what, people
        wait."""
        return visibility.waiting_data(self.state)

    def redact(self, event: Event, person: str | None) -> Event:
        """An event of this table as a person at it may see it."""
        return visibility.redact(self.state, event, person)

    def record(self) -> Record:
        """The record of the game so far, with all hands: only the house may see it. Raises
        :class:`rage.NotAllowed` before a game has begun."""
        return records.record(self.state)

    @property
    def holders(self) -> list[list[HolderData]]:
        """By seat, everyone who held it in the game, in order; none before a game has begun."""
        return records.holders_at(self.state)

    def earlier_occupants(self) -> dict[int, dict[int, Occupant]]:
        """By round and seat, the occupants who were dealt cards and no longer have the seat."""
        return records.earlier_occupants(self.state)
