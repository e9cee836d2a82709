"""Visits to the folder that plays without a server, by somebody with a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Final, NamedTuple

from playwright.sync_api import Page, sync_playwright

from lab.benchmarks.page.browser import PHONE, chromium_path, failing
from lab.benchmarks.page.host import far_host
from lab.benchmarks.page.renderers import memory, slowed
from lab.benchmarks.progress import say

_PLAY: Final = "main .primary"
_CARD: Final = "[data-hand]"
#: Milliseconds for what takes seconds on a phone.
_TIMEOUT: Final = 120_000
#: Milliseconds in which all that is left is kept.
_REST: Final = 6000
#: Seconds after which a table is at rest, and what loading it left behind has been collected.
_SETTLED: Final = 30
#: What runs inside the folder's Python, and the bots that it times.
_MOVES: Final = Path(__file__).with_name("moves.py")
_BOTS: Final = ("steady", "medium", "hard")
#: Starts another Python in the worker of the tables, which keeps its own to itself.
_BEGIN: Final = """async ([runtime, rage, program]) => {
    const indexURL = new URL(`../${runtime}`, self.location).href;
    const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
    self.timed = await loadPyodide({ indexURL });
    const archive = await fetch(new URL(`../${rage}`, self.location));
    self.timed.unpackArchive(await archive.arrayBuffer(), 'zip');
    self.timed.runPython(program);
}"""
_RUN: Final = "(asked) => self.timed.runPythonAsync(`import json; json.dumps(await ${asked})`)"


class Visits(NamedTuple):
    """What a first visit and a second one took: bytes until the first own card, and seconds until
    the start could be used, until that card, and until the cards of the second."""

    received: int
    start: float
    first: float
    again: float


def visits(folder: Path, profile: Path, coding: str) -> Visits:
    """Two visits, with all renderers slowed to a quarter, over a phone's line. Raises
    :class:`Failure`."""
    with far_host(folder, coding) as host:
        with _phone(profile) as page, slowed(profile):
            begun = monotonic()
            page.goto(host.address, wait_until="commit")
            page.locator(_PLAY).first.wait_for()
            start = monotonic() - begun
            page.locator(_PLAY).first.click()
            page.locator(_CARD).first.wait_for()
            first = monotonic() - begun
            received = sum(host.received.values())
            page.wait_for_timeout(_REST)
        with _phone(profile) as page, slowed(profile):
            begun = monotonic()
            page.goto(host.address, wait_until="commit")
            page.locator(_PLAY).first.click()
            page.locator(_CARD).first.wait_for()
            again = monotonic() - begun
    say(f"  start {start:.1f} s, cards {first:.1f} s, {received / 1e6:.2f} MB, again {again:.1f} s")
    return Visits(received, start, first, again)


class Thoughts(NamedTuple):
    """By the name of a bot, the milliseconds of its moves, in order; and the seconds of an
    analysis."""

    moves: dict[str, list[float]]
    analysis: float


def thoughts(folder: Path, profile: Path) -> Thoughts:
    """What bots and an analysis take in the folder, with all renderers slowed to a quarter."""
    (runtime,) = folder.glob("python/*/")
    (rage,) = folder.glob("python/rage-*.zip")
    given = [f"python/{runtime.name}/", f"python/{rage.name}", _MOVES.read_text(encoding="utf-8")]
    with far_host(folder, "br") as host, _phone(profile) as page:
        page.goto(host.address)
        page.locator(_PLAY).first.wait_for()
        page.wait_for_timeout(_REST)
        (tables,) = (each for each in page.workers if "/assets/" in each.url)
        tables.evaluate(_BEGIN, given)
        with slowed(profile):
            found = {
                name: sorted(json.loads(tables.evaluate(_RUN, f"think({name!r})")))
                for name in _BOTS
            }
            analysis = json.loads(tables.evaluate(_RUN, "analyse()"))
    for name, each in found.items():
        say(f"  {name}: {len(each)} moves, half of them within {median(each):.3g} ms")
    return Thoughts(found, analysis)


def memory_at_tables(addresses: Sequence[str], folder: Path) -> list[int]:
    """The bytes that the renderers of browsers have at tables in play, each at an address of its
    own and all at once, because they share the browser's program. Raises :class:`Failure`."""
    profiles = [folder / f"memory-{number}" for number in range(len(addresses))]
    with ExitStack() as stack:
        for address, page in zip(addresses, _phones(stack, profiles), strict=True):
            page.goto(address)
            page.locator(_PLAY).first.click()
            page.locator(_CARD).first.wait_for()
        sleep(_SETTLED)
        return [memory(profile) for profile in profiles]


def _phones(stack: ExitStack, profiles: Sequence[Path]) -> Iterator[Page]:
    """A page of a browser for each of some profiles, until the stack is left."""
    stack.enter_context(failing())
    chromium = stack.enter_context(sync_playwright()).chromium
    for profile in profiles:
        context = chromium.launch_persistent_context(
            str(profile), executable_path=chromium_path(), locale="en", viewport=PHONE,
            device_scale_factor=3, is_mobile=True, has_touch=True,
        )  # fmt: skip
        stack.callback(context.close)
        context.pages[0].set_default_timeout(_TIMEOUT)
        yield context.pages[0]


@contextmanager
def _phone(profile: Path) -> Iterator[Page]:
    """A page of a browser with a profile in a folder."""
    with ExitStack() as stack:
        (page,) = _phones(stack, [profile])
        yield page
