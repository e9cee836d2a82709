"""A Rage so small that OpenSpiel can solve it: the kernel as one of OpenSpiel's games.

Two players, one round, and the points made zero-sum: a player's less the other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any, ClassVar

import pyspiel

from rage.engine.deal import Deal
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.rules.cards import MOVE_CODES, N_COLOURED, N_MOVES
from rage.rules.editions import ruleset
from rage.rules.ruleset import Pack, RuleSet, pack
from rage.rules.values import cards_of

#: The largest possible lead after a round of two cards.
MAX_LEAD = 50


def smallest(hand: int, *, change: int = 0, out: int = 0) -> RuleSet:
    """Two colours, two ranks, and a Wild."""
    return ruleset("poof").replace(
        colours=2, ranks=2, pack=Pack(1, change, out, 0, 0), schedule=(hand,)
    )


def deals(rules: RuleSet) -> Counter[Deal]:
    """All deals, and the probability of each. A hand has no order, and the stock is cut short after
    its first coloured card, because only what is turned over matters."""
    cards, hand = set(pack(rules)), rules.schedule[0]
    found: Counter[Deal] = Counter()
    for first in combinations(sorted(cards), hand):
        for second in combinations(sorted(cards - {*first}), hand):
            for stock in permutations(sorted(cards - {*first, *second})):
                turned = next(
                    (at for at, card in enumerate(stock) if card < N_COLOURED), len(stock)
                )
                hands = cards_of(first), cards_of(second)
                found[Deal(1, hands, cards_of(stock[: turned + 1]))] += 1
    return found


def spiel_game(rules: RuleSet) -> type[pyspiel.Game]:
    """Such a round as a class of OpenSpiel's games; the deal is one chance node at the root."""
    chances, kernel_rules = deals(rules), Rules(rules, 2)
    dealt, total = list(chances), chances.total()

    class State(pyspiel.State):  # type: ignore[misc]  # pyspiel is not typed
        def __init__(self, game: pyspiel.Game) -> None:
            super().__init__(game)
            self.position = Position(kernel_rules)
            self.hands: tuple[str, ...] = ()
            self.public: list[str] = []  # what everybody has seen

        def current_player(self) -> int:
            if not self.hands:
                return int(pyspiel.PlayerId.CHANCE)
            seat = self.position.to_act
            return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(number, chances[deal] / total) for number, deal in enumerate(dealt)]

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(self.position.legal())

        def _apply_action(self, action: int) -> None:
            if not self.hands:
                deal = dealt[action]
                self.position.deal(*deal.numbers())
                self.hands = tuple(map(str, deal.hands))
                self.public.append(f"turned up {deal.stock}:")
            else:
                self.position.play(action)
                self.public.append(MOVE_CODES[action])

        def _action_to_string(self, player: int, action: int) -> str:
            return f"deal {action}" if player < 0 else MOVE_CODES[action]

        def is_terminal(self) -> bool:
            return self.position.phase == Phase.OVER

        def returns(self) -> list[float]:
            if not self.is_terminal():
                return [0.0, 0.0]
            first, second = self.position.scores
            return [float(first - second), float(second - first)]

        def __str__(self) -> str:
            return f"{self.hands} {' '.join(self.public)}"

    class Observer:
        """What a player may know, as OpenSpiel asks for it."""

        tensor = None  # not read, and neither is this
        dict: ClassVar[Mapping[str, Any]] = {}

        def set_from(self, state: State, player: int) -> None:
            pass

        def string_from(self, state: State, player: int) -> str:
            return f"{player} {state.hands[player]} {' '.join(state.public)}"

    class SmallRage(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, parameters: Any = None) -> None:
            kind = pyspiel.GameType(
                short_name="python_small_rage",
                long_name="A round of Rage with a small pack",
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
                chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
                information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
                utility=pyspiel.GameType.Utility.ZERO_SUM,
                reward_model=pyspiel.GameType.RewardModel.TERMINAL,
                max_num_players=2,
                min_num_players=2,
                provides_information_state_string=True,
                provides_information_state_tensor=False,
                provides_observation_string=False,
                provides_observation_tensor=False,
                parameter_specification={},
            )
            info = pyspiel.GameInfo(
                num_distinct_actions=N_MOVES,
                max_chance_outcomes=len(dealt),
                num_players=2,
                min_utility=float(-MAX_LEAD),
                max_utility=float(MAX_LEAD),
                utility_sum=0.0,
                max_game_length=2 * (rules.schedule[0] + 1),
            )
            super().__init__(kind, info, parameters or {})

        def new_initial_state(self) -> State:
            return State(self)

        def make_py_observer(self, *_: Any) -> Observer:
            return Observer()

    return SmallRage
