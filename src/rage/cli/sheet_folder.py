"""The score sheet and the trick judge as a folder of files, for any web host."""

from __future__ import annotations

import json
import shutil
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from rage.say import LANGUAGES, NotAllowed, NotReadable, text
from rage.server.http.page import SHEET

#: What the page shares with the table, one folder up.
_BESIDE: Final = (
    "worker.js", "icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png",
    "apple-touch-icon.png", "licenses.json",
)  # fmt: skip
_MANIFEST: Final = "sheet.webmanifest"
#: The views of the page that have an address of their own.
_STARTS: Final = ("index.html", "judge.html")


def write_folder(folder: str, page: Traversable | None = None) -> None:
    """Write the page below ``folder``, which is made if need be; its paths are relative, so it
    may lie anywhere. Raises :class:`rage.NotAllowed` where the page is not built, and
    :class:`rage.NotReadable` where the folder cannot be written."""
    page = files("rage.server").joinpath("page") if page is None else page
    if not page.joinpath(SHEET, "index.html").is_file():
        raise NotAllowed("cli.sheet.no_page")
    target = Path(folder)
    try:
        (target / "assets").mkdir(parents=True, exist_ok=True)
        _write(page, target)
    except OSError as error:
        message = error.strerror or str(error)
        raise NotReadable("cli.no_out", file=folder, message=message) from None


def _double_click() -> str:
    """What the page says, in every language, where it does not start because it is a mere file."""
    said = ((language, text("cli.sheet.double_click", language)) for language in LANGUAGES)
    return "".join(f'<p lang="{language}">{each}</p>' for language, each in said)


def _write(page: Traversable, target: Path) -> None:
    sheet = page.joinpath(SHEET)
    start = sheet.joinpath("index.html").read_text(encoding="utf-8")
    start = start.replace('"../', '"./').replace("</noscript>", f"</noscript>{_double_click()}")
    for name in _STARTS:
        (target / name).write_text(start, encoding="utf-8")
    manifest = json.loads(page.joinpath(_MANIFEST).read_text(encoding="utf-8"))
    manifest |= {"id": "./", "start_url": "./"}
    (target / _MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    copied = [(page.joinpath(name), name) for name in _BESIDE]
    copied += [(sheet.joinpath(name), name) for name in ("files.json",)]
    copied += [
        (each, f"assets/{each.name}")
        for each in sheet.joinpath("assets").iterdir()
        if not each.name.endswith((".br", ".gz"))  # a host compresses by itself
    ]
    for source, name in copied:
        with as_file(source) as path:
            shutil.copyfile(path, target / name)
