"""``/healthz`` and ``/readyz``, for whoever looks after the server."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from rage.server.api.asking import Asker, refusals


class Health(Struct):
    """Whether the server is well."""

    ok: bool


@get("/healthz", sync_to_thread=False)
def get_health() -> Health:
    """Say that the server is alive."""
    return Health(True)


@get("/readyz", responses=refusals())
async def get_ready(asker: NamedDependency[Asker]) -> Health:
    """Say that the server can store what happens: by storing something."""
    await asker.site.store.rename("readyz", "readyz")
    return Health(True)
