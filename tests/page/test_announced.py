"""What the operator announces is shown at every table, as plain text."""

from __future__ import annotations

import subprocess
import sys

from playwright.sync_api import expect

from page.playing import Seat
from server.running import Running


def test_an_announcement_is_shown_until_it_is_closed(page_server: Running, seat: Seat) -> None:
    ann = seat("Ann", viewport={"width": 320, "height": 568})
    ann.open("poof+schedule:3", 2)
    words = "<b>Restart</b> in ten minutes, at 8 p.m.; all tables go on where they are"
    command = [sys.executable, "-m", "rage", "admin", "announce", words]
    subprocess.run([*command, "--data", str(page_server.data)], check=True, capture_output=True)
    notice = ann.page.get_by_role("status").filter(has_text=words)
    expect(notice).to_contain_text(f"From the people who run this server: {words}")
    notice.get_by_role("button", name="Close").click()
    expect(ann.page.get_by_text(words)).to_have_count(0)
