"""``rage simulate``: plays games between bots, and writes tables of decisions, rounds and games."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from rage.arena.cluster import run_on_cluster
from rage.arena.data.folder import Folder, open_folder
from rage.arena.data.parquet import check_pyarrow, make_part
from rage.arena.data.simulation import MOST_GAMES, Simulation
from rage.arena.workers import run_all
from rage.bots import BOTS
from rage.bots.cores import cores
from rage.cli.arguments import bot_names, check_counts, named_bots, rule_sets
from rage.cli.parser import FILES, Parser
from rage.cli.terminal import note_bots, with_progress_bar
from rage.files import system_reason
from rage.rules.editions import ruleset
from rage.say import NotAllowed, text

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_SLOW_BOTS", "RAY_ADDRESS")
#: The bots that the help describes.
DESCRIBED_BOTS: Final = tuple(BOTS)


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage simulate``."""
    each = text("cli.arena.usual.processes", parser.language)
    none = text("cli.none", parser.language)
    parser.option(
        "--rules", code="cli.rules_name", metavar="NAME", default="poof", usual="poof",
        values=rule_sets,
    )  # fmt: skip
    usual_players = text("cli.usual.players", parser.language)
    parser.option("--players", code="cli.players", type=int, metavar="N", usual=usual_players)
    parser.option(
        "--bots", code="cli.simulate.bots", metavar="BOTS", default="steady", usual="steady",
        values=bot_names,
    )  # fmt: skip
    parser.option(
        "--games", code="cli.simulate.games", type=int, metavar="N", default=1000, usual=1000
    )
    parser.option("--seed", code="cli.arena.seed", metavar="TEXT", default="1", usual=1)
    parser.option("--out", code="cli.simulate.out", metavar="FOLDER", required=True, values=FILES)
    parser.option("--wide", code="cli.simulate.wide", action="store_true")
    parser.option("--processes", code="cli.arena.processes", type=int, metavar="N", usual=each)
    parser.option("--cluster", code="cli.arena.cluster", metavar="ADDRESS", usual=none)


def run(arguments: argparse.Namespace) -> int:
    """Play the missing games, and write their tables."""
    players = arguments.players
    if players is None:
        players = ruleset(arguments.rules).usual_players
    bots = tuple(named_bots(arguments.bots))
    simulation = Simulation.of(arguments.rules, players, bots, arguments.seed)
    check_counts(arguments, "games", "processes")
    if arguments.games > MOST_GAMES:
        raise NotAllowed("data.too_many", most=MOST_GAMES, given=arguments.games)
    if arguments.cluster is not None and arguments.processes is not None:
        raise NotAllowed("arena.cluster_processes")
    check_pyarrow()
    note_bots(bots, simulation.rules, arguments.language)
    try:
        with open_folder(
            Path(arguments.out), simulation, arguments.wide, arguments.games
        ) as folder:
            _play(simulation, folder, arguments)
    except OSError as error:  # a full disk, or no permission
        raise NotAllowed("system.file", file=arguments.out, why=system_reason(error)) from None
    told = {"games": arguments.games, "folder": arguments.out, "digest": folder.digest}
    print(text("cli.simulate.done", arguments.language, **told))
    return 0


def _play(simulation: Simulation, folder: Folder, arguments: argparse.Namespace) -> None:
    """Play the missing parts with a progress bar."""
    missing = folder.missing
    if not missing:
        return
    jobs = (
        partial(make_part, simulation, number, folder.games_in(number), arguments.wide)
        for number in missing
    )
    if arguments.cluster is not None:
        made = run_on_cluster(jobs, simulation.bots, arguments.cluster)
    else:
        made = run_all(jobs, min(arguments.processes or cores(), len(missing)))
    words = text("cli.simulate.playing", arguments.language)
    shown = with_progress_bar(made, words, folder.parts, folder.parts - len(missing))
    try:
        with closing(made), closing(shown):  # the processes and the bar, whatever happens
            for part in shown:
                folder.save(part)
    except KeyboardInterrupt:
        stopped = text("cli.simulate.stopped", arguments.language, folder=arguments.out)
        print(f"rage: {stopped}", file=sys.stderr)
        raise
