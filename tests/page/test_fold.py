"""What the page folds from updates is what the server would say: every edition, every way of
bidding, everything that can happen at a table, for players, spectators and those who look on."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from node import run_node
from rage import NotAllowed, NotReadable, Reason
from rage.story import tell_end, tell_round
from rage.table import (
    Answer,
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
    Options,
    Pause,
    ProposeUndo,
    Rematch,
    Rename,
    Resume,
    SayWord,
    SetPresence,
    ShowHand,
    Start,
    StepIn,
    Table,
    TakeBack,
    Vacate,
    Vote,
    Watch,
    Withdraw,
)
from rage.table.events import Dealt, GameOver, Played, Undone
from table.people import thought

HERE = Path(__file__).parent
PEOPLE = ("ann", "ben", "cleo", "dan", "eve")
RULES = [
    f"{edition}+{bidding}schedule:4.1.3"
    for edition in ("poof", "amigo", "fundex")
    for bidding in ("", "hidden-bids+", "secret-bids+")
]
MORE = ["amigo+plus-minus-one+anytime-actions+sweep+schedule:5.2", "fundex+two-teams+schedule:6.3"]
DECIDES = (Played, Dealt, GameOver, Undone)
#: Whatever may have come with the facts of which the page asks for the whole table.
MAY_ASK = {"undone", "muted", "sat", "looked", "hand_shown", "bot_sat", "left", "configured",
           "took_back", "resumed", "started", "vacated"}  # fmt: skip


class Evening:
    """A table at which anything may happen, and what each of its persons is told of it."""

    def __init__(self, rules: str, players: int, options: Options, seed: int) -> None:
        self.rng = Random(seed)
        self.table, self.now, self.rules = Table(), 0, rules
        self.players, self.options = players, options
        self.lines: list[str] = []
        self.told: set[str] = set()
        self.ask(Create(rules, players, "Ann", options), "ann")
        self.ask(Join("Ben"), "ben")
        self.ask(Watch("Eve"), "eve")
        self.ask(ShowHand(True), "ben")
        self.ask(LookAt(1), "eve")
        self.ask(Start("random"), "ann")

    def ask(self, command: Command, actor: str | None) -> bool:
        """Do it and tell everybody, if it is allowed."""
        self.now += self.rng.randrange(3000)
        eyes = {person: self.table.state.eye(person) for person in PEOPLE}
        seed = bytes(self.rng.randrange(256) for _ in range(16))
        try:
            events = self.table.do(command, actor, self.now, seed=seed)
        except (NotAllowed, NotReadable):
            return False
        for person in self.table.state.guests:
            self.tell(person, events, eyes.get(person) == self.table.state.eye(person))
        self.told &= self.table.state.guests.keys()
        return True

    def tell(self, person: str, events: list[Event], same: bool) -> None:
        """An update as docs/protocol.md says, and beside it the whole table."""
        line: dict[str, Any] = {"person": person, "whole": self.whole(person)}
        undone = any(isinstance(event.fact, Undone) for event in events)
        if events and same and not undone and person in self.told:
            line["update"] = self.update(person, events)
        self.told.add(person)
        self.lines.append(json.dumps(line))

    def whole(self, person: str) -> dict[str, Any]:
        view = self.table.view_for(person)
        if view["game"] is not None:
            del view["game"]["legal"], view["game"]["why_not"]
        return {"type": "table", "seq": view["seq"], "now": self.now, "you": person, "table": view}

    def update(self, person: str, events: list[Event]) -> dict[str, Any]:
        facts = [self.table.redact(event, person) for event in events]
        for fact in facts:
            del fact["seq"], fact["at"]
        data = {"type": "update", "seq": events[-1].seq, "at": events[-1].at, "events": facts}
        if any(isinstance(event.fact, DECIDES) for event in events):
            play = self.table.state.play
            to_act = None if play is None else play.game.to_act
            if to_act is not None:
                data["to_act"] = to_act
        return data

    def go_on(self) -> None:
        """A decision by whose turn it is, and now and then something else."""
        state, rng = self.table.state, self.rng
        if rng.random() < 0.25:
            self.ask(self.anything(), rng.choice((*PEOPLE, *PEOPLE, None)))
        if state.phase == "over":
            self.ask(Rematch(), state.host)
            self.ask(SayWord("owl"), "ben")
        elif state.phase == "gathering":
            self.ask(Start("random"), state.host)
        elif state.phase == "paused":
            self.ask(Resume(), state.host)
        elif state.phase == "playing":
            self.decide()

    def decide(self) -> None:
        from rage.table import Play

        table = self.table
        assert table.state.play is not None
        if table.bot_to_act() is not None:
            self.ask(thought(table), None)
            return
        seat = table.to_act
        assert seat is not None
        move = self.rng.choice(table.state.play.game.legal_moves())
        self.ask(Play(table.ply, str(move)), table.state.seats[seat].person)

    def anything(self) -> Command:
        """Any command, more often than not one that makes sense."""
        rng, ply = self.rng, self.table.ply
        seat, flag = rng.randrange(self.players), rng.random() < 0.6
        person, name = rng.choice(PEOPLE), rng.choice(("Ann", "Zoë", "Olga", "x" * 40))
        game = self.table.state.play and self.table.state.play.game
        left = game.position.hand_size - game.position.tricks if game else 0
        to_act = self.table.to_act or 0
        tricks = tuple(left * (at == to_act) for at in range(self.players))
        return rng.choice((
            Join(name), Watch(name), Rename(name), Pause(), Resume(), SayWord(name),
            Configure(self.rules, self.players, self.options), Leave(), Vacate(seat),
            GiveSeat(seat, person), GiveSeat(seat, bot="random"), Chat(text="hello"),
            Chat(preset="oops"), Mute(person, flag), ShowHand(flag),
            LookAt(rng.choice((seat, None))),
            StepIn(seat), StepIn(seat), TakeBack(), TakeBack(), TakeBack(), Vote(seat, flag),
            SetPresence(person, flag), SetPresence(person, True), Withdraw(),
            ProposeUndo(ply), ProposeUndo(ply), ProposeUndo(ply), Claim(ply, tricks),
            Answer(ply, True), Answer(ply, True), Answer(ply, flag),
        ))  # fmt: skip


def folded(lines: list[str]) -> dict[str, Any]:
    """What the page makes of these lines; fails where it differs."""
    checked = run_node("--no-warnings", str(HERE / "fold_check.ts"), given="\n".join(lines))
    result: dict[str, Any] = json.loads(checked)
    return result


@pytest.mark.parametrize("rules", [*RULES, *MORE])
def test_what_is_folded_is_what_is(rules: str) -> None:
    players = 4 if "teams" in rules else 3
    lines: list[str] = []
    for seed, options in enumerate(
        (Options(known=True), Options(takeover="at_once", undo=True, clock=Clock(1, 2, 3)))
    ):
        evening = Evening(rules, players, options, seed)
        for _ in range(160):
            evening.go_on()
        people = {person: f"{person}{seed}" for person in PEOPLE}
        for line in evening.lines:
            data = json.loads(line)
            lines.append(json.dumps({**data, "person": people[data["person"]]}))
    result = folded(lines)
    assert result["folded"] > 400
    for kinds in result["asked"]:
        assert MAY_ASK & set(kinds.split()), kinds
    assert sum(result["asked"].values()) < result["folded"] / 8


def known(person: str, table: Table) -> list[list[dict[str, Any]]]:
    """The story as `rage.story` tells it."""
    view = table.game_view(person)
    if view is None:
        return [[]]
    told = [list(tell_round(each, view.rules)) for each in view.rounds]
    end = [] if view.winners is None else [tell_end(view.scores, view.winners, view.players)]
    data = [[_plain(reason) for reason in reasons] for reasons in (*told, end)]
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]  # lists for tuples


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"code": value.code, "params": {k: _plain(v) for k, v in value.params.items()}}
    return value


@pytest.mark.parametrize("rules", RULES)
def test_the_page_tells_the_same_story(rules: str) -> None:
    evening = Evening(rules, 3, Options(undo=False), 3)
    while evening.table.phase != "over":
        evening.decide()
        if evening.rng.random() < 0.03:
            break
    told = folded(evening.lines)["stories"]
    for person in evening.table.state.guests:
        assert told[person] == known(person, evening.table)


def test_a_difference_would_be_found() -> None:
    """The comparison compares: a table that says something else is noticed."""
    evening = Evening("poof", 3, Options(), 1)
    for _ in range(10):
        evening.decide()
    data = json.loads(evening.lines[-1])
    data["whole"]["table"]["game"]["trump"] = "none"
    with pytest.raises(AssertionError, match="trump"):
        folded([*evening.lines[:-1], json.dumps(data)])
