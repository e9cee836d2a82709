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


@pytest.mark.parametrize("accepted", [False, True])
async def test_a_bug_is_answered_or_closes_the_connection(accepted: bool) -> None:
    async def fails(scope: Any, receive: Any, send: Any) -> None:
        if accepted:
            await send({"type": "websocket.accept"})
        raise ValueError

    async with served(fails) as url:
        with pytest.raises((InvalidStatus, ConnectionClosed)) as refused:
            async with connect(url) as client:
                await asyncio.wait_for(client.recv(), PATIENCE)
    if isinstance(refused.value, InvalidStatus):
        assert refused.value.response.status_code == 500
        assert refused.value.response.headers["Connection"] == "close"
    else:
        assert isinstance(refused.value, ConnectionClosed)
        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == 1011


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
