"""The page: the files that ``web/build.py`` made, read once, sent compressed and with ETags."""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from rage.say import LANGUAGES, html_language, text
from rage.server.asgi import Receive, Scope, Send, header, preferred_language, respond
from rage.server.notices import Notice, page_of

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".map": "application/json",
    ".png": "image/png",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
}
#: The score sheet and the trick judge: a page of its own, in a folder below the other.
SHEET: Final = "sheet"
_SHEET_PATHS: Final = ("sheet", "judge")
#: The paths of pages (``web/src/shell/routes.ts``); any other gets a 404 and the page saying so.
_PAGES: Final = re.compile(
    r"(new|join|day|stats|mine|settings|learn|handover|recover|open|sheet|judge|(tv?|e)/[^/]+|g/[^/]+/\d+)?"
)
#: Vite's manifest of the built files, and the name of the table's component in it.
_MANIFEST: Final = "manifest.json"
_TABLE: Final = "src/table/Table.svelte"
#: Suffixes of files that are compressed already.
_COMPRESSED: Final = (".png", ".webp", ".woff2", ".mp3", ".ogg", ".br", ".gz")
_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
_CACHE_FOREVER: Final = b"public, max-age=31536000, immutable"
_REVALIDATE: Final = b"no-cache"


class Encoded(NamedTuple):
    """A file in one content encoding (empty: none)."""

    encoding: str
    body: bytes
    etag: bytes


class File(NamedTuple):
    """A file of the page in all its encodings, the smallest first."""

    type: str
    cache: bytes
    encodings: tuple[Encoded, ...]


class Page:
    """The built page below a base path, from the ``folder`` where it was built."""

    def __init__(
        self,
        base_path: str,
        folder: Traversable | None = None,
        preview: Callable[[Scope, str, str], Awaitable[str]] | None = None,
        notices: Mapping[str, Notice] | None = None,
    ) -> None:
        """``preview``: returns the tags that describe a table to messengers, given its code and a
        language."""
        self._preview = preview
        notices = notices or {}
        root = f"{base_path}/"
        tags = "".join(
            f'\n    <meta name="rage-{name}" content="{html.escape(each.url or root + name)}" />'
            for name, each in notices.items()
        )
        #: The notices that are pages of this server, by path and language.
        self._notices = {
            (name, language): make_file(f"{name}.html", page_of(name, each, language, root), {})
            for name, each in notices.items()
            for language in LANGUAGES
            if each.url is None
        }
        folder = files("rage.server").joinpath("page") if folder is None else folder
        found = dict(_walk(folder, ""))
        manifest = found.pop(_MANIFEST, None)
        self._files = {
            name: make_file(name, body, found)
            for name, body in found.items()
            if not name.endswith((".br", ".gz")) and PurePosixPath(name).name != "index.html"
        }
        index, sheet = found.get("index.html"), found.get(f"{SHEET}/index.html")
        #: Whether there is a page at all.
        self.built = index is not None
        table = _parts_of(manifest, _TABLE)
        #: The page to start with, by kind and language.
        self._starts = {
            (kind, language): make_file(
                "index.html", _start(start, base, language, parts, tags), {}
            )
            for language in LANGUAGES
            for kind, start, base, parts in (
                ("", index, base_path, [*_catalogue(found, language)]),
                ("t", index, base_path, [*_catalogue(found, language), *table]),
                (SHEET, sheet, f"{base_path}/{SHEET}", [*_catalogue(found, language, SHEET)]),
            )
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file; for any other path send the page itself, which does its own routing."""
        if scope["method"] not in ("GET", "HEAD"):
            await respond(send, 405, b"", [(b"allow", b"GET, HEAD")])
            return
        name = scope["path"].lstrip("/")
        file = self._files.get(name)
        if file is None and is_asset(name):
            await respond(send, 404, b"", [])
            return
        language = preferred_language(header(scope, b"accept-language"))
        path = name.rstrip("/")
        file = file or self._notices.get((path, language))
        known = file is not None or _PAGES.fullmatch(path) is not None
        status = (200 if known else 404) if self.built or file else 503
        kind = SHEET if path in _SHEET_PATHS else "t" if name.startswith("t/") else ""
        found = file or self._starts[kind, language]
        if kind == "t" and known and self._preview is not None:
            found = _with_tags(found, await self._preview(scope, path[2:], language))
        await send_file(found, status, scope, send)


@lru_cache(maxsize=128)
def _with_tags(start: File, tags: str) -> File:
    """The page to start with, with tags in its head. A table's tags change only with its people, so
    the page is not compressed again for everyone who opens it."""
    if not tags:
        return start
    body = next(each.body for each in start.encodings if not each.encoding)
    return make_file("index.html", body.replace(b"  </head>", tags.encode() + b"  </head>", 1), {})


def is_asset(name: str) -> bool:
    """Return whether a path names a file whose content never changes."""
    return name.startswith(("assets/", f"{SHEET}/assets/"))


async def send_file(file: File, status: int, scope: Scope, send: Send) -> None:
    """Send a file in the smallest encoding the browser accepts, unless the browser has it."""
    accepted = header(scope, b"accept-encoding")
    chosen = next(each for each in file.encodings if _accepts(accepted, each.encoding))
    vary = b"accept-encoding, accept-language" if file.cache == _REVALIDATE else b"accept-encoding"
    headers = [(b"etag", chosen.etag), (b"cache-control", file.cache), (b"vary", vary)]
    if chosen.etag.decode() in header(scope, b"if-none-match") and status == 200:
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    headers.append((b"content-type", file.type.encode()))
    if chosen.encoding:
        headers.append((b"content-encoding", chosen.encoding.encode()))
    await respond(send, status, chosen.body, headers)


def _accepts(accepted: str, encoding: str) -> bool:
    """Whether an ``Accept-Encoding`` header allows an encoding."""
    if not encoding:
        return True
    for each in accepted.split(","):
        name, _, weight = each.partition(";")
        if name.strip().lower() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _walk(folder: Traversable, above: str) -> list[tuple[str, bytes]]:
    """All files below a folder by their paths; none if there is no such folder."""
    found = []
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.is_dir():
            found += _walk(each, f"{above}{each.name}/")
        elif not each.name.startswith("."):
            found.append((above + each.name, each.read_bytes()))
    return found


def make_file(name: str, body: bytes, beside: dict[str, bytes]) -> File:
    """A file in its encodings: compressed by the build, or else with gzip now."""
    ending = PurePosixPath(name).suffix
    packed = {code: beside[name + end] for code, end in _ENCODINGS if name + end in beside}
    if ending not in _COMPRESSED and "gzip" not in packed:
        packed["gzip"] = gzip.compress(body, 9, mtime=0)
    bodies = sorted([*packed.items(), ("", body)], key=lambda each: len(each[1]))
    return File(
        _TYPES.get(ending, "application/octet-stream"),
        _CACHE_FOREVER if is_asset(name) else _REVALIDATE,
        tuple(Encoded(code, each, _etag(code, body)) for code, each in bodies),
    )


def _etag(encoding: str, body: bytes) -> bytes:
    return f'"{sha256(body).hexdigest()[:24]}{encoding and "-" + encoding}"'.encode()


def _catalogue(found: Iterable[str], language: str, folder: str = "") -> list[str]:
    """The path, relative to a page's folder, of the file with a language's sentences
    (``web/catalogues.ts``), if there is one."""
    named = re.compile(rf"assets/{language}-[\w-]+\.js")
    below = (each.removeprefix(f"{folder}/") for each in found if each.startswith(folder))
    return list(filter(named.fullmatch, below))[:1]


def _parts_of(manifest: bytes | None, name: str) -> list[str]:
    """The paths of all files that a component needs beyond those of every page."""
    entries = {} if manifest is None else json.loads(manifest)
    parts, due = dict[str, None](), [name]
    seen = {key for key, entry in entries.items() if entry.get("isEntry")}
    while due:
        key = due.pop()
        if key in seen or key not in entries:
            continue
        seen.add(key)
        parts |= dict.fromkeys([entries[key]["file"], *entries[key].get("css", [])])
        due += entries[key].get("imports", [])
    return list(parts)


def _start(
    index: bytes | None, base_path: str, language: str, parts: Iterable[str], tags: str
) -> bytes:
    """``index.html`` in a language and below a base path; one sentence if the page isn't built. It
    makes the browser preload the ``parts`` instead of waiting for the program to ask for them."""
    base = html.escape(base_path, quote=True) + "/"
    tongue = html_language(language)
    if index is None:
        said = html.escape(text("serve.no_page", language))
        return f"<!doctype html><html {tongue}><title>Rage</title><p>{said}</p>".encode()
    written = index.decode("utf-8").replace('<html lang="en"', f"<html {tongue}", 1)
    # If its scripts do not run, it says so in this language and in English.
    written = re.sub(rf'<p lang="(?!{language}"|en").*?</p>', "", written)
    written = written.replace("<head>", f'<head>\n    <base href="{base}" />{tags}', 1)
    for part in parts:
        if part not in written:
            kind = 'preload" as="style' if part.endswith(".css") else "modulepreload"
            link = f'  <link rel="{kind}" crossorigin href="{part}" />\n  </head>'
            written = written.replace("</head>", link, 1)
    return written.encode()
