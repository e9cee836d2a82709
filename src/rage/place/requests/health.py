"""``/healthz`` and ``/readyz``, for whoever monitors the server."""

from __future__ import annotations

from msgspec import Struct

from rage.place.requests.requester import Requester


class Health(Struct):
    """Whether the server is well."""

    ok: bool


async def get_health() -> Health:
    """Say that the server is alive."""
    return Health(True)


async def get_ready(requester: Requester) -> Health:
    """Say that the server can store what happens."""
    await requester.site.store.prove()
    return Health(True)
