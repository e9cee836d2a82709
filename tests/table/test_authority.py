"""The table as issue 3 asks for it: who may do what, and that the log is enough."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path
from random import Random

import pytest

import rage.table
from rage.fair import verify
from rage.notation import read_record, replay, write_record
from rage.table import (
    Configure,
    Create,
    GiveSeat,
    Join,
    Leave,
    Options,
    Pause,
    Play,
    Remove,
    Rename,
    Resume,
    SayWord,
    SetPresence,
    Start,
    Table,
    TakeHost,
    Vacate,
    Watch,
)
from rage.table.events import (
    BotSat,
    Committed,
    Configured,
    GameOver,
    HostPassed,
    Left,
    Paused,
    Played,
    Sat,
    Sealed,
    Started,
    Vacated,
    WordSaid,
)
from table.people import SEED, folded, refused, stacked, started, table_of, thought, told, whole


def test_no_io_no_clock_of_its_own() -> None:
    forbidden = {"time", "random", "secrets", "os", "socket", "asyncio", "threading", "pathlib"}
    for path in Path(rage.table.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not forbidden & {each.name for each in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path
            assert not (isinstance(node, ast.Attribute) and node.attr in ("now", "today")), path


def test_the_example_of_the_package_is_true() -> None:
    assert doctest.testmod(rage.table) == (0, 5)


def test_after_a_crash_or_restart_every_table_goes_on_where_it_was() -> None:
    evening = started("ann", "ben", players=4, rules="amigo+schedule:4.2")
    rng = Random(1)
    while evening.table.phase == "playing":
        evening.table = folded(evening.log)
        evening.play_on(rng, 1)
    assert evening.table.phase == "over"
    assert whole(folded(evening.log)) == whole(evening.table)


def test_deciding_changes_nothing_and_an_event_is_applied_once() -> None:
    evening = table_of("ann")
    before = whole(evening.table)
    (event,) = evening.table.decide(SayWord("owl"), "ann", 9000)
    assert whole(evening.table) == before
    evening.table.apply(event)
    with pytest.raises(rage.NotAllowed) as caught:
        evening.table.apply(event)
    assert caught.value.reason.code == "table.seq"


def test_a_stale_or_doubled_move_is_refused_without_harm() -> None:
    """ "names the ply that it answers, so a stale or doubled one is refused without harm" """
    evening = started("ann", "ben", "cleo", rules="poof+schedule:2")
    table, actor = evening.table, evening.actor
    evening.play("1")
    assert refused(evening, Play(0, "1"), actor) == "table.doubled"
    assert refused(evening, Play(0, "2"), actor) == "table.stale"
    other = evening.actor
    assert refused(evening, Play(0, "1"), other) == "table.stale"
    assert refused(evening, Play(2, "1"), other) == "table.early"
    assert refused(evening, Play(1, "1"), actor) == "refuse.turn"
    assert refused(evening, Play(1, "3"), other) == "refuse.bid_range"
    assert refused(evening, Play(1, "R77"), other) == "move.no_code"
    assert refused(evening, Play(1, "1"), None) == "table.no_bot_to_act"
    assert refused(evening, Play(1, "1"), "nobody") == "table.no_seat_of_yours"
    assert table.ply == 1


def test_commitment_first_then_the_words_then_the_start() -> None:
    evening = table_of("ann", "ben", "cleo", rules="fundex+schedule:2.1")
    evening.do(SayWord("owl"), "ben")
    evening.do(SayWord("señor Ñandú"), "cleo")
    evening.do(Start(), "ann")
    order = [type(event.fact) for event in evening.log]
    assert order.index(Committed) < order.index(Sealed) < order.index(WordSaid)
    assert order.index(WordSaid) < order.index(Started)
    assert refused(evening, SayWord("late"), "ann") == "table.while.playing"
    evening.play_on(Random(1), 99)
    fact = evening.log[-1].fact
    assert isinstance(fact, GameOver)
    assert fact.seed == SEED.hex()
    record = read_record(write_record(evening.table.record_for("ben")))
    assert record.extra["words"] == ["", "owl", "señor Ñandú"]
    assert all(finding.right for finding in verify(record))
    assert replay(record).over


def test_a_word_goes_with_its_player() -> None:
    evening = table_of("ann", "ben", "cleo")
    evening.do(SayWord("owl"), "ben")
    evening.do(Leave(), "ben")
    evening.do(Start(), "ann")
    (fact,) = [each.fact for each in evening.log if isinstance(each.fact, Started)]
    assert fact.words == ()


def test_a_record_under_way_is_for_nobody_who_plays() -> None:
    evening = started("ann", "ben", "cleo", rules="poof+schedule:2")
    with pytest.raises(rage.NotAllowed):
        evening.table.record_for("ann")
    assert "seed" not in evening.table.record().extra


def test_a_game_needs_a_seed_that_nobody_can_guess() -> None:
    for seed in (None, b"", b"short"):
        with pytest.raises(rage.NotReadable):
            Table().decide(Create("poof", 3, "Ann"), "ann", 0, seed=seed)


def test_whoever_is_missing_is_a_bot() -> None:
    evening = table_of("ann", players=4, rules="poof+schedule:1")
    evening.do(Start("steady", ("Bea", "Carl")), "ann")
    assert evening.table.state.names == ("Ann", "Bea", "Carl", "steady 4")
    while evening.table.phase == "playing":
        if evening.table.bot_to_act() is None:
            evening.play()
        else:
            evening.do(thought(evening.table), None)
    assert evening.table.record().extra["bots"] == [None, "steady", "steady", "steady"]


def test_bots_at_one_table_have_different_names() -> None:
    evening = table_of("ann", players=4)
    evening.do(Start("random", ("random 4",)), "ann")
    assert evening.table.state.names == ("Ann", "random 4", "random 3", "random 8")
    again = table_of("ann", players=4)
    assert refused(again, Start("random", ("Bo", "bo")), "ann") == "table.name_taken"


def test_a_newcomer_takes_a_bots_chair_while_people_gather() -> None:
    evening = table_of("ann", players=2)
    evening.do(GiveSeat(1, bot="random", name="Robo"), "ann")
    assert refused(evening, Join("Robo"), "ben") == "table.name_taken"
    assert evening.do(Join("Ben"), "ben")[-1] == Sat("ben", 1)
    assert refused(evening, Join("Cleo"), "cleo") == "table.full"
    assert refused(evening, Join("Cleo", 1), "cleo") == "table.seat_taken"


def test_who_sits_may_move_while_people_gather() -> None:
    evening = table_of("ann", "ben", players=4)
    evening.do(Join("Ben", 3), "ben")
    assert [seat.person for seat in evening.table.state.seats] == ["ann", None, None, "ben"]


@pytest.mark.parametrize(
    "command",
    [Start(), Pause(), Resume(), Remove("ann"), Configure("poof", 4, Options()), Vacate(2)],
)
def test_only_the_host_may(command: rage.table.Command) -> None:
    assert refused(table_of("ann", "ben"), command, "ben") == "table.host_only"


def test_the_host_can_pause_and_nobody_plays_meanwhile() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(Pause(), "ann")
    assert evening.table.to_act is None
    assert refused(evening, Play(0, "1"), "ben") == "table.while.paused"
    evening.do(Resume(), "ann")
    assert evening.play("1")


def test_the_host_can_give_a_seat_away() -> None:
    """To a bot in the middle of the game, then to someone who comes late."""
    evening = started("ann", "ben", "cleo", rules="poof+schedule:3")
    evening.do(GiveSeat(1, bot="random", name="Robo"), "ann")
    assert evening.table.state.seat_of("ben") is None
    evening.do(Watch("Dan"), "dan")
    evening.do(GiveSeat(1, person="dan"), "ann")
    view = evening.table.game_view("dan")
    assert view is not None
    assert view.seat == 1
    assert view.names == ("Ann", "Dan", "Cleo")


def test_who_has_seen_another_hand_cannot_sit_down_before_the_next_round() -> None:
    evening = started("ann", "ben", "cleo", rules="poof+schedule:1.1")
    evening.do(GiveSeat(1), "ben")
    assert refused(evening, GiveSeat(2, person="ben"), "ann") == "table.knows_cards"
    evening.play_on(Random(1), 6)
    evening.do(GiveSeat(2, person="ben"), "ann")
    assert evening.table.state.seat_of("ben") == 2


def test_the_host_can_remove_a_player_for_good() -> None:
    evening = started("ann", "ben", "cleo")
    facts = evening.do(Remove("ben", bar=True), "ann")
    assert [type(fact) for fact in facts] == [BotSat, Left]
    assert refused(evening, Watch("Ben"), "ben") == "table.barred"
    assert told(evening.table, "ben")["game"] is None


def test_a_bot_plays_on_for_one_who_leaves_and_the_host_passes() -> None:
    evening = started("ann", "ben", "cleo")
    facts = evening.do(Leave(), "ann")
    assert [type(fact) for fact in facts] == [BotSat, Left, HostPassed]
    assert evening.table.state.host == "ben"
    evening.do(Leave(), "ben")
    facts = evening.do(Leave(), "cleo")
    assert isinstance(facts[-1], Paused)
    assert evening.table.bot_to_act() is None
    assert evening.table.state.host is None


def test_another_can_be_host_while_the_host_is_away() -> None:
    evening = started("ann", "ben", "cleo")
    assert refused(evening, TakeHost(), "ben") == "table.host_is_here"
    evening.do(SetPresence("ann", False), None)
    evening.do(TakeHost(), "ben")
    evening.do(Pause(), "ben")


def test_names_differ_and_can_be_changed_in_the_game() -> None:
    evening = started("ann", "ben", "cleo")
    assert refused(evening, Rename(" BEN "), "ann") == "table.name_taken"
    assert refused(evening, Rename("\ud800"), "ann") == "table.text"
    evening.do(Rename("Anna"), "ann")
    view = evening.table.game_view("cleo")
    assert view is not None
    assert view.names[0] == "Anna"
    evening.play_on(Random(2), 40)
    assert evening.game.names[0] == "Anna"


def test_rules_and_players_are_settled_before_the_start() -> None:
    evening = table_of("ann", "ben", "cleo")
    assert refused(evening, Configure("poof", 2, Options()), "ann") == "table.seats_taken"
    assert refused(evening, Configure("amigo", 2, Options()), "ann") == "players.refused"
    evening.do(Configure("AMIGO + sweep", 5, Options()), "ann")
    assert evening.table.view_for("ben")["rules"] == "amigo+sweep"
    evening.do(Start(), "ann")
    again = Configure("poof", 5, Options())
    assert refused(evening, again, "ann") == "table.while.playing"
    evening.do(Configure("amigo+sweep", 5, Options(known=True)), "ann")
    assert evening.table.view_for("ben")["options"]["known"]


def test_with_fewer_seats_people_close_up_and_bots_go() -> None:
    evening = table_of("ann", "ben", "cleo", players=6)
    evening.do(Join("Ben", 5), "ben")
    evening.do(Join("Cleo", 4), "cleo")
    evening.do(GiveSeat(1, bot="random"), "ann")
    evening.do(GiveSeat(3, bot="random"), "ann")
    facts = evening.do(Configure("poof", 3, Options()), "ann")
    assert facts == [
        Vacated(3), Sat("cleo", 2), Sat("ben", 1), Configured("poof", 3, Options()),
    ]  # fmt: skip
    assert [seat.person for seat in evening.table.state.seats] == ["ann", "ben", "cleo"]
    assert refused(evening, Configure("poof", 2, Options()), "ann") == "table.seats_taken"


def test_the_view_says_why_a_card_or_a_bid_may_not_be_played() -> None:
    """ "an unplayable card stays, and says why when touched" """
    hands = ["R5 R6 G1", "R1 C B2", "R3 W B4"]
    evening = stacked("poof+plus-minus-one+schedule:3", 2, hands, "R9 Y2", "ann", "ben", "cleo")
    for bid in "11":
        evening.play(bid)

    def why(person: str) -> dict[str, dict[str, object]]:
        found: dict[str, dict[str, object]] = told(evening.table, person)["game"]["why_not"]
        return found

    assert {code: each["code"] for code, each in why("cleo").items()} == {"1": "refuse.bid_total"}
    evening.play("0")
    assert why("ann") == {}
    evening.play("R5")
    assert why("cleo") == {}
    assert {code: each["code"] for code, each in why("ben").items()} == {
        "B2": "refuse.follow",
        "C": "refuse.follow",
    }
    assert why("ben")["C"]["cards"] == "R1"


def test_time_never_runs_backwards() -> None:
    evening = table_of("ann", "ben")
    (event,) = evening.table.decide(SayWord("owl"), "ben", -5)
    assert event.at == evening.log[-1].at


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_every_decision_is_told_with_what_follows_from_it(bidding: str) -> None:
    """A whole game can be followed from events alone: tricks, trump, points, deals."""
    evening = started("ann", "ben", "cleo", rules=f"amigo+{bidding}-bids+schedule:5.3")
    evening.play_on(Random(9), 99)
    told = [event.as_data() for event in evening.log]

    def named(kind: str) -> list[dict[str, object]]:
        return [each for each in told if each["type"] == kind]

    rounds = evening.game.rounds
    tricks = [trick.winner for each in rounds for trick in each.tricks]
    assert [each["seat"] for each in named("trick_won")] == tricks
    assert [each["points"] for each in named("round_over")] == [each.points for each in rounds]
    assert [each["bids"] for each in named("bids_shown")] == [each.bids for each in rounds]
    turns = [turn.cause for each in rounds for turn in each.turns if turn.cause != "deal"]
    assert [each["cause"] for each in named("trump_set")] == turns
    assert len(turns) > 0
    assert len(named("dealt")) == 2
    assert sum(isinstance(event.fact, Played) for event in evening.log) == evening.game.ply
