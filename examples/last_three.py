"""Solves the last three cards of a round: what everybody should play with all hands open.

It plays on copies of a position, in the integers of the fast layer. Each side is taken to play for
its own points, less the mean of the others.

    python last_three.py [FILE [ROUND]]      (without a file: the sample game)
"""

import sys
from pathlib import Path

import rage
from rage.engine.position import Position


def lead(points: list[int], side: int) -> float:
    """How far a side is ahead of the mean of the others."""
    others = [each for at, each in enumerate(points) if at != side]
    return points[side] - sum(others) / len(others)


def solve(position: Position, sides: int, rounds: int) -> tuple[list[int], list[int]]:
    """The points that everybody ends the round with, and the best line of moves to there."""
    if position.to_act is None or position.round > rounds:
        return position.scores, []
    side = position.to_act % sides
    found: list[tuple[list[int], list[int]]] = []
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        points, line = solve(after, sides, rounds)
        found.append((points, [move, *line]))
    return max(found, key=lambda each: lead(each[0], side))


if __name__ == "__main__":
    record = (
        rage.read_record(Path(sys.argv[1]).read_bytes())
        if len(sys.argv) > 1
        else rage.example_record()
    )
    game = rage.replay(record)
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    played = game.rounds[number - record.first_round]
    if played.points is None:
        sys.exit(f"Round {number} is not over.")
    moment = game.at(number, played.hand_size - 2)
    before = moment.scores
    points, line = solve(moment.position, game.sides, moment.position.round)
    made = [str(move) for trick in played.tricks[-3:] for move in trick.moves]
    print("hands: ", *(f"{name} {moment.hand(seat)}," for seat, name in enumerate(game.names)))
    print("played:", *made, "->", *played.points)
    best = [str(rage.Move.of(move)) for move in line]
    print("best:  ", *best, "->", *(a - b for a, b in zip(points, before, strict=True)))
