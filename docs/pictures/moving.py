"""The moving picture: a trick being played, as an animated WebP."""

from __future__ import annotations

import base64
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, Page

from docs.pictures.camera import camera
from docs.pictures.staging import evening, may_change
from docs.pictures.states import State

#: The window, and the picture made of it, in pixels.
WINDOW: Final = (1024, 720)
SIZE: Final = (768, 540)
#: Milliseconds of a frame and of the last one; seconds that a bot takes to play.
_FRAME: Final = 80
_LAST: Final = 2500
_BOT_SECONDS: Final = 1
_QUALITY: Final = 75

STATE: Final = State("trick", WINDOW, partial(evening, may_change, friends=0), there=".status.mine")


def film(browser: Browser, data: Path) -> bytes:
    """Film a Change: the cloth takes the colour of the new trump, and the trick is won."""
    frames = list[tuple[float, bytes]]()

    def keep(frame: dict[str, Any]) -> None:
        frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        devtools.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    with (
        camera(browser, data, [STATE], bot_seconds=_BOT_SECONDS) as by,
        by.coming(STATE, is_mobile=False) as page,
    ):
        by.enter(page, STATE)
        page.wait_for_timeout(1000)
        devtools = page.context.new_cdp_session(page)
        devtools.on("Page.screencastFrame", keep)
        devtools.send("Page.startScreencast", {"format": "png"})
        _play(page)
        devtools.send("Page.stopScreencast")
        page.wait_for_timeout(300)  # for a frame still under way
    return _animated(frames)


def _play(page: Page) -> None:
    page.wait_for_timeout(1200)
    page.locator('[data-hand="C"]').first.click()
    page.wait_for_timeout(900)
    page.locator(".colour:not([aria-disabled])").last.click()
    page.locator(".crown").first.wait_for()
    page.wait_for_timeout(900)


def _animated(frames: list[tuple[float, bytes]]) -> bytes:
    """The frames in equal steps, each for as long as nothing changes."""
    began, ended = frames[0][0], frames[-1][0]
    shown, lasting = list[Image.Image](), list[int]()
    last = -1
    for tick in range(int((ended - began) * 1000 / _FRAME) + 1):
        now = began + tick * _FRAME / 1000
        at = max(i for i, (time, _) in enumerate(frames) if time <= now)
        if at == last:
            lasting[-1] += _FRAME
            continue
        last = at
        shown.append(Image.open(BytesIO(frames[at][1])).convert("RGB").resize(SIZE))
        lasting.append(_FRAME)
    lasting[-1] += _LAST
    file = BytesIO()
    shown[0].save(
        file, "WEBP", save_all=True, append_images=shown[1:], duration=lasting, loop=0,
        quality=_QUALITY, method=6, minimize_size=True,
    )  # fmt: skip
    return file.getvalue()
