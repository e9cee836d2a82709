"""Steady in every variant: legal, from what its seat may know, compiled or not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rage
from bots.choices import check_all, play
from features.lines import any_line, recoloured, rotated
from generators import deals_for, games, rules_from
from rage import RuleSet
from rage.arena.data.matches import play_games
from rage.bots import BOTS, OFFERED, Budget, bot
from rage.bots.chances import CHANCES, WEIGHTS
from rage.bots.learned import FIRST, LEVELS
from rage.bots.learned_rules import has_learned
from rage.bots.names import names_of
from rage.bots.steady import best_move_of
from rage.bots.worth import SteadyWeights
from rage.features.encode import canonical_move, colour_places
from rage.rules.cards import BID
from rage.rules.ruleset import EDITIONS
from rage.rules.values import Move

seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("games", [100, pytest.param(2000, marks=pytest.mark.long)])
def test_its_choice_is_legal_and_by_what_its_seat_may_know(games: int) -> None:
    assert check_all(games, 1) > 50 * games


@pytest.mark.sampled(2)
@pytest.mark.parametrize("games", [100, pytest.param(5000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["flat+", *LEVELS])
def test_it_plays_games_of_any_rules_without_an_illegal_move(name: str, games: int) -> None:
    """Whole games of random rule sets, of two to eight, all seats by such bots; a few of them with
    enough worlds for moves to be dropped on the way."""
    rng = Random(games)
    tables = set[int]()
    for seed in range(games):
        rules, players = rules_from(rng.choice, rounds=2, most=6)
        game = rage.Game(rules, players, deals=deals_for(rules, players, rng))
        tables.add(players)
        budget = Budget(worlds=4 if seed % 25 else 2 * FIRST)
        while game.to_act is not None:
            game.play(bot(name, seed).choose(game.view(game.to_act), budget))
        assert game.over
    assert tables == {*range(2, 9)}


@given(
    seeds, st.permutations(range(6)), st.sampled_from([name for name in BOTS if name != "random"])
)
def test_names_of_colours_and_places_at_the_table_change_no_choice(
    seed: int, names: list[int], name: str
) -> None:
    """By the canonical names of the colours: of two that are alike in everything it remembers it
    may make the move in either."""
    rng = Random(seed)
    line = any_line(rng, rounds=1, most=5)
    turned = recoloured(rotated(line, rng.randrange(line.players)), tuple(names))
    games = [rage.Game(each.rules, each.players, deals=each.deals) for each in (line, turned)]
    for moves in zip(line.moves, turned.moves, strict=True):
        first, second = (canonical_choice(name, game) for game in games)
        assert first == second
        for game, move in zip(games, moves, strict=True):
            game.play(Move.of(move))


def canonical_choice(name: str, game: rage.Game) -> int:
    """The move that a bot makes, with the canonical names of its colours."""
    assert game.to_act is not None
    move = bot(name, 7).choose(game.view(game.to_act), Budget(worlds=3))
    learned = has_learned(game.rules, game.rounds[-1].hand_size)  # else steady plays, who is not
    forgetful = learned and name in LEVELS and LEVELS[name].forgetful
    known = game.position.forgetful() if forgetful else game.position
    return canonical_move(move.number, colour_places(known, game.to_act))


@given(games(most=5), st.sampled_from([*BOTS]))
def test_a_position_written_down_is_enough_to_choose(game: rage.Game, name: str) -> None:
    assume(game.to_act is not None)
    view = game.view(game.to_act)
    written = rage.View.from_text(view.text, game.to_act)
    first, second = (bot(name, 7).choose(each, Budget(worlds=3)) for each in (view, written))
    assert first == second


def test_each_bot_on_offer_has_names_of_its_own() -> None:
    names = [name for each in OFFERED for name in names_of(each)]
    assert len({*names}) == len(names) == 8 * len(OFFERED)


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_bids_that_are_not_shown_change_nothing(bidding: str) -> None:
    """The same deal, two others having bid otherwise: the last bid, and eldest's lead."""
    rules = rage.ruleset("poof+schedule:5").replace(bidding=bidding)
    chosen = set()
    for others in range(6):
        game = rage.Game(rules, 4, seed=b"not shown")
        for bid in (2, others, others):
            game.play(rage.Move.of(BID + bid))
        move = best_move_of(game.position)
        chosen.add(move)
        game.play(Move.of(move))
        if bidding == "secret":
            chosen.add(best_move_of(game.position))
    assert len(chosen) == (2 if bidding == "secret" else 1)


@pytest.mark.parametrize("name", ["steady", "flat", "flat+", "ismcts", "hard"])
def test_alone_there_is_nobody_to_play_against(name: str) -> None:
    """Compiled, it divided by nought, which ended Python without a word."""
    rules = RuleSet(edition="alone", player_range=(1, 8), schedule=(4,), tie="exact_bids")
    game = rage.Game(rules, 1, seed=1)
    with pytest.raises(rage.NotAllowed, match="with one player there is no one"):
        bot(name, 1).choose(game.view(0))


def test_equal_seeds_give_equal_games_and_others_do_not() -> None:
    rules = rage.ruleset("fundex+volatile")
    assert play_games(rules, 4, 0b0001, 5, 1) == play_games(rules, 4, 0b0001, 5, 1)
    assert play_games(rules, 4, 0b0001, 5, 1) != play_games(rules, 4, 0b0001, 5, 2)


def test_the_deals_do_not_depend_on_who_sits_where() -> None:
    """With all seats steady and with the rival numbers, which are the same, the games are."""
    rules = rage.ruleset("amigo")
    everybody = play_games(rules, 4, 0b1111, 20, 8)
    assert play_games(rules, 4, 0b0110, 20, 8, 0b1001).scores == everybody.scores
    assert sum(everybody.bids) == 4 * 10 * 20


def test_each_side_plays_by_its_own_weights() -> None:
    """The same table by either description, and another game than with the usual weights."""
    rules, timid = rage.ruleset("amigo"), SteadyWeights(WEIGHTS, bytes(len(CHANCES)))
    usual = play_games(rules, 4, 0b0110, 20, 8, 0b1001)
    ours = play_games(rules, 4, 0b0110, 20, 8, 0b1001, weights=timid)
    theirs = play_games(rules, 4, 0b1001, 20, 8, 0b0110, rival_weights=timid)
    assert ours.scores == theirs.scores != usual.scores


def test_weights_without_all_chances_are_refused() -> None:
    with pytest.raises(ValueError, match="2519 chances, not 2520"):
        SteadyWeights(WEIGHTS, CHANCES[1:])


@pytest.mark.parametrize("size", [1, 4, 10, 13])
def test_it_plays_laboratory_rules_even_where_the_stock_is_empty(size: int) -> None:
    rules = EDITIONS["oh_hell"].replace(schedule=(size,) * 5)
    for position, move in play(rules, 4, Random(size)):
        assert move in position.legal_moves
