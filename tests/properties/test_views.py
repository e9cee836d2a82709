"""A view shows what its seat may know, and stays the same whatever is hidden from it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import deals_for, games
from properties.worlds import indistinguishable_game
from rage import Game, NotAllowed, ruleset
from rage.rules.settings import CHOICES, PRINTED
from rage.rules.values import MOVES, Colour


def seats(game: Game) -> list[int | None]:
    return [None, *range(game.players)]


def assert_same_views(game: Game, other: Game, seat: int | None) -> None:
    mine, theirs = game.view(seat), other.view(seat)
    assert mine.as_data() == theirs.as_data()
    assert mine.position._fields() == theirs.position._fields()


@settings(max_examples=settings().max_examples // 2)
@given(games(), st.randoms(use_true_random=False))
def test_a_view_stays_the_same_when_hidden_cards_are_permuted(game: Game, rng: Random) -> None:
    for seat in seats(game):
        assert_same_views(game, indistinguishable_game(game, seat, rng), seat)


@pytest.mark.parametrize("bidding", CHOICES["bidding"])
@pytest.mark.parametrize("edition", PRINTED)
def test_at_every_moment_before_and_after_each_reveal(edition: str, bidding: str) -> None:
    """All seats and a spectator, at each decision of a game of two rounds."""
    rng = Random(edition + bidding)
    rules = ruleset(edition).replace(bidding=bidding, schedule=(3, 2))
    game = Game(rules, 3, deals=deals_for(rules, 3, rng))
    differs = moments = 0
    while True:
        for seat in seats(game):
            other = indistinguishable_game(game, seat, rng)
            assert_same_views(game, other, seat)
            differs += game.position._fields() != other.position._fields()
            moments += 1
        if game.over:
            break
        game.play(rng.choice(game.legal_moves))
    assert differs > moments / 2


def test_these_worlds_do_differ_for_who_sees_the_cards() -> None:
    """The properties above can fail: another seat's view changes."""
    seen = 0
    for seed in range(40):
        rng = Random(seed)
        rules = ruleset("amigo+secret-bids+schedule:4")
        game = Game(rules, 4, deals=deals_for(rules, 4, rng))
        for _ in range(10):
            game.play(rng.choice(game.legal_moves))
        other = indistinguishable_game(game, 0, rng)
        seen += any(game.view(i).as_data() != other.view(i).as_data() for i in (1, 2, 3))
    assert seen > 30


@given(games())
def test_a_masked_position_shows_nothing_hidden(game: Game) -> None:
    for seat in seats(game):
        masked = game.position.masked(seat)
        for other in range(game.players):
            shown = game.position.hand(other) if other == seat else []
            assert masked.hand(other) == shown
        stock = masked._fields()[2]
        shown = masked.turned
        assert stock == shown + [0] * (len(stock) - len(shown))
        hidden = game.rules.bidding == "secret" or (game.rules.bidding == "hidden" and game.bidding)
        if hidden and not game.over:
            assert all(bid is None for i, bid in enumerate(masked.bids) if i != seat)
        else:
            assert masked.bids == game.position.bids


@given(games())
def test_masking_again_changes_nothing(game: Game) -> None:
    for seat in seats(game):
        once = game.position.masked(seat)
        assert once.masked(seat)._fields() == once._fields()
        assert once.masked(None)._fields() == game.position.masked(None)._fields()


@given(games())
def test_the_seat_to_act_has_its_legal_moves_in_its_view(game: Game) -> None:
    for seat in seats(game):
        view = game.view(seat)
        mine = seat is not None and seat == game.to_act
        assert view.my_turn == mine
        assert view.legal_moves == (game.legal_moves if mine else ())
        if mine:
            assert view.position.legal_moves == game.position.legal_moves
            for move in MOVES:
                assert view.why_not(move) == game.why_not(move)


@given(games())
def test_the_public_part_is_the_same_in_every_view(game: Game) -> None:
    public = game.view(None).as_data()
    own = {"seat", "hand", "legal", "rounds"}
    for seat in range(game.players):
        data = game.view(seat).as_data()
        assert {k: v for k, v in data.items() if k not in own} == {
            k: v for k, v in public.items() if k not in own
        }
        for mine, shown in zip(data["rounds"], public["rounds"], strict=True):
            bids = [bid for i, bid in enumerate(mine["bids"]) if i != seat]
            assert bids == [bid for i, bid in enumerate(shown["bids"]) if i != seat]
            assert {k: v for k, v in mine.items() if k != "bids"} == {
                k: v for k, v in shown.items() if k != "bids"
            }


@given(games())
def test_voids_are_true(game: Game) -> None:
    for seat in range(game.players):
        view = game.view(seat)
        for other, colours in enumerate(view.voids):
            held = {card.colour for card in game.hand(other)}
            assert held.isdisjoint(colours)


@given(games())
def test_voids_are_what_the_public_plays_show(game: Game) -> None:
    """Without anytime actions, who did not follow a colour led holds none of it."""
    expected: list[set[Colour]] = [set() for _ in range(game.players)]
    for trick in game.rounds[-1].tricks:
        led = None
        for i, move in enumerate(trick.moves):
            coloured = move.rank is not None
            if led is not None and (coloured and move.colour != led):
                expected[(trick.leader + i) % game.players].add(led)
            if led is not None and not coloured and not game.rules.anytime_actions:
                expected[(trick.leader + i) % game.players].add(led)
            if led is None and (coloured or str(move)[0] == "W"):
                led = move.colour
    assert game.view(None).voids == [sorted(colours) for colours in expected]
    for seat, colours in enumerate(expected):
        assert [game.position.is_void(seat, colour.number) for colour in Colour] == [
            colour in colours for colour in Colour
        ]


@pytest.mark.parametrize("seat", [-1, 3, 8, 1000])
def test_there_is_no_view_for_a_seat_that_does_not_exist(seat: int) -> None:
    game = Game("poof", 3, seed=b"seats")
    with pytest.raises(NotAllowed):
        game.view(seat)
