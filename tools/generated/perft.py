"""``python -m tools.generated.perft NAME`` prints ``tests/perft/NAME.perft``, with ``tests`` in
``PYTHONPATH``.

Deals come from fixed seeds, with the action cards nearer to the top of some packs; hands are as
large as possible for a count of about ``MOST`` leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from random import Random

from generators import shuffled
from perft.cases import Case
from rage import ruleset
from rage.rules.cards import MOVE_CODES
from rage.rules.hands import cards_of
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import CHOICES, PRINTED

MOST = 60_000
STOCK = 24


def case_for(rules: str, players: int, seed: int, *, bids: bool) -> Case:
    """A case with hands as large as possible; ``bids``: count the bids too."""
    best = None
    for size in range(1, 5):
        rng = Random(seed)
        chosen = ruleset(rules).replace(schedule=(size,))
        deck = shuffled(chosen, rng)
        hands = tuple(str(cards_of(deck[i * size : (i + 1) * size])) for i in range(players))
        stock = str(cards_of(deck[players * size :][:STOCK]))
        case = Case(chosen.name, rng.randrange(players), hands, stock)
        if not bids:
            case = case._replace(played=some_bids(case, rng))
        if best is None or estimate(case, rng) < MOST:
            best = case
    assert best is not None
    count, digest = best.position().perft()
    return best._replace(leaves=count, digest=digest)


def some_bids(case: Case, rng: Random) -> str:
    """Random bids, one for each player."""
    position = case.position()
    bids = []
    while position.phase == 1:
        bids.append(rng.choice(position.legal_moves))
        position.play(bids[-1])
    return " ".join(MOVE_CODES[bid] for bid in bids)


def estimate(case: Case, rng: Random) -> float:
    """Estimate the number of leaves (Knuth 1975: the mean product of the choices met)."""
    total = 0
    for _ in range(300):
        position = case.position()
        product = 1
        while moves := position.legal_moves:
            product *= len(moves)
            position.play(rng.choice(moves))
        total += product
    return total / 300


def editions() -> Iterator[Case]:
    """Every edition with every number of players."""
    for edition in PRINTED:
        fewest, most = ruleset(edition).player_range
        for players in range(fewest, most + 1):
            for i, bids in enumerate((True, False)):
                yield case_for(edition, players, 2 * players + i, bids=bids)


def variants() -> Iterator[Case]:
    """Every variant in every edition."""
    for variant, edition in product(VARIANTS, PRINTED):
        for players in {"two-teams": (4, 6), "three-teams": (6,)}.get(variant, (3, 4)):
            for i in range(2):
                yield case_for(f"{edition}+{variant}", players, 100 + i, bids=i == 0)


def settings() -> Iterator[Case]:
    """Change, Out, second Wild and anytime actions in every combination."""
    names = ("change", "out", "second_wild", "anytime_actions")
    choices = [*(CHOICES[name] for name in names[:3]), ("false", "true")]
    for values in product(*choices):
        chosen = "".join(f"+{name}:{value}" for name, value in zip(names, values, strict=True))
        for i in range(2):
            yield case_for(f"poof+pack:wild4{chosen}", 3, 200 + i, bids=False)


FILES = {"editions": editions, "variants": variants, "settings": settings}

if __name__ == "__main__":
    cases = FILES[sys.argv[1]]
    print(f"# {cases.__doc__}\n# The format is described in cases.py.\n")
    print("\n".join(case.text() for case in cases()), end="")
