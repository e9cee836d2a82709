"""The authority of a table: who may do what, and that its log is enough."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path
from random import Random

import pytest

import rage.table
from rage.table import (
    Configure,
    Create,
    GiveSeat,
    Join,
    Leave,
    Options,
    Pause,
    Play,
    Rematch,
    Remove,
    Rename,
    Resume,
    Start,
    StepIn,
    Swap,
    Table,
    Vacate,
    Watch,
)
from rage.table.facts.events import (
    BotSat,
    Configured,
    HostPassed,
    Left,
    Paused,
    Played,
    Sat,
    Vacated,
)
from table.tables import (
    SEED,
    bot_move,
    comparable,
    data_of,
    game_with_cards,
    refusal_code,
    started_table,
    table_of,
    view_data,
)


def test_no_io_no_clock_of_its_own() -> None:
    forbidden = {"time", "random", "secrets", "os", "socket", "asyncio", "threading", "pathlib"}
    for path in Path(rage.table.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not forbidden & {each.name for each in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path
            assert not (isinstance(node, ast.Attribute) and node.attr in ("now", "today")), path


def test_the_example_of_the_package_is_true() -> None:
    assert doctest.testmod(rage.table) == (0, 5)


def test_deciding_changes_nothing_and_an_event_is_applied_once() -> None:
    run = table_of("ann")
    before = comparable(run.table)
    (event,) = run.table.decide(Rename("Anna"), "ann", 9000)
    assert comparable(run.table) == before
    run.table.apply(event)
    with pytest.raises(rage.NotAllowed) as caught:
        run.table.apply(event)
    assert caught.value.reason.code == "table.seq"


def test_a_stale_or_doubled_move_is_refused_without_harm() -> None:
    """ "One that came too late, too early or twice is refused with a reason of its own" """
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:2")
    table, actor = run.table, run.actor
    run.play("1")
    assert refusal_code(run, Play(0, "1"), actor) == "table.doubled"
    assert refusal_code(run, Play(0, "2"), actor) == "table.stale"
    other = run.actor
    assert refusal_code(run, Play(0, "1"), other) == "table.stale"
    assert refusal_code(run, Play(2, "1"), other) == "table.early"
    assert refusal_code(run, Play(1, "1"), actor) == "refuse.turn"
    assert refusal_code(run, Play(1, "3"), other) == "refuse.bid_range"
    assert refusal_code(run, Play(1, "R77"), other) == "move.no_code"
    assert refusal_code(run, Play(1, "1"), None) == "table.no_bot_to_act"
    assert refusal_code(run, Play(1, "1"), "nobody") == "table.no_seat_of_yours"
    assert table.ply == 1


def test_every_last_decision_that_is_sent_again_has_been_made() -> None:
    """Whatever has happened since: the next round, the end of the game, a rematch."""
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:2.1")
    sent = dict[str, Play]()

    def check() -> None:
        run.table = Table.from_snapshot(run.table.snapshot())
        for person, command in sent.items():
            assert refusal_code(run, command, person) == "table.doubled"
            other = "ann" if person != "ann" else "ben"
            assert refusal_code(run, command, other) not in ("table.doubled", "refuse.turn")

    while run.table.phase == "playing":
        actor = run.actor
        assert actor is not None
        sent[actor] = Play(run.table.ply, str(run.game.legal_moves[0]))
        run.do(sent[actor], actor)
        check()
    run.do(Rematch(), "ann", SEED)
    check()
    run.do(Start(), "ann")
    check()


def test_a_decision_sent_again_has_been_made_even_if_a_bot_plays_by_now_or_nobody_may() -> None:
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:2")
    ply, actor = run.table.ply, run.actor
    run.play("1")
    run.do(Pause(), "ann")
    assert refusal_code(run, Play(ply, "1"), actor) == "table.doubled"
    assert refusal_code(run, Play(ply, "2"), actor) == "table.while.paused"
    run.do(Resume(), "ann")
    seat = run.table.state.seat_of(actor)
    assert seat is not None
    run.do(StepIn(seat), actor)
    assert refusal_code(run, Play(ply, "1"), actor) == "table.doubled"
    assert refusal_code(run, Play(ply, "2"), actor) == "table.bot_plays"


def test_the_record_of_an_unfinished_game_has_no_seed() -> None:
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:2")
    assert "seed" not in run.table.record().extra


def test_a_game_needs_a_seed_that_nobody_can_guess() -> None:
    for seed in (None, b"", b"short"):
        with pytest.raises(rage.NotReadable):
            Table().decide(Create("poof", 3, "Ann"), "ann", 0, seed=seed)


def test_bots_fill_the_empty_seats() -> None:
    run = table_of("ann", players=4, rules="poof+schedule:1")
    run.do(Start("steady", ("Bea", "Carl")), "ann")
    assert run.table.state.names == ("Ann", "Bea", "Carl", "Vega")
    while run.table.phase == "playing":
        if run.table.bot_to_act() is None:
            run.play()
        else:
            run.do(bot_move(run.table), None)
    assert run.table.record().extra["bots"] == [None, "steady", "steady", "steady"]


def test_bots_at_one_table_have_different_names() -> None:
    run = table_of("ann", players=4)
    run.do(Start("random", ("Altair",)), "ann")
    assert run.table.state.names == ("Ann", "Altair", "Vega", "Rigel")
    again = table_of("ann", players=4)
    assert refusal_code(again, Start("random", ("Bo", "bo")), "ann") == "table.name_taken"


def test_a_newcomer_takes_a_bots_seat_before_the_game() -> None:
    run = table_of("ann", players=2)
    run.do(GiveSeat(1, bot="random", name="Robo"), "ann")
    assert refusal_code(run, Join("Robo"), "ben") == "table.name_taken"
    assert run.do(Join("Ben"), "ben")[-1] == Sat("ben", 1)
    assert refusal_code(run, Join("Cleo"), "cleo") == "table.full"
    assert refusal_code(run, Join("Cleo", 1), "cleo") == "table.seat_taken"


@pytest.mark.parametrize(
    "command",
    [
        Start(),
        Pause(),
        Resume(),
        Remove("ann"),
        Configure("poof", 4, Options()),
        Vacate(2),
        Swap(0, 1),
    ],
)
def test_only_the_host_may(command: rage.table.Command) -> None:
    assert refusal_code(table_of("ann", "ben"), command, "ben") == "table.host_only"


def test_the_host_can_pause_and_nobody_plays_meanwhile() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(Pause(), "ann")
    assert run.table.to_act is None
    assert refusal_code(run, Play(0, "1"), "ben") == "table.while.paused"
    run.do(Resume(), "ann")
    assert run.play("1")


def test_nobody_who_has_seen_another_hand_sits_down_before_the_next_round() -> None:
    run = started_table("ann", "ben", players=3, rules="poof+schedule:1.1")
    run.do(GiveSeat(1), "ben")
    assert refusal_code(run, GiveSeat(2, person="ben"), "ann") == "table.knows_cards"
    run.play_on(Random(1), 6)
    run.do(GiveSeat(2, person="ben"), "ann")
    assert run.table.state.seat_of("ben") == 2


def test_the_host_can_remove_a_player_for_good() -> None:
    run = started_table("ann", "ben", "cleo")
    facts = run.do(Remove("ben", bar=True), "ann")
    assert [type(fact) for fact in facts] == [BotSat, Left]
    assert refusal_code(run, Watch("Ben"), "ben") == "table.barred"
    assert view_data(run.table, "ben")["game"] is None


def test_a_bot_plays_on_for_a_host_who_leaves_and_somebody_else_is_host() -> None:
    run = started_table("ann", "ben", "cleo")
    facts = run.do(Leave(), "ann")
    assert [type(fact) for fact in facts] == [BotSat, Left, HostPassed]
    assert run.table.state.host == "ben"
    run.do(Leave(), "ben")
    facts = run.do(Leave(), "cleo")
    assert isinstance(facts[-1], Paused)
    assert run.table.bot_to_act() is None
    assert run.table.state.host is None


def test_rules_and_players_cannot_change_after_the_start() -> None:
    run = table_of("ann", "ben", "cleo")
    assert refusal_code(run, Configure("poof", 2, Options()), "ann") == "table.seats_taken"
    assert refusal_code(run, Configure("amigo", 2, Options()), "ann") == "players.refused"
    run.do(Configure("AMIGO + sweep", 5, Options()), "ann")
    assert run.table.view_for("ben").rules == "amigo+sweep"
    assert run.table.view_for("ben").card_points == 5  # of a Bonus; a Mad costs as many
    run.do(Start(), "ann")
    again = Configure("poof", 5, Options())
    assert refusal_code(run, again, "ann") == "table.while.playing"
    run.do(Configure("amigo+sweep", 5, Options(known=True)), "ann")
    assert run.table.view_for("ben").options.known


def test_with_fewer_seats_people_move_up_and_bots_go() -> None:
    run = table_of("ann", "ben", "cleo", players=6)
    run.do(Join("Ben", 5), "ben")
    run.do(Join("Cleo", 4), "cleo")
    run.do(GiveSeat(1, bot="random"), "ann")
    run.do(GiveSeat(3, bot="random"), "ann")
    facts = run.do(Configure("poof", 3, Options()), "ann")
    assert facts == [
        Vacated(3), Sat("cleo", 2), Sat("ben", 1), Configured("poof", 3, Options()),
    ]  # fmt: skip
    assert [seat.person for seat in run.table.state.seats] == ["ann", "ben", "cleo"]
    assert refusal_code(run, Configure("poof", 2, Options()), "ann") == "table.seats_taken"


def test_a_turn_says_why_a_card_or_a_bid_may_not_be_played() -> None:
    """ "the moves that may be made, and for each reason, listed once, the cards or bids that may
    not" """
    hands = ["R5 R6 G1", "R1 C B2", "R3 W B4"]
    run = game_with_cards("poof+plus-minus-one+schedule:3", 2, hands, "R9 Y2", "ann", "ben", "cleo")
    for bid in "11":
        run.play(bid)

    def why(person: str) -> dict[str, dict[str, object]]:
        turn = run.table.turn_for(person)
        found = [] if turn is None else turn.why_not
        return {code: reason for codes, reason in found for code in codes.split()}

    assert {code: each["code"] for code, each in why("cleo").items()} == {"1": "refuse.bid_total"}
    run.play("0")
    assert why("ann") == {}
    run.play("R5")
    assert why("cleo") == {}
    assert {code: each["code"] for code, each in why("ben").items()} == {
        "B2": "refuse.follow",
        "C": "refuse.follow",
    }
    assert why("ben")["C"]["cards"] == "R1"


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_every_decision_is_told_with_its_consequences(bidding: str) -> None:
    """A whole game can be followed from events alone: tricks, trump, points, deals."""
    run = started_table("ann", "ben", "cleo", rules=f"amigo+{bidding}-bids+schedule:5.3")
    run.play_on(Random(9), 99)
    log = data_of(run.log)

    def named(kind: str) -> list[dict[str, object]]:
        return [each for each in log if each["type"] == kind]

    rounds = run.game.rounds
    tricks = [trick.winner for each in rounds for trick in each.tricks]
    assert [each["seat"] for each in named("trick_won")] == tricks
    assert [each["points"] for each in named("round_over")] == [
        list(each.points or ()) for each in rounds
    ]
    assert [each["bids"] for each in named("bids_shown")] == [list(each.bids) for each in rounds]
    changes = [change for each in rounds for change in each.trump_changes]
    causes = [change.cause for change in changes if change.cause != "deal"]
    assert [each["cause"] for each in named("trump_set")] == causes
    assert len(causes) > 0
    assert len(named("dealt")) == 2
    assert sum(isinstance(event.fact, Played) for event in run.log) == run.game.ply
