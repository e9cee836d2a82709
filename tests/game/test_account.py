"""The account of a round: its parts add up to what the kernel scored, and say what the rules do."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given

from generators import games
from rage import Game
from rage.game.account import account_of, tell_account
from rage.say import LANGUAGES, sentence
from scenes import table


@given(games())
def test_the_parts_are_what_the_rules_give(game: Game) -> None:
    """Each part by itself, from docs/rules.md; their sum is what the kernel has scored."""
    rules = game.rules
    for current in game.rounds:
        if current.points is None:
            continue
        for side, points in enumerate(current.points):
            account = account_of(current, game.position.rules, side)
            seats = range(side, game.players, game.sides)
            won = [trick for trick in current.tricks if trick.winner in seats]
            cards = [str(move) for trick in won for move in trick.moves]
            assert account.won == len(won)
            assert account.for_bonus == 5 * cards.count("+")
            assert account.for_mad == -5 * cards.count("-")
            swept = rules.sweep and len(won) == current.hand_size > 1
            assert account.for_sweep == (len(won) if swept else 0)
            met = rules.exact if account.bid else rules.exact_zero
            assert account.for_bid == (met if account.met else rules.miss)
            assert account.met == (side in (current.met or ()))
            parts = cast("dict[str, int]", account.parts)
            assert account.won + sum(parts.values()) == account.points == points
            assert 0 not in parts.values()
            for language in LANGUAGES:
                said = sentence(tell_account(account), language, edition=rules.edition)
                assert said.endswith(".")
                assert "{" not in said


PLAYS = {
    # bids, and what was played; the sentence of the first player
    "poof": ("1 0", "R15 + R14 Y1", "Bid of 1 missed: 2 tricks + 5 for Bonus Rage = 7 points."),
    "amigo": ("2 0 0", "R15 - Y0 R14 Y1 Y2",
              "Bid met: 2 tricks − 5 for −5 + 10 for the bid = 7 points."),
    "amigo+sweep": ("0 0 0", "R15 Y3 Y0 R14 Y1 Y2",
                    ("Bid of 0 missed: 2 tricks + 2 for winning every trick − 5 for the bid "
                    "= −1 point.")),
}  # fmt: skip


@pytest.mark.parametrize("rules", PLAYS)
def test_an_account_reads_as_it_is_said(rules: str) -> None:
    bids, played, said = PLAYS[rules]
    cards = played.split()
    players = len(bids.split())
    hands = [" ".join(cards[seat::players]) for seat in range(players)]
    game = table(rules, *hands, stock="R0", bids=bids, play=played)
    account = account_of(game.rounds[0], game.position.rules, 0)
    assert sentence(tell_account(account), edition=game.rules.edition) == said
    assert account.points == game.scores[0]
