"""``rage arena``: lets bots play each other, to measure how strong they are."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from rage.arena import (
    Ledger,
    Match,
    Watch,
    evaluate,
    open_ledger,
    plan,
    play_all,
    play_on_cluster,
    seatings,
)
from rage.arena.plots import check_can_plot, plot
from rage.bots import BOTS
from rage.bots.cores import cores
from rage.cli.arguments import bot_names, check_counts, named_bots, rule_sets
from rage.cli.parser import FILES, Parser
from rage.cli.reports import tables
from rage.cli.terminal import note_bots, with_progress_bar
from rage.rules.editions import ruleset
from rage.say import NotAllowed, text

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_SLOW_BOTS", "RAY_ADDRESS")
#: The bots that the help describes.
DESCRIBED_BOTS: Final = tuple(BOTS)


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage arena``."""
    each = text("cli.arena.usual.processes", parser.language)
    none = text("cli.none", parser.language)
    parser.option("bots", code="cli.arena.bots", metavar="BOT", nargs="+", values=bot_names)
    parser.option(
        "--rules",
        code="cli.rules_name",
        metavar="NAME",
        default="poof",
        usual="poof",
        values=rule_sets,
    )
    usual_players = text("cli.usual.players", parser.language)
    parser.option("--players", code="cli.players", type=int, metavar="N", usual=usual_players)
    parser.option("--deals", code="cli.arena.deals", type=int, metavar="N", default=100, usual=100)
    parser.option(
        "--until-clear", code="cli.arena.until_clear", type=float, metavar="POINTS", usual=none
    )
    parser.option("--seed", code="cli.arena.seed", metavar="TEXT", default="1", usual=1)
    parser.option("--out", code="cli.arena.out", metavar="FILE", usual=none, values=FILES)
    parser.option("--processes", code="cli.arena.processes", type=int, metavar="N", usual=each)
    parser.option("--cluster", code="cli.arena.cluster", metavar="ADDRESS", usual=none)
    parser.option("--plot", code="cli.arena.plot", metavar="FILE", usual=none, values=FILES)
    parser.option("--json", code="cli.arena.json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Play the missing games and print the results."""
    language = arguments.language
    players = arguments.players
    if players is None:
        players = ruleset(arguments.rules).usual_players
    # Comma-separated names are accepted too, unless a name is a command, which may contain commas.
    bots = [
        each for word in arguments.bots for each in ([word] if ":" in word else named_bots(word))
    ]
    match = Match.of(tuple(bots), arguments.rules, players, arguments.seed)
    check_counts(arguments, "deals", "processes")
    if arguments.cluster is not None and arguments.processes is not None:
        raise NotAllowed("arena.cluster_processes")
    if arguments.plot is not None:
        check_can_plot(arguments.plot)
    watch = None
    if arguments.until_clear is not None:
        watch = Watch(match, arguments.until_clear, arguments.deals)
    note_bots(bots, match.rules, language)
    path = None if arguments.out is None else Path(arguments.out)
    with open_ledger(match, path) as ledger:
        try:
            _play(match, ledger, watch, arguments)
        except KeyboardInterrupt:
            if path is not None:
                print(f"rage: {text('arena.stopped', language, file=path)}", file=sys.stderr)
            raise
    deals = arguments.deals if watch is None else watch.clear_after or arguments.deals
    found = evaluate(match, ledger.games, deals)
    assert found is not None  # all games have been played
    if arguments.json:
        print(json.dumps(found.as_data()))
    else:
        print("\n".join(tables(found, language, arguments.until_clear)))
    if arguments.plot is not None:  # last, because it may fail after the results are out
        plot(found, arguments.plot, language)
    return 0


def _play(match: Match, ledger: Ledger, watch: Watch | None, arguments: argparse.Namespace) -> None:
    """Play the missing games with a progress bar, and stop early once the result is clear."""
    if watch is not None:
        for each in ledger.games:
            watch.add(each)
        if watch.clear_after is not None:
            return
    done = ledger.done
    games = arguments.deals * len(seatings(len(match.bots), match.sides))
    left = games - sum(each.number < arguments.deals for each in done)
    if not left:
        return
    # Lazily, because all of them together might not fit in memory.
    missing = (each for each in plan(match, arguments.deals) if each not in done)
    if arguments.cluster is not None:
        played = play_on_cluster(match, missing, arguments.cluster)
    else:
        played = play_all(match, missing, min(arguments.processes or cores(), left))
    words = text("cli.arena.playing", arguments.language)
    shown = with_progress_bar(played, words, games, games - left)
    with closing(played), closing(shown):  # the processes and the bar, whatever happens
        for each in shown:
            ledger.add(each)
            if watch is not None:
                watch.add(each)
                if watch.clear_after is not None:
                    return
