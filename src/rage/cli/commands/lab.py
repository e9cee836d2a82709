"""``rage lab``: measures what a rule changes, by simulating games with and without it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from rage.arena.data.plots import plot
from rage.arena.data.variants import (
    SHARES,
    Measured,
    Played,
    Study,
    as_data,
    evaluate,
    jobs,
    pieces,
)
from rage.arena.plots import check_can_plot
from rage.arena.workers import run_all
from rage.bots import BOTS
from rage.bots.cores import cores
from rage.cli.arguments import bot_names, check_counts, named_bots, rule_sets
from rage.cli.parser import FILES, Parser
from rage.cli.reports import align_columns
from rage.cli.terminal import note_bots, with_progress_bar
from rage.rules.editions import ruleset
from rage.say import decimal, percent, text, with_colon

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_SLOW_BOTS",)
#: The bots that the help describes.
DESCRIBED_BOTS: Final = tuple(BOTS)
#: The measures that are shares, and the decimals of all others.
_PERCENT: Final = ("met", *SHARES)
_DECIMALS: Final = {"moves": 0, "changes": 2}


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage lab``."""
    each = text("cli.arena.usual.processes", parser.language)
    none = text("cli.none", parser.language)
    parser.option(
        "--rules", code="cli.rules_name", metavar="NAME", default="poof", usual="poof",
        values=rule_sets,
    )  # fmt: skip
    parser.option(
        "--against", code="cli.lab.against", metavar="NAME", required=True, values=rule_sets
    )
    usual_players = text("cli.usual.players", parser.language)
    parser.option("--players", code="cli.players", type=int, metavar="N", usual=usual_players)
    usual_bots = "steady,random"
    parser.option(
        "--bots", code="cli.lab.bots", metavar="BOTS", default=usual_bots, usual=usual_bots,
        values=bot_names,
    )  # fmt: skip
    parser.option("--deals", code="cli.lab.deals", type=int, metavar="N", default=1000, usual=1000)
    parser.option("--seed", code="cli.arena.seed", metavar="TEXT", default="1", usual=1)
    parser.option("--processes", code="cli.arena.processes", type=int, metavar="N", usual=each)
    parser.option("--plot", code="cli.lab.plot", metavar="FILE", usual=none, values=FILES)
    parser.option("--json", code="cli.arena.json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Play under both rule sets and print the differences."""
    language = arguments.language
    players = arguments.players
    if players is None:
        players = ruleset(arguments.rules).usual_players
    bots = tuple(named_bots(arguments.bots))
    study = Study.of(arguments.rules, arguments.against, players, bots, arguments.seed)
    check_counts(arguments, "deals", "processes")
    if arguments.plot is not None:
        check_can_plot(arguments.plot)
    for rules in study.rules:
        note_bots(bots, rules, language)
    found = evaluate(_play(study, arguments))
    if arguments.json:
        print(json.dumps(as_data(study, arguments.deals, found)))
    else:
        print("\n".join(_table(study, arguments.deals, found, language)))
    if arguments.plot is not None:  # last, because it may fail after the results are out
        named = [_named(each, language) for each in found]
        titles = [f"{with_colon(name, language)} {apart}" for name, apart in named]
        plot(study, found, titles, _head(study, arguments.deals, language), arguments.plot)
    return 0


def _play(study: Study, arguments: argparse.Namespace) -> list[list[Played]]:
    """Play the sets of deals under each rule set, with a progress bar; returned in order."""
    total = pieces(study, arguments.deals)
    played = run_all(jobs(study, arguments.deals), min(arguments.processes or cores(), total))
    shown = with_progress_bar(played, text("cli.simulate.playing", arguments.language), total)
    with closing(played), closing(shown):  # the processes and the bar, whatever happens
        some = sorted(shown, key=lambda each: each[:2])
    return [[each for at, _, sets in some if at == which for each in sets] for which in (0, 1)]


def _head(study: Study, deals: int, language: str) -> str:
    rules, against = study.rules
    first, second = study.bots
    told = {"rules": rules, "against": against, "first": first, "second": second}
    return text(
        "cli.lab.head", language, **told, players=study.players, deals=deals, seed=study.seed
    )


def _table(study: Study, deals: int, found: Sequence[Measured], language: str) -> Iterator[str]:
    """Yield the lines: each measure under both rule sets, with the difference and its interval."""
    yield _head(study, deals, language)
    yield text("cli.lab.same_deals" if study.same_deals else "cli.lab.other_deals", language)
    yield ""
    heads = text("cli.lab.head.measure", language), *study.rules
    rows = [[*heads, text("cli.lab.head.difference", language), ""]]
    for each in found:
        one, other = (_number(value.mean, each.name, "", language) for value in each.values)
        name, apart = _named(each, language)
        rows.append([name, one, other, *apart.partition(" *")[:2]])
    yield from (line.rstrip() for line in align_columns(rows))
    if any(each.clear for each in found):
        yield ""
        yield text("cli.lab.clear", language)


def _named(each: Measured, language: str) -> tuple[str, str]:
    """The name of a measure, and the difference with half the width of its 95 % interval, starred
    if clear."""
    apart = each.difference
    told = _number(apart.mean, each.name, "+", language)
    if apart.half_95 is not None:
        told += f" ± {_number(apart.half_95, each.name, '', language)}"
    return text(f"lab.measure.{each.name}", language), f"{told} *" if each.clear else told


def _number(value: float, name: str, sign: str, language: str) -> str:
    if name in _PERCENT:
        return percent(value, f"{sign}.1f", language)
    return decimal(value, f"{sign}.{_DECIMALS.get(name, 1)}f", language)
