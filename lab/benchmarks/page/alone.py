"""Visits to the folder that plays without a server, by somebody with a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from playwright.sync_api import Error, Page, sync_playwright

from lab.benchmarks.page.browser import PHONE, chromium_path
from lab.benchmarks.page.host import far_host
from lab.benchmarks.page.renderers import memory, slowed
from lab.benchmarks.progress import Failure, say

_PLAY: Final = "main .primary"
_CARD: Final = "[data-hand]"
#: Milliseconds for what takes seconds on a phone.
_TIMEOUT: Final = 120_000
#: Milliseconds after which a table is at rest.
_REST: Final = 6000


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


def memory_at_table(address: str, profile: Path) -> int:
    """The bytes that the renderers have at a table in play. Raises :class:`Failure`."""
    with _phone(profile) as page:
        page.goto(address)
        page.locator(_PLAY).first.click()
        page.locator(_CARD).first.wait_for()
        page.wait_for_timeout(_REST)
        return memory(profile)


@contextmanager
def _phone(profile: Path) -> Iterator[Page]:
    """A page of a browser with a profile in a folder."""
    try:
        with sync_playwright() as playwright:
            context = playwright.chromium.launch_persistent_context(
                str(profile), executable_path=chromium_path(), locale="en", viewport=PHONE,
                device_scale_factor=3, is_mobile=True, has_touch=True,
            )  # fmt: skip
            page = context.pages[0]
            page.set_default_timeout(_TIMEOUT)
            yield page
            context.close()
    except Error as error:
        raise Failure(f"the browser failed: {error.message[:300]}") from None
