"""The page: its files, their caching and compression, and what stands in where it isn't built."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rage.say import LANGUAGES
from rage.server.http.page import Page

INDEX = '<!doctype html>\n<html lang="en">\n  <head>\n    <title>Rage</title>\n  </head>\n</html>\n'
SCRIPT = b"console.log('rage');\n" * 100


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX, encoding="utf-8")
    (folder / "assets" / "index-a1b2.js").write_bytes(SCRIPT)
    (folder / "assets" / "index-a1b2.js.br").write_bytes(b"brotli")
    (folder / "assets" / "card.png").write_bytes(b"\x89PNG" + bytes(500))
    (folder / "manifest.webmanifest").write_text("{}", encoding="utf-8")
    (folder / ".secret").write_text("x", encoding="utf-8")
    return folder


async def get(page: Page, path: str, method: str = "GET", **headers: str) -> Any:
    """Status, headers and body of an answer."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await page({"method": method, "path": path, "headers": given}, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(each["body"] for each in sent[1:])


ROUTES = Path(__file__).parents[2] / "web" / "src" / "shell" / "routes.ts"


async def test_each_page_has_its_address_and_no_other(built: Path) -> None:
    """As the page itself reads them."""
    keys = re.findall(r"case '([^']*)':", ROUTES.read_text(encoding="utf-8"))
    assert {"new", "t/*", "g/*/*"} <= set(keys)
    page = Page("", built)
    for key in (*keys, "sheet", "judge"):
        for end in ("", "/"):
            path = f"/{key.replace('*', 'abcd-efgh', 1).replace('*', '1')}{end}"
            assert (await get(page, path))[0] == 200, path
    for path in ("/index.html", "/no/such/page", "/new/x", "/t", "/t/a/b", "/g/a", "/ws"):
        assert (await get(page, path))[0] == 404, path


@pytest.mark.parametrize("path", ["/", "/new", "/t/abcd-efgh", "/g/x/1", "/mine", "/no/such"])
async def test_every_other_path_is_the_page(built: Path, path: str) -> None:
    status, headers, body = await get(Page("", built), path)
    assert (status, headers["content-type"]) == (
        404 if path == "/no/such" else 200,
        "text/html; charset=utf-8",
    )
    assert headers["cache-control"] == "no-cache"
    assert headers["vary"] == "accept-encoding, accept-language"
    assert b'<head>\n    <base href="/" />' in body


async def test_the_page_knows_its_base_path_and_its_language(built: Path) -> None:
    body = (await get(Page("/a/b", built), "/", accept_language="de-AT, en;q=0.5"))[2]
    assert b'<html lang="de"' in body
    assert b'<base href="/a/b/" />' in body
    body = (await get(Page("/", built), "/", accept_language="den, es;q=0.5"))[2]
    assert b'<html lang="es"' in body  # Slavey is not German


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_comes_with_the_language_it_will_ask_for(built: Path, language: str) -> None:
    for each in (*LANGUAGES, "index"):
        for ending in ("js", "js.br", "css"):
            (built / "assets" / f"{each}-a-1_Z.{ending}").write_text("", encoding="utf-8")
    body = (await get(Page("/base", built), "/", accept_language=language))[2]
    assert body.count(b"<link") == 1
    link = f'<link rel="modulepreload" crossorigin href="assets/{language}-a-1_Z.js" />'
    assert link.encode() in body


async def test_a_table_comes_with_all_that_it_is_made_of(built: Path) -> None:
    """A visitor to a table waits for one answer after another as rarely as possible."""
    manifest = {
        "index.html": {"file": "assets/page-1.js", "isEntry": True, "css": ["assets/page-2.css"]},
        "_told-3.js": {"file": "assets/told-3.js", "imports": ["index.html", "_told-3.js"]},
        "src/table/Table.svelte": {
            "file": "assets/Table-4.js",
            "imports": ["index.html", "_told-3.js"],
            "dynamicImports": ["src/table/Menu.svelte"],
            "css": ["assets/Table-5.css"],
        },
        "src/table/Menu.svelte": {"file": "assets/Menu-6.js"},
    }
    (built / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    page = Page("/base", built)
    found = re.findall(
        b'<link rel="([^>]*)" crossorigin href="(.*?)"', (await get(page, "/t/x"))[2]
    )
    assert sorted(found) == [
        (b"modulepreload", b"assets/Table-4.js"),
        (b"modulepreload", b"assets/told-3.js"),
        (b'preload" as="style', b"assets/Table-5.css"),
    ]
    assert b"Table-4" not in (await get(page, "/"))[2]
    assert b"Table-4" not in (await get(page, "/manifest.json"))[2]


async def test_files_with_a_hash_are_kept_for_ever(built: Path) -> None:
    status, headers, body = await get(Page("", built), "/assets/index-a1b2.js")
    assert (status, body) == (200, SCRIPT)
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    manifest = (await get(Page("", built), "/manifest.webmanifest"))[1]
    assert manifest["cache-control"] == "no-cache"
    assert manifest["content-type"] == "application/manifest+json"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"), ("gzip;q=0.5", "gzip"), ("br;q=0, gzip", "gzip"),
        ("", None), ("identity", None), ("gzip;q=0", None), ("GZIP", "gzip"), ("brotli", None),
    ],
)  # fmt: skip
async def test_a_file_is_sent_in_the_smallest_accepted_encoding(
    built: Path, accepted: str, encoding: str | None
) -> None:
    path = "/assets/index-a1b2.js"
    _, headers, body = await get(Page("", built), path, accept_encoding=accepted)
    assert headers.get("content-encoding") == encoding
    assert headers["vary"] == "accept-encoding"
    assert body == {"br": b"brotli", None: SCRIPT}.get(encoding, body)
    if encoding == "gzip":
        assert gzip.decompress(body) == SCRIPT
        assert len(body) < len(SCRIPT) / 5


async def test_a_file_that_is_unchanged_is_not_sent_again(built: Path) -> None:
    page = Page("", built)
    for path in ("/", "/assets/index-a1b2.js"):
        etags = set()
        for accepted in ("br", "gzip", ""):
            etag = (await get(page, path, accept_encoding=accepted))[1]["etag"]
            again = await get(page, path, accept_encoding=accepted, if_none_match=f'"x", {etag}')
            assert (again[0], again[2]) == (304, b"")
            etags.add(etag)
        assert len(etags) == (3 if "assets" in path else 2)
    assert (await get(page, "/", if_none_match='"x"'))[0] == 200


async def test_missing_files_are_not_answered_with_the_page(built: Path) -> None:
    for path in ("/assets/index-old.js", "/assets/../index.html", "/assets/"):
        assert (await get(Page("", built), path))[0] == 404
    for path in ("/.secret", "/../secret", "//etc/passwd", "/assets.html"):
        assert b"<title>Rage" in (await get(Page("", built), path))[2]


async def test_a_page_that_is_not_built_says_so(tmp_path: Path) -> None:
    page = Page("", tmp_path / "none")
    assert not page.built
    status, _, body = await get(page, "/t/abcd-efgh", accept_language="de")
    assert status == 503
    assert "Die Seite ist nicht gebaut" in body.decode()
