"""``rage score`` opens the page's score sheet, and hands over what it was given."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from page.browsing import Visitors
from page.entering import random_round, saved
from page.waiting import soon
from rage.rules.editions import ruleset
from rage.score.file import read_sheet, write_sheet
from rage.score.link import write_link
from rage.score.sheet import Sheet
from score.entering import begin_round, new_sheet

PHONE: Any = {"width": 390, "height": 844}
COMMAND = [sys.executable, "-m", "rage", "score"]
#: The last word of a line that says where the sheet is.
_ADDRESS = re.compile(r"The score sheet is here: (http\S+)\n")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a browser that is a shell script")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables with which there is no browser."""
    without = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    kept = {name: value for name, value in os.environ.items() if name not in without}
    return {**kept, "RAGE_DATA": str(tmp_path / "data"), "RAGE_LANG": "en"}


@contextmanager
def opened(tmp_path: Path, environment: dict[str, str], *words: str) -> Iterator[str]:
    """The address that the command opens in a browser, while it serves it."""
    program, file = tmp_path / "browser", tmp_path / "opened"
    program.write_text(f'#!/bin/sh\necho "$1" > {shlex.quote(str(file))}.part\n'
                       f"mv {shlex.quote(str(file))}.part {shlex.quote(str(file))}\n")  # fmt: skip
    program.chmod(0o755)
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, text=True,
        env={**environment, "BROWSER": str(program)},
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            said = ""
            while "Ctrl-C" not in said:
                said += (line := process.stdout.readline())
                assert line
            assert soon(file.exists)
            (address,) = _ADDRESS.findall(said)
            assert file.read_text("utf-8").strip() == address
            yield address
            process.send_signal(signal.SIGINT)
            assert "No browser" not in process.stdout.read()
            assert process.wait(20) == 0
        finally:
            process.kill()


def evening() -> Sheet:
    """A round with its cards, and another under way."""
    sheet = random_round(new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"]), Random(5))
    cards = sheet.rounds[0]._replace(extra={"turned": ["R3"], "tricks": ["R5 B3 Y0"]})
    sheet = sheet._replace(rounds=(cards,), extra={"started": "2026-11-20T20:00:00Z"})
    return begin_round(sheet)


def test_a_file_is_handed_over_whole_and_a_new_sheet_is_filled_in(
    tmp_path: Path, environment: dict[str, str], browser: Browser
) -> None:
    """The second by the server of the first; and where there is no browser, that is said."""
    file = tmp_path / "evening.rage-score.json"
    file.write_bytes(write_sheet(evening()))
    with opened(tmp_path, environment, str(file)) as address:
        page = browser.new_context(locale="en", viewport=PHONE).new_page()
        page.goto(address)
        page.get_by_role("button", name="Keep it on this device").click()
        expect(page.get_by_role("heading", name="Round 2 of 10")).to_be_visible()
        page.get_by_role("button", name="Sheet", exact=True).click()
        kept = read_sheet(saved(page, "Save as file"))
        assert (kept.rounds[0], kept.extra) == (evening().rounds[0], evening().extra)

        words = ["--rules", "poof+sweep", "--names", "Ann,Ben & Co,Cem", "--dealer", "Ben & Co"]
        done = subprocess.run(
            [*COMMAND, *words], env=environment, check=True, capture_output=True, text=True
        )
        assert "No browser could be opened here: open this address" in done.stdout
        (address,) = _ADDRESS.findall(done.stdout)
        page.goto(address)
        fields = page.get_by_role("textbox", name="Name of player")
        expect(fields).to_have_count(3)
        expect(fields.nth(1)).to_have_value("Ben & Co")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("Rage (Poof-Slinky 2013) + Winner takes all")).to_be_visible()
        expect(page.locator(".pad h2")).to_have_text("How many will Cem win?")

        link = f"http://home/sheet#{write_link(evening())}"
        done = subprocess.run(
            [*COMMAND, link], env=environment, check=True, capture_output=True, text=True
        )
        page.goto(_ADDRESS.findall(done.stdout)[0])
        expect(page.get_by_role("button", name="Keep it on this device")).to_be_visible()
        page.context.close()


def test_what_cannot_be_handed_over_is_said_on_the_page(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    for fragment, says in (
        ("file=eNpLBQA", "not a link to a score sheet"),
        ("new?rules=uno", "uno is not an edition"),
    ):
        page.goto(f"sheet#{fragment}")
        expect(page.get_by_role("alert").filter(has_text=says)).to_be_visible()
