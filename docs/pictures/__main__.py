"""``python -m docs.pictures``: photographs the table for the README, anew.

A staged evening (``staging.py``) is put into the store of a real server; people come to it in a
real Chromium, and the bot plays its card. The page has to be built. With words, only the pictures
whose names begin with one of them.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.page.browser import chromium
from docs.pictures.staging import (
    ME,
    NEWCOMER,
    PEOPLE,
    SECRET,
    cookie,
    evening,
    last_to_a_trick,
    last_to_bid,
    nearly_over,
    store,
)
from playwright.sync_api import Browser, Page

FOLDER: Final = Path(__file__).parent
#: The codes of the tables.
TRICK, SAME, BIDS, LATE, OVER = "trcktrck", "samesame", "bdsbdsbd", "atenttat", "vermvery"
#: Kilobytes that all pictures together may have.
MOST: Final = 600
_DESK: Final[Any] = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 1.25}
_PHONE: Final[Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
_LIGHT: Final = {"color_scheme": "light"}


class Photographer:
    """Takes pictures of a server's pages in a browser."""

    def __init__(self, browser: Browser, url: str, wanted: tuple[str, ...]) -> None:
        self._browser = browser
        self._url = url
        self._wanted = wanted

    def come(self, person: str, path: str, **look: Any) -> Page:
        """Somebody opens a page, with everything at rest."""
        usual = {"locale": "en", "color_scheme": "dark", "reduced_motion": "reduce"}
        context = self._browser.new_context(**{**usual, **look})
        name, _, value = cookie(person).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": self._url}])
        page = context.new_page()
        page.goto(f"{self._url}/{path}")
        return page

    def at_table(self, name: str, code: str, look: Any, *, sheet: bool = False) -> None:
        """Everybody comes to a table, the bot plays its card, and it is my turn; perhaps I open
        the score sheet, and look at its chart."""
        friends = [self.come(person, f"t/{code}") for person in PEOPLE if person != ME]
        page = self.come(ME, f"t/{code}", **look)
        page.locator(".status.mine").wait_for()
        if sheet:
            page.locator("nav.bar button").first.click()
            page.locator("dialog[open] svg").last.scroll_into_view_if_needed()
        self.take(name, page)
        for friend in friends:
            friend.context.close()

    def take(self, name: str, page: Page) -> None:
        """Keep what is seen as ``name``, if that is wanted."""
        page.mouse.move(0, 0)
        page.wait_for_timeout(1500)
        devtools = page.context.new_cdp_session(page)
        asked = {"format": "webp", "quality": 88}
        seen = devtools.send("Page.captureScreenshot", asked)
        if name.startswith(self._wanted):
            path = FOLDER / f"{name}.webp"
            path.write_bytes(base64.b64decode(seen["data"]))
            sys.stderr.write(f"{path.stat().st_size / 1000:6.1f} kB  {path.name}\n")
        page.close()


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """A server on a folder of data, and where it is. Its bots take their time, so that all have
    come to a table when one plays."""
    command = [sys.executable, "-m", "rage", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data), "--bot-delay", "8"],
        env=os.environ | {"RAGE_SECRET": SECRET},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)))
        yield found[0].rstrip("/")
    finally:
        process.terminate()
        process.communicate(timeout=10)


def main() -> int:
    """Take all pictures."""
    with TemporaryDirectory(prefix="rage-pictures-") as folder:
        data = Path(folder) / "data"
        trick = evening(last_to_a_trick).before()
        tables = {
            TRICK: trick,
            SAME: trick,
            BIDS: evening(last_to_bid),
            LATE: evening(nearly_over),
            OVER: evening(None),
        }
        asyncio.run(store(data, tables))
        with serving(data) as url, chromium() as browser:
            _photograph(Photographer(browser, url, tuple(sys.argv[1:]) or ("",)))
    size = sum(path.stat().st_size for path in FOLDER.glob("*.webp")) / 1000
    sys.stderr.write(f"{size:6.1f} kB  together\n")
    return 0 if size <= MOST else 1


def _photograph(by: Photographer) -> None:
    by.at_table("table", TRICK, _DESK)
    by.at_table("phone", SAME, _PHONE)
    by.at_table("light", BIDS, {**_PHONE, **_LIGHT})
    by.at_table("sheet", LATE, _PHONE, sheet=True)
    by.take("start", by.come(NEWCOMER, "", **_PHONE))
    by.take("replay", by.come(ME, f"g/{OVER}/1#3.3", **_DESK))


if __name__ == "__main__":
    sys.exit(main())
