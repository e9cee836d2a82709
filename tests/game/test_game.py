"""Game: what it is made from, what it remembers, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from odd_arguments import Whole, answers
from rage import Budget, Deal, Game, Move, NotAllowed, NotReadable, Pack, RuleSet, ruleset
from rage.engine import kernel
from rage.engine.kernel import COMPILED, Rules, Simulation, StateStack, random_games
from rage.engine.position import Position
from rage.features.encode import encode
from rage.game.rulings import example_move
from rage.notation import record_of, write_record
from rage.rules.cards import BID
from rage.rules.hands import Cards
from rage.rules.values import CARDS, Card, Colour
from rage.say import Reason, sentence
from scenes import run, table
from uncompiled import run_uncompiled


def hands(*codes: str) -> tuple[Cards, ...]:
    return tuple(map(Cards, codes))


GOOD = Deal(1, ["R1 R2", "G1 G2"], "Y1")


def test_without_a_seed_every_game_is_another() -> None:
    assert Game("poof", 4).rounds[0].deal != Game("poof", 4).rounds[0].deal


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (GOOD.replace(dealer=0, hands=hands("R1 R2")), "1 hand"),
        (GOOD.replace(hands=hands("R1 R2", "G1")), "1 card;"),
        (GOOD.replace(hands=hands("R1 R2", "G1 G2 G3")), "3 cards"),
        (GOOD.replace(hands=hands("R1 R2", "G1 R1")), "more R1 are dealt"),
        (GOOD.replace(stock=Cards("R1")), "more R1 are dealt"),
        (GOOD.replace(stock=Cards("W W W R3")), "more Wild are dealt"),
    ],
)
def test_a_deal_that_does_not_fit_is_refused(deal: Deal, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        Game(ruleset("poof+schedule:2"), 2, deals=[deal])


@pytest.mark.parametrize(("dealer", "given"), [(2, ["R1", "G1"]), (-1, ["R1", "G1"]), (0, [])])
def test_a_deal_without_a_hand_for_its_dealer_is_refused_where_it_is_made(
    dealer: int, given: list[str]
) -> None:
    with pytest.raises((NotAllowed, NotReadable), match=r"no seat|not a list of hands"):
        Deal(dealer, given, "Y1")


def test_nothing_is_dealt_while_a_round_is_under_way_or_after_the_game() -> None:
    game = Game(ruleset("poof+schedule:2"), 2, deals=[GOOD])
    with pytest.raises(NotAllowed):
        game.deal(GOOD)
    run(game, "0 0 R1 G1 R2 G2")
    assert game.over
    with pytest.raises(NotAllowed):
        game.deal(GOOD)


def test_where_the_deals_end_the_game_waits_for_the_next() -> None:
    game = table("poof", "R1", "G1", more_rounds=(1,), play="R1 G1")
    assert (game.to_act, game.over, game.legal_moves) == (None, False, ())
    with pytest.raises(NotAllowed, match="not been dealt"):
        run(game, "0")
    game.deal(Deal(0, hands("R1", "G1"), Cards("Y1")))
    assert game.bidding


def test_a_later_deal_that_does_not_fit_is_found_once_the_move_before_it_is_made() -> None:
    one = Deal(1, hands("R1", "G1"), Cards("Y1"))
    game = Game(ruleset("poof+schedule:1.1"), 2, deals=[one, one])
    run(game, "0 0 R1")
    with pytest.raises(NotAllowed, match="seat 0"):
        run(game, "G1")
    assert (game.ply, game.to_act, len(game.rounds)) == (4, None, 1)
    game.deal(one.replace(dealer=0))
    assert (game.bidding, len(game.rounds)) == (True, 2)


def test_a_round_remembers_who_set_the_trump_and_when() -> None:
    game = table("amigo", "G3 B3", "X R1", "C Y3", stock="R0 + B0 Y0", play="G3 X C")
    changes = game.rounds[0].trump_changes
    assert [(each.cause, each.trick, each.card, each.seat, str(each.cards), each.trump)
            for each in changes] == [
        ("deal", -1, -1, None, "R0", Colour.RED), ("out", 0, 1, 1, "", None),
        ("change", 0, 2, 2, "+ B0", Colour.BLUE),
    ]  # fmt: skip
    assert game.rounds[0].tricks[0].trump is Colour.BLUE


@pytest.mark.parametrize("play", ["C", "R1 G1 B1 C", "R1 G1 X", "R1 G1 B1 X G2 C"])
def test_a_stock_that_is_too_short_is_refused_where_a_card_is_turned_over(play: str) -> None:
    """By a Change, also in the last trick, and after a trick with an Out."""
    *before, last = play.split()
    hands = ["C R1", "G1 G2", "B1 X" if last == "X" else "B1 C"]
    if before.count("X"):
        hands = ["X R1", "G1 G2", "B1 C"]
    game = table("amigo", *hands, stock="Y1 +", play=" ".join(before))
    was = game.copy()
    with pytest.raises(NotAllowed, match="the stock ends before"):
        game.play(last)
    assert game == was
    with pytest.raises(NotAllowed, match="the stock ends before"):
        table("amigo", *hands, stock="+ W")


def test_what_is_no_number_is_refused_and_never_taken_for_one(tmp_path: Path) -> None:
    """C would take 112.9 for 112, and cut off what is too large for it; without a compiler the
    answers are the same."""
    told = answers()
    for question, found in told.items():
        if not question.endswith("None"):  # a spectator's view
            assert found == "False" or found.startswith(("NotAllowed ", "NotReadable ")), question
    program = "import odd_arguments; print(odd_arguments.answers())"
    assert eval(run_uncompiled(tmp_path, program)) == told


def test_what_would_read_other_memory_is_refused() -> None:
    position = Game("poof", 4, seed=1).position
    with pytest.raises(NotReadable):
        type(position)(None)  # type: ignore[arg-type]  # what is being tested
    with pytest.raises(ValueError, match="2 objects"):
        position._legal_of((1, 2))


def test_a_whole_number_of_another_type_is_a_number() -> None:
    one, two = (Game("poof", 3, seed=b"x").position for _ in range(2))
    while one.to_act is not None:
        number = one.legal_moves[-1]
        assert one.is_legal(Whole(number))  # type: ignore[arg-type]  # what is tested
        one.play(Whole(number))  # type: ignore[arg-type]  # what is tested
        two.play(number)
    assert one == two
    game = Game("poof", 3, seed=b"x")
    seat: Any = Whole(1)
    assert game.view(seat).as_data() == game.view(1).as_data()
    assert game.position.hand(seat) == game.position.hand(1)
    assert encode(game.position, seat) == encode(game.position, 1)


#: What the methods that need something are given, of a class that was never initialised.
GIVEN: dict[str, tuple[Any, ...]] = {
    "filled": ([], [], []),
    "deal": (0, [], []),
    "legal_of": (tuple(range(128)),),
    "is_legal": (0,),
    "play": (0,),
    "playout": (0,),
    "hand": (0,),
    "is_void": (0, 0),
    "masked": (None,),
    "points": (1, 1, 1, 0),
    "with_bid": (0, 0),
    "from_text": ("poof players=3",),
    "use_pack": (None,),
}


@pytest.mark.parametrize("made", [Position, Rules, Simulation, StateStack])
def test_what_was_never_initialised_does_not_crash(made: type) -> None:
    if not COMPILED:
        return
    create: Any = made.__new__
    names = [name for name in dir(made) if not name.startswith("_")]
    for name in [*names, "__reduce__", "__copy__"]:
        empty = create(made)
        with suppress(NotAllowed, NotReadable, TypeError, AttributeError):
            asked = getattr(empty, name)
            if callable(asked):
                asked(*GIVEN.get(name, ()))
    if made is Position:
        assert create(made).legal_moves == []
        assert create(made).bids == []
        for name in ("hand", "copy", "masked", "deal", "filled", "__reduce__"):
            with pytest.raises((NotAllowed, NotReadable, TypeError)):
                getattr(create(made), name)(*GIVEN.get(name, ()))
        for seat in (0, 200_000):
            with pytest.raises((NotAllowed, NotReadable, TypeError, AttributeError)):
                encode(create(made), seat)
    if made is Simulation:
        with pytest.raises(TypeError):
            create(made).use_pack(None)


def test_random_games_can_be_interrupted_and_go_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = random_games(ruleset("poof"), 3, 20, 1)
    monkeypatch.setattr(kernel, "BETWEEN_SIGNALS", 3)
    assert random_games(ruleset("poof"), 3, 20, 1) == at_once
    asleep = (
        "import signal, threading, os, time\n"
        "from rage.engine.kernel import random_games; from rage import ruleset\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try: random_games(ruleset('poof'), 4, 2**30, 1)\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    done = subprocess.run(
        [sys.executable, "-c", asleep], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "interrupted\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"rules": None}, "ruleset.no_edition"),
        ({"players": "Ann"}, "players.not_names"),
        ({"players": 4.0}, "players.not_names"),
        ({"players": None}, "players.not_names"),
        ({"players": [1, 2, 3]}, "players.not_names"),
        ({"players": 9}, "players.refused"),
        ({"players": []}, "players.refused"),
        ({"seed": 1.5}, "seed.not_text"),
        ({"seed": [1]}, "seed.not_text"),
        ({"words": "abc"}, "words.not_texts"),
        ({"words": [1, 2, 3]}, "words.not_texts"),
        ({"words": None}, "words.not_texts"),
        ({"words": ["a"]}, "words.refused"),
        ({"first_round": 0}, "first_round.refused"),
        ({"first_round": -1}, "first_round.refused"),
        ({"first_round": 11}, "first_round.refused"),
        ({"first_round": "2"}, "first_round.refused"),
        ({"first_round": 1.5}, "first_round.refused"),
        ({"deals": [], "seed": 0}, "seed.and_deals"),
        ({"deals": [], "words": ["a", "b", "c"]}, "seed.and_deals"),
    ],
)
def test_arguments_of_another_type_or_not_together_are_refused(
    arguments: dict[str, Any], refusal: str
) -> None:
    with pytest.raises((NotReadable, NotAllowed)) as caught:
        Game(**{"rules": "poof", "players": 3, **arguments})
    assert caught.value.reason.code == refusal
    assert str(caught.value)


def test_whole_numbers_of_another_type_make_the_same_game() -> None:
    three: Any = Whole(3)
    one = Game("poof", three, seed=three, first_round=three)
    two = Game("poof", 3, seed=3, first_round=3)
    assert write_record(record_of(one)) == write_record(record_of(two))
    assert ruleset("poof+two-teams").for_players(cast(Any, Whole(4))).teams


def test_no_more_deals_are_taken_than_there_are_rounds() -> None:
    deals = (GOOD for _ in count())
    game = Game(ruleset("poof+schedule:1.2.2"), 2, deals=deals, first_round=2)
    assert game.rounds[0].deal == GOOD


@pytest.mark.parametrize("change", ["choose", "reveal"])
@pytest.mark.parametrize("trump", [None, *Colour])
def test_a_card_is_asked_about_as_a_move_that_plays_it_and_could_be_legal(
    change: str, trump: Colour | None
) -> None:
    rules = ruleset("poof").replace(change=change)
    for card in CARDS:
        move = example_move(card, rules, trump)
        assert move.card is card
        if card is Card.CHANGE:
            assert (move.colour is None) == (change == "reveal")
        if card.action in ("wild", "change") and move.colour is not None:
            assert move.colour is not trump


@pytest.mark.parametrize(
    ("bidding", "hidden"), [("open", []), ("hidden", ["B"]), ("secret", ["B", "P"])]
)
def test_a_position_says_while_bids_are_hidden(bidding: str, hidden: list[str]) -> None:
    game = Game(ruleset("poof+schedule:2").replace(bidding=bidding), 3, seed=b"bids")
    seen = set()
    while not game.over:
        phase = "B" if game.bidding else "P"
        assert game.position.hides_bids == (phase in hidden)
        game.play(game.legal_moves[0])
        seen.add(phase)
    assert seen == {"B", "P"}
    assert not game.position.hides_bids


def test_a_position_refuses_a_move_by_the_name_of_its_card_or_bid() -> None:
    """As people say it: with the name that the edition gives the card, and in their language."""

    def refused(position: Position, move: int) -> Reason:
        with pytest.raises(NotAllowed) as caught:
            position.play(move)
        return caught.value.reason

    game = Game("amigo", 3, seed=b"names")
    position = game.position
    most = position.hand_size
    assert sentence(refused(position, BID + most + 1)) == f"A bid of {most + 1} is not allowed now."
    wild = refused(position, Move("WR").number)
    assert sentence(wild, edition="amigo") == "Joker called red cannot be played now."
    assert (
        sentence(wild, "de", edition="amigo")
        == "Die Karte Joker (Rot) darf jetzt nicht gespielt werden."
    )
    assert sentence(refused(position, Move("R15").number)) == "R15 cannot be played now."
    assert sentence(refused(position, 128)) == "128 is not a move; moves are numbered 0 to 127"


def test_a_card_is_the_move_that_plays_it_unless_a_colour_is_called_with_it() -> None:
    game = Game("amigo+schedule:1", 3, seed=1)
    for _ in range(3):
        game.play("0")
    (card,) = game.hand(game.to_act or 0)
    assert card in game.legal_moves
    assert game.is_legal(card)
    assert game.view(game.to_act).why_not(card) is None
    game.play(card)
    assert game.undo() == Move(card)
    assert Move(Card.CHANGE) == Move("C")
    with pytest.raises(NotReadable, match="Wild needs the colour it is called: write WR for red"):
        game.play(Card.WILD)


def test_a_number_in_quotes_is_said_to_be_none() -> None:
    game = Game("poof", 4, seed=1)
    for ask in (lambda: game.hand(cast(int, "0")), lambda: Move.bid(cast(int, "0")),
                lambda: game.at(1, cast(int, "0"))):  # fmt: skip
        with pytest.raises(NotReadable, match="'0' does not fit here: give a whole number"):
            ask()
    for schedule in ("3.2.1", 3):
        with pytest.raises(NotAllowed, match=r"a tuple of numbers, such as \(3, 2, 1\)"):
            ruleset("poof").replace(schedule=schedule)


def test_an_edition_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotReadable, match="there is no edition called pof; the editions are"):
        sentence(Reason("seed.empty"), edition="pof")


def test_a_trick_tells_who_played_what_and_which_move_has_won() -> None:
    game = table("poof", "R1 G5", "R9 G1", "R5 B2", play="R1 R9 R5 G1")
    first, second = game.rounds[0].tricks
    assert first.plays == [(0, Move("R1")), (1, Move("R9")), (2, Move("R5"))]
    assert (first.winner, first.winning) == (1, Move("R9"))
    assert (second.leader, second.plays, second.winning) == (1, [(1, Move("G1"))], None)


def test_a_value_is_equal_to_its_own_kind_only() -> None:
    """They were named tuples, by accident."""
    assert Pack() != (2, 4, 4, 2, 2)
    assert Budget() != (None, None)
    assert len({Pack(), Pack(2), Pack(wild=1)}) == 2
    with pytest.raises(AttributeError, match="Pack cannot be changed"):
        Pack().wild = 3  # type: ignore[misc]
    for wrong in ({"wilds": 1}, {"wild": 1, "mads": 2}):
        with pytest.raises(TypeError, match="has no field"):
            Pack(**wrong)
    with pytest.raises(TypeError, match="the fields of Pack are wild, change"):
        Pack(1, 2, 3, 4, 5, 6)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="RuleSet needs player_range"):
        RuleSet("poof")  # type: ignore[call-arg]
