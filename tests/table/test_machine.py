"""Whatever anybody asks of a table, in any order: the log is the table."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from generators import rules_from
from rage import NotAllowed, NotReadable
from rage.editions import name_of
from rage.notation import read_record, replay, write_record
from rage.table import (
    Answer,
    Ask,
    Chat,
    Claim,
    Clock,
    Command,
    Configure,
    Create,
    Event,
    GiveSeat,
    Join,
    Leave,
    LookAt,
    Mute,
    Nudge,
    Options,
    Pause,
    Play,
    ProposeUndo,
    Rematch,
    Remove,
    Rename,
    Resume,
    SayWord,
    SetPresence,
    ShowHand,
    Start,
    StepIn,
    Table,
    TakeBack,
    TakeHost,
    Vacate,
    Vote,
    Watch,
    Withdraw,
    command_data,
    read_command,
    read_event,
)
from rage.table.events import Played, Undone
from table.people import folded, whole

PEOPLE = ("ann", "ben", "cleo", "dan", "eve")
ACTORS = (*PEOPLE, None, "nobody")
OPTIONS = [
    Options(),
    Options(takeover="at_once", clock=Clock(1, 2, 3), grace=2, known=True, bot="random"),
    Options(access="open", undo=False, spectators=False, clock=Clock(5, 5, 9)),
]
SEATS = (0, 1, 2, 0, 1, 2, 3, 4, -1, 10**6)
PERSONS = (*PEOPLE, *PEOPLE, "nobody")
NAMES = (
    *("Ann", " ben ", "Cleo", "Dan", "Zoë", "Olga", "Karl", "Ida", "Max"),
    *("", "x" * 41, "y" * 400, "\ud800", "\u202e"),
)
MOVES = ("0", "1", "2", "R5", "C", "CR", "X", "W", "WR", "+", "15", "", "no")


class Tables(RuleBasedStateMachine):
    """One table, live; its log; and after every event the same table from the log."""

    @initialize(draw=st.data(), seed=st.binary(min_size=16, max_size=16))
    def open(self, draw: st.DataObject, seed: bytes) -> None:
        self.table, self.log, self.now = Table(), [], 0
        self.sentences: set[str] = set()
        rules, self.players = rules_from(
            lambda options: draw.draw(st.sampled_from(options)), rounds=2, most=3
        )
        self.rule_set = name_of(rules)
        options = draw.draw(st.sampled_from(OPTIONS))
        self.ask(Create(self.rule_set, self.players, "Ann", options), "ann", seed)
        self.ask(Join("Ben", None), "ben")
        self.ask(Watch("Eve"), "eve")
        self.ask(ShowHand(True), "ben")
        self.ask(LookAt(1), "eve")

    log: list[Event]

    def ask(self, command: Command, actor: str | None, seed: bytes | None = None) -> bool:
        """Decide twice, to see that nothing changes by it; then apply, event by event."""
        before, ply = whole(self.table), self.table.ply
        try:
            command = read_command(json.loads(json.dumps(command_data(command))))
            events = self.table.decide(command, actor, self.now, seed=seed)
            assert events == self.table.decide(command, actor, self.now, seed=seed)
        except (NotAllowed, NotReadable) as error:
            self.sentences.add(str(error))
            return False
        finally:
            assert whole(self.table) == before
        for event in events:
            assert read_event(json.loads(json.dumps(event.as_data()))) == event
            self.table.apply(event)
            self.log.append(event)
            assert event.seq == self.table.seq == len(self.log)
        decided = [each.fact for each in events if isinstance(each.fact, Played | Undone)]
        assert self.table.ply > ply if decided else self.table.ply == ply
        assert whole(folded(self.log)) == whole(self.table)
        self.assert_sound()
        return True

    def assert_sound(self) -> None:
        """What must be so at any table at any time."""
        state = self.table.state
        seated = [seat.person for seat in state.seats if seat.person is not None]
        assert len(seated) == len(set(seated))
        assert {*seated, *filter(None, [state.host])} <= state.guests.keys()
        assert (state.host is None) <= (not state.guests)
        names = [guest.name.casefold() for guest in state.guests.values()]
        names += [seat.name.casefold() for seat in state.seats if seat.bot and not seat.person]
        assert len(names) == len(set(names))
        for person, guest in state.guests.items():
            if guest.looking is not None:
                assert state.seats[guest.looking].shows
                assert person not in seated
        if state.phase in ("playing", "paused"):
            assert state.play is not None
            assert not any(seat.empty for seat in state.seats)
            assert state.play.game.names == state.names
            assert not state.play.game.over

    @rule(seed=st.integers(0, 2**32), actor=st.sampled_from(ACTORS))
    def one_asks(self, seed: int, actor: str | None) -> None:
        """Some of anything, by one."""
        rng = Random(seed + self.table.seq)
        for _ in range(10):
            self.ask(self.anything(rng), actor, bytes(16))

    @rule(seed=st.integers(0, 2**32))
    def all_ask(self, seed: int) -> None:
        """Some of anything, by anybody."""
        rng = Random(seed + self.table.seq)
        for _ in range(25):
            command = self.anything(rng)
            rare = isinstance(command, Create | Leave | Remove | Rematch | Pause)
            if not rare or rng.random() < 0.2:
                self.ask(command, self.somebody(command, rng), bytes(16))

    def somebody(self, command: Command, rng: Random) -> str | None:
        """Anybody; more often than not one who may do this."""
        if rng.random() < 0.3:
            return rng.choice(ACTORS)
        if isinstance(command, SetPresence | Nudge | Ask):
            return None
        if isinstance(command, Configure | GiveSeat | Vacate | Remove | Start | Pause | Resume):
            return self.table.state.host
        if isinstance(command, LookAt | TakeHost):
            return rng.choice(PEOPLE)
        persons = [seat.person for seat in self.table.state.seats if seat.person]
        return rng.choice(persons or PEOPLE)

    def anything(self, rng: Random) -> Command:
        """Any command at all, more often than not one that makes sense."""
        pick = rng.choice
        ply = self.table.ply + pick((0, 0, 0, -1, 1, 10**9))
        seat, person, name, flag = pick(SEATS), pick(PERSONS), pick(NAMES), rng.random() < 0.5
        kinds: dict[type, tuple[Any, ...]] = {
            Create: ("poof", 3, name), Join: (name, pick((None, seat))), Watch: (name,),
            Configure: (
                pick((self.rule_set, self.rule_set, "poof", "none")),
                pick((self.players, self.players, self.players, 2, 9)),
                pick(OPTIONS),
            ),
            Leave: (), Rename: (name,), Vacate: (seat,), Remove: (person, rng.random() < 0.1),
            GiveSeat: (
                seat, pick((None, person)), pick((None, "random", "none")), pick((None, name)),
            ),
            TakeHost: (), SayWord: (name,), Start: (pick(("random", "none")), (name,)),
            Pause: (), Resume: (), Play: (ply, pick(MOVES)), SetPresence: (person, flag),
            Nudge: (seat, ply), Ask: (seat, ply), StepIn: (seat,), Vote: (seat, flag),
            TakeBack: (), ProposeUndo: (ply,), Withdraw: (), Rematch: (), ShowHand: (flag,),
            Claim: (ply, tuple(rng.choices((-1, 0, 0, 1, 2), k=self.players))),
            Answer: (ply, flag), LookAt: (pick((None, seat)),),
            Chat: (pick((None, name)), pick((None, "hello", "rude"))), Mute: (person, flag),
        }  # fmt: skip
        kind = pick(sorted(kinds, key=lambda each: each.__name__))
        command: Command = kind(*kinds[kind])
        return command

    @rule()
    def start(self) -> None:
        """A game, or the next."""
        self.ask(Rematch(), self.table.state.host, bytes(16))
        self.ask(Start("random"), self.table.state.host)

    @rule()
    def go_on(self) -> None:
        self.ask(Resume(), self.table.state.host)

    @rule(rng=st.randoms(use_true_random=False), decisions=st.integers(1, 12))
    def play(self, rng: Random, decisions: int) -> None:
        """Legal decisions by those whose they are; each sent twice, the second in vain."""
        for _ in range(decisions):
            seat = self.table.to_act
            if seat is None or self.table.state.play is None:
                return
            each = self.table.state.seats[seat]
            actor = None if each.bot else each.person
            move = rng.choice(self.table.state.play.game.legal_moves())
            command = Play(self.table.ply, str(move))
            assert self.ask(command, actor)
            assert not self.ask(command, actor)

    @rule(person=st.sampled_from(PEOPLE))
    def undo(self, person: str) -> None:
        """A proposal, and everybody's consent."""
        if self.ask(ProposeUndo(self.table.ply), person):
            for each in PEOPLE:
                self.ask(Answer(self.table.ply, True), each)

    @rule(rng=st.randoms(use_true_random=False))
    def claim(self, rng: Random) -> None:
        """Whoever is to act claims everything, and everybody agrees."""
        play, seat = self.table.state.play, self.table.to_act
        if play is None or seat is None:
            return
        left = play.game.position.hand_size - play.game.position.tricks
        tricks = tuple(left * (at == seat) for at in range(self.players))
        if self.ask(Claim(self.table.ply, tricks), self.table.state.seats[seat].person):
            for each in rng.sample(PEOPLE, len(PEOPLE)):
                self.ask(Answer(self.table.ply, True), each)

    @rule(seconds=st.integers(0, 30))
    def wait(self, seconds: int) -> None:
        """What is due may be done, and is then due no more."""
        self.now += seconds * 1000
        due = self.table.due(self.now)
        assert due.next is None or due.next > self.now
        for command in due.commands:
            if command in self.table.due(self.now).commands:
                assert self.ask(command, None)
                assert command not in self.table.due(self.now).commands

    def teardown(self) -> None:
        """Every refusal is one line; every person can be shown every event; the game so far is a
        record that replays."""
        if not self.log:
            return
        assert all(each and "\n" not in each for each in self.sentences)
        plies = [each.fact.ply for each in self.log if isinstance(each.fact, Played)]
        assert plies == sorted(set(plies))
        for person in self.table.state.guests:
            for event in self.log:
                json.dumps(self.table.redact(event, person))
            json.dumps(self.table.view_for(person))
        play = self.table.state.play
        if play is not None:
            again = replay(read_record(write_record(self.table.record())))
            assert again.position.fields() == play.game.position.fields()


TestTables = Tables.TestCase
TestTables.settings = settings(stateful_step_count=40)
