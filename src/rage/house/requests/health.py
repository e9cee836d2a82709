"""``/healthz`` and ``/readyz``, for monitoring."""

from __future__ import annotations

from msgspec import Struct

from rage.house.requests.requester import Requester


class Health(Struct):
    """Whether the server is well."""

    ok: bool


async def get_health() -> Health:
    """Whether the server is alive."""
    return Health(True)


async def get_ready(requester: Requester) -> Health:
    """Whether the server can store what happens."""
    await requester.site.hub.services.check_ready()
    return Health(True)
