"""Somebody on the line between a page and the server, who listens and interferes."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute


class Line:
    """The connection of a page to its table, and what the page has ``sent`` over it.

    ``doctor`` changes messages of the server; with ``deaf`` none of them arrive. Commands of the
    type ``drop`` never reach the server. With ``refuse``, a reason, neither do moves, which are
    refused for it."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.doctor: Callable[[dict[str, Any]], None] = lambda message: None
        self.deaf = False
        self.drop = ""
        self.refuse: dict[str, Any] | None = None
        self.seq = 0
        self.whole: dict[str, Any] = {}
        self._route: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/ws/"), self._open)

    def _open(self, route: WebSocketRoute) -> None:
        self._route = route
        server = route.connect_to_server()
        route.on_message(lambda message: self._from_page(route, server, str(message)))
        server.on_message(lambda message: self._from_server(route, str(message)))

    def _from_page(self, route: WebSocketRoute, server: WebSocketRoute, text: str) -> None:
        message = json.loads(text)
        command = message.get("do")
        if command is not None:
            self.sent.append(command)
        kind = command and command["type"]
        if self.refuse is not None and kind == "play":
            refused = {"type": "refused", "id": message["id"], "reason": self.refuse}
            route.send(json.dumps(refused))
        elif not kind or kind != self.drop:
            server.send(text)

    def _from_server(self, route: WebSocketRoute, text: str) -> None:
        if self.deaf:
            return
        message = json.loads(text)
        self.seq = message.get("seq", self.seq)
        if message["type"] == "table":
            self.whole = copy.deepcopy(message)
        self.doctor(message)
        route.send(json.dumps(message))

    def tell(self, *events: dict[str, Any]) -> None:
        """Tell the page of something that has not happened."""
        assert self._route is not None
        update = {"type": "update", "seq": self.seq + len(events), "events": events, "at": 1}
        self._route.send(json.dumps(update))

    def show(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Show the page another table, as it was last shown as a whole, with a change."""
        assert self._route is not None
        message = copy.deepcopy(self.whole)
        change(message["table"])
        message["seq"] = message["table"]["seq"] = self.seq
        self._route.send(json.dumps(message))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The commands of a type that the page has sent."""
        return [each for each in self.sent if each["type"] == kind]

    @property
    def plays(self) -> list[str]:
        """The moves that the page has sent."""
        return [each["move"] for each in self.of("play")]
