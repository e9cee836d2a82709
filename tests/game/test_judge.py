"""A trick of real cards is judged as the kernel judges it in a game."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import assume, given, settings

from generators import games
from rage import Game, NotAllowed, NotReadable, ruleset, sentence
from rage.game.history import Round
from rage.game.judge import Situation, edition_differences, read_played, situation, verdict, why_not
from rage.rules.values import Colour, Move


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


@settings(max_examples=40)
@given(games(rounds=1, most=5))
def test_the_winner_is_that_of_the_game(game: Game) -> None:
    for index, trick in enumerate(game.rounds[-1].tricks):
        if trick.winner is not None:
            found = verdict(lying(game, index))
            assert found.winner == (trick.winner - trick.leader) % game.players


@settings(max_examples=40)
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
    legal = {str(move) for move in game.legal_moves()}
    for card in {*hand}:
        code = str(card)
        allowed = any(move == code or (code in "WC" and move[0] == code) for move in legal)
        assert (why_not(found, hand, code) is None) == allowed


def test_where_the_editions_differ() -> None:
    found = situation(ruleset("amigo"), read_trick(["WB", "R3", "WB"]), Colour.PURPLE)
    (other,) = edition_differences(found)
    assert (verdict(found).winner, other.editions, other.verdict.winner) == (
        2, ("poof", "fundex"), 0,
    )  # fmt: skip
    trick = read_trick(["WB", "R3", "WR"])
    assert not list(edition_differences(situation(ruleset("amigo"), trick, Colour.PURPLE)))


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


def test_a_trick_is_judged_as_it_lies() -> None:
    found = situation(ruleset("amigo"), read_trick(["R7", "X"]), Colour.RED, players=5)
    told = verdict(found)
    assert told.winner == 0
    assert "player two cancelled trump" in sentence(told.why, names=["player one", "player two"])


@pytest.mark.parametrize(
    ("trick", "players", "says"),
    [
        ("", None, "no card in the trick"),
        ("R7 R7", None, "more R7 than the pack holds"),
        ("WB WR WG", None, "more Wild than the pack holds"),
        ("R1 R2 R3", 2, "3 cards are too many"),
        ("R1", 1, "2 to 8 players, not 1"),
        ("X X X X X", None, "more Out than the pack holds"),
    ],
)
def test_what_cannot_be_judged(trick: str, players: int | None, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        verdict(situation(ruleset("poof"), read_trick(trick.split()), Colour.RED, players))


@pytest.mark.parametrize("code", ["R16", "3", "W", "C", "Q", ""])
def test_what_is_no_card_is_said(code: str) -> None:
    with pytest.raises(NotReadable):
        read_played(code)
