"""``python -m docs.pictures``: take the screenshots of the README again or, with ``--small``, the
small pictures of every state that the tests compare, if they look different now.

Evenings (``staging.py``) are put into the store of a real server; a real Chromium opens every state
of ``states.py`` (``camera.py``) and films a trick (``moving.py``). The page has to be built. Given
names limit this to pictures whose names begin with one of them. With all small pictures,
``sentences.json`` beside them says which sentence is in which.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.pictures import moving
from docs.pictures.camera import Camera, camera, letters
from docs.pictures.likeness import MAX_DIFFERENCE, PLAIN_FONT, difference, shrunk
from docs.pictures.sentences import sentences
from docs.pictures.states import STATES, State
from lab.benchmarks.page.browser import chromium

FOLDER: Final = Path(__file__).parent
SMALL: Final = FOLDER.parents[1] / "tests" / "page" / "pictures"
#: The most pictures that are named for a sentence.
MOST: Final = 3
#: The most kilobytes that all pictures of the README may have together.
MAX_KILOBYTES: Final = 550


def main() -> int:
    """Take the requested pictures."""
    parser = argparse.ArgumentParser(prog="python -m docs.pictures", description=__doc__)
    parser.add_argument("--small", action="store_true", help="those that the tests compare")
    parser.add_argument("names", nargs="*", help="how their names begin")
    asked = parser.parse_args()
    begins = tuple(asked.names) or ""
    wanted = [
        state for state in STATES if state.name.startswith(begins) and (asked.small or state.readme)
    ]
    with (
        TemporaryDirectory(prefix="rage-pictures-") as folder,
        chromium() as browser,
        camera(browser, Path(folder) / "data", wanted) as by,
    ):
        if asked.small:
            (SMALL / "letters.webp").write_bytes(shrunk(letters(browser), 390))
        shown = defaultdict[str, list[str]](list)
        for state in wanted:
            for key in _take_small(by, state) if asked.small else _take(by, state):
                shown[key] = [*shown[key], state.name][:MOST]
        if asked.small and not asked.names:
            text = json.dumps(shown, sort_keys=True, indent=1)
            (SMALL / "sentences.json").write_text(f"{text}\n", encoding="utf-8")
        if moving.STATE.name.startswith(begins) and not asked.small:
            _write(FOLDER / "trick.webp", moving.film(browser, Path(folder) / "moving"))
    size = sum(path.stat().st_size for path in FOLDER.glob("*.webp")) / 1000
    sys.stderr.write(f"{size:6.1f} kB  together in the README\n")
    return 0 if size <= MAX_KILOBYTES else 1


def _take(by: Camera, state: State) -> set[str]:
    """Take a picture of the README. Return the keys of the sentences that it shows."""
    with by.at(state, device_scale_factor=state.readme) as page:
        page.wait_for_timeout(300)
        devtools = page.context.new_cdp_session(page)
        asked = {"format": "webp", "quality": 88}
        seen = devtools.send("Page.captureScreenshot", asked)
        shown = sentences(page)
    _write(FOLDER / f"{state.name}.webp", base64.b64decode(seen["data"]))
    return shown


def _take_small(by: Camera, state: State) -> set[str]:
    """Take a small picture, likewise."""
    path, width = SMALL / f"{state.name}.webp", state.size[0]
    with by.at(state, script=PLAIN_FONT) as page:
        now = shrunk(page.screenshot(animations="disabled"), width)
        shown = sentences(page)
    if not path.exists() or difference(path.read_bytes(), now, width).most > MAX_DIFFERENCE:
        _write(path, now)
    return shown


def _write(path: Path, picture: bytes) -> None:
    path.write_bytes(picture)
    sys.stderr.write(f"{len(picture) / 1000:6.1f} kB  {path.name}\n")


if __name__ == "__main__":
    sys.exit(main())
