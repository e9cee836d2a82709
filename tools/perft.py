"""Rewrites the perft files: ``PYTHONPATH=tests python -m tools.perft``.

Deals come from fixed seeds, with the action cards nearer to the top of some packs; hands are as
large as possible for a count of about ``MOST`` leaves.
"""

from __future__ import annotations

from itertools import product
from random import Random

from generators import shuffled
from perft.cases import HERE, Case
from rage import name_of, ruleset
from rage.rules.cards import MOVE_CODES
from rage.rules.editions import VARIANTS
from rage.rules.hands import cards_of
from rage.rules.ruleset import CHOICES, PRINTED

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
        case = Case(name_of(chosen), rng.randrange(players), hands, stock)
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
        bids.append(rng.choice(position.legal()))
        position.play(bids[-1])
    return " ".join(MOVE_CODES[bid] for bid in bids)


def estimate(case: Case, rng: Random) -> float:
    """Estimate the number of leaves (Knuth 1975: the mean product of the choices met)."""
    total = 0
    for _ in range(300):
        position = case.position()
        product = 1
        while moves := position.legal():
            product *= len(moves)
            position.play(rng.choice(moves))
        total += product
    return total / 300


def write(name: str, about: str, cases: list[Case]) -> None:
    """Write one file of cases."""
    text = f"# {about}\n# The format is described in cases.py.\n\n"
    text += "\n".join(case.text() for case in cases)
    (HERE / f"{name}.perft").write_text(text, encoding="ascii")


def main() -> None:
    """Write all files."""
    numbers = [
        (edition, players)
        for edition in PRINTED
        for players in range(ruleset(edition).players[0], ruleset(edition).players[1] + 1)
    ]
    write("editions", "Every edition with every number of players.", [
        case_for(edition, players, 2 * players + i, bids=bids)
        for edition, players in numbers for i, bids in enumerate((True, False))
    ])  # fmt: skip
    write("variants", "Every variant in every edition.", [
        case_for(f"{edition}+{variant}", players, 100 + i, bids=i == 0)
        for variant, edition in product(VARIANTS, PRINTED)
        for players in ({"two-teams": (4, 6), "three-teams": (6,)}.get(variant, (3, 4)))
        for i in range(2)
    ])  # fmt: skip
    settings = ("change", "out", "second_wild", "anytime_actions")
    choices = [*(CHOICES[setting] for setting in settings[:3]), ("false", "true")]
    write("settings", "Change, Out, second Wild and anytime actions in every combination.", [
        case_for("poof+pack:wild4" + "".join(f"+{s}:{v}" for s, v in zip(settings, values,
                 strict=True)), 3, 200 + i, bids=False)
        for values in product(*choices) for i in range(2)
    ])  # fmt: skip


if __name__ == "__main__":
    main()
