"""Values, and games that behave: what they print, what they are equal to, and how they go back."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from operator import methodcaller
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given

import rage
from generators import games
from rage import Card, Cards, Colour, Game, Hand, Move, Moves, NotAllowed, NotReadable, bot
from rage.analysis.work import analyse
from rage.bots import BOTS
from rage.bots.advice import advise
from rage.bots.stand_in import StandIn
from rage.bots.worlds import sample_worlds
from rage.engine.deal import Deals
from rage.engine.position import Position
from rage.features.meanings import FEATURES
from rage.notation import parse_record, record_of, write_record
from rage.notation.fair import verify
from rage.table import Create, Start, Table
from scenes import table


def pickled(one: Any) -> Any:
    return pickle.loads(pickle.dumps(one))


def played(decisions: int, seed: int = 1) -> Game:
    found, rng = Game("amigo+sweep", ["Ada", "Ben", "Cleo"], seed=seed), Random(seed)
    for _ in range(decisions):
        found.play(rng.choice(found.legal_moves))
    return found


def test_there_is_one_object_for_each_card_move_and_colour() -> None:
    for value in (Card("R15"), Card.OUT, Move("WR"), Move.bid(3), Colour.RED):
        kind: Any = type(value)
        assert kind(str(value)) is kind(value) is kind.of(value.number) is value
        for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert other is value
        assert eval(repr(value), {**vars(rage)}) is value
        assert value != str(value)
        with pytest.raises(AttributeError):
            value.number = 1
    assert (Card("R15").colour, Card("R15").rank, Card("R15").action) == (Colour("R"), 15, None)
    assert (Card.WILD.colour, Card.WILD.rank, Card.WILD.action) == (None, None, "wild")
    assert sorted(Colour) == list(Colour)
    assert Move("R15") > Move("R4") < Move("3")
    with pytest.raises(TypeError):
        assert Move("R15") < Card("R4")


def test_a_hand_is_a_multiset_in_its_order() -> None:
    hand = Hand("X R4 R15 X")
    assert (str(hand), repr(hand), len(hand)) == ("R15 R4 X X", "Hand('R15 R4 X X')", 4)
    assert hand == Hand(["R4", Card.OUT, "R15", "X"])
    assert hash(hand) == hash(Hand("R15 R4 X X"))
    assert "R4" in hand
    assert Card("R5") not in hand
    assert hand.count("X") == 2
    assert hand - "X" == Hand("R15 R4 X")
    assert hand - "X" + "Y3" == Hand("R15 R4 Y3 X")
    assert hand[1:3] == Hand("R4 X")
    assert (hand.of("R"), hand.of(Colour.BLUE), hand.of(None)) == (Hand("R15 R4"), (), ())
    with pytest.raises(NotAllowed, match="no B3"):
        assert hand - "B3"
    assert str(Cards("X R4 R15")) == "X R4 R15"
    for one in (hand, Cards("X R4"), Moves("3 WR")):
        assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
        assert type(copy.deepcopy(one)) is type(one)


@pytest.mark.parametrize("given", [3, True])
def test_a_number_is_neither_bid_nor_card(given: Any) -> None:
    game = Game("poof", 4, seed=1)
    asked: list[Callable[[Any], object]] = [
        game.play, game.why_not, game.is_legal, game.legal_moves.__contains__,
        game.view(0).why_not, game.view(0).is_legal, Move,
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(NotReadable, match=f"^{given} could be a bid or a card: write '"):
            ask(given)


def test_a_game_answers_what_a_view_does() -> None:
    game = table("poof", "R9 R1", "Y1 X", "R2 B3", play="R9 X", stock="Y5")
    view = game.view(2)
    assert game.hand(2) == view.hand == Hand("R2 B3")
    assert (game.trump, game.led, game.ahead, game.dealer) == (None, Colour.RED, 0, 2)
    for name in ("trump", "led", "ahead", "dealer", "trick", "bids", "won", "to_act", "scores",
                 "seen", "voids", "hand_sizes", "has_bid", "names", "rules"):  # fmt: skip
        assert getattr(view, name) == getattr(game, name), name
    assert game.trick is not None
    assert str(game.trick.moves) == "R9 X"


def test_each_says_in_a_line_where_it_stands() -> None:
    game = table("amigo", "R9", "Y1", "R2", play="R9 Y1", stock="B5")
    assert (
        repr(game)
        == "<Game amigo+schedule:1, 3 players, round 1 of 1, trick 1, South to play, 0 0 0>"
    )
    assert repr(game.view(0)) == repr(game).replace("<Game", "<View of seat 0:")
    assert repr(game.rounds[0]) == "<Round 1, dealt by seat 2, bids 0 0 0, 0 of 1 trick played>"
    assert repr(game.trick) == "<Trick: seat 0 leads R9 Y1>"
    assert [repr(step) for step in game.steps()][2:4] == [
        "<Step: seat 2 bids 0>",
        "<Step: seat 0 plays R9>",
    ]
    assert repr(game.position) == "<Position, 3 players, 0 rounds over, seat 2 to act, 0 0 0>"
    game.play("R2")
    assert repr(game.rounds[0].tricks[0]) == "<Trick: seat 0 leads R9 Y1 R2, seat 0 wins>"
    assert "over" in repr(game)
    found = analyse(game, worlds=1)
    assert repr(found) == f"<Analysis: decisions=6, worlds=1, {game!r}>"
    assert (
        repr(found.decisions[5])
        == "<Decision: round 1, trick 1, card 3: seat 2 plays R2, cost 0.0>"
    )
    assert repr(record_of(game)).startswith("<Record amigo: North, East, South; 1 round,")


def test_nothing_prints_an_address() -> None:
    game = played(70)
    view = game.view(game.to_act)
    bots = [bot(name, 1) for name in BOTS]
    found: dict[int, Any] = {}
    for one in (
        game, view, game.position, game.position.rules, Deals(game.rules, 3, b"secret"),
        record_of(game), rage.example_record(), next(game.steps()), analyse(played(9), worlds=1),
        advise(view, budget=rage.Budget(worlds=1)), tuple(verify(rage.example_record())),
        tuple(bots),
        tuple(sample_worlds(game.position, 0, 1, 1)), FEATURES, rage.Budget(),
        StandIn("odd", rage.Reason("bot.slow")),
    ):  # fmt: skip
        reachable(one, found)
    assert not [repr(each) for each in found.values() if " at 0x" in repr(each)]
    assert "<Bot flat, 100 worlds>" in map(repr, bots)
    assert repr(Deals(game.rules, 3, b"secret")) == "<Deals amigo, 3 players>"


@given(games())
def test_equal_is_what_was_dealt_and_played_alike(game: Game) -> None:
    for one in (game, game.view(None), game.view(0), game.position, *game.rounds[:1]):
        assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
        with pytest.raises(TypeError):
            hash(one)
    record = record_of(game)
    assert parse_record(write_record(record)) == record
    assert rage.replay(record) == game
    assert game != game.view(None)
    if game.to_act is not None:
        other = game.copy()
        other.play(game.legal_moves[0])
        assert other != game
        assert other.undo() is game.legal_moves[0]
        assert other == game


def everything(one: Any) -> list[Any]:
    """All that a game, a view or a position has to say, to compare."""
    if isinstance(one, Position):
        return [one._fields()]
    told = one.view(0) if isinstance(one, Game) else one
    return [one.position._fields(), told.as_data()]


@given(games())
def test_a_copy_goes_its_own_way(game: Game) -> None:
    assume(game.to_act is not None)
    move = game.legal_moves[0]
    for one in (game, game.view(game.to_act), game.position):
        before = everything(one)
        own = () if isinstance(one, rage.View) else (methodcaller("copy"),)
        for how in (copy.copy, copy.deepcopy, pickled, *own):
            other = how(one)
            assert type(other) is type(one)
            assert everything(other) == before
            if isinstance(other, Game):
                other.play(move)
            else:  # what a view shows of its position is a copy anyway
                position: Any = getattr(other, "position", other)
                position.play(move.number)
            assert (everything(other) == before) == isinstance(other, rage.View)
            assert everything(one) == before


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_of_a_table_goes_its_own_way(how: Callable[[Table], Table]) -> None:
    table = Table()
    table.do(Create("poof", 2, "Ann"), "ann", 0, seed=bytes(16))
    other = how(table)
    other.do(Start(), "ann", 1)
    assert (table.phase, other.phase) == ("gathering", "playing")


def test_a_copy_of_a_game_of_ones_own_class_is_one_too() -> None:
    class Named(Game):
        title = ""

    one = Named("poof", 3, seed=1)
    one.title = "the final"
    for each in (one.copy(), copy.copy(one), copy.deepcopy(one)):
        assert (type(each), each.title) == (Named, "the final")


@given(games())
def test_stepping_through_a_game_is_playing_it(game: Game) -> None:
    steps = list(game.steps())
    assert tuple(step.move for step in steps) == game.moves
    assert len(steps) == game.ply
    assert [step.before.ply for step in steps] == list(range(game.ply))
    assert all(step.before.to_act == step.seat for step in steps)
    again = game.copy()
    while again.ply:
        again.undo()
        assert again == steps[again.ply].before
    with pytest.raises(NotAllowed, match="no decision"):
        again.undo()


def test_a_moment_is_the_same_in_a_game_and_in_its_record() -> None:
    game = played(90)
    for moment in ((1, 0, 0), (1, 1, 0), (1, 3, 2), (2, 0, 0), (2, 10, 1)):
        if moment[1] <= game.rules.schedule[moment[0] - 1]:
            assert game.at(*moment) == rage.replay(record_of(game), moment), moment
    for moment, why in {
        (0, 0, 0): "no round 0: the game has rounds 1 to 10",
        (11, 0, 0): "no round 11: the game has rounds 1 to 10",
        (5, 0, 0): "not reached round 5, trick 0, card 0 yet",
        (1, 11, 0): "no trick 11: round 1 has 10 tricks",
        (10, 2, 0): "no trick 2: round 10 has 1 trick;",
        (1, 1, 4): "no card 4: a trick has 3 cards",
        (1, 0, 1): "only card 0 goes with it",
        (4, 1, 0): "not reached round 4, trick 1, card 0 yet",
    }.items():
        with pytest.raises(NotAllowed, match=why):
            game.at(*moment)
    for moment in ((99, 1, 1), (1, 11, 0), (1, 0, 1)):
        with pytest.raises(NotAllowed, match="no moment"):
            rage.replay(record_of(game), moment)


def reachable(one: Any, seen: dict[int, Any]) -> None:
    """Everything that public attributes lead to."""
    if id(one) in seen or isinstance(one, int | float | str | bytes | type(None)):
        return
    seen[id(one)] = one
    if isinstance(one, tuple):
        for each in one:
            reachable(each, seen)
    for name in dir(one):
        if not name.startswith("_") and not isinstance(one, tuple | type | Position):
            value = getattr(one, name)
            if not callable(value):
                reachable(value, seen)


def test_nothing_that_can_be_reached_changes_a_game() -> None:
    game = played(70)
    before = game.copy()
    for one in (game, game.view(0)):
        found: dict[int, Any] = {}
        reachable(one, found)
        for each in found.values():
            if isinstance(each, list):
                each.clear()
            elif isinstance(each, Position):
                each.play(each.legal_moves[0])
            elif not isinstance(each, tuple | Game | Colour | Deals):
                for name in ("rules", "bids", "moves", "number", "winner"):
                    if hasattr(each, name):
                        with pytest.raises(AttributeError):
                            setattr(each, name, None)
    for name in ("rules", "names", "rounds", "position", "deals", "trump"):
        with pytest.raises(AttributeError):
            setattr(game, name, None)
    assert game == before


def test_rules_are_changed_by_settings_that_exist() -> None:
    rules = rage.ruleset("poof")
    assert rules.replace(schedule=[3, 3]).schedule == (3, 3)  # type: ignore[arg-type,unused-ignore]
    with pytest.raises(NotReadable, match=r"misss.*miss"):
        rules.replace(misss=1)
    with pytest.raises(NotAllowed, match="edition"):
        rules.replace(edition="x")
    with pytest.raises(TypeError):
        rage.Game("poof", 4, sed=1)  # type: ignore[call-arg]  # what is tested
    for unknown in (rage.Reason("x"), rage.NotAllowed("x").reason):
        with pytest.raises(NotReadable):
            unknown.sentence()
