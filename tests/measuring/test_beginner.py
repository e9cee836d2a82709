"""The simulated beginner by whom the level easy is measured."""

from __future__ import annotations

import pytest

from lab.beginner import Beginner, share_won
from rage import Game
from rage.bots.steady import Steady


def test_a_beginner_slips_as_often_as_asked() -> None:
    game = Game("poof", 4, seed=b"slips")
    coach, slips = Steady(), Beginner(1, bids=1.0, cards=0.0)
    while len(game.rounds) < 2:
        view = game.view(game.to_act)
        said, made = coach.choose(view), slips.choose(view)
        if view.bidding:
            assert abs((made.tricks or 0) - (said.tricks or 0)) == 1
        else:
            assert made == said
        game.play(said)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rules", ["poof", "amigo"])
def test_a_beginner_wins_about_every_second_game_against_easy(rules: str) -> None:
    """300 games; a level as strong as the beginner's coach would let it win one in ten. Without the
    coach it wins one in three."""
    for bids, cards, least, most in ((0.3, 0.2, 0.41, 0.62), (0.6, 0.5, 0.22, 0.41)):
        shares = [share_won(rules, "easy", bids, cards, number) for number in range(300)]
        assert least < sum(shares) / len(shares) < most
