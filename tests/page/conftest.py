"""Running the page's TypeScript: with the Node of a wheel, and nothing else installed."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from page import legible
from page.browsing import Visitors
from page.hosts import FOLDER, Host
from page.playing import Player, Seat, Seats, table_in_play
from page.seen import Gallery, built_once, chromium
from page.staging import Scene, Staged, staged
from page.waiting import PATIENCE
from server.running import Running
from tools.node import run_node

ROOT = Path(__file__).parents[2]
Ask = Callable[[str, Iterable[Any]], list[Any]]
Come = Callable[..., Page]


@pytest.fixture(scope="session")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Put questions to ``answer.ts``: what kind they are, and the questions themselves as JSON
    data. The answers, in the same order."""

    def ask(kind: str, questions: Iterable[Any]) -> list[Any]:
        lines = [json.dumps(each) for each in questions]
        file = tmp_path_factory.mktemp("page") / f"{kind}.jsonl"
        file.write_text("\n".join(lines), encoding="ascii")
        said = run_node(str(Path(__file__).with_name("answer.ts")), kind, str(file))
        answers = [json.loads(line) for line in said.splitlines()]
        assert len(answers) == len(lines)
        return answers

    return ask


@pytest.fixture(params=[2_500, pytest.param(10_000, marks=pytest.mark.long)])
def cases(request: pytest.FixtureRequest) -> int:
    """How many random cases are put to the page and to the program."""
    count: int = request.param
    return count


expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A real browser, for all tests of the page. Not for the whole session: while Playwright's
    synchronous interface is open, no asynchronous test can run, so there is none in this folder."""
    with chromium() as browser:
        yield browser


@pytest.fixture(autouse=True, scope="package")
def looked_at() -> Iterator[None]:
    """Every page of every browser is looked at (see ``legible.py``)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Browser, "new_context", legible.new_context)
        yield


@pytest.fixture(autouse=True)
def all_legible() -> Iterator[None]:
    """No page has shown a key or a placeholder, when all are closed."""
    legible.found.clear()
    yield
    assert legible.found == []


@pytest.fixture(scope="package")
def gallery(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Gallery:
    """How the page looks. It is built once, for all workers of pytest-xdist."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return Gallery(built_once(folder), browser)


@pytest.fixture(scope="package")
def page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose bots answer at once. The page has to be built."""
    if not (ROOT / "src/rage/server/page/index.html").is_file():
        pytest.fail("the page is not built: python web/build.py")
    server = Running(tmp_path_factory.mktemp("server") / "data")
    try:
        yield server
    finally:
        server.end()
    server.check_log()


@pytest.fixture(scope="package")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    """A server with tables at any moment."""
    with staged(tmp_path_factory.mktemp("staged") / "data") as tables:
        yield tables


@pytest.fixture
def come(browser: Browser, tables: Staged, home: Host | None) -> Iterator[Come]:
    """My browser at the table of a scene."""
    pages: list[Page] = []

    def come(scene: Scene, **look: Any) -> Page:
        pages.append(tables.page(browser, scene, folder=home, **{"locale": "en", **look}))
        return pages[-1]

    yield come
    for page in pages:
        page.context.close()


@pytest.fixture(scope="package")
def folder() -> Iterator[Host]:
    """A host with the folder that plays without a server."""
    if not (FOLDER / "worker.js").is_file():
        pytest.fail("the folder is not built: make alone")
    host = Host()
    yield host
    host.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What one person does by themselves is tried a second time in that folder (``alone``); of what
    never asks it for anything, such as the score sheet, only some of it."""
    if metafunc.definition.get_closest_marker("alone") is not None:
        homes = ["server", pytest.param("folder", marks=pytest.mark.long)]
        metafunc.parametrize("home", homes, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the variants of a test (``sampled``), only the sample is tried in that folder."""
    seen, left_out = Counter[str](), list[pytest.Item]()
    for item in items:
        sampled, call = item.get_closest_marker("sampled"), getattr(item, "callspec", None)
        if sampled and call is not None and call.params.get("home") == "folder":
            test = item.nodeid.partition("[")[0]
            if seen[test] % sampled.args[0]:
                left_out.append(item)
            seen[test] += 1
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def home(request: pytest.FixtureRequest) -> Iterator[Host | None]:
    """That folder, where a test is tried in it."""
    if getattr(request, "param", "server") == "server":
        yield None
        return
    yield request.getfixturevalue("folder")


@pytest.fixture
def visitors(page_server: Running, browser: Browser, home: Host | None) -> Iterator[Visitors]:
    """People at the page of that server, or of that folder, who go at the end of the test."""
    visitors = Visitors(browser, page_server, home)
    yield visitors
    visitors.close()
    assert visitors.said == []


@pytest.fixture
def offline_noise(visitors: Visitors) -> None:
    """What the browser says of a network that the test has cut is not a failure."""
    visitors.expected.append("ERR_INTERNET_DISCONNECTED")


@pytest.fixture(scope="package")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that is reached over plain HTTP by a name, and stands below a base path."""
    data = tmp_path_factory.mktemp("plain") / "data"
    server = Running(data, ["--allowed-hosts", "rage.test", "--base-path", "/cards"])
    server.url = f"http://rage.test:{server.port}/cards"
    yield server
    server.end()


@pytest.fixture
def abroad(browser: Browser, plain_server: Running) -> Iterator[Visitors]:
    """People who come over plain HTTP by a name that is not this machine's own, as on a home
    network, to a server that stands below a base path."""
    visitors = Visitors(browser, plain_server)
    yield visitors
    visitors.close()
    assert visitors.said == []


@pytest.fixture
def seat(visitors: Visitors) -> Seat:
    """Players at that server, with large windows, who go at the end of the test."""
    return partial(Player, visitors)


@pytest.fixture
def seats(visitors: Visitors) -> Seats:
    """Tables of that server at which people sit, and a game has begun."""
    return partial(table_in_play, visitors)
