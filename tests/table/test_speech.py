"""Nobody who has seen a hand without playing it can send a text that others read."""

from __future__ import annotations

import pytest

from rage.table import (
    AskForSeat,
    Chat,
    Command,
    GiveSeat,
    Leave,
    LookAt,
    Options,
    Pause,
    React,
    Ready,
    Rematch,
    Rename,
    ShowHand,
    Start,
    Vacate,
    Watch,
)
from rage.table.facts.events import Joined
from table.tables import TableRun, refusal_code, started_table

HINT = "Ben holds R15"


def with_watched_hand(*, host: bool = False, options: Options | None = None) -> TableRun:
    """A game of three in which Eve, who watches, has looked into Ben's hand; or where ``host``,
    Ann, who has given her seat away."""
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:1.1", options=options)
    run.do(Watch("Eve"), "eve")
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    if host:
        run.do(GiveSeat(0), "ann")
    return run


@pytest.mark.parametrize(
    "command", [Chat(text=HINT), Chat(preset="oops"), React("wow", 1, 1, 0), Rename(HINT)]
)
@pytest.mark.parametrize("paused", [False, True])
def test_a_spectator_who_has_looked_may_not_speak(
    command: Command | Chat | React, paused: bool
) -> None:
    run = with_watched_hand()
    if paused:
        run.do(Pause(), "ann")
    assert refusal_code(run, command, "eve") == "table.looking"


def test_a_host_who_has_played_may_not_name_bots() -> None:
    run = with_watched_hand(host=True)
    assert refusal_code(run, GiveSeat(2, bot="random", name=HINT), "ann") == "table.looking"
    run.do(GiveSeat(2, bot="random"), "ann")


@pytest.mark.parametrize("person", ["eve", "cleo"])
def test_somebody_who_leaves_and_comes_back_keeps_the_name(person: str) -> None:
    run = with_watched_hand()
    run.do(Leave(), person)
    assert refusal_code(run, Watch(HINT), person) == "table.looking"
    assert run.do(Watch(f" {person.title()}  "), person) == [Joined(person, person.title())]
    run.do(Leave(), person)
    assert refusal_code(run, Watch(HINT), person) == "table.looking"


def test_all_may_speak_and_sit_while_the_next_round_waits() -> None:
    """Who looks into a hand then has seen nothing, until it is dealt."""
    run = with_watched_hand(options=Options(between=None))
    run.do(GiveSeat(2), "cleo")
    run.do(Leave(), "cleo")
    while not run.table.state.between_rounds:
        run.play()
    own = run.table.own_data("eve")
    assert own is not None
    assert not own.silenced
    assert own.may_ask == [2]
    run.do(LookAt(None), "eve")
    run.do(LookAt(1), "eve")
    run.say(Chat(HINT), "eve")
    run.do(Rename("Evi"), "eve")
    run.do(Watch("Cleopatra"), "cleo")
    for person in ("ann", "ben"):
        run.do(Ready(1), person)
    assert refusal_code(run, Chat(text=HINT), "eve") == "table.looking"
    assert refusal_code(run, AskForSeat(2), "eve") == "table.knows_cards"


def test_the_next_game_binds_nobody() -> None:
    run = started_table("ann", "ben", rules="poof+schedule:1")
    run.do(Watch("Eve"), "eve")
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    run.play_out()
    run.do(Rematch(), "ann", bytes(16))
    run.do(Rename("Evi"), "eve")
    run.do(Leave(), "eve")
    run.do(Watch("Eva"), "eve")
    run.do(GiveSeat(0), "ann")
    run.do(Vacate(0), "ann")
    run.do(Start("random", (HINT,)), "ann")
