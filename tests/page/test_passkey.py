"""The same person on another device, by a passkey, with Chromium's own virtual authenticator."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import CDPSession, Page, expect

from page.browsing import Visitors, barriers, loaded, too_wide
from page.playing import Seats

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "de"}
#: A browser from before passkeys could be read and written as JSON.
OLDER = """
    delete PublicKeyCredential.parseCreationOptionsFromJSON;
    delete PublicKeyCredential.parseRequestOptionsFromJSON;
    delete PublicKeyCredential.prototype.toJSON;
"""


class Keyring:
    """Where a browser keeps its passkeys."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
        }
        made = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._at = {"authenticatorId": made["authenticatorId"]}

    def passkeys(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._session.send("WebAuthn.getCredentials", self._at)[
            "credentials"
        ]
        return found

    def take(self, passkey: dict[str, Any]) -> None:
        """Keep a passkey of another device, as password managers share them."""
        self._session.send("WebAuthn.addCredential", {**self._at, "credential": passkey})


def create(page: Page) -> None:
    """At the place where the recovery code is offered."""
    page.goto("handover")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_text(re.compile("^Created on "))).to_be_visible()


def test_a_passkey_brings_the_hand_to_another_device(visitors: Visitors, seats: Seats) -> None:
    """And ends the old session. An older browser creates it, a newer one uses it, and then an
    older one."""
    table = seats("amigo", "Ann", "Ben", bots=1)
    old, phone = table.page(0), visitors.blank(**PHONE)
    old.context.add_init_script(OLDER)
    keys = Keyring(old)
    create(old)
    assert barriers(old) == []
    old.get_by_role("button", name="Create a passkey").click()
    expect(old.locator(".error")).to_have_text("You have a passkey on this device already.")
    person = old.request.get("api/me").json()["person"]
    (passkey,) = keys.passkeys()
    old.goto(f"t/{table.code}")
    expect(old.locator("[data-hand]").first).to_be_visible()

    keys = Keyring(phone)
    keys.take(passkey)
    phone.goto(f"t/{table.code}")
    phone.get_by_role("link", name="Ich spiele hier schon").click()
    phone.get_by_label("Das alte Gerät ist verloren").check()
    expect(phone.get_by_text("alle anderen Passkeys")).to_be_visible()
    assert barriers(phone) == []
    phone.get_by_role("button", name="Passkey verwenden").click()
    hand = phone.locator("[data-hand]")
    expect(hand).to_have_count(len(table.deal["hands"][0]))
    codes = [card.get_attribute("data-hand") for card in hand.all()]
    assert sorted(filter(None, codes)) == sorted(table.deal["hands"][0])
    assert phone.request.get("api/me").json()["person"] == person
    assert phone.request.get("api/tables").json()["mine"][0]["table"] == table.code
    signed_out = "You were signed out, or the cookies of this browser were deleted."
    expect(old.get_by_text(signed_out)).to_be_visible()
    assert barriers(old) == []

    third = visitors.blank()
    third.context.add_init_script(OLDER)
    Keyring(third).take(*keys.passkeys())
    third.goto("recover")
    third.get_by_role("button", name="Use a passkey").click()
    expect(third.get_by_role("heading", name="My games")).to_be_visible()
    assert third.request.get("api/me").json()["person"] == person


def test_a_dialog_that_gives_nothing_changes_nothing(visitors: Visitors) -> None:
    """And a passkey that was removed is refused."""
    page = visitors.visit("settings", viewport={"width": 320, "height": 568})
    keys = Keyring(page)
    page.goto("recover")
    loaded(page)
    assert too_wide(page) <= 0
    page.get_by_role("button", name="Use a passkey").click()
    alert = page.locator(".error")
    expect(alert).to_have_text("The browser gave no passkey, so nothing has changed.")
    create(page)
    assert too_wide(page) <= 0
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text(re.compile("^Created on "))).to_have_count(0)
    assert len(keys.passkeys()) == 1
    page.goto("recover")
    page.get_by_role("button", name="Use a passkey").click()
    expect(alert).to_contain_text("This passkey was not accepted.")


def test_an_address_without_passkeys_says_nothing_of_them(visitors: Visitors) -> None:
    base = visitors.server.url.replace("localhost", "127.0.0.1")
    page = visitors.visit("handover", base_url=f"{base}/")
    expect(page.get_by_role("button", name="Show me my words")).to_be_visible()
    loaded(page)
    expect(page.get_by_text("passkey")).to_have_count(0)
    page.goto("recover")
    loaded(page)
    expect(page.get_by_text("passkey")).to_have_count(0)
