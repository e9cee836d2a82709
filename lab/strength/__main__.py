"""``python -m lab.strength``: play the missing matches of the list, and write ``docs/strength.md``.

Run it in the folder of the repository. Each match continues where it stopped, on the machine where
it was played: its games are in ``runs``, which is not in the repository. Its result so far is in
``results``, a file each. ``--minutes`` limits what is played now: a match that is not over
continues with the next command.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch
from time import monotonic
from typing import Final

from lab.benchmarks.builds import ROOT
from lab.benchmarks.progress import Failure, say
from lab.options import above, integer
from lab.strength.budgets import measured, works
from lab.strength.listing import Listed, arena_name, budgets, listed
from lab.strength.outcome import Outcome, read_outcomes
from lab.strength.page import page
from lab.strength.plots import draw
from lab.strength.rlcard.train import minutes_trained
from lab.strength.running import run
from rage.bots import BOTS
from rage.bots.cores import cores
from rage.bots.custom import any_bot
from rage.say import RageError

_PAGE: Final = ROOT / "docs" / "strength.md"
_DRAWING: Final = ROOT / "docs" / "strength.svg"


def main() -> int:
    """Do what the command line asks for. Returns 2 if that is impossible."""
    try:
        return _do(_arguments())
    except Failure as failure:
        print(f"strength: {failure}", file=sys.stderr)
        return 2


def _do(arguments: argparse.Namespace) -> int:
    chosen = [each for each in listed() if _is_chosen(each, arguments.only)]
    if not chosen:
        print(f"strength: no match is called {', '.join(arguments.only)}", file=sys.stderr)
        return 2
    if arguments.list:
        for each in chosen:
            asked = "" if each.at_least is None else f" >= {each.at_least:g}"
            print(f"{each.name}{asked}, {each.setup.deals} sets")
        return 0
    if arguments.budgets:
        return _measure_budgets(chosen[0].seed)
    if not arguments.page:
        until = monotonic() + 60 * arguments.minutes
        for each in chosen:
            if monotonic() < until:
                _play(each, until, arguments.processes)
    _write_page()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.strength", description=__doc__)
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="this match, or those of a pattern such as 'hard-*' (may be repeated)",
    )
    parser.add_argument(
        "--minutes", type=above(0), default=60, help="stop after this many minutes (default 60)"
    )
    parser.add_argument("--processes", type=integer(1, 1024), default=cores(), help="games at once")
    parser.add_argument("--list", action="store_true", help="say which matches there are")
    parser.add_argument("--page", action="store_true", help="play nothing, only make the page")
    parser.add_argument(
        "--budgets", action="store_true", help="measure the budgets of the list, and print them"
    )
    return parser.parse_args()


def _is_chosen(match: Listed, only: list[str] | None) -> bool:
    return only is None or any(fnmatch(match.name, pattern) for pattern in only)


def _play(match: Listed, until: float, processes: int) -> None:
    """Play a match, or say why it cannot be played here."""
    why = _lacks(match)
    if why:
        say(f"{match.name}: skipped: {why}")
        return
    if _is_over(match, read_outcomes([match.name]).get(match.name)):
        return
    try:
        found = run(match, until, processes, _tell)
    except RageError as error:
        say(f"{match.name}: {error}")
        return
    if found is not None:
        _tell(found)


def _is_over(match: Listed, done: Outcome | None) -> bool:
    """Whether nothing is left to play: the match has ended with the bots and the figure that are
    listed now, and no more deals are."""
    if done is None or not done.over or done.digest != match.digest:
        return False
    more = {"all deals": done.deals < match.setup.deals, "hours": done.hours < match.hours}
    return done.at_least == match.at_least and not more.get(done.ended, False)


def _lacks(match: Listed) -> str:
    """Why a bot of the match is not available here; empty if all are."""
    for bot in match.bots:
        if bot in budgets():
            why = works(budgets()[bot])
        elif bot not in BOTS:
            why = _failure(arena_name(bot)) or _untrained(bot, match.minutes)
        else:
            why = ""
        if why:
            return f"{bot}: {why}"
    return ""


def _untrained(bot: str, minutes: float) -> str:
    """How long a bot has been trained, if that is too short."""
    trained = minutes_trained() if bot == "rlcard" else minutes
    return "" if trained >= minutes else f"trained for {trained:.0f} of {minutes:.0f} minutes"


def _failure(name: str) -> str:
    try:
        any_bot(name, 1)
    except RageError as error:
        return str(error)
    return ""


def _tell(found: Outcome) -> None:
    """Store the result of a match so far, and print it. Without its games, as in a new clone, it
    starts again: the stored result stays until there is more."""
    before = read_outcomes([found.name]).get(found.name)
    if before is None or before.digest != found.digest or before.deals <= found.deals:
        found.write()
    shown = f"{found.difference:+.3g}"
    if found.interval is not None:
        low, high = found.interval
        shown += f" ({low:+.3g} to {high:+.3g})"
    shown += f" after {found.deals} sets"
    say(f"{found.name}: {shown}, {found.ended} {found.reached}")


def _measure_budgets(seed: str) -> int:
    for name, budget in budgets().items():
        why = works(budget)
        found = why or f"worlds = {measured(name, seed)} (listed: {budget.worlds})"
        print(f"{name}: {found}", flush=True)
    return 0


def _write_page() -> None:
    found = [*read_outcomes(each.name for each in listed()).values()]
    try:
        if any(len(each.bots) == 2 and each.interval for each in found):
            draw(found, _DRAWING)
    except ImportError as error:
        say(f"the drawing stays as it is: {error}")
    _PAGE.write_text(page(found, _DRAWING.exists()), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
