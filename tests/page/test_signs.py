"""The signs that people choose beside their names, as they and others see them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from page.browsing import barriers_in_both_themes, too_wide
from page.playing import Seat
from page.waiting import soon


def choose(page: Page, shape: str, tint: str, letters: str = "") -> None:
    """Choose a sign, by keys alone."""
    page.get_by_role("button", name="Your sign").press("Enter")
    dialog = page.get_by_role("dialog", name="Your sign")
    dialog.get_by_role("group", name="Shape").get_by_role("radio", name=shape).press("Space")
    dialog.get_by_role("group", name="Tint").get_by_role("radio", name=tint).press("Space")
    dialog.get_by_role("textbox", name="Letters").fill(letters)
    dialog.get_by_role("textbox", name="Letters").press("Enter")


def drawn(page: Page, seat: int) -> tuple[str | None, str | None, str]:
    """The shape, the stone and the letters of a seat's sign at the table or before it."""
    sign = page.locator(f'[data-seat="{seat}"] .sign').first
    outline = sign.locator("path").first.get_attribute("d")
    return outline, sign.get_attribute("data-stone"), (sign.text_content() or "").strip()


#: Whether letters are within a sign, and have a sixth of its width free on either side.
WITHIN = """(sign) => {
    const [box, inner] = [sign, sign.querySelector('text')]
        .map((one) => one.getBoundingClientRect());
    const margin = box.width / 6;
    return box.left + margin < inner.left && inner.right < box.right - margin
        && box.top < inner.top && inner.bottom < box.bottom;
}"""


def test_a_sign_is_chosen_beside_the_name_and_seen_by_all(seat: Seat) -> None:
    """Remembered by the server, with the name; another who chooses the same gets the next. Wide
    letters stay within it."""
    ann, ben = seat("Ann"), seat("Ben", viewport={"width": 320, "height": 568})
    ann.page.goto("./")
    choose(ann.page, "flower", "rose", "♥")
    dialog = ann.page.get_by_role("dialog", name="Your sign")
    expect(dialog.locator(".error")).to_contain_text("at most 2 letters")
    for letters in ("WW", "\ufdfa", "\ufdfa\ufdfa", "il"):
        dialog.get_by_role("textbox", name="Letters").fill(letters)
        sign = dialog.locator(".mine .sign")
        expect(sign).to_have_text(letters)
        assert soon(sign.evaluate, WITHIN), letters
    dialog.get_by_role("textbox", name="Letters").fill("Zo")
    assert not barriers_in_both_themes(ann.page)
    dialog.get_by_role("button", name="Use this sign").click()
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Your sign")).to_be_focused()
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Your sign")).to_have_text("Zo")

    data, header = {"rules": "poof+schedule:1", "players": 3}, {"X-Rage": "1"}
    opened = ann.page.request.post("api/tables", data=data, headers=header)
    table = opened.json()["table"]
    ann.go(table)
    ben.go(table)
    choose(ben.page, "flower", "rose")
    expect(ben.page.get_by_role("dialog")).to_have_count(0)
    assert not too_wide(ben.page)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down").click()
    for page in (ann.page, ben.page):
        expect(page.locator('[data-seat="1"]')).to_contain_text("Ben")
        for each, letters in enumerate(("Zo", "Be")):
            expect(page.locator(f'[data-seat="{each}"] .sign').first).to_have_text(letters)
        first, second = drawn(page, 0), drawn(page, 1)
        assert (first[1:], second[1:]) == (("5", "Zo"), ("6", "Be"))
        assert first[0] != second[0]
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(1)
    assert soon(lambda: [drawn(ben.page, seat) for seat in (0, 1)]) == [first, second]


@pytest.mark.alone
def test_a_bot_has_a_face_and_a_line_of_character(seat: Seat) -> None:
    """Where it is chosen, before the game, and on a long press (here, the right button)."""
    ann, line = seat("Ann"), "Remembers every card, and thinks ahead"
    page, face = ann.page, ann.page.locator("[data-face=hard]")
    page.goto("./")
    expect(page.get_by_text("Forgets cards")).to_be_visible()
    expect(page.locator("[data-face]")).to_have_count(0)
    page.get_by_role("radio", name="Hard").check()
    expect(face).to_be_visible()
    expect(page.get_by_text(line)).to_be_visible()
    ann.open("poof+schedule:1", 2, bots=["hard"])
    expect(page.locator("[data-seat='1'] [data-face=hard]")).to_be_visible()
    page.locator("[data-seat='1'] button").click()
    expect(page.get_by_text(f"Hard: {line}")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start").click()
    expect(ann.hand).to_have_count(1)
    page.locator("[data-seat='1'] .sign").click(button="right")
    explained = page.get_by_role("tooltip")
    expect(explained).to_contain_text(line)
    expect(explained.locator(face)).to_be_visible()
