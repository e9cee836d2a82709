"""Who looks at the settings from a table is still there; who goes home is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocket, expect

from page.playing import Seat, plays_out, press

#: Counts what listens and what repeats, for as long as it does.
COUNT = """() => {
    window.listening = {};
    window.ticking = new Set();
    const {addEventListener: add, removeEventListener: remove} = EventTarget.prototype;
    const heard = new Map();
    const key = (args) => `${args[0]} ${Boolean(args[2]?.capture ?? args[2])}`;
    const isPage = (at) => [undefined, window, document].includes(at);
    EventTarget.prototype.addEventListener = function (...args) {
        if (isPage(this) && args[1]) {
            const known = heard.get(args[1]) ?? heard.set(args[1], new Set()).get(args[1]);
            if (!known.has(key(args))) listening[args[0]] = (listening[args[0]] ?? 0) + 1;
            known.add(key(args));
            add.call(args[2]?.signal ?? new EventTarget(), 'abort', () => {
                if (known.delete(key(args))) listening[args[0]] -= 1;
            });
        }
        return add.apply(this, args);
    };
    EventTarget.prototype.removeEventListener = function (...args) {
        if (isPage(this) && heard.get(args[1])?.delete(key(args))) listening[args[0]] -= 1;
        return remove.apply(this, args);
    };
    const {setInterval: begin, clearInterval: end} = window;
    window.setInterval = (...args) => {
        const id = begin(...args);
        ticking.add(id);
        return id;
    };
    window.clearInterval = (id) => { ticking.delete(id); end(id); };
}"""
LEFT = "() => ({...window.listening, ticking: window.ticking.size})"


def sockets(page: Page) -> list[WebSocket]:
    """The connections that a page opens from now on."""
    found: list[WebSocket] = []
    page.on("websocket", lambda socket: found.append(socket))
    return found


def closed(found: list[WebSocket]) -> list[bool]:
    return [socket.is_closed() for socket in found]


def to_settings_and_back(page: Page) -> None:
    press(page, "Help")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.get_by_role("link", name="to the table").click()
    expect(page.get_by_role("toolbar", name="Your hand")).to_be_visible()


@pytest.mark.long
def test_ten_times_to_the_settings_and_back_is_one_socket(seat: Seat) -> None:
    ann = seat("Ann")
    ann.page.add_init_script(f"({COUNT})()")
    found = sockets(ann.page)
    ann.plays_bots("poof+schedule:4", 2)
    to_settings_and_back(ann.page)
    before = ann.page.evaluate(LEFT)
    assert before["online"] >= 2, "the connection listens, and it is seen"
    for _ in range(10):
        to_settings_and_back(ann.page)
    assert ann.page.evaluate(LEFT) == before
    assert closed(found) == [False]
    # Whoever leaves, leaves nothing behind; whoever comes again connects again.
    ann.page.locator("header a[href='./']").click()
    expect(ann.page.get_by_role("heading", name="Rage").first).to_be_visible()
    assert ann.page.evaluate(LEFT)["online"] == before["online"] - 1
    assert closed(found) == [True]
    ann.page.go_back()
    expect(ann.hand).to_have_count(4)
    assert closed(found) == [True, False]


@pytest.mark.long
def test_who_looks_at_the_settings_is_still_here_and_hears_of_their_turn(seat: Seat) -> None:
    ann, ben = seat("Ann"), seat("Ben")
    found = {each.name: sockets(each.page) for each in (ann, ben)}
    table = ann.open("poof+schedule:4", 2, options={"grace": 0})
    ben.sit_down(table)
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(4)
    expect(ann.hand).to_have_count(4)
    deals = ann.page.locator(".own [data-icon=dealer]").count()
    first, second = (ben, ann) if deals else (ann, ben)
    # Whoever waits looks at the settings; the other bids.
    before = found[second.name].copy()
    press(second.page, "Help")
    second.page.get_by_role("link", name="Settings").click()
    expect(second.page.get_by_role("link", name="Back to the table")).to_be_visible()
    first.page.locator('[data-number="1"]').click()
    back = second.page.get_by_role("link", name="Your turn: to the table")
    expect(back).to_be_visible()
    expect(second.page.locator("[data-live=polite]")).to_contain_text("Your turn")
    expect(first.page.get_by_text(f"{second.name} is thinking")).to_be_visible()
    expect(first.page.get_by_text("is away")).to_have_count(0)
    # What is done meanwhile is there at once, on one's return.
    back.click()
    second.page.locator('[data-number="1"]').click()
    assert found[second.name] == before
    assert closed(before)[-1] is False
    # Gone home is gone.
    second.page.locator("header a[href='./']").click()
    expect(first.page.get_by_text(f"{second.name} is away").first).to_be_attached()


def test_who_looks_at_the_last_game_is_there_for_the_next(seat: Seat) -> None:
    ann = seat("Ann")
    found = sockets(ann.page)
    ann.plays_bots("poof+schedule:1", 2)
    plays_out(ann)
    ann.page.locator(".end a").click()
    expect(ann.page.get_by_role("region", name="All hands")).to_be_visible()
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(ann.page.get_by_role("button", name="Play again")).to_be_visible()
    assert closed(found) == [False]
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.hand).to_have_count(1)
    assert closed(found) == [False]
