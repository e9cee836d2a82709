"""Rage as a game of OpenSpiel: importing this registers ``python_rage``.

``pyspiel.load_game("python_rage(rules=amigo+sweep,players=4,hand=5)")`` loads it;
``docs/openspiel.md`` says what its parameters, tensors and structs are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.envs.batch import reward_bounds
from rage.envs.chance import History, Round, follow
from rage.envs.units import unit_rules
from rage.extras import install_command
from rage.features.encode import SIZE, colour_places, encode_into
from rage.game.view import View
from rage.rules.cards import (
    CARD_CODES,
    CARD_NUMBERS,
    MOVE_CODES,
    MOVE_NUMBERS,
    N_CARDS,
    N_COLOURS,
    N_MOVES,
)
from rage.rules.settings import MAX_PLAYERS

try:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"rage.envs.spiel needs OpenSpiel: {install_command('spiel')}") from None

#: The parameters of the game, with their defaults.
PARAMETERS: Final[Mapping[str, str | int]] = {
    "rules": "poof",  # the name of a rule set, with laboratory settings such as colours:2
    "players": 4,
    "unit": "round",  # or "game"
    "hand": 0,  # the cards of each player in a round; 0: as many as in the first of the rule set
    "dealer": -1,  # the seat that deals first; -1: drawn by chance
    "rewards": "leads",  # or "points"
}
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_NOBODY: Final = int(pyspiel.PlayerId.TERMINAL)
#: The most cards of the stock that can be turned over in a round.
_MAX_TURNED: Final = 32


def _game_type(rewards: str) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name="python_rage",
        long_name="Rage",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if rewards == "leads" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


class RageGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel is not typed
    """A rule set for a number of players: one round of it, or a game."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Raise :class:`rage.NotReadable` and :class:`rage.NotAllowed` for rules that cannot be
        played, and ``ValueError`` for other parameters."""
        given = {**PARAMETERS, **(parameters or {})}
        _check(given)
        hand = given["hand"] or None
        self.rules = unit_rules(given["rules"], given["players"], given["unit"], hand)
        self.dealer = None if given["dealer"] == -1 else given["dealer"]
        self.rewards: str = given["rewards"]
        players, schedule = self.rules.players, self.rules.ruleset.schedule
        stock = self.rules.ruleset.pack_size
        self.turned = [min(stock - players * hand, _MAX_TURNED) for hand in schedule]
        low, high = reward_bounds(self.rules, self.rewards == "points")
        info = pyspiel.GameInfo(
            num_distinct_actions=N_MOVES,
            max_chance_outcomes=N_CARDS,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.rewards == "leads" else None,
            max_game_length=sum(players * (hand + 1) for hand in schedule),
        )
        super().__init__(_game_type(self.rewards), info, parameters or {})

    def new_initial_state(self, struct: Any = None) -> RageState:
        """The state before the first card is dealt, or the one that ``struct`` describes: a struct,
        its JSON or its dictionary. Raises ``ValueError`` for anything else."""
        state = RageState(self)
        if struct is not None:
            try:
                given = struct.to_json() if hasattr(struct, "to_json") else struct
                data = json.loads(given) if isinstance(given, str) else given
                rounds = [_read_round(each) for each in data["rounds"]]
            except (AttributeError, KeyError, TypeError, json.JSONDecodeError):
                raise ValueError(f"no struct of a state: {struct!r}") from None
            state.follow(rounds)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """The most cards and dealers that chance can draw."""
        rules = self.rules.ruleset
        hands = sum(self.rules.players * hand for hand in rules.schedule)
        return hands + sum(self.turned) + (self.dealer is None)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer | None:
        """An observer of what a player may know; ``None`` for the private cards of all."""
        if params:
            raise ValueError(f"observations have no parameters: {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if wanted.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(self, wanted)


class RageState(pyspiel.State):  # type: ignore[misc]  # pyspiel is not typed
    """A state of the game, which follows from :attr:`past` alone."""

    def __init__(self, game: RageGame) -> None:
        super().__init__(game)
        self.past = History(game.rules, game.dealer)

    @property
    def position(self) -> Position:
        """The kernel's position, with all hands."""
        return self.past.position

    def follow(self, rounds: list[Round]) -> None:
        """Make the steps that lead from the beginning through these rounds."""
        for step in follow(rounds, self.past):
            self.apply_action(step)

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or for the end."""
        seat = self.past.to_act
        if seat is not None:
            return seat
        return _NOBODY if self.past.over else _CHANCE

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards (or dealers) that can be next, and their probabilities."""
        return self.past.outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_moves

    def _apply_action(self, action: int) -> None:
        self.past.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return MOVE_CODES[action]
        drawn = self.past.rounds[-1].dealer is None
        return f"dealer {action}" if drawn else CARD_CODES[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.past.over

    def returns(self) -> list[float]:
        """The reward of each player; 0 before the end."""
        if not self.past.over:
            return [0.0] * self.num_players()
        return self.past.returns(self.get_game().rewards)

    def __str__(self) -> str:
        return "; ".join(map(_round_text, self.past.rounds))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> RageState:
        """A state that this player cannot tell from this one: with other cards in the other hands,
        and other bids where they are hidden from it. All deals that fit what everyone has seen are
        (nearly) equally likely. Raises ``ValueError`` while a round is being dealt."""
        rounds = self.past.resampled(player, int(sampler() * 2**53))
        state: RageState = self.get_game().new_initial_state()
        state.follow(rounds)
        return state

    # Structs.

    def view(self, seat: int) -> View:
        """What a seat may know, as a view for bots."""
        return self.past.view(seat)

    def _to_struct(self) -> dict[str, Any]:
        seat = self.past.to_act
        return {
            "rounds": [_write_round(each) for each in self.past.rounds],
            "to_act": seat,
            "legal": []
            if seat is None
            else [MOVE_CODES[each] for each in self.position.legal_moves],
            "scores": self.position.scores,
            "over": self.past.over,
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return cast("dict[str, Any]", self.view(player).as_data())

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        if player >= 0:
            return {"move": MOVE_CODES[action]}
        if self.past.rounds[-1].dealer is None:
            return {"dealer": action}
        return {"card": CARD_CODES[action]}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        for kind, numbers in (("move", MOVE_NUMBERS), ("card", CARD_NUMBERS)):
            if struct.get(kind) in numbers:
                return [numbers[struct[kind]]]
        if isinstance(struct.get("dealer"), int):
            return [struct["dealer"]]
        raise ValueError(f"no move, card or dealer: {dict(struct)}")


class Observer:
    """What a player may know: as ``tensor``, with its parts by name in ``dict``, and as text. With
    perfect recall it is everything that the player has ever known, without it what matters now.
    Public or private information alone is only text."""

    def __init__(self, game: RageGame, wanted: Any) -> None:
        self._recall: bool = wanted.perfect_recall
        self._public: bool = wanted.public_info
        self._private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not (self._public and self._private):
            return
        players = game.rules.players
        shapes = {"player": (players,), "features": (SIZE,), "colours": (N_COLOURS, N_COLOURS)}
        self._moves = [players * (hand + 1) for hand in game.rules.ruleset.schedule]
        self._turned = game.turned
        self._row = np.zeros(SIZE, np.int16)
        if self._recall:
            shapes |= {"moves": (sum(self._moves),), "turned": (sum(self._turned),)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        for (name, shape), part in zip(shapes.items(), parts, strict=True):
            self.dict[name] = part.reshape(shape)

    def set_from(self, state: RageState, player: int) -> None:
        """Set the tensor to what a player knows in a state."""
        assert self.tensor is not None
        position = state.position
        self.tensor.fill(0)
        parts = self.dict
        parts["player"][player] = 1
        encode_into(position, player, self._row)
        parts["features"][:] = self._row
        for colour, place in enumerate(colour_places(position, player)):
            parts["colours"][colour, place] = 1
        if not self._recall:
            return
        at_move = at_card = 0
        for number, each in enumerate(state.past.rounds):
            moves = [move + 1 for move in state.past.known_moves(number, player)]
            parts["moves"][at_move : at_move + len(moves)] = moves
            cards = [card + 1 for card in each.stock]
            parts["turned"][at_card : at_card + len(cards)] = cards
            at_move += self._moves[number]
            at_card += self._turned[number]

    def string_from(self, state: RageState, player: int) -> str:
        """What a player knows in a state, as text."""
        words = []
        if self._private:
            words.append(_private_text(state.past, player, recall=self._recall))
        if self._public:
            known = player if self._private else None
            words.append(_public_text(state.past, known, recall=self._recall))
        return " ".join(words)


def _private_text(past: History, seat: int, *, recall: bool) -> str:
    """The cards that a seat holds or, with perfect recall, was dealt in each round."""
    rounds = past.rounds
    if recall:
        return f"{seat} " + "; ".join(_cards(each.hands[seat]) for each in rounds)
    dealing = past.position.phase == Phase.DEALING
    return f"{seat} {_cards(rounds[-1].hands[seat] if dealing else past.position.hand(seat))}"


def _public_text(past: History, seat: int | None, *, recall: bool) -> str:
    """What everyone has seen, and the bids that a seat knows: with perfect recall, all rounds in
    order; otherwise, this round."""
    numbers = range(0 if recall else len(past.rounds) - 1, len(past.rounds))
    told = []
    for number in numbers:
        each = past.rounds[number]
        moves = [MOVE_CODES[move] if move >= 0 else "?" for move in past.known_moves(number, seat)]
        told.append(f"{each.dealer} {_cards(each.stock)}: {' '.join(moves)}")
    return ("" if recall else f"{past.position.scores} ") + "; ".join(told)


# Texts, structs and parameters.


def _cards(numbers: list[int]) -> str:
    return " ".join(CARD_CODES[card] for card in numbers) or "-"


def _round_text(each: Round) -> str:
    hands = ", ".join(map(_cards, each.hands))
    moves = " ".join(MOVE_CODES[move] for move in each.moves)
    return f"{each.dealer} [{hands}] {_cards(each.stock)}: {moves}"


def _write_round(each: Round) -> dict[str, Any]:
    return {
        "dealer": each.dealer,
        "hands": [" ".join(CARD_CODES[card] for card in hand) for hand in each.hands],
        "stock": " ".join(CARD_CODES[card] for card in each.stock),
        "moves": " ".join(MOVE_CODES[move] for move in each.moves),
    }


def _read_round(given: Mapping[str, Any]) -> Round:
    hands = [[CARD_NUMBERS[code] for code in hand.split()] for hand in given["hands"]]
    stock = [CARD_NUMBERS[code] for code in given["stock"].split()]
    moves = [MOVE_NUMBERS[code] for code in given["moves"].split()]
    return Round(given["dealer"], hands, stock, moves, [])


def _check(given: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for parameters out of range."""
    if not 2 <= given["players"] <= MAX_PLAYERS:
        raise ValueError(f"players are 2 to {MAX_PLAYERS}, not {given['players']}")
    if given["rewards"] not in ("leads", "points"):
        raise ValueError(f"rewards are leads or points, not {given['rewards']}")
    if not -1 <= given["dealer"] < given["players"]:
        last = given["players"] - 1
        raise ValueError(f"dealer is a seat from 0 to {last}, or -1, not {given['dealer']}")


pyspiel.register_game(_game_type("leads"), RageGame)
