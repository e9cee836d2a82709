"""``/healthz`` and ``/readyz``, for whoever monitors the server."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from rage.place.requests.requester import Requester, refusals


class Health(Struct):
    """Whether the server is well."""

    ok: bool


@get("/healthz", sync_to_thread=False)
def get_health() -> Health:
    """Say that the server is alive."""
    return Health(True)


@get("/readyz", responses=refusals())
async def get_ready(requester: NamedDependency[Requester]) -> Health:
    """Say that the server can store what happens."""
    await requester.site.store.prove()
    return Health(True)
