"""The WebSocket protocol by itself, below uvicorn, under applications that a test writes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rage.server.wire.websocket import EXTENSION, WebSocket
from server.raw_client import frame
from server.running import PATIENCE


@contextlib.asynccontextmanager
async def served(application: Any) -> AsyncIterator[str]:
    """An application on a free port: its address."""
    config = uvicorn.Config(
        application, port=0, ws=WebSocket, ws_max_size=4096, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    finally:
        server.should_exit = True
        await task


async def refuses(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers with a status of its own."""
    start = {"type": "websocket.http.response.start", "status": 429}
    await send({**start, "headers": [(b"content-length", b"4"), (b"retry-after", b"5")]})
    await send({"type": "websocket.http.response.body", "body": b"busy"})


async def closes(scope: Any, receive: Any, send: Any) -> None:
    """One that does not want anybody."""
    await send({"type": "websocket.close", "code": 4003})


async def fails(scope: Any, receive: Any, send: Any) -> None:
    """One with a bug."""
    raise ValueError


async def fails_later(scope: Any, receive: Any, send: Any) -> None:
    """One with a bug after the handshake."""
    await send({"type": "websocket.accept"})
    raise ValueError


async def echoes(scope: Any, receive: Any, send: Any) -> None:
    """One that sends every message back, and listens late."""
    assert (await receive())["type"] == "websocket.connect"
    await send({"type": "websocket.accept"})
    await asyncio.sleep(0.1)
    connection = scope["extensions"][EXTENSION]
    connection.listen(connection.write)
    await receive()


@pytest.mark.parametrize(("application", "status"), [(refuses, 429), (closes, 403), (fails, 500)])
async def test_a_handshake_is_refused(application: Any, status: int) -> None:
    async with served(application) as url:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(url):
                pass
    answer = refused.value.response
    assert answer.status_code == status
    assert answer.headers["Connection"] == "close"
    if status == 429:
        assert answer.headers["Retry-After"] == "5"
        assert answer.body == b"busy"


async def test_a_bug_closes_the_connection() -> None:
    async with served(fails_later) as url, connect(url) as client:
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(client.recv(), PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011


async def test_messages_wait_until_somebody_listens_and_the_end_is_said() -> None:
    async with served(echoes) as url:
        client = await connect(url, compression=None)
        for said in ("short", ["in ", "three ", "pieces"], b"no text", "x" * 4096):
            await client.send(said)
        found = [await asyncio.wait_for(client.recv(), PATIENCE) for _ in range(4)]
        assert found == ["short", "in three pieces", "", "x" * 4096]
    with pytest.raises(ConnectionClosed) as closed:
        await asyncio.wait_for(client.recv(), PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012


async def test_an_aborted_connection_is_cut_off_and_hears_nothing_more() -> None:
    """Aborted by the first of several messages that arrive together."""
    heard, ended = list[bytes](), asyncio.Event()

    async def aborts(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        connection = scope["extensions"][EXTENSION]

        def on_message(message: bytes) -> None:
            heard.append(message)
            connection.write(b"x" * 20_000_000)  # more than the system takes at once
            connection.abort()
            connection.write(b"late")

        connection.listen(on_message)
        assert (await receive())["type"] == "websocket.connect"
        assert (await receive())["type"] == "websocket.disconnect"
        ended.set()

    async with served(aborts) as url, connect(url, compression=None, max_size=None) as client:
        client.transport.write(frame(b"1") + frame(b"2") + frame(b"3"))
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(client.recv(), PATIENCE)
        await asyncio.wait_for(ended.wait(), PATIENCE)
    assert closed.value.rcvd is None
    assert heard == [b"1"]
