"""What a view tells its seat: who has bid, and what follows by the rules."""

from __future__ import annotations

import pytest

from scenes import run, table


@pytest.mark.parametrize("bidding", ["open", "hidden", "secret"])
def test_who_has_bid_is_known_even_if_the_bids_are_not(bidding: str) -> None:
    game = table(f"poof+bidding:{bidding}", "W W", "R1 R2", "G1 G2", bids="")
    first = game.to_act
    assert first is not None
    for made in range(4):
        bid = [(first + i) % 3 for i in range(made)]
        assert game.view(None).has_bid == [seat in bid for seat in range(3)]
        if made < 3:
            game.play("0")


def test_a_view_as_data_says_what_follows_by_the_rules() -> None:
    """The order of play, the sides, why a trick was won, and who has met a bid."""
    game = table("poof+two-teams", "R1", "G5", "G2", "R9", stock="B0", dealer=1, bids="1 0 0 1")
    data = game.view(None).as_data()
    assert data["sides"] == [[0, 2], [1, 3]]
    assert data["rounds"][0]["order"] == [2, 3, 0, 1]
    assert data["rounds"][0]["met"] is None
    run(game, "G2 R9 R1 G5")
    (done,) = [each for each in game.view(0).as_data()["rounds"] if each["number"] == 1]
    assert done["tricks"][0]["ruling"] == {"code": "trick.led", "n": 2}
    assert done["won"] == [0, 1, 0, 0]
    assert done["met"] == [1]
