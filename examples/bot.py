"""A bot: bids what its high cards are worth, and plays high while it needs tricks.

From the folder of this file: rage arena python:bot:Sober random
"""

import rage


class Sober:
    """Made with a seed for every seat and game; asked for a move with a view each time."""

    name = "sober"

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def choose(self, view: rage.View, budget: rage.Budget | None = None) -> rage.Move:
        moves = view.legal_moves
        if view.bidding:
            bid = sum(self.wins(card, view.trump) for card in view.hand)
            return min(moves, key=lambda move: abs((move.tricks or 0) - bid))
        assert view.seat is not None  # only a spectator has none
        wanted = (view.bids[view.seat] or 0) - view.won[view.seat]
        pick = max if wanted > 0 else min
        return pick(moves, key=lambda move: self.strength(move, view.trump))

    def wins(self, card: rage.Card, trump: rage.Colour | None) -> bool:
        """Whether a card will probably win a trick."""
        if card.rank is None:
            return card is rage.Card.WILD
        return card.rank >= (8 if card.colour is trump else 14)

    def strength(self, move: rage.Move, trump: rage.Colour | None) -> int:
        if move.rank is None:
            return 100 if move.card is rage.Card.WILD else 0
        return move.rank + (40 if move.colour is trump else 0)


if __name__ == "__main__":
    game = rage.Game("poof", ["Sober", "Ada", "Ben", "Cleo"], seed="an evening")
    players: list[rage.Bot] = [Sober(), *(rage.bot("random", seed) for seed in range(3))]
    while (seat := game.to_act) is not None:
        game.play(players[seat].choose(game.view(seat)))
    for name, points in zip(game.names, game.scores, strict=True):
        print(f"{name:6} {points:3}")
