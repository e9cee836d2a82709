"""The folder around the page: a file for each address, and the service worker's list of files."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rage.cli.commands.sheet import write_folder
from tools.alone import CACHE, HERE
from tools.node import NODE

#: The addresses of the pages that get a copy of the start (``web/src/shell/routes.ts``).
PAGES: Final = ("day", "learn", "mine", "new", "open", "settings", "stats")
#: The folder of the score sheet, a page of its own.
SHEET: Final = "sheet"
#: Files needed only by a server's page.
_OF_A_SERVER: Final = ("invitation.png", "notice.css", "robots.txt")
#: Files that no browser keeps: copies of the start, and files for hosts and tools.
_NOT_KEPT: Final = re.compile(
    r".*\.(br|gz)|404\.html|(\w+/)?(files|licenses)\.json|(\w+/)?worker\.js|index\.html"
    rf"|({'|'.join((*PAGES, 'judge'))})/index\.html"
)
#: The page may load only its own files. Stating this here spares the host a header.
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{scripts}; style-src 'self';"
    " img-src 'self' data: blob:; media-src 'self'; connect-src 'self'; manifest-src 'self';"
    " worker-src 'self'; base-uri 'self'; form-action 'none'"
)
#: Finds the folder from an address without a file: of a table, of a game, or of nothing, any number
#: of levels below it.
_FIND_BASE: Final = r"""
    const here = location.pathname, known = /(?<=\/)(t\/[^/]*|g\/[^/]*\/[^/]*)\/?$/;
    document.write(`<base href="${here.replace(known, '').replace(/[^/]*$/, '')}" />`);
    const above = here.replace(/\/[^/]*\/?$/, '') || '/';
    const missed = (failed) => failed.target.type === 'module' && location.replace(above);
    if (!known.test(here) && here !== '/') addEventListener('error', missed, true);
"""
#: Tells the score sheet that the table is one folder up (``web/src/sheet/files.ts``).
_UP: Final = '<link rel="up" href="../" />'
_JUDGE: Final = """\
<!doctype html>
<title>Rage</title>
<meta http-equiv="refresh" content="0; url=../sheet/judge.html" />
"""


def write_pages(folder: Path) -> None:
    """Turn the built page into a folder for a host without routing: a copy of its start for each
    address, one for all others, and the score sheet."""
    start = (folder / "index.html").read_text(encoding="utf-8")
    for name, base in (("", "./"), *((f"{page}/", "../") for page in PAGES)):
        (folder / name).mkdir(exist_ok=True)
        text = _with_head(start, f'<base href="{base}" />')
        (folder / name / "index.html").write_text(text, encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(_FIND_BASE.encode()).digest()).decode()
    text = _with_head(start, f"<script>{_FIND_BASE}</script>", f" 'sha256-{digest}'")
    (folder / "404.html").write_text(text, encoding="utf-8")
    for name in _OF_A_SERVER:
        (folder / name).unlink()
    write_folder(str(folder / SHEET))
    for path in (folder / SHEET).glob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("<head>", f"<head>\n    {_UP}", 1), encoding="utf-8")
    (folder / "judge").mkdir(exist_ok=True)
    (folder / "judge" / "index.html").write_text(_JUDGE, encoding="utf-8")


def _with_head(start: str, first: str, scripts: str = "") -> str:
    """The start with ``first`` at the top of its head, after the security policy."""
    policy = _POLICY.format(scripts=scripts)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
    return start.replace("<head>", f"<head>\n    {meta}\n    {first}", 1)


def write_worker(folder: Path, packed: list[str]) -> None:
    """Tell the service worker which files to keep, and which have a compressed form."""
    files = sorted(_kept(folder))
    digest = hashlib.sha256()
    for name in files:
        path = folder / name
        body = (path / "index.html" if path.is_dir() else path).read_bytes()
        digest.update(f"{name} {hashlib.sha256(body).hexdigest()}\n".encode())
    version = digest.hexdigest()[:12]
    data = json.dumps({"version": version, "files": files, "packed": packed}, separators=(",", ":"))
    worker = folder / "worker.js"
    text = worker.read_text(encoding="utf-8")
    worker.write_text(f"self.FOLDER={data};\n{text}", encoding="utf-8")


def _kept(folder: Path) -> Iterator[str]:
    """The paths of the files in a folder that the game needs, as a browser requests them."""
    yield "./"
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not _NOT_KEPT.fullmatch(name):
            yield name.removesuffix("index.html") if name.startswith(SHEET) else name


def pack(path: Path) -> None:
    """Write the compressed form of a file next to it."""
    packed = gzip.compress(path.read_bytes(), 9, mtime=0)
    path.with_name(f"{path.name}.gz").write_bytes(packed)


def pack_changed(folder: Path) -> None:
    """Compress files again that have changed since the page was built: otherwise a host would send
    the old compressed ones."""
    packed = (path.with_suffix("") for path in folder.rglob("*.gz"))
    changed = [
        path
        for path in packed
        if gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes()) != path.read_bytes()
    ]
    for path in changed:
        pack(path)
    pack_small(changed)


def pack_small(paths: list[Path]) -> None:
    """Write the ``.br`` of some files, reusing cached ones of unchanged files."""
    made = {path: CACHE / f"{hashlib.sha256(path.read_bytes()).hexdigest()}.br" for path in paths}
    due = [str(each) for path, to in made.items() if not to.exists() for each in (path, to)]
    if due:
        subprocess.run([NODE, str(HERE / "pack.mjs"), *due], check=True)
    for path, to in made.items():
        shutil.copyfile(to, path.with_name(f"{path.name}.br"))


def copy(source: Path, target: Path) -> None:
    """Copy a file, creating its folder if needed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
