"""What the screen shows of a moment."""

from __future__ import annotations

from rage.game.scene import Scene
from scenes import table


def test_a_second_out_does_not_take_the_blame_for_the_first() -> None:
    game = table("amigo", "X R1", "X R2", "R3 G1", stock="B0 Y0", play="X X")
    change = Scene(game.view(0)).trump_change
    leader = game.rounds[-1].tricks[0].leader
    assert (change.cause, change.seat, change.trump) == ("out", leader, None)
