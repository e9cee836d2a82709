"""What steady chooses in random games of random rule sets; runs compiled and uncompiled alike."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random

from generators import deals_for, rules_from
from rage.arena.data.matches import play_games
from rage.bots.steady import best_move_of
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.rules.ruleset import EDITIONS, RuleSet


def decisions(rng: Random, *, rounds: int = 2, most: int = 8) -> Iterator[tuple[Position, int]]:
    """Every decision of a game of any rule set, with what steady chooses."""
    rules, players = rules_from(rng.choice, rounds=rounds, most=most)
    yield from play(rules, players, rng)


def play(rules: RuleSet, players: int, rng: Random) -> Iterator[tuple[Position, int]]:
    """Every decision of a game, with what steady chooses; each seat is played by steady or at
    random, so that it meets sensible tables and wild ones."""
    wild = [rng.random() < 0.4 for _ in range(players)]
    position = Position(Rules(rules, players))
    for deal in deals_for(rules, players, rng):
        position.deal(*deal.numbers())
        while position.phase in (Phase.BIDDING, Phase.PLAYING):
            seat = position.to_act
            assert seat is not None
            move = best_move_of(position)
            yield position, move
            position.play(rng.choice(position.legal_moves) if wild[seat] else move)


def check_all(games: int, seed: int) -> int:
    """Steady's choice is legal, and the same from what its seat may know; answers with the
    number of decisions."""
    rng = Random(seed)
    count = 0
    for _ in range(games):
        for position, move in decisions(rng, most=15):
            assert move in position.legal_moves
            assert best_move_of(position.masked(position.to_act)) == move
            count += 1
    return count


def digest(games: int, seed: int) -> str:
    """One number for all the choices in some games: equal compiled and uncompiled."""
    rng = Random(seed)
    total = sha256()
    for _ in range(games):
        for _, move in decisions(rng):
            total.update(bytes([move]))
    for edition in ("poof", "amigo"):
        played = play_games(EDITIONS[edition], 3, 0b101, 2, seed)
        total.update(repr(played).encode())
    return total.hexdigest()
