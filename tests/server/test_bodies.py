"""The JSON bodies of requests: decoded strictly, and once."""

from __future__ import annotations

from litestar import Litestar, post
from litestar.params import JSONBody
from litestar.testing import TestClient
from msgspec import Struct

from rage.server.http.api import StrictRequest


class Body(Struct, forbid_unknown_fields=True):
    """A body that counts how often it is made."""

    number: int
    made = 0

    def __post_init__(self) -> None:
        Body.made += 1


@post("/")
async def receive(data: JSONBody[Body]) -> int:
    return data.number


def test_a_body_is_decoded_once() -> None:
    app = Litestar([receive], request_class=StrictRequest)
    with TestClient(app) as client:
        before = Body.made
        assert client.post("/", json={"number": 4}).json() == 4
        assert Body.made == before + 1
