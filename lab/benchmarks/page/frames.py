"""Frames a second, and long tasks, while the table moves: in a real browser whose processor is
slowed to a quarter, compared with an empty page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page

from docs.pictures.camera import Camera, camera
from docs.pictures.staging import evening, last_to_the_first_trick, may_change
from docs.pictures.states import PHONE, State
from rage.table import Options

_SLOWER: Final = 4
#: The longest that a motion takes, in milliseconds.
_LASTS: Final = 3000
#: How long dealing a hand takes, in milliseconds.
_DEAL: Final = 650
#: For each frame: its start, the number of cloths, whether a trick is won, and the numbers of cards
#: in the trick and in the hand.
_WATCH: Final = """() => {
    const seen = window.seen = { frames: [], tasks: [] };
    const count = (what) => document.getElementsByClassName(what).length;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.tasks.push(duration);
    }).observe({ type: 'longtask' });
    const look = (now) => {
        const held = document.querySelector('.hand')?.children.length ?? 0;
        seen.frames.push([now, count('layer'), count('crown'), count('flying'), held]);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
_EMPTY: Final = """() => new Promise((done) => {
    const at = [];
    const look = (now) => at.push(now) > 60 ? done(at) : requestAnimationFrame(look);
    requestAnimationFrame(look);
})"""


class Motion(NamedTuple):
    """Frames a second, those of an empty page just before, and the longest task in
    milliseconds (0: none above 50)."""

    frames: float
    empty: float
    task: float


class _Kind(NamedTuple):
    """A kind of motion: the evening it begins with, what shows that it can begin, what is done
    before it and to begin it, and which frames belong to it."""

    evening: Callable[[], Any]
    there: str
    before: Callable[[Page], None]
    begin: str
    within: Callable[[list[list[float]]], list[list[float]]]


def _calls(page: Page) -> None:
    page.locator('[data-hand="C"]').first.click()
    page.locator(".colour").first.wait_for()
    page.wait_for_timeout(500)


def _swept(frames: list[list[float]]) -> list[list[float]]:
    return [each for each in frames if each[1] > 1]


def _won(frames: list[list[float]]) -> list[list[float]]:
    begun = next(at for at, each in enumerate(frames) if each[2])
    return frames[begun : next(at for at in range(begun, len(frames)) if not frames[at][3])]


def _dealt(frames: list[list[float]]) -> list[list[float]]:
    begun = next(each[0] for each in frames if each[4])
    return [each for each in frames if begun <= each[0] < begun + _DEAL]


_alone = partial(evening, friends=0)
_KINDS: Final = {
    "sweep": _Kind(partial(_alone, may_change), "[data-hand]", _calls,
                   ".colour:not([aria-disabled])", _swept),
    "trick": _Kind(partial(_alone, last_to_the_first_trick), "[data-hand]", lambda _: None,
                   "[data-hand]:not([aria-disabled])", _won),
    "deal": _Kind(partial(_alone, None, options=Options(between=None)), "#round-end",
                  lambda _: None, ".end .primary", _dealt),
}  # fmt: skip


def motions(
    browser: Browser, data: Path, environment: Mapping[str, str], runs: int
) -> dict[str, list[Motion]]:
    """Each kind of motion, ``runs`` times, each time at its own table."""
    states = {
        name: [State(f"{name} {run}", PHONE, kind.evening, there=kind.there) for run in range(runs)]
        for name, kind in _KINDS.items()
    }
    with camera(
        browser, data, [each for all_ in states.values() for each in all_], environment
    ) as by:
        return {
            name: [_measure(by, browser, state, _KINDS[name]) for state in states[name]]
            for name in states
        }


def _measure(by: Camera, browser: Browser, state: State, kind: _Kind) -> Motion:
    nothing = browser.new_page()
    _slow(nothing)
    empty = _rate(nothing.evaluate(_EMPTY))
    nothing.close()
    with by.coming(state, device_scale_factor=2) as page:
        by.enter(page, state)
        page.wait_for_timeout(1000)
        _slow(page)
        kind.before(page)
        page.evaluate(_WATCH)
        page.locator(kind.begin).last.click()
        page.wait_for_timeout(_LASTS)
        seen = page.evaluate("seen")
    frames = _rate([each[0] for each in kind.within(seen["frames"])])
    return Motion(frames, empty, max(seen["tasks"], default=0))


def _slow(page: Page) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def _rate(times: list[float]) -> float:
    return 1000 * (len(times) - 1) / (times[-1] - times[0])
