"""How often bids are met, by the size of the hand, in the records of a folder.

python bids_met.py [FOLDER]        (without a folder: in the sample game)
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import rage


def games(folder: Path) -> Iterator[rage.Game]:
    """The games of a folder. A file that holds no whole and legal record is named and skipped."""
    for path in sorted(folder.rglob("*.rage.json")):
        try:
            yield rage.read_game(path.read_bytes())
        except rage.RageError as error:
            print(f"{path.name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    found = games(Path(sys.argv[1])) if len(sys.argv) > 1 else [rage.replay(rage.example_record())]
    bids, met = Counter[int](), Counter[int]()
    for game in found:
        for played in game.rounds:
            if played.met is not None:
                bids[played.hand_size] += game.sides
                met[played.hand_size] += len(played.met)
    print("cards   bids   met")
    for cards in sorted(bids):
        print(f"{cards:5} {bids[cards]:6} {met[cards] / bids[cards]:5.0%}")
