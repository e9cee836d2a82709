"""Homes in the folder that plays without a server, furnished with what a server has stored."""

from __future__ import annotations

import base64
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page

from page.hosts import Host
from rage.house.store.checking import sealed
from rage.server.stores import STORE
from server.running import Running

#: Puts a file where ``web/src/alone/pages.ts`` finds it.
_PUT: Final = """async ([name, text]) => {
    const data = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
        for (const store of ['pages', 'facts']) opening.result.createObjectStore(store);
    };
    await new Promise((resolve) => { opening.onsuccess = resolve; });
    const transaction = opening.result.transaction(['pages', 'facts'], 'readwrite');
    const pages = transaction.objectStore('pages');
    pages.clear();
    for (let at = 0; at < data.length; at += 4096) pages.put(data.slice(at, at + 4096), at / 4096);
    transaction.objectStore('facts').put(data.length, 'size');
    await new Promise((resolve) => { transaction.oncomplete = resolve; });
    opening.result.close();
}"""


def move_in(page: Page, who: str, server: Running, folder: Host) -> None:
    """Let a page's browser have in a folder what a server has stored by now, as the home of
    somebody, by their cookie as a header."""
    me = httpx.get(f"{server.url}/api/me", headers={"Cookie": who}).json()["person"]
    data = base64.b64encode(_file(server.data / STORE, me)).decode()
    page.goto(f"{folder.url}licenses.json")  # where nothing has a home yet
    page.evaluate(_PUT, [f"rage {urlsplit(folder.url).path}", data])


def _file(store: Path, person: str) -> bytes:
    """A copy of a server's store, as the home of a person."""
    with TemporaryDirectory() as folder:
        copy = Path(folder, "home.sqlite")
        with closing(sqlite3.connect(store)) as its, closing(sqlite3.connect(copy)) as mine:
            its.backup(mine)
            mine.execute("PRAGMA journal_mode = DELETE")
            row = ("person", person.encode())
            mine.execute(
                "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", sealed("settings", *row)
            )
            mine.commit()
        return copy.read_bytes()
