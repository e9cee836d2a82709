"""Steps through a game, decision by decision, as somebody would who looks over all shoulders.

python step.py [FILE [ROUND]]      (without them: three cards of the sample game)
"""

import sys
from pathlib import Path

import rage


def show(step: rage.Step) -> None:
    """One decision: what the player held and saw, and what they did."""
    before = step.before
    name, hand = before.names[step.seat], before.hand(step.seat)
    if before.trick is None:
        print(f"{name:8} {hand!s:32} bids {step.move}")
        return
    lies = " ".join(map(str, before.trick.moves)) or "leads"
    choice = len(before.legal_moves)
    print(f"{name:8} {hand!s:32} {lies:12} plays {step.move}, one of {choice}")


if __name__ == "__main__":
    record = (
        rage.read_record(Path(sys.argv[1]).read_bytes())
        if len(sys.argv) > 1
        else rage.example_record()
    )
    game = rage.replay(record)
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else game.rounds[-3:][0].number
    for step in game.steps():
        if step.before.round is not None and step.before.round.number == wanted:
            show(step)
    played = game.rounds[wanted - record.first_round]
    for number, trick in enumerate(played.tricks, 1):
        if trick.winner is not None:
            print(f"Trick {number}: {trick.moves}, {game.names[trick.winner]} wins")
    if played.points is not None:
        print("Points:", dict(zip(game.names, played.points, strict=True)))
