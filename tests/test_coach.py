"""The coach: every hint is true, legal, known to its reader, and there in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import rage
from generators import deals_for, games, rules_from
from properties.worlds import indistinguishable_game
from rage import Game, Move, Reason, ruleset
from rage.bots.net import network
from rage.bots.rollouts import Rollouts
from rage.coach import Coach, Hint, hint, topics
from rage.rules.cards import BID, CARD_CODES, MOVE_CODES, N_COLOURED
from rage.rules.ruleset import EDITIONS, VARIANTS
from rage.rules.settings import PRINTED
from rage.say import LANGUAGES, sentence
from reasons import all_reasons
from scenes import run, table

ALL = frozenset(topics(ruleset("poof"), 4)) | {"hidden", "secret", "forbidden", "team", "two"}


def hint_now(game: Game, taught: frozenset[str] = frozenset()) -> Hint:
    """The hint of the seat to act."""
    assert game.to_act is not None
    found = hint(game.view(game.to_act), taught)
    assert found is not None
    return found


def codes_in(reason: Reason) -> Iterator[str]:
    """The cards that a reason names."""
    for each in all_reasons(reason):
        for name in ("card", "cards", "win", "lose", "change", "out", "wild"):
            if isinstance(each.params.get(name), str):
                yield from each.params[name].split()


def hand_of(game: Game) -> list[str]:
    assert game.to_act is not None
    return [CARD_CODES[card] for card in game.position.hand(game.to_act)]


def coloured(game: Game) -> list[int]:
    """The coloured cards that the seat to act holds."""
    assert game.to_act is not None
    return [card for card in game.position.hand(game.to_act) if card < N_COLOURED]


def lessons(game: Game) -> Iterator[Hint]:
    """Every hint that there is for the seat to act, one lesson after the other."""
    assert game.to_act is not None
    taught: frozenset[str] = frozenset()
    while (found := hint(game.view(game.to_act), taught)) is not None:
        yield found
        if found.topic is None:
            return
        taught |= {found.topic}


@given(games())
def test_a_hint_is_for_the_seat_to_act_alone(game: Game) -> None:
    for seat in (None, *range(game.players)):
        if seat is None or seat != game.to_act:
            assert hint(game.view(seat), ()) is None


@given(games())
def test_a_hint_names_no_card_that_its_reader_does_not_see(game: Game) -> None:
    if game.to_act is None:
        return
    seen = {*hand_of(game), *(str(m) for t in game.rounds[-1].tricks for m in t.moves)}
    seen |= {code[0] for code in seen if code[0] in oracle.ACTIONS}
    for found in lessons(game):
        assert set(codes_in(found.reason)) <= seen
        assert set(found.cards.split()) <= set(hand_of(game))


@given(games(), st.randoms(use_true_random=False))
def test_a_hint_stays_the_same_when_hidden_cards_are_permuted(game: Game, rng: Random) -> None:
    if game.to_act is not None:
        other = indistinguishable_game(game, game.to_act, rng)
        assert list(lessons(game)) == list(lessons(other))


@given(games())
def test_what_a_hint_recommends_is_legal(game: Game) -> None:
    if game.to_act is None:
        return
    legal = game.legal_moves
    for found in lessons(game):
        assert found.bid is None or Move.bid(found.bid) in legal
        for each in all_reasons(found.reason):
            if each.code == "coach.split":
                assert Move(each.params["win"]) in legal
                assert Move(each.params["lose"]) in legal
            if each.code in ("refuse.follow", "refuse.follow_wild"):
                assert {Move(code) for code in each.params["cards"].split()} <= set(legal)
            if each.code.endswith("_held") or "_held." in each.code:
                assert any(str(move)[0] == each.params["card"] for move in legal)


@given(games())
def test_a_hint_is_there_in_every_language(game: Game) -> None:
    if game.to_act is None:
        return
    for found in lessons(game):
        for language in LANGUAGES:
            said = sentence(found.reason, language, edition=game.rules.edition, names=game.names)
            assert said.endswith(".")
            assert "{" not in said
            assert "None" not in said


@given(games())
def test_following_is_taught_exactly_where_it_restricts(game: Game) -> None:
    """By what the kernel allows: some coloured card of the hand may not be played."""
    if game.to_act is None:
        return
    restricted = not game.bidding and not set(coloured(game)) <= {
        move.number for move in game.legal_moves
    }
    assert restricted == (hint_now(game).topic == "follow")


@given(games())
def test_being_void_is_taught_exactly_where_nothing_follows(game: Game) -> None:
    if game.to_act is None or game.bidding:
        return
    led = oracle.led([MOVE_CODES[move] for move in game.position.trick])
    void = led is not None and all(code[0] != led for code in hand_of(game))
    assert void == (hint_now(game, ALL - {"void"}).topic == "void")


@given(games())
def test_the_forbidden_bid_is_the_one_that_the_kernel_forbids(game: Game) -> None:
    if game.to_act is None or not game.bidding:
        return
    legal = game.legal_moves
    forbidden = [bid for bid in range(game.position.hand_size + 1) if Move.bid(bid) not in legal]
    found = hint_now(game, ALL - {"forbidden"})
    assert (found.topic == "forbidden") == bool(forbidden)
    if forbidden:
        assert found.reason.params["bid"] == forbidden[0]


@given(games())
def test_the_numbers_of_a_reminder_are_right(game: Game) -> None:
    """Counted from the cards, trick by trick."""
    if game.to_act is None or game.bidding:
        return
    current, sides = game.rounds[-1], game.sides
    view = game.view(game.to_act)
    mates = range(game.to_act % sides, game.players, sides)
    aims = (
        [
            each
            for each in all_reasons(hint_now(game, ALL).reason)
            if each.code.startswith("coach.aim")
        ]
        if hint(view, ALL)
        else []
    )
    if any(view.bids[seat] is None for seat in mates):
        assert not aims
        return
    (aim,) = aims
    bid = sum(current.bids[seat] or 0 for seat in mates)
    won = sum(trick.winner in mates for trick in current.tricks if trick.winner is not None)
    left = len(hand_of(game))
    assert aim.params == {"bid": bid, "won": won, "need": bid - won, "left": left}
    which = aim.code.split(".")[2]
    assert (which == "over") == (won > bid)
    assert (which in ("none", "zero")) == (won == bid)
    assert (which == "zero") == (won == bid == 0)
    assert (which == "short") == (bid - won > left)
    assert (which == "all") == (bid - won == left)
    assert aim.code.endswith(".team") == (game.rules.teams is not None)


@given(games())
def test_what_would_win_would_win(game: Game) -> None:
    """By the oracle's idea of a trick that ends with this card."""
    if game.to_act is None or game.bidding:
        return
    found = hint(game.view(game.to_act), ALL)
    trick = [MOVE_CODES[move] for move in game.position.trick]
    trump = None if game.position.trump is None else "ROYGBP"[game.position.trump]

    def wins(card: str) -> bool:
        return oracle.winner(game.rules, [*trick, card], trump) == len(trick)

    legal = [str(move) for move in game.legal_moves if move.rank is not None]
    for each in all_reasons(found.reason) if found else ():
        if each.code == "coach.split":
            assert wins(each.params["win"])
            assert not wins(each.params["lose"])
        elif each.code.startswith("coach.split.win"):
            assert all(map(wins, legal))
        elif each.code.startswith("coach.split.lose"):
            assert not any(map(wins, legal))


@given(games())
def test_the_seat_ahead_is_the_winner_so_far(game: Game) -> None:
    trick = [MOVE_CODES[move] for move in game.position.trick]
    if not trick:
        assert game.position.ahead is None
        return
    trump = None if game.position.trump is None else "ROYGBP"[game.position.trump]
    leader = game.position.leader
    assert leader is not None
    place = oracle.winner(game.rules, trick, trump)
    assert game.position.ahead == (leader + place) % game.players


def test_a_missed_bid_says_what_it_cost_and_a_met_one_what_it_brought() -> None:
    game = table("amigo", "R15 R14", "Y0 Y1", "G0 G1", stock="R0", bids="0 2 0",
                 play="R15 Y0 G0 R14 Y1 G1", more_rounds=(1,))  # fmt: skip
    game.deal(deals_for(game.rules, 3, Random(1))[1].replace(dealer=0))
    told = {}
    while game.bidding:
        seat = game.to_act
        assert seat is not None
        found = hint_now(game, frozenset({"bid"}))
        told[seat] = (found.topic, sentence(found.reason, edition="amigo", names=game.names))
        run(game, "0")
    assert told[0] == (
        "missed",
        (
            "You bid 0 and won 2: missed, and −3 points for the round. "
            "A bid of 2 would have scored 12. This time, bid about 0."
        ),
    )
    assert told[2] == (
        "met",
        "You bid 0 and won 0: met. Of your 10 points, 10 are for the bid.",
    )


def test_no_more_points_are_for_the_bid_than_there_are() -> None:
    """A Mad card had taken some of them."""
    game = table("amigo", "R15", "Y0", "-", stock="R0", bids="1 0 0", play="R15 Y0 -",
                 more_rounds=(1,))  # fmt: skip
    assert game.scores == [6, 10, 10]
    game.deal(deals_for(game.rules, 3, Random(1))[1].replace(dealer=0))
    told = {}
    while game.bidding:
        assert game.to_act is not None
        told[game.to_act] = hint_now(game, frozenset({"bid"})).topic
        run(game, "0")
    assert told[1] == told[2] == "met"
    assert told[0] != "met"


def test_the_first_bid_is_told_with_its_strong_cards() -> None:
    game = table("poof", "R15 R9 G3", "Y0 Y1 Y2", stock="R0", bids="")
    found = hint_now(game)
    said = sentence(found.reason)
    assert found.topic == "bid"
    assert found.cards == "R15 R9"
    assert found.bid in (2, 3)
    assert f"Strong cards: R15, R9. Bid about {found.bid}." in said
    assert "scores 10 more" in said


def test_following_says_which_card_wins() -> None:
    """As in the picture of the coach: 13 wins now, 5 lets it go."""
    game = table("poof", "G11 Y0", "G4 Y1", "G12 Y2", "G13 G5", stock="B6", bids="0 0 0 2",
                 play="G11 G4 G12")  # fmt: skip
    assert sentence(hint_now(game, frozenset({"follow"})).reason) == (
        "You bid 2: you need every trick that is left. G13 would win as it stands, G5 would not."
    )


@pytest.mark.parametrize(
    ("hand", "bid", "played", "said", "marked"),
    [
        ("G13 G14", 0, "G11", ("But any number card that you may play would win as it stands: "
         "G13 is the easiest to beat."), "G13"),
        ("G13 G14", 2, "G11", "Any number card that you may play would win as it stands.",
         "G13 G14"),
        ("G13 G14", 0, "G11 G10 G9",
         "But any number card that you may play would win as it stands.", ""),
        ("G3 G5", 0, "G11",
         "No number card that you may play can win as it stands: you can get rid of G5.", "G5"),
        ("G3 G5", 2, "G11", "Your number cards can't win this trick as it stands.", ""),
        ("B3 Y5", 0, "G11", ("You hold no green, so you may play any card: blue is trump and can "
         "win, so play another colour."), "Y5"),
        ("B3 Y5", 2, "G11", ("You hold no green, so you may play any card: blue is trump and can "
         "win, another colour cannot."), "B3"),
        ("B3 Y5", 0, "G11 B9",
         "No number card that you may play can win as it stands: you can get rid of Y5.", "Y5"),
        ("B3 Y5", 2, "G11 B9", "Your number cards can't win this trick as it stands.", ""),
    ],
)  # fmt: skip
def test_what_is_advised_serves_the_bid(
    hand: str, bid: int, played: str, said: str, marked: str
) -> None:
    cards = played.split()
    others = [f"{card} {spare}" for card, spare in zip(cards, ("Y1", "Y2", "Y3"), strict=False)]
    hands = [*others, hand, *["O1 O2", "O3 O4"][: 3 - len(others)]]
    bids = ["0"] * len(hands)
    bids[len(cards)] = str(bid)
    game = table("poof", *hands, stock="B6", bids=" ".join(bids), play=played)
    found = hint_now(game, frozenset({"follow"}))
    assert sentence(found.reason).endswith(said)
    assert found.cards == marked


def test_a_trick_that_costs_more_than_it_brings_is_left_to_others() -> None:
    """A Mad lies in it, and the two tricks that are needed can be won later."""
    others = ("R2 Y1 Y2 Y3", "R4 G1 G2 G3", "P4 B1 B2 B3", "- O1 O2 O3")
    game = table("fundex", *others, "R15 R7 R0 O4", stock="Y5", bids="0 0 0 0 2",
                 play="R2 R4 P4 -")  # fmt: skip
    found = hint_now(game, ALL)
    assert sentence(found.reason).endswith("R0 would not.")
    assert found.cards == "R0"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rules", "players"), [("fundex", 5), ("amigo", 4), ("poof", 3)])
def test_no_card_is_highlighted_that_wins_a_costly_trick(rules: str, players: int) -> None:
    """If another would not win it, and is worth a point more in worlds of its own."""
    highlighted = 0
    for seed in range(60):
        game = Game(rules, players, seed=seed)
        bot = rage.bot("medium", seed)
        while (seat := game.to_act) is not None:
            view = game.view(seat)
            trick = [str(move) for move in view.trick.moves] if view.trick else []
            if trick.count("-") > trick.count("+") and len(view.legal_moves) > 1:
                found = hint_now(game, ALL)
                marked = [move for move in view.legal_moves if str(move) in found.cards.split()]
                highlighted += len(marked)
                if any(wins(game, move) for move in marked):
                    search = Rollouts(view.position, 99)
                    search.run(200)
                    values = dict(search.values)
                    best = max(values[move.number] for move in marked)
                    losing = [move for move in view.legal_moves if not wins(game, move)]
                    assert all(values[move.number] < best + 1.5 for move in losing), (seed, view)
            game.play(bot.choose(view))
    assert highlighted > 5


def wins(game: Game, move: Move) -> bool:
    """Whether a move would win the trick as it stands."""
    tried = game.copy()
    seat = tried.to_act
    tried.play(move)
    last = tried.round.tricks[-1] if tried.round else tried.rounds[-1].tricks[-1]
    winner = last.winner if last.winner is not None else tried.view(None).ahead
    return seat == winner


def test_with_two_players_the_network_names_the_bid_where_it_has_learned_the_round() -> None:
    for seed in range(30):
        game = Game("poof", 2, seed=seed)
        found = hint_now(game)
        assert found.bid == network("general").best_move(game.position) - BID
        assert sentence(found.reason).endswith(f"Bid about {found.bid}.")
        game = Game("poof+schedule:13", 2, seed=seed)
        for said in (hint_now(game), hint_now(game, ALL)):
            assert said.bid is None
            assert "Bid about" not in sentence(said.reason)


def test_a_bonus_card_is_kept_only_while_tricks_are_wanted() -> None:
    for bid, topics_had in ((0, set()), (2, {"bonus_held"})):
        game = table("poof", "+ Y0", "G4 Y1", stock="B6", bids=f"{bid} 0")
        assert {each.topic for each in lessons(game)} & {"bonus_held"} == topics_had


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_each_lesson_comes_once_in_every_rule_set(edition: str, variant: str | None) -> None:
    """In whole games of every number of players: each lesson once at most, none that the rules
    don't have, and something to say at every turn unless a partner's bid is secret."""
    rules = ruleset(edition if variant is None else f"{edition}+{variant}")
    rules = rules.replace(schedule=rules.schedule[:5][-3:])
    least, most = EDITIONS[edition].player_range
    for players in range(least, most + 1):
        if rules.teams is not None and players not in ((4, 6) if rules.teams == 2 else (6,)):
            continue
        rng = Random(f"{edition} {variant} {players}")
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        coach, had, turns = Coach(), list[str](), 0
        while not game.over:
            if game.to_act == 0:
                view = game.view(0)
                found = coach.hint(view)
                assert found is not None
                assert coach.hint(game.view(0)) is found  # the same moment, the same hint
                if found.topic is not None:
                    had.append(found.topic)
                turns += 1
                assert coach.progress(view) == (len(had), len(topics(rules, players)))
            game.play(rng.choice(game.legal_moves))
        assert len(had) == len(set(had))
        assert set(had) <= set(topics(rules, players))
        assert turns > 10
        assert len(had) > 5


def test_the_lessons_of_a_table_are_those_that_its_rules_have() -> None:
    assert not {"hidden", "secret", "forbidden", "team", "two"} & set(topics(ruleset("poof"), 4))
    assert {"hidden", "two"} <= set(topics(ruleset("poof+hidden-bids"), 2))
    assert {"secret", "team"} <= set(topics(ruleset("poof+secret-bids+two-teams"), 4))
    assert "forbidden" in topics(ruleset("amigo+plus-minus-one"), 3)
    assert not {"wild_held", "wild_seen"} & set(topics(ruleset("poof+pack:wild0"), 4))
    assert not {"out_held", "out_seen", "no_trump"} & set(topics(ruleset("poof+pack:out0"), 4))
    assert not {"missed", "met"} & set(topics(ruleset("poof+schedule:5"), 4))
    assert "follow" not in topics(ruleset("poof+schedule:1.1"), 4)


@pytest.mark.parametrize(
    "name", ["poof+pack:out0+schedule:3.3", "poof+schedule:3", "poof+schedule:1.1", "poof"]
)
def test_every_lesson_that_is_counted_can_be_had(name: str) -> None:
    rules, rng = ruleset(name), Random(name)
    coach = Coach()
    for _ in range(300):
        game = Game(rules, 4, deals=deals_for(rules, 4, rng))
        while not game.over:
            if game.to_act == 0:
                coach.hint(game.view(0))
            game.play(rng.choice(game.legal_moves))
        if coach.taught >= set(topics(rules, 4)):
            break
    assert coach.taught == set(topics(rules, 4))


def test_any_rules_at_all_have_lessons() -> None:
    for seed in range(60):
        rules, players = rules_from(Random(seed).choice)
        assert {"bid", "lead", "void"} <= set(topics(rules, players))
