"""Random rule sets and deals of every kind, drawn by ``random`` or by Hypothesis alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from rage import Deal, Game, RuleSet
from rage.rules.cards import ACTIONS, CARD_CODES, N_COLOURED
from rage.rules.hands import cards_of
from rage.rules.ruleset import EDITIONS, pack
from rage.rules.settings import CHOICES, MAX_DEALT, MAX_HAND, PRINTED, TEAMS, Pack

T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]
CARDS = range(len(CARD_CODES))


def rules_from(pick: Pick, *, rounds: int = 3, most: int = MAX_HAND) -> tuple[RuleSet, int]:
    """A rule set and a number of players, any that the limits allow."""
    base = EDITIONS[pick(PRINTED)]
    players = pick(range(base.player_range[0], base.player_range[1] + 1))
    sizes = range(1, min(most, MAX_HAND, MAX_DEALT // players) + 1)
    bidding = pick(CHOICES["bidding"])
    chosen = base.replace(
        pack=Pack(*(pick(range(5)) for _ in ACTIONS)),
        schedule=tuple(pick(sizes) for _ in range(pick(range(1, rounds + 1)))),
        bidding=bidding,
        bid_total=pick(CHOICES["bid_total"]) if bidding == "open" else "any",
        anytime_actions=pick((False, True)),
        sweep=pick((False, True)),
        teams=pick([None, *(teams for teams, sizes in TEAMS.items() if players in sizes)]),
        exact=pick((10, 0, -100, 100, 7)),
        exact_zero=pick((5, 10, 0, -3)),
        miss=pick((0, -5, 1)),
        **{name: pick(CHOICES[name]) for name in ("change", "out", "second_wild", "tie")},
    )
    return chosen, players


def shuffled(rules: RuleSet, rng: Random) -> list[int]:
    """The pack in random order; every second time with the action cards nearer to the top, so
    that they meet."""
    lift = rng.choice((1.0, 0.3))
    return sorted(pack(rules), key=lambda card: rng.random() * (lift if card >= N_COLOURED else 1))


def deals_for(rules: RuleSet, players: int, rng: Random) -> list[Deal]:
    """Random deals for a whole game."""
    first = rng.randrange(players)
    deals = []
    for number, size in enumerate(rules.schedule):
        deck = shuffled(rules, rng)
        hands = [cards_of(deck[seat * size : (seat + 1) * size]) for seat in range(players)]
        stock = cards_of(deck[players * size :])
        deals.append(Deal((first + number) % players, hands, stock))
    return deals


@st.composite
def games(draw: st.DrawFn, *, rounds: int = 2, most: int = 8, started: bool = True) -> Game:
    """A game of any rule set, after some random moves (none unless ``started``)."""
    rules, players = rules_from(
        lambda options: draw(st.sampled_from(options)), rounds=rounds, most=most
    )
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    game = Game(rules, players, deals=deals_for(rules, players, rng))
    for _ in range(draw(st.integers(0, 2 * players * (most + 1))) if started else 0):
        if game.over:
            break
        game.play(rng.choice(game.legal_moves))
    return game
