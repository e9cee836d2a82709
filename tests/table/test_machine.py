"""Anything anybody may ask of a table, in any order: the table is its log."""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from generators import rules_from
from rage import NotAllowed, NotReadable
from rage.engine.deal import word_commitment
from rage.house.tables import broadcast
from rage.notation import parse_record, replay, write_record
from rage.notation.fair import verify
from rage.table import (
    Answer,
    AskForSeat,
    ChangeBid,
    Chat,
    Claim,
    Clock,
    Command,
    CommitWord,
    Configure,
    Create,
    DealNext,
    Event,
    GiveSeat,
    GoOn,
    Join,
    Leave,
    LookAt,
    Mute,
    Nudge,
    OpenTakeoverVote,
    Options,
    Pause,
    Play,
    ProposeUndo,
    React,
    Ready,
    RefuseSeat,
    Rematch,
    Remove,
    Rename,
    Resume,
    RevealWord,
    SetClock,
    SetPresence,
    Settle,
    ShowHand,
    Start,
    StartAnyway,
    StepIn,
    Swap,
    Table,
    TakeBack,
    TakeHost,
    UnloggedCommand,
    Vacate,
    Vote,
    Watch,
    Withdraw,
    read_command,
    read_event,
    write_event,
)
from rage.table.commands import COMMANDS
from rage.table.facts.events import Fact, Left, Played, Sat, SeatProposed, Undone
from rage.table.facts.shapes import OwnData
from rage.table.play.clock import MAX_AHEAD
from table.soundness import assert_reasons_public, assert_sound
from table.tables import comparable, reloaded, view_data

PEOPLE = ("ann", "ben", "cleo", "dan", "eve")
ACTORS = (*PEOPLE, None, "nobody")
OPTIONS = [
    Options(),
    Options(takeover="at_once", clock=Clock(1, 2, 3), grace=2, known=True, bot="random"),
    Options(access="open", undo=False, spectators=False, clock=Clock(5, 5, 9), between=4),
    Options(between=None, takeover="never", clock=Clock(1, 2, 3)),
]
SEATS = (0, 1, 2, 0, 1, 2, 3, 4, -1, 10**6)
PERSONS = (*PEOPLE, *PEOPLE, "nobody")
NAMES = (
    *("Ann", " ben ", "Cleo", "Dan", "Zoë", "Olga", "Karl", "Ida", "Max"),
    *("", "x" * 41, "y" * 400, "\ud800", "\u202e", "А\u200dnn", "Âда", "BEΝ"),
)
YEAR = 365 * 24 * 3_600_000
MOVES = ("0", "1", "2", "R5", "C", "CR", "X", "W", "WR", "+", "15", "", "no")


def events_alone(table: Table) -> Any:
    """Everything a table is except its chat, which is not part of the events."""
    return {name: value for name, value in comparable(table).items() if name != "chat"}


def written(command: Command | UnloggedCommand) -> bytes:
    """A command as JSON, also with half a surrogate pair in it."""
    return json.dumps(msgspec.to_builtins(command)).encode()


class Told(NamedTuple):
    """What people have been told of a table: all alike, and each; whose cards they see; and how
    many decisions of its game have been made, if there is one."""

    shared: dict[str, Any]
    own: dict[str, OwnData | None]
    seeing: dict[str, int | None]
    decisions: int


def told_of(table: Table) -> Told:
    state = table.state
    return Told(
        table.shared_data,
        {person: table.own_data(person) for person in state.guests},
        {person: state.viewpoint(person) for person in state.guests},
        -1 if state.play is None else state.play.game.ply,
    )


def assert_listed(before: Told, table: Table, kinds: set[type[Fact]]) -> None:
    """What people are sent after these facts depends on three lists, which have those that they
    should."""
    after, names = told_of(table), sorted(kind.__name__ for kind in kinds)
    if kinds <= broadcast.MOVES:
        differ = {name for name, value in after.shared.items() if value != before.shared[name]}
        differ -= table.waiting_data.keys()
        assert not differ, f"broadcast.MOVES must not have one of {names}, which change {differ}"
        assert after.own == before.own, f"broadcast.MOVES must not have one of {names}"
    if before.decisions >= 0 and after.seeing != before.seeing:
        assert kinds & {*broadcast.SHIFTS}, f"broadcast.SHIFTS lacks one of {names}"
    if after.decisions < before.decisions:
        assert kinds & {*broadcast.RESETS}, f"broadcast.RESETS lacks one of {names}"


class Tables(RuleBasedStateMachine):
    """One table, live; its log; and after every event the same table from the log."""

    @initialize(draw=st.data(), seed=st.binary(min_size=16, max_size=16))
    def open(self, draw: st.DataObject, seed: bytes) -> None:
        self.table, self.log, self.now = Table(), [], 0
        self.sentences: set[str] = set()
        self.bids: bytes | None = None
        rules, self.players = rules_from(
            lambda options: draw.draw(st.sampled_from(options)), rounds=2, most=3
        )
        self.rule_set = rules.name
        options = draw.draw(st.sampled_from(OPTIONS))
        self.ask(Create(self.rule_set, self.players, "Ann", options), "ann", seed)
        self.ask(Join("Ben", None), "ben")
        self.ask(Watch("Eve"), "eve")
        self.ask(ShowHand(True), "ben")
        self.ask(LookAt(1), "eve")

    log: list[Event]

    def say(self, command: Chat, actor: str | None) -> bool:
        """Say something; the chat is not part of the table."""
        before = comparable(self.table)
        try:
            said = self.table.say(command, actor, self.now)
        except (NotAllowed, NotReadable) as error:
            self.sentences.add(str(error))
            return False
        finally:
            assert comparable(self.table) == before
        self.table.add_chat_line(said)
        assert self.table.chat_for(said.person)[-1].number == said.number
        return True

    def change_bid(self, command: ChangeBid, actor: str | None) -> bool:
        """Change a sealed bid. That is no event: it only counts beside the log, and nobody else can
        see that it was done."""
        before = comparable(self.table)
        others = [person for person in self.table.state.guests if person != actor]
        told = [view_data(self.table, person) for person in others]
        try:
            bids = self.table.change_bid(command, actor)
        except (NotAllowed, NotReadable) as error:
            self.sentences.add(str(error))
            return False
        finally:
            assert comparable(self.table) == before
        if bids is None:
            return False
        seat = self.table.state.seat_of(actor)
        self.bids = bids
        self.table.restore_changed(bids)
        assert self.table.own_bid(actor) == int(command.move)
        for person, then in zip(others, told, strict=True):
            if self.table.state.viewpoint(person) != seat:
                assert view_data(self.table, person) == then
        return True

    def reloaded(self) -> Table:
        """The table from its log, and the changed bids beside it."""
        table = reloaded(self.log)
        if self.bids is not None:
            table.restore_changed(self.bids)
        return table

    def ask(
        self, command: Command | UnloggedCommand, actor: str | None, seed: bytes | None = None
    ) -> bool:
        """Decide twice, to see that nothing changes by it; then apply, event by event. What the
        events add up to is the same from the log, and from a snapshot."""
        before, ply = comparable(self.table), self.table.ply
        told = told_of(self.table) if self.log else None
        asked = self.to_be_asked(command, actor)
        if isinstance(command, ChangeBid):
            return self.change_bid(command, actor)
        try:
            command = read_command(written(command))
            if isinstance(command, Chat):
                return self.say(command, actor)
            assert not isinstance(command, ChangeBid)
            if isinstance(command, React):
                return self.table.react(command, actor).person == actor
            events = self.table.decide(command, actor, self.now, seed=seed)
            assert events == self.table.decide(command, actor, self.now, seed=seed)
        except (NotAllowed, NotReadable) as error:
            self.sentences.add(str(error))
            return False
        finally:
            assert comparable(self.table) == before
        for event in events:
            assert read_event(write_event(event)) == event
            self.table.apply(event)
            self.log.append(event)
            assert event.seq == self.table.seq == len(self.log)
            assert_reasons_public(self.table, event.fact)
        assert not events or self.table.is_settled(events[-1]), events
        facts = [each.fact for each in events]
        if told is not None and events:
            assert_listed(told, self.table, {type(fact) for fact in facts})
        assert not (asked and any(isinstance(fact, Sat) for fact in facts)), command
        assert not any(isinstance(fact, Left) and fact.removed for fact in facts) or (
            isinstance(command, Remove) and command.person != before["owner"]
        )
        decided = [fact for fact in facts if isinstance(fact, Played | Undone)]
        assert self.table.ply > ply if decided else self.table.ply == ply
        if not self.table.has_sealed:
            self.bids = None
        assert events_alone(self.reloaded()) == events_alone(self.table)
        assert events_alone(Table.from_snapshot(self.table.snapshot())) == events_alone(self.table)
        assert_sound(self.table, self.now)
        return True

    def to_be_asked(self, command: Command | UnloggedCommand, actor: str | None) -> bool:
        """Whether somebody else would have to agree, if this gave a seat in a game."""
        state = self.table.state
        if state.phase not in ("playing", "paused") or not isinstance(command, GiveSeat):
            return False
        spared = {state.seat_of(actor)}
        if 0 <= command.seat < len(state.seats) and state.asks_for_own(
            command.person, command.seat
        ):
            spared.add(command.seat)
        return any(seat.self_played for at, seat in enumerate(state.seats) if at not in spared)

    def commitment(self, word: str) -> str:
        """The commitment to a word in this game."""
        return word_commitment(self.table.state.commitment, word)

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

    def somebody(self, command: Command | UnloggedCommand, rng: Random) -> str | None:
        """Anybody; more often than not one who may do this."""
        if rng.random() < 0.3:
            return rng.choice(ACTORS)
        if isinstance(command, CommitWord | RevealWord):
            return rng.choice(PEOPLE)
        house = SetPresence | SetClock | Nudge | OpenTakeoverVote | StartAnyway | Settle | DealNext
        if isinstance(command, house):
            return None
        if isinstance(command, Configure | GiveSeat | Vacate | Swap | Remove | Start | Pause):
            return self.table.state.host
        if isinstance(command, LookAt | TakeHost):
            return rng.choice(PEOPLE)
        persons = [seat.person for seat in self.table.state.seats if seat.person]
        return rng.choice(persons or PEOPLE)

    def anything(self, rng: Random) -> Command | UnloggedCommand:
        """Any command at all, more often than not one that makes sense."""
        pick = rng.choice
        ply = self.table.ply + pick((0, 0, 0, -1, 1, 10**9))
        seat, person, name, flag = pick(SEATS), pick(PERSONS), pick(NAMES), rng.random() < 0.5
        kinds: dict[type, tuple[Any, ...]] = {
            Create: ("poof", 3, name), Join: (name, pick((None, seat))), Watch: (name, flag),
            Configure: (
                pick((self.rule_set, self.rule_set, "poof", "none")),
                pick((self.players, self.players, self.players, 2, 9)),
                pick(OPTIONS),
            ),
            Leave: (), Rename: (name,), Vacate: (seat,), Swap: (seat, pick(SEATS)),
            Remove: (person, rng.random() < 0.1),
            GiveSeat: (
                seat, pick((None, person)), pick((None, "random", "none")), pick((None, name)),
            ),
            TakeHost: (), SetClock: (), CommitWord: (pick((self.commitment(person), name)),),
            RevealWord: (pick((person, name)),), StartAnyway: (),
            Start: (pick(("random", "none")), (name,)),
            Pause: (), Resume: (), Play: (ply, pick(MOVES)), ChangeBid: (ply, pick(MOVES)),
            SetPresence: (person, flag),
            Nudge: (seat, ply), OpenTakeoverVote: (seat, ply), StepIn: (seat,), Vote: (seat, flag),
            AskForSeat: (pick((None, seat)),), RefuseSeat: (person,),
            Ready: (rng.randrange(1, 4),), DealNext: (),
            TakeBack: (), ProposeUndo: (ply,), Withdraw: (), Settle: (), Rematch: (),
            ShowHand: (flag,),
            Claim: (ply, tuple(rng.choices((-1, 0, 0, 1, 2), k=self.players))),
            Answer: (ply, flag), LookAt: (pick((None, seat)),),
            Chat: (pick((None, name)), pick((None, "hello", "rude"))), Mute: (person, flag),
            React: (pick(("wow", "rude")), rng.randrange(3), rng.randrange(3), seat),
        }  # fmt: skip
        assert {*kinds, GoOn} == {*COMMANDS}
        kind = pick(sorted(kinds, key=lambda each: each.__name__))
        command: Command | UnloggedCommand = kind(*kinds[kind])
        return command

    @rule(words=st.sets(st.sampled_from(PEOPLE)), silent=st.sets(st.sampled_from(PEOPLE)))
    def start(self, words: set[str], silent: set[str]) -> None:
        """A game, or the next; some add a word, and some of those don't reveal it."""
        self.ask(Rematch(), self.table.state.host, bytes(16))
        for person in words:
            self.ask(CommitWord(self.commitment(person)), person)
        self.ask(Start("random"), self.table.state.host)
        for person in words - silent:
            self.ask(RevealWord(person), person)

    def begin(self) -> str | None:
        """A game in which all who have a seat are there and play for themselves, if that is
        possible; the host."""
        host = self.table.state.host
        for person in PEOPLE:
            if self.table.phase == "gathering" and self.table.state.seat_of(person) is None:
                self.ask(Join(person.title()), person)
            self.ask(SetPresence(person, True), None)
            self.ask(TakeBack(), person)
        self.ask(Start("random"), host)
        self.ask(Resume(), host)
        return host

    @rule()
    def go_on(self) -> None:
        self.ask(Resume(), self.table.state.host)

    @rule(rng=st.randoms(use_true_random=False), decisions=st.integers(1, 12))
    def play(self, rng: Random, decisions: int) -> None:
        """Legal decisions by those whose they are; each sent twice, the second in vain. Where all
        bid at the same time, it is anybody's, and some are changed."""
        state = self.table.state
        for _ in range(decisions):
            if self.table.to_act is None or self.table.state.play is None:
                return
            seat = rng.choice([at for at in range(self.players) if state.is_awaited(at)])
            each = self.table.state.seats[seat]
            actor = None if each.bot else each.person
            move = rng.choice(self.table.state.play.game.legal_moves)
            command = Play(self.table.ply_of(seat), str(move))
            assert self.ask(command, actor)
            assert not self.ask(command, actor)
            if seat in state.sealed and actor is not None:
                move = rng.choice(self.table.state.play.game.legal_moves)
                self.ask(ChangeBid(command.ply, str(move)), actor)

    @rule(people=st.sets(st.sampled_from(PEOPLE)))
    def be_ready(self, people: set[str]) -> None:
        """Some are ready for the next round; it is dealt with the last of them, or waits."""
        state = self.table.state
        if not state.between_rounds or state.play is None:
            return
        number = state.play.game.rounds[-1].number
        for person in people:
            self.ask(Ready(number), person)
        if state.phase == "playing" and not state.unready:
            for command in self.table.due(self.now).commands:
                self.ask(command, None)
            assert not state.between_rounds

    @rule(person=st.sampled_from(PEOPLE))
    def undo(self, person: str) -> None:
        """A proposal, and everybody's consent."""
        if self.ask(ProposeUndo(self.table.ply), person):
            for each in PEOPLE:
                self.ask(Answer(self.table.ply, True), each)

    @rule(rng=st.randoms(use_true_random=False))
    def claim(self, rng: Random) -> None:
        """The player to act claims everything, and everybody agrees."""
        play, seat = self.table.state.play, self.table.to_act
        if play is None or seat is None:
            return
        left = play.game.position.hand_size - play.game.position.tricks
        tricks = tuple(left * (at == seat) for at in range(self.players))
        if self.ask(Claim(self.table.ply, tricks), self.table.state.seats[seat].person):
            for each in rng.sample(PEOPLE, len(PEOPLE)):
                self.ask(Answer(self.table.ply, True), each)

    @rule(
        seat=st.sampled_from(SEATS[:3]),
        person=st.sampled_from(PEOPLE),
        gone=st.sets(st.sampled_from(PEOPLE)),
    )
    def give(self, seat: int, person: str, gone: set[str]) -> None:
        """A seat to a spectator in the middle of a game, and the consent of everybody who is still
        there; bots play for those who go meanwhile."""
        host = self.begin()
        self.ask(GiveSeat(seat), host)
        for each in gone:
            if (at := self.table.state.seat_of(each)) is not None:
                self.ask(StepIn(at), each)
        if self.ask(GiveSeat(seat, person), host):
            proposed = isinstance(self.log[-1].fact, SeatProposed)
            for each in (*PEOPLE, "nobody"):
                if each in gone:
                    self.ask(SetPresence(each, False), None)
                else:
                    self.ask(Answer(self.table.ply, True), each)
            self.ask(Settle(), None)
            assert not proposed or self.table.state.proposal is None

    @rule(
        seat=st.sampled_from(SEATS[:3]),
        person=st.sampled_from(PEOPLE),
        looks=st.booleans(),
        no=st.sets(st.sampled_from(PEOPLE), max_size=1),
    )
    def change_device(self, seat: int, person: str, looks: bool, no: set[str]) -> None:
        """A player asks for the own seat on another device; those who have seen another hand, and
        those whom somebody does not know, get nothing."""
        host = self.begin()
        state = self.table.state
        before = state.seats[seat].person if seat < len(state.seats) else None
        self.ask(SetPresence(before or "nobody", False), None)
        if looks:
            self.ask(LookAt((seat + 1) % self.players), person)
        saw = state.saw.get(person, set()) - {seat}
        seats = enumerate(state.seats)
        others = [each.person for at, each in seats if each.self_played and at != seat]
        if self.ask(AskForSeat(seat), person):
            self.ask(GiveSeat(seat, person), host)
            for each in others:
                self.ask(Answer(self.table.ply, each not in no), each)
            if before is not None and self.table.state.seat_of(person) == seat:
                assert not saw
                assert before not in self.table.state.guests
                assert no.isdisjoint({*others} - {host})

    @rule(
        seat=st.sampled_from(SEATS[:3]),
        voters=st.sets(st.sampled_from(PEOPLE)),
        gone=st.sets(st.sampled_from(PEOPLE)),
    )
    def vote(self, seat: int, voters: set[str], gone: set[str]) -> None:
        """Somebody is away; some vote for a bot, and some go."""
        self.begin()
        away = self.table.state.seats[seat % self.players].person
        for person in (away or "nobody", *gone):
            self.ask(SetPresence(person, False), None)
            for voter in voters:
                self.ask(Vote(seat, True), voter)

    @rule(rng=st.randoms(use_true_random=False), person=st.sampled_from(PEOPLE))
    def jump(self, rng: Random, person: str) -> None:
        """For a moment the clock is a year ahead; then the house sets it right."""
        self.now += YEAR
        self.ask(self.anything(rng), person, bytes(16))
        self.now -= YEAR
        due = self.table.due(self.now)
        if self.table.state.at > self.now + MAX_AHEAD:
            assert due == ((SetClock(),), None)
        for command in due.commands:
            if command in self.table.due(self.now).commands:  # an earlier one may have settled it
                assert self.ask(command, None)
        assert SetClock() not in self.table.due(self.now).commands

    @rule(person=st.sampled_from(PEOPLE), seconds=st.sampled_from((1, 119, 121)))
    def take_host(self, person: str, seconds: int) -> None:
        """The host is away for a while, and somebody wants to be host."""
        state = self.table.state
        before = state.host
        if before is None or person == before:
            return
        self.ask(SetPresence(before, False), None)
        self.now += 1000 * seconds
        owner, seated = person == state.owner, state.seat_of(person) is not None
        nobody = not any(seat.person for seat in state.seats)
        since = state.guests[before].since
        may = owner or ((seated or nobody) and self.now >= since + 120_000)
        assert self.ask(TakeHost(), person) == (may and person in state.guests)

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
                write_event(self.table.redact(event, person))
            view_data(self.table, person)
        play = self.table.state.play
        if play is not None:
            again = replay(parse_record(write_record(self.table.record())))
            assert again.position._fields() == play.game.position._fields()
            if self.table.phase == "over":
                record = parse_record(write_record(self.table.record()))
                assert all(finding.ok is not False for finding in verify(record))


TestTables = Tables.TestCase
#: A quarter of what is usual, for an example is a whole game.
TestTables.settings = settings(stateful_step_count=40, max_examples=settings().max_examples // 4)
