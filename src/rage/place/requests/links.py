"""``/api/qr`` and ``/api/network``: how others get here."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import Parameter
from msgspec import Meta, Struct

from rage.place.requests.requester import END, Requester, refusals
from rage.server.network import qr_svg

Url = Annotated[str, Meta(examples=["http://192.168.1.20:7243"])]


class Network(Struct):
    """Where other devices of its networks find this server, the likeliest address first; nothing
    where none can."""

    addresses: list[Url]


@get("/api/qr", responses=refusals(409), media_type="image/svg+xml")
async def get_qr(
    requester: NamedDependency[Requester],
    path: Annotated[
        str,
        Parameter(
            pattern=r"^/([A-Za-z0-9._~+:,;=@!$&'()*%?#-][A-Za-z0-9._~+:,;=@!$&'()*%?#/-]*)?" + END,
            max_length=600,
        ),
    ],
    at: Annotated[str | None, Parameter(max_length=300)] = None,
) -> Response[str]:
    """An image of a link to a page of this server, for a camera. ``at``: at which of the addresses
    of ``/api/network``."""
    requester.rate_limit("qr")
    image = await requester.work(partial(qr_svg, await requester.link(path, at)))
    return Response(image, media_type="image/svg+xml")


@get("/api/network", responses=refusals())
async def get_network(requester: NamedDependency[Requester]) -> Network:
    """Where other devices of this network find this server."""
    return Network(await requester.site.addresses.get())
