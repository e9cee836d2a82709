"""Latecomers who ask for a bot's seat in the middle of a game."""

from __future__ import annotations

from rage.table import (
    Answer,
    AskForSeat,
    GiveSeat,
    Join,
    LookAt,
    Pause,
    RefuseSeat,
    ShowHand,
    StepIn,
    Table,
    Watch,
)
from rage.table.events import SeatProposed, SeatRequested
from table.tables import (
    TableRun,
    comparable,
    refusal_code,
    reloaded,
    started_table,
    table_of,
    view_data,
)


def with_latecomers() -> TableRun:
    """A game of two and two bots, and two who came too late."""
    run = started_table("ann", "ben", players=4)
    run.do(Watch("Dan"), "dan")
    run.do(Watch("Eve"), "eve")
    return run


def wishes(run: TableRun, person: str) -> dict[str, int]:
    """Who asks for which seat, as a person is told."""
    assert comparable(reloaded(run.log)) == comparable(run.table)
    assert comparable(Table.from_snapshot(run.table.snapshot())) == comparable(run.table)
    spectators = view_data(run.table, person)["spectators"]
    return {each["person"]: each["wants"] for each in spectators if each["wants"] is not None}


def test_everybody_is_told_and_the_host_gives_it() -> None:
    run = with_latecomers()
    assert run.do(AskForSeat(2), "dan") == [SeatRequested("dan", 2)]
    assert run.do(AskForSeat(2), "dan") == []
    run.do(AskForSeat(2), "eve")
    for person in ("ann", "ben", "dan"):
        assert wishes(run, person) == {"dan": 2, "eve": 2}
    run.play()
    assert wishes(run, "ann") == {"dan": 2, "eve": 2}
    assert isinstance(run.do(GiveSeat(2, "dan"), "ann")[0], SeatProposed)
    run.do(Answer(run.table.ply, True), "ben")
    assert run.table.state.seat_of("dan") == 2
    assert wishes(run, "ann") == {}


def test_the_host_may_refuse_and_who_asked_may_think_again() -> None:
    run = with_latecomers()
    run.do(Pause(), "ann")
    run.do(AskForSeat(2), "dan")
    assert refusal_code(run, RefuseSeat("dan"), "ben") == "table.host_only"
    assert run.do(RefuseSeat("dan"), "ann") == [SeatRequested("dan")]
    assert run.do(RefuseSeat("dan"), "ann") == []
    run.do(AskForSeat(3), "dan")
    assert run.do(AskForSeat(), "dan") == [SeatRequested("dan")]
    assert wishes(run, "ann") == {}


def test_a_request_ends_with_the_round_after_it() -> None:
    run = with_latecomers()
    run.do(AskForSeat(2), "dan")
    for asked in ({"dan": 2}, {}):
        number = len(run.game.rounds)
        while len(run.game.rounds) == number:
            run.play()
        assert wishes(run, "ann") == asked
    assert SeatRequested("dan") in [event.fact for event in run.log]


def test_only_a_seat_of_a_bot_may_be_asked_for() -> None:
    run = with_latecomers()
    run.do(StepIn(1), "ben")
    assert refusal_code(run, AskForSeat(1), "dan") == "table.seat_taken"
    assert refusal_code(run, AskForSeat(2), "ben") == "table.sits_already"
    assert refusal_code(run, AskForSeat(2), "zoe") == "table.stranger"
    assert refusal_code(run, AskForSeat(9), "dan") == "view.no_seat"
    run.do(ShowHand(True), "ann")
    run.do(LookAt(0), "dan")
    assert refusal_code(run, AskForSeat(2), "dan") == "table.knows_cards"


def test_before_the_game_one_sits_down() -> None:
    run = table_of("ann", "ben", players=3)
    run.do(Watch("Dan"), "dan")
    assert refusal_code(run, AskForSeat(1), "dan") == "table.while.gathering"
    run.do(Join("Dan"), "dan")
    assert run.table.state.seat_of("dan") == 2
