"""What is measured of the page: built afresh, sent by the real server, shown by a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from benchmarks.builds import ROOT, Builds
from benchmarks.page.browser import begin, chromium, phone, play_card, profile
from benchmarks.page.lighthouse import Judged, judged
from benchmarks.page.wire import wire
from benchmarks.server.processes import serving
from benchmarks.words import Failure, say

LANGUAGES: Final = ("en", "de", "es")
#: The biggest parts are told, so many of them.
_PARTS: Final = 12


class Moved(NamedTuple):
    """Milliseconds from a click until the card was painted in the trick, and until it lay there."""

    painted: list[float]
    landed: list[float]


class Pages:
    """Everything about the page, each measured when its figure is asked for."""

    def __init__(self, builds: Builds, folder: Path, *, quick: bool) -> None:
        self._builds = builds
        self._folder = folder
        self._runs = 1 if quick else 5
        self._moves = 8 if quick else 30

    @cached_property
    def _environment(self) -> dict[str, str]:
        """Where ``import rage`` finds a build with a fresh page in it."""
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
        """By language: the bytes received from opening the page with an empty cache until the first
        card of one's own is in the trick. Raises :class:`Failure`."""
        found = {}
        for language in LANGUAGES:
            say(f"opening the page, and playing a card: {language}")
            with (
                serving("rage", self._folder, self._environment) as server,
                wire(urlsplit(server.address).port or 0) as line,
                chromium() as browser,
            ):
                page = phone(browser, language)
                begin(page, f"http://127.0.0.1:{line.port}/")
                play_card(page)
                found[language] = sum(line.received.values())
                _tell_parts(line.received, line.sent)
        return found

    @cached_property
    def moves(self) -> Moved:
        """A game against bots by touch. Raises :class:`Failure`."""
        with serving("rage", self._folder, self._environment) as server, chromium() as browser:
            page = phone(browser)
            begin(page, server.address)
            for number in range(self._moves):
                if number % 10 == 0:
                    say(f"card {number + 1} of {self._moves}")
                play_card(page)
            found = page.evaluate("rageMoves")
        moved = Moved(*(sorted(each[name] for each in found) for name in Moved._fields))
        say(f"  it lay in its place after {median(moved.landed):.0f} ms; {_load()}")
        return moved

    @cached_property
    def home(self) -> list[Judged]:
        """The first page, judged so many times. Raises :class:`Failure`."""
        return self._judged("the first page", playing=False)

    @cached_property
    def table(self) -> list[Judged]:
        """A table in the middle of a trick, my turn. Raises :class:`Failure`."""
        return self._judged("a table", playing=True)

    def _judged(self, what: str, *, playing: bool) -> list[Judged]:
        found = []
        with (
            serving("rage", self._folder, self._environment) as server,
            profile(self._folder / f"profile-{playing}") as (page, port),
        ):
            address = f"{server.address}/"
            if playing:
                begin(page, address)
                page.locator("[data-bid]:not([aria-disabled])").first.click()
                page.locator(".status.mine").wait_for()
                address = page.url
            page.goto("about:blank")
            for number in range(self._runs):
                found.append(judged(address, port, self._folder))
                _tell(f"{what}, {number + 1} of {self._runs}", found[-1])
        return found


def _tell_parts(received: dict[str, int], sent: dict[str, int]) -> None:
    """The heaviest first; what was sent is all headers."""
    for path in sorted(received, key=lambda each: -received[each])[:_PARTS]:
        say(f"  {received[path]:7,} B  {path}")
    rest = sorted(received.values(), reverse=True)[_PARTS:]
    say(f"  {sum(rest):7,} B  the other {len(rest)}")
    say(f"  {sum(sent.values()):7,} B  sent by the browser in {len(sent)} requests and sockets")


def _tell(what: str, found: Judged) -> None:
    say(
        f"{what}: {found.performance:.0f} and {found.accessibility:.0f}; {found.made_of}; {_load()}"
    )
    if found.missed:
        say(f"  not accessible: {', '.join(found.missed)}")


def _load() -> str:
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
