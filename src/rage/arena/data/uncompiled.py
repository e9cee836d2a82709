"""What replaces the C structs of this package if they are not compiled."""

from __future__ import annotations

from typing import Any

from rage.bots.uncompiled import Weights


class Log:
    """The columns, and where the next rows are written: the struct of `rows.pxd`."""

    def __init__(self) -> None:
        self.game: Any = 0
        self.round: Any = 0
        self.trick: Any = 0
        self.place: Any = 0
        self.seat: Any = 0
        self.hand_low: Any = 0
        self.hand_high: Any = 0
        self.legal_low: Any = 0
        self.legal_high: Any = 0
        self.trump: Any = 0
        self.led: Any = 0
        self.bid: Any = 0
        self.won: Any = 0
        self.move: Any = 0
        self.points: Any = 0
        self.round_game: Any = 0
        self.round_round: Any = 0
        self.round_seat: Any = 0
        self.round_hand: Any = 0
        self.round_dealer: Any = 0
        self.round_bid: Any = 0
        self.round_won: Any = 0
        self.round_bonus: Any = 0
        self.round_mad: Any = 0
        self.round_met: Any = 0
        self.round_points: Any = 0
        self.round_score: Any = 0
        self.game_game: Any = 0
        self.game_seat: Any = 0
        self.game_points: Any = 0
        self.game_met: Any = 0
        self.at = self.round_at = self.game_at = self.number = self.begun = 0
        self.scores = [0] * 8


class Match:
    """Who plays where and by which numbers, the rows, and bids counted: the struct of
    `matches.pxd`."""

    def __init__(self) -> None:
        self.steady_seats = self.rival_seats = 0
        self.weights = self.rival_weights = Weights()
        self.log: Log | None = None
        self.bids = [0] * 16
        self.met = [0] * 16
