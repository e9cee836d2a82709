"""``/api/qr`` and ``/api/network``: how others get here."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct

from rage.house.requests.requester import END, Requester

Url = Annotated[str, Meta(examples=["http://192.168.1.20:7243"])]


class Network(Struct):
    """The addresses of this server for other devices of its networks, the likeliest first; empty if
    there are none."""

    addresses: list[Url]


async def get_qr(
    requester: Requester,
    path: Annotated[
        str,
        Meta(
            pattern=r"^/([A-Za-z0-9._~+:,;=@!$&'()*%?#-][A-Za-z0-9._~+:,;=@!$&'()*%?#/-]*)?" + END,
            max_length=600,
        ),
    ],
    at: Annotated[str | None, Meta(max_length=300)] = None,
) -> str:
    """A QR code of a link to a page of this server. ``at``: the address of ``/api/network`` to
    use."""
    link = await requester.link(path, at)
    return await requester.work(partial(requester.site.links.image, link))


async def get_network(requester: Requester) -> Network:
    """The addresses of this server for other devices of this network."""
    return Network(await requester.site.links.addresses())
