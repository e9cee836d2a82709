"""A table that cannot be connected to, though the server answers: the page says why, and leads
back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from websockets.sync.server import ServerConnection, serve

from page.browsing import Visitors, barriers, too_wide
from server.fronts import Front

#: What is missing in an nginx that was set up without looking at docs/hosting.md, and what the page
#: then says.
FORGOTTEN = {
    "the upgrade": (
        {
            "proxy_set_header Upgrade $http_upgrade;": "",
            "proxy_set_header Connection $connection_upgrade;": "",
        },
        "its proxy must pass on the headers Upgrade and Connection",
    ),
    "the name": (
        {"proxy_set_header Host $http_host;": ""},
        "its proxy must pass on the name that the browser asked for",
    ),
}
Through = Callable[[dict[str, str]], str]


@pytest.fixture
def through(visitors: Visitors, tmp_path: Path) -> Iterator[Through]:
    """Starts nginx as the page has it, but for some changes; gives its address."""
    fronts = []

    def start(changes: dict[str, str]) -> str:
        front = Front("nginx", tmp_path, visitors.server.port, changes=changes)
        fronts.append(front)
        visitors.expected.append("WebSocket connection to")
        return f"https://127.0.0.1:{front.port}"

    yield start
    visitors.close()  # before what they would connect to again
    for front in fronts:
        front.end()


def leads_back(page: Page, said: str) -> None:
    """The page says something, and leads back to the start."""
    alert = page.get_by_role("alert").filter(has_text=said)
    expect(alert).to_be_visible()
    assert barriers(page) == []
    assert not too_wide(page)
    alert.get_by_role("link").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("forgotten", FORGOTTEN)
def test_a_proxy_in_the_way_is_named(visitors: Visitors, through: Through, forgotten: str) -> None:
    changes, said = FORGOTTEN[forgotten]
    address = through(changes)
    page = visitors.visit(f"{address}/t/abcd-efgh", ignore_https_errors=True)
    leads_back(page, said)
    screen = visitors.again(page.context, f"{address}/tv/abcd-efgh")
    expect(screen.get_by_role("heading", name=said)).to_be_visible()
    if forgotten == "the name":
        page.get_by_role("button", name="Play now").click()
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()


def test_what_is_not_here_is_one_page(visitors: Visitors) -> None:
    page = visitors.blank()
    for path in ("nonsense", "g/zzzz-zzzz/1", "t/zzzz-zzzz"):
        page.goto(path)
        expect(page.get_by_text("The link may be cut short or mistyped")).to_be_visible()
        leads_back(page, "There is nothing here")


#: What makes an nginx hand its WebSockets to somebody who says nothing.
MUTE = """location / {{
        if ($http_upgrade = websocket) {{ return 418; }}
        error_page 418 = @mute;
"""
SILENT = """location @mute {{
        proxy_pass http://127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
    }}
    location @away {{"""


@pytest.mark.long
def test_a_proxy_that_lets_in_and_passes_nothing_is_named_soon(
    visitors: Visitors, through: Through
) -> None:
    """After the patience with one connection, not with several."""
    opened = list[ServerConnection]()

    def say_nothing(connection: ServerConnection) -> None:
        opened.append(connection)
        for _ in connection:
            pass

    with serve(say_nothing, "127.0.0.1", 0) as silent:
        threading.Thread(target=silent.serve_forever).start()
        port = silent.socket.getsockname()[1]
        address = through(
            {"location / {": MUTE.format(), "location @away {": SILENT.format(port=port)}
        )
        page = visitors.visit(f"{address}/t/abcd-efgh", ignore_https_errors=True)
        alert = page.get_by_role("alert").filter(has_text="its proxy must pass on")
        expect(alert).to_be_visible(timeout=30_000)
        assert len(opened) <= 2
        leads_back(page, "its proxy must pass on")
        silent.shutdown()


def test_a_browser_without_cookies_is_told_so(visitors: Visitors) -> None:
    page = visitors.blank()

    def without_cookie(route: Route) -> None:
        answer = route.fetch()
        headers = {key: value for key, value in answer.headers.items() if key != "set-cookie"}
        page.context.clear_cookies()  # where it has put the answer's
        route.fulfill(response=answer, headers=headers)

    page.route("**/api/me*", without_cookie)
    page.goto("t/abcd-efgh")
    leads_back(page, "This browser keeps no cookie from this server.")
    page.get_by_role("button", name="Play now").click()
    refused = page.get_by_role("alert").filter(has_text="this browser keeps no cookie from it")
    expect(refused).to_be_visible()
