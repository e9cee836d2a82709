"""A trick of real cards is judged as the kernel judges it in a game."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import assume, given

from generators import games
from rage import Game, NotAllowed, NotReadable, judge, ruleset
from rage.game.history import Round
from rage.game.judge import Situation, edition_differences, read_played, situation, verdict, why_not
from rage.rules.values import Card, Colour, Move


def read_trick(codes: Iterable[str]) -> list[Move]:
    return [read_played(code) for code in codes]


def trump_at(current: Round, trick: int, card: int) -> Colour | None:
    """The trump just before a card of a trick was played."""
    changes = [c.trump for c in current.trump_changes if (c.trick, c.card) < (trick, card)]
    return changes[-1]


def codes_of_trick(game: Game, index: int) -> list[str]:
    """The trick as people tell it: each Change with the colour that is trump after it."""
    current = game.rounds[-1]
    codes = []
    for card, move in enumerate(current.tricks[index].moves):
        code = str(move)
        if code.startswith("C"):
            trump = trump_at(current, index, card + 1)
            assume(trump is not None)
            assert trump is not None
            code = f"C{trump}"
        codes.append(code)
    return codes


def lying(game: Game, index: int) -> Situation:
    codes = codes_of_trick(game, index)
    trump = trump_at(game.rounds[-1], index, 0)
    return situation(game.rules, read_trick(codes), trump, game.players)


@given(games(rounds=1, most=5))
def test_the_winner_is_that_of_the_game(game: Game) -> None:
    for index, trick in enumerate(game.rounds[-1].tricks):
        if trick.winner is not None:
            found = verdict(lying(game, index))
            assert found.winner == (trick.winner - trick.leader) % game.players


@given(games(rounds=1, most=5))
def test_a_card_may_be_played_where_it_may_in_the_game(game: Game) -> None:
    seat = game.to_act
    assume(seat is not None and not game.bidding)
    assert seat is not None
    current = game.rounds[-1]
    hand = game.hand(seat)
    if current.tricks and len(current.tricks[-1].moves) < game.players:
        found = lying(game, len(current.tricks) - 1)
    else:
        found = situation(game.rules, [], game.trump, game.players)
    legal = {str(move) for move in game.legal_moves}
    for card in {*hand}:
        code = str(card)
        allowed = any(move == code or (code in "WC" and move[0] == code) for move in legal)
        assert (why_not(found, hand, code) is None) == allowed


def test_the_trump_that_a_change_finds_is_told() -> None:
    """The same in every edition; but where it is named, it is another one."""
    for rules in ("poof", "amigo"):
        assert (
            verdict(situation(ruleset(rules), read_trick(["R7", "CB", "B1"]), Colour.RED)).winner
            == 2
        )
    same = read_trick(["R7", "CR", "B3"])
    assert verdict(situation(ruleset("amigo"), same, Colour.RED)).winner == 0
    with pytest.raises(NotAllowed, match="is trump already"):
        verdict(situation(ruleset("poof"), same, Colour.RED))
    (other,) = edition_differences(situation(ruleset("amigo"), same, Colour.RED))
    assert (other.editions, other.verdict.winner) == (("poof", "fundex"), None)
    (other,) = edition_differences(situation(ruleset("poof"), same, Colour.RED))
    assert (other.editions, other.verdict.winner) == (("amigo",), 0)


@pytest.mark.parametrize("cards", ["R7 CB B1", [Move("R7"), "CB", Card("B1")]])
def test_one_call_settles_a_trick(cards: str | list[Move | Card | str]) -> None:
    found = judge("amigo", cards, trump="R")
    assert (found.winner, found.why.code) == (2, "trick.trump_changed")
    assert found == judge(ruleset("amigo"), cards, Colour.RED, players=4)
    for wrong in ("R7 C", "R7 3", "R7 W"):
        with pytest.raises(NotReadable):
            judge("amigo", wrong, trump=None)
    with pytest.raises(NotAllowed, match="2 players"):
        judge("poof", cards, trump="R", players=2)


@pytest.mark.parametrize(
    ("cards", "winner", "why"),
    [
        ("R1 R2 R3 R4 R5 R6 R7 R8 WR CB", 8, "trick.led"),
        ("R1 O2 O3 O4 O5 O6 O7 O8 O9 R2", 9, "trick.led_no_trump"),
        ("+ - CB X CG X CR X R1 O2", 8, "trick.led_out"),
        ("+ - CB X CG X CR X CP +", 0, "trick.only_actions"),
        ("Y1 O15 R2 R3 R4 R5 R6 R7 R8 CO", 1, "trick.trump_changed"),
    ],
)
def test_ten_may_play_with_real_cards(cards: str, winner: int, why: str) -> None:
    """But not here, where a table seats eight."""
    found = judge("poof", cards, trump=None)
    assert (found.winner, found.why.code) == (winner, why)
    nine = situation(ruleset("poof"), read_trick(cards.split()[:9]), None)
    assert situation(ruleset("amigo"), nine.moves, None, 10).players == 10
    with pytest.raises(NotAllowed, match="With real cards, poof is for 2 to 10 players, not 11"):
        judge("poof", f"{cards} G1", trump=None)
    with pytest.raises(NotAllowed, match="poof is for 2 to 8 players, not 9"):
        Game("poof", 9)
