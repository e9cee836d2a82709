"""``python -m lab.benchmarks``: measure the figures and print one table.

The exit status is 0 if every figure is met, 1 if one is missed, and 2 if one cannot be measured; in
that case those measured before are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.builds import Builds
from lab.benchmarks.figures import FIGURES
from lab.benchmarks.page.runs import Pages
from lab.benchmarks.progress import Failure, say
from lab.benchmarks.server.runs import Servers
from lab.benchmarks.workers import Workers

HEAD = ("figure", "against", "ours", "theirs", "ratio", "spread", "wanted", "")


def main() -> int:
    """Measure what the command line asks for."""
    arguments = _arguments()
    runs, seconds = (3, 0.1) if arguments.quick else (9, 0.5)
    with TemporaryDirectory(prefix="rage-benchmarks-") as folder:
        builds = Builds(Path(folder))
        workers = Workers(builds)
        servers = Servers(builds, Path(folder), quick=arguments.quick)
        pages = Pages(builds, Path(folder), quick=arguments.quick)
        bench = Bench(builds, workers, servers, pages, Path(folder), seconds, runs)
        rows: dict[str, Row] = {}
        failed = False
        try:
            for name in arguments.only or FIGURES:
                say(name)
                rows[name] = FIGURES[name][1](bench)
        except Failure as failure:
            print(f"benchmarks: {failure}", file=sys.stderr)
            failed = True
        finally:
            workers.stop()
    _print(rows)
    versions = f"Python {platform.python_version()}"
    with contextlib.suppress(PackageNotFoundError):  # only some figures need it
        versions += f", OpenSpiel {version('open_spiel')}"
    print(
        f"\nMedians of {runs} interleaved runs; decisions a second on {os.cpu_count()} cores, "
        f"{platform.machine()}, {versions}. What each side includes: docs/benchmarks.md"
    )
    return 2 if failed else 0 if all(row.met for row in rows.values()) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, for a first look")
    parser.add_argument(
        "--only", action="append", choices=list(FIGURES), help="this figure (may be repeated)"
    )
    return parser.parse_args()


def _print(rows: dict[str, Row]) -> None:
    table = [HEAD]
    for name, row in rows.items():
        table.append((name, FIGURES[name][0], *row[:-1], "met" if row.met else "MISSED"))
    widths = [max(len(line[column]) for line in table) for column in range(len(HEAD))]
    for line in table:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
