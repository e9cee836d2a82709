"""``PYTHONPATH=tests python -m lab.positions``: find positions for ``tests/bots/positions``.

Rounds are played by steady and, one move in six, at random. Where a detector of `mistakes.py` finds
moves that look like its mistake, all moves are tried in some worlds; where the mistaken ones lose,
they are compared with the best one in 4,000 fresh worlds, played out by steady and again by the
network. A position is kept only if every mistaken move loses at least 2 points under both with a
certainty of 95 %. What medium and the other levels play there is not looked at; with ``--steady``
only those positions are kept in which steady makes the mistake.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

from bots.positions.mistakes import MISTAKES, seat_to_act
from bots.positions.reading import LEAST, LIST
from generators import deals_for
from rage.arena.intervals import Estimate, estimate
from rage.bots.net import network
from rage.bots.rollouts import Policy, Rollouts
from rage.bots.steady import best_move_of
from rage.engine.deal import Deal
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.rules.cards import MOVE_CODES
from rage.rules.editions import ruleset
from rage.rules.hands import Cards

#: The worlds of a verification: batches whose means are compared, and worlds in each.
BATCHES, BATCH = 40, 100
#: How many decisions are searched for one that looks like a mistake.
DECISIONS: Final = 20_000
#: The worlds that show whether a verification is worthwhile.
FIRST_LOOK: Final = 200


def values_of(position: Position, seed: int, policy: Policy, worlds: int) -> dict[int, float]:
    """The mean points of every legal move over worlds, the same for all of them."""
    search = Rollouts(position, seed, policy)
    search.run(worlds)
    return dict(search.values)


def losses(
    position: Position, best: int, wrong: list[int], policy: Policy, rng: Random
) -> dict[int, Estimate]:
    """What each wrong move loses against the best one, over batches of the same worlds."""
    differences: dict[int, list[float]] = {move: [] for move in wrong}
    for number in range(BATCHES):
        search = Rollouts(position, rng.getrandbits(32), policy)
        search.keep([best, *wrong])
        search.run(BATCH)
        found = dict(search.values)
        for move in wrong:
            differences[move].append(found[best] - found[move])
        if number == 4 and any(sum(each) < 5 * LEAST for each in differences.values()):
            break  # not a mistake
    return {move: estimate(each) for move, each in differences.items()}


def proven(found: dict[int, Estimate]) -> bool:
    """Whether every wrong move certainly loses enough."""
    return all(
        each.deals == BATCHES and each.half_95 is not None and each.mean - each.half_95 >= LEAST
        for each in found.values()
    )


def verify(position: Position, wrong: list[int], rng: Random) -> dict[str, Any] | None:
    """The best move and the losses of the wrong ones, if they are certain."""
    first = values_of(position, rng.getrandbits(32), "steady", FIRST_LOOK)
    best = max(first, key=lambda move: first[move])
    if best in wrong or any(first[best] - first[move] < LEAST for move in wrong):
        return None
    lost: dict[str, dict[str, list[float]]] = {}
    policies: dict[str, Policy] = {"steady": "steady", "network": network("general")}
    for name, policy in policies.items():
        found = losses(position, best, wrong, policy, rng)
        if not proven(found):
            return None
        lost[name] = {
            MOVE_CODES[move]: [round(each.mean, 2), round(each.half_95 or 0, 2)]
            for move, each in found.items()
        }
    return {"best": MOVE_CODES[best], "lost": lost}


def rounds(name: str, players: int, rng: Random) -> Iterator[tuple[Deal, list[int], Position]]:
    """Every decision of endless rounds: the deal, the moves before it, and the position."""
    while True:
        size = rng.randint(3, 9)
        rules = ruleset(name).replace(schedule=(size,))
        (deal,) = deals_for(rules, players, rng)
        position = Position(Rules(rules, players))
        position.deal(*deal.numbers())
        moves: list[int] = []
        while position.phase in (Phase.BIDDING, Phase.PLAYING):
            yield deal, moves, position
            legal = position.legal_moves
            move = rng.choice(legal) if rng.random() < 1 / 6 else best_move_of(position)
            moves.append(move)
            position.play(move)


def find(mistake: str, rng: Random, tries: int, steady: bool) -> Iterator[dict[str, Any]]:
    """Positions of different rounds with a mistake, and, if asked, steady making it."""
    detect, tables, _ = MISTAKES[mistake]
    sources = [(name, players, rounds(name, players, rng)) for name, players in tables]
    seen: set[tuple[Cards, ...]] = set()
    for number in range(tries):
        name, players, source = sources[number % len(sources)]
        for deal, moves, position in islice(source, DECISIONS):
            if len(position.legal_moves) < 2 or deal.hands in seen:
                continue
            seat = seat_to_act(position)
            wrong = detect(seat)
            if not wrong or len(wrong) == len(seat.legal):
                continue
            if steady and best_move_of(position) not in wrong:
                continue
            seen.add(deal.hands)
            found = verify(position, wrong, rng)
            if found is not None:
                yield {
                    "mistake": mistake,
                    "rules": f"{name}+schedule:{position.hand_size}",
                    "players": players,
                    "dealer": deal.dealer,
                    "hands": [str(hand) for hand in deal.hands],
                    "stock": str(deal.stock),
                    "moves": " ".join(MOVE_CODES[move] for move in moves),
                    "seat": seat.seat,
                    **found,
                    "worlds": BATCHES * BATCH,
                }
            break


def main() -> None:
    """Add missing positions to the list."""
    parser = argparse.ArgumentParser(prog="python -m lab.positions", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=400, help="positions to try a mistake")
    parser.add_argument("--only", choices=list(MISTAKES))
    parser.add_argument("--steady", action="store_true", help="only those that steady makes")
    parser.add_argument("--more", type=int, help="add this many of each (default: up to five)")
    arguments = parser.parse_args()
    kept = [json.loads(line) for line in LIST.read_text().splitlines()] if LIST.exists() else []
    for mistake in [arguments.only] if arguments.only else MISTAKES:
        there = sum(each["mistake"] == mistake for each in kept)
        wanted = MISTAKES[mistake].wanted if arguments.more is None else there + arguments.more
        rng = Random(f"{mistake} {arguments.seed}")
        for found in find(mistake, rng, arguments.tries, arguments.steady):
            if there >= wanted:
                break
            if any(each["hands"] == found["hands"] for each in kept):
                continue
            there += 1
            with LIST.open("a") as file:
                file.write(json.dumps(found) + "\n")
        print(f"{mistake}: {there}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
