"""``rage analyse``: what each decision of a game cost, and how much was luck of the deal; or what
each move in one position is worth."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from typing import Any, Final

from rage.analysis import WORLDS, Analysis, Work
from rage.bots import Budget
from rage.bots.advice import advise
from rage.bots.advice_text import advice_lines
from rage.bots.cores import cores
from rage.cli.arguments import check_counts, read_game_file, view_to_act
from rage.cli.parser import FILES, Parser
from rage.cli.reports import report
from rage.cli.terminal import with_progress_bar
from rage.game.game import Game
from rage.notation import NotARecord, Record, holders_of, replay
from rage.say import NotReadable, text

VARIABLES: Final = ("RAGE_DATA",)


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage analyse``."""
    parser.option("file", code="cli.file", nargs="?", metavar="FILE", values=FILES)
    parser.option("--position", code="cli.analyse.position", metavar="TEXT")
    parser.option(
        "--worlds",
        code="cli.analyse.worlds",
        type=int,
        metavar="N",
        default=WORLDS,
        usual=WORLDS,
    )
    parser.option("--seed", code="cli.analyse.seed", type=int, metavar="N", default=1, usual=1)
    parser.option("--json", code="cli.analyse.json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Analyse a game, or the decision in a position, and print the report. Returns 0, or fails like
    ``rage replay``."""
    check_counts(arguments, "worlds")
    if arguments.position is not None:
        arguments.parser.check_alone(arguments, "--position", "--worlds", "--seed", "--json")
        return _advise(arguments)
    if arguments.file is None:
        raise NotReadable("cli.analyse.nothing")
    record = read_game_file(arguments.file)
    if not record.rounds:
        raise NotARecord("notation.no_rounds")
    found = _analysed(replay(record), arguments)
    if arguments.json:
        print(json.dumps({**found.as_data(), "players": _players(found, record)}))
    else:
        print("\n".join(report(found, record, arguments.language)))
    return 0


def _advise(arguments: argparse.Namespace) -> int:
    """Print what each move in a position is worth. Returns 0."""
    view = view_to_act(arguments.position)
    found = advise(view, budget=Budget(arguments.worlds), seed=arguments.seed)
    if arguments.json:
        print(json.dumps({"to_act": view.seat, **found.as_data()}))
    else:
        print("\n".join(advice_lines(found, arguments.language, view.rules.edition)))
    return 0


def _players(found: Analysis, record: Record) -> list[dict[str, Any]]:
    """The players, with everyone who held their seats."""
    return [
        {**player, "holders": [{"name": name, "first": first} for name, first in held]}
        for player, held in zip(found.as_data()["players"], holders_of(record), strict=True)
    ]


def _analysed(game: Game, arguments: argparse.Namespace) -> Analysis:
    """Analyse a game, with a progress bar."""
    work = Work(game, arguments.worlds, arguments.seed)
    running = work.run(cores())
    words = text("cli.analyse.working", arguments.language)
    shown = with_progress_bar(running, words, len(work))
    with closing(running), closing(shown):  # the threads and the bar, whatever happens
        for _ in shown:
            pass
    return work.result()
