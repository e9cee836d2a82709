"""What the page looks like in a real browser: the gallery, built and shown, and its pixels."""

from __future__ import annotations

import mimetypes
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from time import sleep

from PIL import Image
from playwright.sync_api import Browser, Page, Route, sync_playwright

from rage.files import InUse, lock
from tools import browsers

WEB = Path(__file__).parents[2] / "web"
ADDRESS = "http://gallery.test"
#: The colours of one row after another, from the top.
Pixels = list[list[tuple[int, int, int]]]


def built_once(folder: Path) -> Path:
    """Where ``web/gallery.html`` is built, below a folder that several processes share."""
    while True:
        try:
            with lock(folder / "gallery.lock"):
                if not (folder / "gallery").exists():
                    built(folder / "building").rename(folder / "gallery")
                return folder / "gallery"
        except InUse:
            sleep(0.1)


def built(folder: Path) -> Path:
    """Build ``web/gallery.html`` into a folder."""
    command = [sys.executable, str(WEB / "build.py"), "run", "vite", "build", "--logLevel", "warn"]
    options = ["--config", "gallery.config.ts", "--outDir", str(folder), "--emptyOutDir"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@contextmanager
def chromium() -> Iterator[Browser]:
    """A real browser (see ``tools/browsers.py``), for which ``rage.test`` is this machine."""
    rules = "--host-resolver-rules=MAP rage.test 127.0.0.1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browsers.found(), args=[rules])
        yield browser
        browser.close()


class Gallery:
    """The built gallery in a browser, one page at a time."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.folder = folder
        self.browser = browser

    def _answer(self, route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS).partition("?")[0].lstrip("/")
        if not (self.folder / name).is_file():
            return route.fulfill(status=404)
        kind = mimetypes.guess_type(name)[0] or "text/plain"
        return route.fulfill(path=self.folder / name, content_type=kind)

    @contextmanager
    def page(self, query: str = "", loss: str = "none", **options: object) -> Iterator[Page]:
        """The gallery with a query (see ``gallery/main.ts``), as seen with a loss of colour vision.
        ``options`` are those of a browser context. Nothing may fail to load or be logged."""
        context = self.browser.new_context(**{"reduced_motion": "reduce", **options})  # type: ignore[arg-type]  # by name
        context.route("**/*", self._answer)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": loss})
        page.goto(f"{ADDRESS}/gallery.html?{query}")
        page.wait_for_selector("main")
        yield page
        context.close()
        assert [each for each in said if "404" not in each] == []  # there is no favicon.ico

    @staticmethod
    def pixels(png: bytes) -> Pixels:
        """The pixels of a picture."""
        picture = Image.open(BytesIO(png)).convert("RGB")
        data = picture.tobytes()
        colours = list(zip(data[0::3], data[1::3], data[2::3], strict=True))
        return [colours[i : i + picture.width] for i in range(0, len(colours), picture.width)]
