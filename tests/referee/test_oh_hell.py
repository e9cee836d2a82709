"""OpenSpiel's ``oh_hell`` as referee: an implementation by others, of our nearest relative.

The kernel set up to play Oh Hell is dealt the same cards and makes the same random moves; at every
decision both must name the same seat and the same legal moves, and at the end the same points.
Every deck that OpenSpiel knows is played, with every number of players and every hand size that
both allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pyspiel
import pytest

from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.rules.cards import BID, N_RANKS
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet
from rage.rules.settings import MAX_HAND

OH_HELL = ruleset("oh_hell", laboratory=True)
PLAYERS = range(3, 8)
FULL = (4, 13)
GAMES_FULL = 200  # of each hand size with the full deck
GAMES = 10  # of each hand size with each smaller deck


class Setup(NamedTuple):
    """What is played: how many players, the deck and the hand size."""

    players: int
    suits: int
    ranks: int
    hand: int

    @property
    def rules(self) -> RuleSet:
        return OH_HELL.replace(schedule=(self.hand,), colours=self.suits, ranks=self.ranks)

    def game(self) -> pyspiel.Game:
        return pyspiel.load_game(
            "oh_hell",
            {
                "players": self.players,
                "num_suits": self.suits,
                "num_cards_per_suit": self.ranks,
                "num_tricks_fixed": self.hand,
            },
        )

    def our_card(self, theirs: int) -> int:
        """OpenSpiel numbers the cards rank by rank, we colour by colour."""
        return N_RANKS * (theirs % self.suits) + theirs // self.suits

    def our_move(self, theirs: int) -> int:
        """After its cards, OpenSpiel numbers the bids."""
        cards = self.suits * self.ranks
        return BID + theirs - cards if theirs >= cards else self.our_card(theirs)


def tables(players: int) -> Iterator[tuple[Setup, int]]:
    """Every deck and hand size for a number of players, and how many games to play of it."""
    for suits in range(1, 5):
        for ranks in range(2, 14):
            # OpenSpiel keeps one card back for the trump.
            most = min(MAX_HAND, (suits * ranks - 1) // players)
            for hand in range(1, most + 1):
                games = GAMES_FULL if (suits, ranks) == FULL else GAMES
                yield Setup(players, suits, ranks, hand), games


def deal(table: Setup, rules: RuleSet, state: pyspiel.State, random: Random) -> Position:
    """Deal the same cards to both. OpenSpiel deals them one by one, from player 0 on, no
    matter who deals; the last one is the trump, which is the top of our stock."""
    state.apply_action(table.hand)
    dealer = random.randrange(table.players)
    state.apply_action(dealer)
    pack = random.sample(range(table.suits * table.ranks), table.suits * table.ranks)
    dealt = table.players * table.hand
    for card in pack[: dealt + 1]:
        assert state.is_chance_node()
        state.apply_action(card)
    ours = [table.our_card(card) for card in pack]
    position = Position(Rules(rules, table.players))
    hands = [ours[seat : dealt : table.players] for seat in range(table.players)]
    position.deal(dealer, hands, ours[dealt:])
    return position


def difference(table: Setup, rules: RuleSet, seed: str) -> str | None:
    """Play one game with both, ours by ``rules``; what they disagree in, if they do."""
    random = Random(seed)
    state = table.game().new_initial_state()
    position = deal(table, rules, state, random)
    where = f"{table}, seed {seed!r}: "
    while not state.is_terminal():
        if position.to_act != state.current_player():
            return f"{where}turn\n{state}"
        moves = {table.our_move(action): action for action in state.legal_actions()}
        if position.legal_moves != sorted(moves):
            return f"{where}legal moves\n{state}"
        move = random.choice(sorted(moves))
        position.play(move)
        state.apply_action(moves[move])
    if position.to_act is not None:
        return f"{where}end\n{state}"
    if position.scores != state.returns():
        return f"{where}points\n{state}"
    return None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_referee_agrees(players: int) -> None:
    for table, games in tables(players):
        for number in range(games):
            found = difference(table, table.rules, f"{table}/{number}")
            assert found is None, found


def test_at_least_2000_games_are_refereed() -> None:
    played = [(table, games) for players in PLAYERS for table, games in tables(players)]
    assert sum(games for _, games in played) >= 2000
    full = [(table, games) for table, games in played if (table.suits, table.ranks) == FULL]
    assert sum(games for _, games in full) >= 2000
    assert max(table.hand for table, _ in full) == MAX_HAND


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"exact_zero": 5}, "points"),
        ({"exact": 9}, "points"),
        ({"miss": -1}, "points"),
        ({"sweep": True}, "points"),
        ({"bid_total": "any"}, "legal moves"),
    ],
    ids=str,
)
def test_the_referee_notices_another_rule(changes: dict[str, object], found: str) -> None:
    table = Setup(3, *FULL, 2)
    games = (difference(table, table.rules.replace(**changes), f"notices/{n}") for n in range(100))
    assert any(each is not None and f": {found}\n" in each for each in games)
