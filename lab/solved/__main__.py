"""Solve the small rule sets, and measure how far bots are from a solution.

    python -m lab.solved --bots random steady easy medium hard master
    python -m lab.solved --draw

What has been found is kept in `results.json`, after each bot, and is not computed again; delete
what is to be repeated. `--draw` writes the table and the curves of `docs/solved.md`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from rage.bots import BOTS
from rage.envs.small import (
    SMALL,
    Solver,
    Tree,
    bots_choice,
    exploitability,
    explore,
    plan,
    small_rules,
    strategy,
    value,
)
from rage.files import write_file

RESULTS: Final = Path(__file__).with_name("results.json")
DOCS: Final = Path(__file__).parents[2] / "docs"
#: The steps after which a solution is measured.
MEASURED: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
#: When a solution is exact enough, in points, and the solver stops.
ENOUGH: Final = 1e-4
#: How often a bot that chooses at random is asked; others look ahead, and are asked four times.
ASKED: Final = {"easy": 32, "medium": 32, "steady": 1}


def solved(tree: Tree) -> dict[str, Any]:
    """The value of a game to the player who bids first, and how near the solver came after how
    many steps."""
    solver, curve = Solver(tree), []
    for steps in MEASURED:
        while solver.steps < steps:
            solver.step()
        curve.append([steps, float(f"{exploitability(tree, *solver.plans):.3g}")])
        if curve[-1][1] < ENOUGH:
            break
    return {
        "decisions": tree.decisions,
        "value": round(value(tree, *solver.plans), 4),
        "curve": curve,
        "bots": {},
    }


def measured(tree: Tree, name: str) -> float:
    """What a perfect opponent of a bot gains in a round."""
    choose = bots_choice(name, ASKED.get(name, 4))
    first, second = (plan(side, strategy(side, choose)) for side in tree.sides)
    return round(exploitability(tree, first, second), 3)


def draw(found: dict[str, Any]) -> None:
    """Write the table into `docs/solved.md` and the curves into `docs/solved.svg`."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "rage"  # the same results give the same file
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for name, each in found.items():
        axes.loglog(*zip(*each["curve"], strict=True), marker=".", label=name)
    axes.set_xlabel("steps of CFR+")
    axes.set_ylabel("exploitability, points a round")
    axes.legend()
    figure.savefig(DOCS / "solved.svg", metadata={"Date": None})
    plt.close(figure)
    page = DOCS / "solved.md"
    before, _, rest = page.read_text(encoding="utf-8").partition("<!-- table -->\n")
    _, _, after = rest.partition("<!-- end -->\n")
    page.write_text(
        f"{before}<!-- table -->\n{table(found)}<!-- end -->\n{after}", encoding="utf-8"
    )


def table(found: dict[str, Any]) -> str:
    """The results as a table in Markdown."""
    bots = list(dict.fromkeys(name for each in found.values() for name in each["bots"]))
    heads = ["rule set", "decisions", "value", "left", *(f"`{name}`" for name in bots)]
    lines = [heads, ["---"] * len(heads)]
    for name, each in found.items():
        shown = [f"{each['bots'][bot]:.2f}" if bot in each["bots"] else "" for bot in bots]
        left = f"{each['curve'][-1][1]:.1g}"
        lines.append([f"`{name}`", f"{each['decisions']:,}", f"{each['value']:.3f}", left, *shown])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m lab.solved", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=[*SMALL], default=[*SMALL], help="rule sets")
    parser.add_argument("--bots", nargs="+", choices=[*BOTS], default=[])
    parser.add_argument("--draw", action="store_true", help="only write the page")
    wanted = parser.parse_args()
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}

    def keep() -> None:
        lines = [
            f"{json.dumps(name)}: {json.dumps(found[name])}" for name in SMALL if name in found
        ]
        write_file(RESULTS, ("{\n" + ",\n".join(lines) + "\n}\n").encode(), 0o644)

    if wanted.draw:
        draw(found)
        return
    for name in wanted.only:
        missing = [each for each in wanted.bots if each not in found.get(name, {}).get("bots", ())]
        if name in found and not missing:
            continue
        tree = explore(small_rules(name))
        if name not in found:
            found[name] = solved(tree)
            keep()
            print(f"{name}: {found[name]}", flush=True)
        for each in missing:
            found[name]["bots"][each] = measured(tree, each)
            keep()
            print(f"{name}: {each} {found[name]['bots'][each]}", flush=True)


if __name__ == "__main__":
    main()
