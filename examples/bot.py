"""A bot: bids what its high cards are worth, and plays high while it needs tricks.

From the folder of this file: rage arena python:bot:Sober random
"""

import rage


class Sober:
    """Made with a seed for every seat and game; asked for a move with a view each time."""

    name = "sober"

    def __init__(self, seed=None):
        self.seed = seed

    def choose(self, view, budget=None):
        moves = view.legal_moves()
        if view.bidding:
            bid = sum(self.wins(card, view.trump) for card in view.hand)
            return min(moves, key=lambda move: abs(move.tricks - bid))
        wanted = view.bids[view.seat] - view.won[view.seat]
        pick = max if wanted > 0 else min
        return pick(moves, key=lambda move: self.strength(move, view.trump))

    def wins(self, card, trump):
        """Whether a card will probably win a trick."""
        if card.action:
            return card.action == "wild"
        return card.rank >= (8 if card.colour is trump else 14)

    def strength(self, move, trump):
        if move.card.action:
            return 100 if move.card.action == "wild" else 0
        return move.rank + (40 if move.colour is trump else 0)


if __name__ == "__main__":
    game = rage.Game("poof", ["Sober", "Ada", "Ben", "Cleo"], seed="an evening")
    players = [Sober(), *(rage.bot("random", seed) for seed in range(3))]
    while not game.over:
        game.play(players[game.to_act].choose(game.view(game.to_act)))
    for name, points in zip(game.names, game.scores, strict=True):
        print(f"{name:6} {points:3}")
