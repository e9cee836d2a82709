"""What the page folds from updates is what the server would say: every edition, every way of
bidding, everything that can happen at a table, for players, spectators and those who look on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from rage import NotAllowed, NotReadable, Reason
from rage.engine.deal import word_commitment
from rage.game.story import tell_end, tell_round
from rage.house.tables.broadcast import RESETS, Broadcast, empty_update
from rage.table import (
    Answer,
    AskForSeat,
    ChangeBid,
    Claim,
    Clock,
    Command,
    CommitWord,
    Configure,
    Create,
    DealNext,
    GiveSeat,
    Join,
    Leave,
    LookAt,
    Mute,
    Options,
    Pause,
    ProposeUndo,
    Ready,
    RefuseSeat,
    Rematch,
    Rename,
    Resume,
    RevealWord,
    SetClock,
    SetPresence,
    ShowHand,
    Start,
    StartAnyway,
    StepIn,
    Swap,
    Table,
    TakeBack,
    TakeHost,
    Vacate,
    Vote,
    Watch,
    Withdraw,
)
from rage.table.facts.shapes import OwnData
from table.tables import bot_move
from tools.node import run_node

HERE = Path(__file__).parent
PEOPLE = ("ann", "ben", "cleo", "dan", "eve")
RULES = [
    f"{edition}+{bidding}schedule:4.1.3"
    for edition in ("poof", "amigo", "fundex")
    for bidding in ("", "hidden-bids+", "secret-bids+")
]
MORE = ["amigo+plus-minus-one+anytime-actions+sweep+schedule:5.2", "fundex+two-teams+schedule:6.3"]
FOLDED = [*RULES, *MORE]
#: Many Outs, of which a second one sets nothing.
OUTS = [
    (f"{edition}+pack:wild0.bonus0.mad0+schedule:10.10", 6)
    for edition in ("poof", "amigo", "fundex")
]
#: Whatever may have come with the facts of which the page asks for the whole table.
MAY_ASK = {"muted", "sat", "viewpoint_changed", "hand_shown", "bot_sat", "left", "configured",
           "vacated", "presence_set", "host_passed", "clock_set"}  # fmt: skip
YEAR = 365 * 24 * 3_600_000


class RandomTable:
    """A table at which anything may happen, and the messages that each of its people gets, whose
    names end in a ``mark``."""

    def __init__(
        self, rules: str, players: int, options: Options, seed: int, mark: str = ""
    ) -> None:
        self.rng = Random(seed)
        self.table, self.now, self.rules = Table(), 0, rules
        self.players, self.options, self.mark = players, options, mark
        self.lines: list[str] = []
        self.updates: list[dict[str, Any]] = []
        self.informed: set[str] = set()
        self.known: Mapping[str, Any] | None = None
        self.own: dict[str, OwnData | None] = {}
        self.ask(Create(rules, players, "Ann", options), "ann")
        self.ask(Join("Ben"), "ben")
        if not options.known:
            self.ask(Join("Cleo"), "cleo")
        self.ask(Watch("Eve"), "eve")
        self.ask(Watch("Dan"), "dan")
        self.ask(ShowHand(True), "ben")
        self.ask(LookAt(1), "eve")
        self.ask(Start("random"), "ann")

    def ask(self, command: Command, actor: str | None) -> bool:
        """Do it and tell everybody, if it is allowed."""
        self.now += self.rng.randrange(3000) + 120_000 * (self.rng.random() < 0.05)
        viewpoints = {person: self.table.state.viewpoint(person) for person in PEOPLE}
        seed = bytes(self.rng.randrange(256) for _ in range(16))
        try:
            events = self.table.do(command, actor, self.now, seed=seed)
        except (NotAllowed, NotReadable):
            return False
        if not events:
            return True
        made = Broadcast(self.table, events, self.known)
        self.known = made.known
        for person in self.table.state.guests:
            same = viewpoints.get(person) == self.table.state.viewpoint(person)
            self.tell(person, made, same)
        self.informed &= self.table.state.guests.keys()
        return True

    def tell(self, person: str, made: Broadcast, same: bool) -> None:
        """An update as docs/protocol.md says, and beside it the whole table."""
        line: dict[str, Any] = {"person": f"{person}{self.mark}", "whole": self.whole(person)}
        if same and made.kinds.isdisjoint(RESETS) and person in self.informed:
            line["update"] = self.update(person, made)
            self.updates.append(line["update"])
        else:
            self.own[person] = self.table.own_data(person)
        self.informed.add(person)
        self.lines.append(msgspec.json.encode(line).decode())

    def whole(self, person: str) -> dict[str, Any]:
        view = self.table.view_for(person)
        return {"type": "table", "seq": view.seq, "now": self.now, "you": person, "table": view}

    def update(self, person: str, made: Broadcast) -> dict[str, Any]:
        own = self.own[person] if made.moves_only else self.table.own_data(person)
        news = None if own == self.own[person] else own
        self.own[person] = own
        data = msgspec.json.decode(made.message_for(person, own=news))
        # what tables without a clock leave out
        return data if "at" in data else {**data, "at": self.table.state.turn_since}

    def change_bids(self) -> None:
        """Some who have sealed a bid make another; those who see their cards are told."""
        state = self.table.state
        for seat in state.sealed:
            person = state.seats[seat].person
            command = ChangeBid(self.table.ply_of(seat), str(self.rng.randrange(2)))
            if person is None or self.rng.random() < 0.5:
                continue
            try:
                bids = self.table.change_bid(command, person)
            except NotAllowed:
                continue
            if bids is not None:
                self.table.restore_changed(bids)
                for each in self.informed:
                    if state.viewpoint(each) == seat:
                        update = msgspec.json.decode(empty_update(self.table, each))
                        line = {"person": f"{each}{self.mark}", "whole": self.whole(each)}
                        self.lines.append(msgspec.json.encode({**line, "update": update}).decode())
                        self.updates.append(update)

    def go_on(self) -> None:
        """A decision by whose turn it is, and now and then something else."""
        state, rng = self.table.state, self.rng
        if rng.random() < 0.01:
            self.jump()
        if rng.random() < 0.25:
            self.ask(self.anything(), rng.choice((*PEOPLE, *PEOPLE, None)))
        if rng.random() < 0.3:
            self.agree()
        if rng.random() < 0.1:
            bots = [at for at, seat in enumerate(state.seats) if seat.person is None]
            self.ask(AskForSeat(rng.choice([*bots, None])), "dan")
        if rng.random() < 0.05:
            self.change_device()
        if state.phase == "over":
            self.ask(Rematch(), state.host)
            for person in rng.sample(PEOPLE, 3):
                self.ask(CommitWord(word_commitment(state.commitment, person)), person)
        elif state.phase == "revealing":
            self.ask(RevealWord(word := rng.choice(PEOPLE)), word)
            if rng.random() < 0.2:
                self.now += 10_000
                self.ask(StartAnyway(), None)
        elif state.phase == "gathering":
            self.ask(Swap(0, self.rng.randrange(self.players)), state.host)
            self.ask(Start("random"), state.host)
        elif state.phase == "paused":
            self.ask(Resume(), state.host)
        elif state.between_rounds:
            self.look()
        elif state.phase == "playing":
            self.decide()

    def change_device(self) -> None:
        """Dan says that he is a player who is away, and the others agree or not."""
        state, seat = self.table.state, self.rng.randrange(self.players)
        before = state.seats[seat].person
        if before is None or state.phase != "playing" or state.seat_of("dan") is not None:
            return
        self.ask(SetPresence(before, False), None)
        self.ask(AskForSeat(seat), "dan")
        self.ask(GiveSeat(seat, "dan"), state.host)
        self.agree()

    def look(self) -> None:
        """Somebody has looked at how a round ended, or the time is up."""
        play = self.table.state.play
        assert play is not None
        self.ask(Ready(play.game.rounds[-1].number), self.rng.choice(PEOPLE))
        if self.rng.random() < 0.2:
            self.now += 60_000
            self.ask(DealNext(), None)

    def agree(self) -> None:
        """Somebody who may proposes something, which the others agree to or not, or votes."""
        state, rng, ply = self.table.state, self.rng, self.table.ply
        persons = [seat.person for seat in state.seats]
        if state.to_act is not None and (slow := persons[state.to_act]) and rng.random() < 0.1:
            self.ask(SetPresence(slow, False), None)
        for command in self.table.due(self.now).commands:
            self.ask(command, None)
        while (found := self.table.takeover) is not None and found.voters:
            self.ask(Vote(found.seat, rng.random() < 0.5), persons[rng.choice(found.voters)])
            if rng.random() < 0.5:
                break
        if self.table.may_undo and rng.random() < 0.5:
            self.ask(ProposeUndo(ply), rng.choice(sorted(self.table.may_undo)))
        elif self.table.may_claim:
            assert self.table.to_act is not None
            self.ask(self.claim(), persons[self.table.to_act])
        if (proposal := self.table.proposal) is not None:
            for seat in rng.sample(proposal.asked, len(proposal.asked)):
                self.ask(Answer(ply, rng.random() < 0.8), persons[seat])

    def claim(self) -> Claim:
        """All the tricks that are left, for the seat to act."""
        game = self.table.state.play and self.table.state.play.game
        left = game.position.hand_size - game.position.tricks if game else 0
        to_act = self.table.to_act or 0
        return Claim(self.table.ply, tuple(left * (at == to_act) for at in range(self.players)))

    def jump(self) -> None:
        """The clock is a year ahead for a moment."""
        self.now += YEAR
        self.ask(SetPresence(self.rng.choice(PEOPLE), False), None)
        self.now -= YEAR
        self.ask(SetClock(), None)

    def decide(self) -> None:
        from rage.table import Play

        table = self.table
        assert table.state.play is not None
        if table.bot_to_act() is not None:
            self.ask(bot_move(table), None)
            return
        waiting = [at for at in range(self.players) if table.state.is_awaited(at)]
        seat = self.rng.choice(waiting)
        move = self.rng.choice(table.state.play.game.legal_moves)
        self.ask(Play(table.ply_of(seat), str(move)), table.state.seats[seat].person)
        self.change_bids()

    def anything(self) -> Command:
        """Any command, more often than not one that makes sense."""
        rng, ply = self.rng, self.table.ply
        seat, flag = rng.randrange(self.players), rng.random() < 0.6
        person, name = rng.choice(PEOPLE), rng.choice(("Ann", "Zoë", "Olga", "x" * 40))
        return rng.choice((
            Join(name), Watch(name), Rename(name), Pause(), Resume(),
            CommitWord(word_commitment(self.table.state.commitment, person)),
            RevealWord(person),
            Configure(self.rules, self.players, self.options), Leave(), Vacate(seat),
            Swap(seat, rng.randrange(self.players)),
            AskForSeat(seat), AskForSeat(seat), AskForSeat(), RefuseSeat(person),
            GiveSeat(seat, person), GiveSeat(seat, bot="random"), Mute(person, flag),
            ShowHand(flag), LookAt(rng.choice((seat, None))),
            StepIn(seat), StepIn(seat), TakeBack(), TakeBack(), TakeBack(), Vote(seat, flag),
            SetPresence(person, flag), SetPresence(person, True), Withdraw(),
            ProposeUndo(ply), ProposeUndo(ply), ProposeUndo(ply), self.claim(),
            Answer(ply, True), Answer(ply, True), Answer(ply, flag), TakeHost(), TakeHost(),
        ))  # fmt: skip


def folded(lines: list[str]) -> dict[str, Any]:
    """What the page makes of these lines; fails where it differs."""
    checked = run_node("--no-warnings", str(HERE / "fold_check.ts"), given="\n".join(lines))
    result: dict[str, Any] = json.loads(checked)
    return result


@pytest.mark.sampled(11)
@pytest.mark.parametrize("rules", FOLDED)
def test_what_is_folded_is_what_is(rules: str) -> None:
    players = 4 if "teams" in rules else 3
    lines: list[str] = []
    updates: list[dict[str, Any]] = []
    for seed, options in enumerate(
        (
            Options(known=True),
            Options(takeover="at_once", clock=Clock(1, 2, 3)),
            Options(clock=Clock(1, 2, 3), between=60),
            Options(between=None),
        )
    ):
        run = RandomTable(rules, players, options, seed, mark=str(seed))
        for _ in range(200):
            run.go_on()
        lines += run.lines
        updates += run.updates
    result = folded(lines)
    assert result["folded"] > 400
    for kinds in result["asked"]:
        assert MAY_ASK & set(kinds.split()), kinds
    assert sum(result["asked"].values()) < result["folded"] / 8
    for kind in ("player_ready", "seat_requested", "same_as"):
        assert any(f'"{kind}"' in line for line in lines)
    for name, value in (("kind", "undo"), ("kind", "claim"), ("how", "vote"), ("how", "at_once")):
        field = "proposal" if name == "kind" else "takeover"
        assert any(each[name] == value for each in _changes(updates, field)), value
    if "bids" in rules:
        assert any(not update["events"] and "bid" in update for update in updates)
    assert any(proposal["agreed"] for proposal in _changes(updates, "proposal"))
    assert any(takeover["no"] for takeover in _changes(updates, "takeover"))


def _changes(updates: list[dict[str, Any]], field: str) -> list[dict[str, Any]]:
    """What the updates say that a field of the table is from then on, where it is not nothing."""
    return [found for each in updates if (found := each.get("changed", {}).get(field))]


def expected_story(person: str, table: Table) -> list[list[dict[str, Any]]]:
    """The story as `rage.game.story` tells it."""
    view = table.game_view(person)
    if view is None:
        return [[]]
    rounds = [list(tell_round(each, view.rules)) for each in view.rounds]
    end = [] if view.winners is None else [tell_end(view.scores, view.winners, view.players)]
    data = [[_plain(reason) for reason in reasons] for reasons in (*rounds, end)]
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]  # lists for tuples


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"code": value.code, **{k: _plain(v) for k, v in value.params.items()}}
    return value


def without_more(shown: Any, expected: Any) -> Any:
    """The story of the page, without parameters of which its sentences say nothing."""
    if isinstance(shown, list) and isinstance(expected, list) and len(shown) == len(expected):
        return list(map(without_more, shown, expected))
    if isinstance(shown, dict) and isinstance(expected, dict):
        return {
            name: without_more(shown[name], expected[name]) for name in expected if name in shown
        }
    return shown


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("rules", "players"), [(rules, 3) for rules in RULES] + OUTS)
def test_the_page_tells_the_same_story(rules: str, players: int) -> None:
    run = RandomTable(rules, players, Options(undo=False), 3)
    while run.table.phase != "over":
        run.decide()
        if (rules, players) not in OUTS and run.rng.random() < 0.03:
            break
    stories = folded(run.lines)["stories"]
    for person in run.table.state.guests:
        story = expected_story(person, run.table)
        assert without_more(stories[person], story) == story


def test_a_difference_would_be_found() -> None:
    """The comparison compares: a table that says something else is noticed."""
    run = RandomTable("poof", 3, Options(), 1)
    for _ in range(10):
        run.decide()
    data = json.loads(run.lines[-1])
    data["whole"]["table"]["game"]["trump"] = "none"
    with pytest.raises(AssertionError, match="trump"):
        folded([*run.lines[:-1], json.dumps(data)])
