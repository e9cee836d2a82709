"""Measurements of the page: freshly built, sent by the real server, shown by a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from lab.benchmarks.builds import ROOT, Builds
from lab.benchmarks.page.alone import Thoughts, Visits, memory_at_tables, thoughts, visits
from lab.benchmarks.page.browser import MY_TURN, begin, chromium, phone, play_card, profile
from lab.benchmarks.page.frames import Motion, motions
from lab.benchmarks.page.host import far_host
from lab.benchmarks.page.lighthouse import Scores, run_lighthouse
from lab.benchmarks.page.proxy import counting_proxy
from lab.benchmarks.progress import Failure, say
from lab.benchmarks.server.processes import serving
from rage.say import LANGUAGES

#: How many of the largest parts are reported.
_MAX_PARTS: Final = 12


class MoveTimes(NamedTuple):
    """Milliseconds from a click until the card was painted in the trick, and until it came to
    rest."""

    painted: list[float]
    landed: list[float]


class Pages:
    """All measurements of the page; each is made when its figure is first needed."""

    def __init__(self, builds: Builds, folder: Path, *, quick: bool) -> None:
        self._builds = builds
        self._folder = folder
        self._runs = 1 if quick else 5
        self._moves = 8 if quick else 30
        self._visits = 1 if quick else 3

    @cached_property
    def _environment(self) -> dict[str, str]:
        """An environment in which ``import rage`` finds a build with a fresh page in it."""
        environment = self._builds.environment("portable")
        say("building the page")
        target = Path(environment["PYTHONPATH"].split(os.pathsep)[0]) / "rage/server/page"
        command = [sys.executable, str(ROOT / "web/build.py"), "run", "vite", "build"]
        command += ["--logLevel", "warn", "--outDir", str(target), "--emptyOutDir"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"the page could not be built:\n{done.stdout}{done.stderr}")
        return environment

    @cached_property
    def weights(self) -> dict[str, int]:
        """By language: the bytes received from opening the page with an empty cache until the
        player's first card is in the trick. Raises :class:`Failure`."""
        found = {}
        for language in LANGUAGES:
            say(f"opening the page, and playing a card: {language}")
            with (
                serving("rage", self._folder, self._environment) as server,
                counting_proxy(urlsplit(server.address).port or 0) as proxy,
                chromium() as browser,
            ):
                page = phone(browser, language)
                begin(page, f"http://127.0.0.1:{proxy.port}/")
                play_card(page)
                found[language] = sum(proxy.received.values())
                _report_parts(proxy.received, proxy.sent)
        return found

    @cached_property
    def moves(self) -> MoveTimes:
        """The times of the moves in a game against bots. Raises :class:`Failure`."""
        with serving("rage", self._folder, self._environment) as server, chromium() as browser:
            page = phone(browser)
            begin(page, server.address)
            for number in range(self._moves):
                if number % 10 == 0:
                    say(f"card {number + 1} of {self._moves}")
                play_card(page)
            found = page.evaluate("rageMoves")
        times = MoveTimes(*(sorted(each[name] for each in found) for name in MoveTimes._fields))
        say(f"  it was at rest after {median(times.landed):.0f} ms; {_load()}")
        return times

    @cached_property
    def motions(self) -> dict[str, list[Motion]]:
        """The motions at a table, by kind. Raises :class:`Failure`."""
        say("a trump's sweep, a trick's end and a deal")
        with chromium() as browser:
            found = motions(browser, self._folder / "moving", self._environment, self._runs)
        for name, each in found.items():
            frames, empty, task = (median(column) for column in zip(*each, strict=True))
            say(f"  {name}: {frames:.0f} a second, empty {empty:.0f}, longest task {task:.0f} ms")
        say(f"  {_load()}")
        return found

    @cached_property
    def home(self) -> list[Scores]:
        """Lighthouse's scores of the first page, in each run. Raises :class:`Failure`."""
        return self._run_lighthouse("the first page", playing=False)

    @cached_property
    def table(self) -> list[Scores]:
        """Lighthouse's scores of a table in the middle of a trick, on the player's turn. Raises
        :class:`Failure`."""
        return self._run_lighthouse("a table", playing=True)

    @cached_property
    def _alone(self) -> Path:
        """The folder that plays without a server, built freshly. Raises :class:`Failure`."""
        say("building the folder")
        for module in ("tools.alone", "tools.alone.sizes"):
            command = [sys.executable, "-m", module]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Failure(f"the folder could not be built:\n{done.stdout}{done.stderr}")
        return ROOT / "build" / "alone"

    @cached_property
    def visits(self) -> list[Visits]:
        """Pairs of visits to that folder, sent with Brotli. Raises :class:`Failure`."""
        say("a first and a second visit to the folder")
        folders = [self._folder / f"alone-{run}" for run in range(self._visits)]
        return [visits(self._alone, each, "br") for each in folders]

    @cached_property
    def thoughts(self) -> Thoughts:
        """What bots and an analysis take in that folder. Raises :class:`Failure`."""
        say("moves of bots in the folder, and an analysis")
        return thoughts(self._alone, self._folder / "thoughts")

    @cached_property
    def memory_alone(self) -> list[tuple[int, int]]:
        """The bytes of the browser's renderers at a table of that folder, and at one of a server,
        in each run. Raises :class:`Failure`."""
        say("memory at a table")
        found = []
        with (
            far_host(self._alone, "br") as host,
            serving("rage", self._folder, self._environment) as server,
        ):
            for run in range(self._visits):
                addresses = (host.address, f"{server.address}/")
                ours, theirs = memory_at_tables(addresses, self._folder / f"memory-{run}")
                say(f"  {ours / 1e6:.0f} MB, and {theirs / 1e6:.0f} MB from a server")
                found.append((ours, theirs))
        return found

    def _run_lighthouse(self, what: str, *, playing: bool) -> list[Scores]:
        found = []
        with (
            serving("rage", self._folder, self._environment) as server,
            profile(self._folder / f"profile-{playing}") as (page, port),
        ):
            address = f"{server.address}/"
            if playing:
                begin(page, address)
                page.locator("[data-number]:not([aria-disabled])").first.click()
                page.locator(MY_TURN).first.wait_for()
                address = page.url
            page.goto("about:blank")
            for number in range(self._runs):
                found.append(run_lighthouse(address, port, self._folder))
                _report(f"{what}, {number + 1} of {self._runs}", found[-1])
        return found


def _report_parts(received: dict[str, int], sent: dict[str, int]) -> None:
    """Report the largest parts first; what the browser sends is nearly all headers."""
    for path in sorted(received, key=lambda each: -received[each])[:_MAX_PARTS]:
        say(f"  {received[path]:7,} B  {path}")
    rest = sorted(received.values(), reverse=True)[_MAX_PARTS:]
    say(f"  {sum(rest):7,} B  the other {len(rest)}")
    say(f"  {sum(sent.values()):7,} B  sent by the browser in {len(sent)} requests and sockets")


def _report(what: str, found: Scores) -> None:
    say(
        f"{what}: {found.performance:.0f} and {found.accessibility:.0f}; {found.made_of}; {_load()}"
    )
    if found.missed:
        say(f"  not accessible: {', '.join(found.missed)}")


def _load() -> str:
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
