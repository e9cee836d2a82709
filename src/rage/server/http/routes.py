"""The paths and methods of the API, checked before Litestar sees a request."""

from __future__ import annotations

import re
from collections.abc import Iterable

from litestar.handlers import HTTPRouteHandler

from rage.place.errors import MethodNotAllowed, NotFound
from rage.server.http.asgi import Application, Receive, Scope, Send, refuse, respond

_SCHEMA = ("/schema", "/schema/openapi.json", "/schema/style.css")


class Routes:
    """In front of the API: answers requests for paths and methods that don't exist, and ``OPTIONS``
    requests."""

    def __init__(self, handlers: Iterable[HTTPRouteHandler], api: Application) -> None:
        methods: dict[str, set[str]] = {path: {"GET"} for path in _SCHEMA}
        for handler in handlers:
            for path in handler.paths:
                methods.setdefault(path, set()).update(map(str, handler.http_methods))
        self._known = [
            (re.compile(re.sub(r"\{\w+:\w+\}", "[^/]+", path)), ", ".join(sorted(found)))
            for path, found in methods.items()
        ]
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the API."""
        path, method = scope["path"].rstrip("/"), scope["method"]
        allowed = next((each for known, each in self._known if known.fullmatch(path)), None)
        if allowed is None:
            await refuse(NotFound("http.no_route"), scope, send)
        elif method in allowed.split(", "):
            await self._api(scope, receive, send)
        else:
            headers = [(b"allow", f"{allowed}, OPTIONS".encode())]
            if method == "OPTIONS":
                await respond(send, 204, b"", headers)
            else:
                await refuse(MethodNotAllowed("http.method"), scope, send, headers)
