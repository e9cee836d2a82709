"""Our HTTP and WebSocket protocols by themselves, under applications that a test writes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from rage.server.wire.http_exchange import MAX_UNREAD
from rage.server.wire.http_protocol import HttpProtocol
from rage.server.wire.slots import Slots
from rage.server.wire.websocket_protocol import EXTENSION

GET = b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /%b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%b\r\n"


class Served:
    """A port on which an application is served, and what the server knows of its connections."""

    def __init__(self, port: int, state: ServerState) -> None:
        self.port = port
        self.state = state

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def answer(self, *parts: bytes, pause: float = 0.0) -> bytes:
        """All that is answered until the connection ends."""
        reader, writer = await self.connect()
        for part in parts:
            writer.write(part)
            await asyncio.sleep(pause)
        answered = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return answered


@contextlib.asynccontextmanager
async def served(application: Any, **options: Any) -> AsyncIterator[Served]:
    """An application on a free port, without uvicorn around it."""
    settings: dict[str, Any] = {"proxy_headers": False, "ws": "none", "ws_ping_interval": None}
    config = uvicorn.Config(application, **{**settings, **options})
    config.load()
    state, slots = ServerState(), Slots(100, 100)

    def protocol() -> asyncio.Protocol:
        return HttpProtocol(slots, config=config, server_state=state, app_state={})

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    try:
        yield Served(server.sockets[0].getsockname()[1], state)
    finally:
        server.close()
        for connection in list(state.connections):
            connection.shutdown()
        async with asyncio.timeout(5):
            while state.connections or state.tasks:
                await asyncio.sleep(0.01)
        assert len(slots) == 0


async def respond(send: Any, body: bytes) -> None:
    """A whole answer."""
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def read_body(receive: Any) -> bytes:
    """All of a body."""
    body, more = b"", True
    while more:
        message = await receive()
        assert message["type"] == "http.request"
        body, more = body + message["body"], message["more_body"]
    return body


# --- HTTP ----------------------------------------------------------------------------------


async def test_pipelined_requests_are_answered_one_by_one_and_in_order() -> None:
    under_way = 0

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal under_way
        under_way += 1
        assert under_way == 1
        await asyncio.sleep(0.02)
        under_way -= 1
        await respond(send, scope["path"].encode())

    async with served(application) as server:
        answered = await server.answer(GET % b"a" + GET % b"b" + LAST % b"c")
    assert [part[-2:] for part in answered.split(b"HTTP/1.1 200 OK")[1:]] == [b"/a", b"/b", b"/c"]


async def test_the_head_of_an_answer_has_no_body(caplog: pytest.LogCaptureFixture) -> None:
    """Nor has that of a refusal."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, b"body")

    async with served(application) as server:
        answered = await server.answer(LAST.replace(b"GET", b"HEAD") % b"")
        refused = await server.answer(
            b"HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
    assert b"content-length: 4" in answered.lower()
    assert answered.endswith(b"\r\n\r\n")
    assert refused.startswith(b"HTTP/1.1 400 ")
    assert refused.endswith(b"\r\n\r\n")
    assert not caplog.records


@pytest.mark.parametrize("reads", [True, False])
async def test_a_body_is_asked_for_only_if_it_is_read(reads: bool) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, await read_body(receive) if reads else b"no")

    async with served(application) as server:
        reader, writer = await server.connect()
        writer.write(POST % (3, b"Expect: 100-continue\r\nConnection: close\r\n"))
        first = await asyncio.wait_for(reader.readline(), 5)
        assert first.split()[1] == (b"100" if reads else b"200")
        if reads:
            writer.write(b"abc")
        assert (await asyncio.wait_for(reader.read(), 5)).endswith(b"abc" if reads else b"no")
        writer.close()


async def test_a_large_body_is_read_as_fast_as_the_application_reads() -> None:
    size = 40 * MAX_UNREAD
    paused = list[bool]()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.3)
        (connection,) = server.state.connections
        paused.append(connection._read_paused)  # type: ignore[union-attr]  # is ours
        await respond(send, b"%d" % len(await read_body(receive)))

    async with served(application) as server:
        answered = await server.answer(POST % (size, b"Connection: close\r\n"), bytes(size))
    assert answered.endswith(b"\r\n\r\n%d" % size)
    assert paused == [True]


async def test_a_body_that_nobody_has_read_is_skipped() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, scope["method"].encode())

    async with served(application) as server:
        answered = await server.answer(POST % (6, b""), b"abc", b"def", LAST % b"", pause=0.05)
    assert answered.count(b"HTTP/1.1 200 OK") == 2
    assert answered.endswith(b"GET")


async def test_an_application_is_told_when_the_client_is_gone() -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await read_body(receive)
        heard.put_nowait("ready")
        heard.put_nowait((await receive())["type"])
        await respond(send, b"nobody reads this")

    async with served(application) as server:
        _, writer = await server.connect()
        writer.write(GET % b"")
        assert await heard.get() == "ready"
        writer.transport.abort()
        assert await asyncio.wait_for(heard.get(), 5) == "http.disconnect"


async def fails(scope: Any, receive: Any, send: Any) -> None:
    """An application with a bug."""
    raise ValueError


async def says_nothing(scope: Any, receive: Any, send: Any) -> None:
    """Another one."""


async def stops(scope: Any, receive: Any, send: Any) -> None:
    """One that stops in the middle."""
    headers = [(b"content-length", b"9")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"abc", "more_body": True})


@pytest.mark.parametrize("application", [fails, says_nothing])
async def test_a_request_that_is_not_answered_is_an_error_of_ours(application: Any) -> None:
    async with served(application) as server:
        answered = await server.answer(GET % b"")
    assert answered.startswith(b"HTTP/1.1 500 ")


async def test_half_an_answer_ends_the_connection() -> None:
    async with served(stops) as server:
        assert (await server.answer(GET % b"")).endswith(b"abc")


@pytest.mark.parametrize("request_", [LAST % b"", b"GET / HTTP/1.0\r\n\r\n"])
async def test_a_connection_ends_when_the_client_says_so(request_: bytes) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, b"")

    async with served(application, timeout_keep_alive=60) as server:
        assert (await server.answer(request_)).count(b"200 OK") == 1


async def test_a_connection_ends_when_nothing_more_is_asked_for() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, b"")

    async with served(application, timeout_keep_alive=0.2) as server:
        assert (await server.answer(GET % b"")).count(b"200 OK") == 1


async def test_an_answer_that_is_under_way_is_finished_at_the_end() -> None:
    ending = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await ending.wait()
        await respond(send, b"done")

    async with served(application, timeout_keep_alive=60) as server:
        asking = asyncio.create_task(server.answer(GET % b""))
        async with asyncio.timeout(5):
            while not server.state.tasks:
                await asyncio.sleep(0.01)
        for connection in list(server.state.connections):
            connection.shutdown()
        ending.set()
        assert (await asking).endswith(b"done")


# --- WebSocket -----------------------------------------------------------------------------


def listening(on_message: Callable[[Any, bytes], None], *, late: float = 0.0) -> Any:
    """An application that accepts, and hears messages; after a while, if it is ``late``."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        await asyncio.sleep(late)
        connection = scope["extensions"][EXTENSION]
        connection.listen(lambda message: on_message(connection, message))
        await receive()

    return application


def echo(connection: Any, message: bytes) -> None:
    """Send a message back."""
    connection.write(Frame(Opcode.TEXT, message).serialize(mask=False))


@pytest.mark.parametrize("late", [0.0, 0.2])
async def test_messages_of_all_kinds_come_in_order(late: float) -> None:
    async with (
        served(listening(echo, late=late)) as server,
        connect(f"ws://127.0.0.1:{server.port}/", compression=None) as client,
    ):
        await client.send("short")
        await client.send(["in ", "three ", "pieces"])
        await client.send(b"not a text")
        await client.send("x" * 200)
        await client.ping()
        await client.send("last")
        found = [await asyncio.wait_for(client.recv(), 5) for _ in range(5)]
    assert found == ["short", "in three pieces", "", "x" * 200, "last"]


async def test_a_ping_is_answered_before_what_comes_after_it() -> None:
    """Even if both are read at once."""
    head = (
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    ping, text = (Frame(opcode, b"abc") for opcode in (Opcode.PING, Opcode.TEXT))
    async with served(listening(echo)) as server:
        reader, writer = await server.connect()
        writer.write(head)
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.05)
        writer.write(ping.serialize(mask=True) + text.serialize(mask=True))
        pong = Frame(Opcode.PONG, b"abc").serialize(mask=False)
        answered = pong + text.serialize(mask=False)
        assert await asyncio.wait_for(reader.readexactly(len(answered)), 5) == answered
        writer.close()


async def test_an_application_may_refuse_a_handshake() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["path"] == "/closed":
            await send({"type": "websocket.close", "code": 4003})
            return
        headers = [(b"content-length", b"4"), (b"retry-after", b"5")]
        start = {"type": "websocket.http.response.start", "status": 429, "headers": headers}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": b"busy"})

    async with served(application) as server:
        for path, status in (("closed", 403), ("busy", 429)):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(f"ws://127.0.0.1:{server.port}/{path}"):
                    pass
            assert refused.value.response.status_code == status
        assert refused.value.response.headers["Retry-After"] == "5"
        assert refused.value.response.headers["Connection"] == "close"
        assert refused.value.response.body == b"busy"


@pytest.mark.parametrize("application", [fails, says_nothing])
async def test_a_handshake_that_is_not_answered_is_an_error_of_ours(application: Any) -> None:
    async with served(application) as server:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://127.0.0.1:{server.port}/"):
                pass
    assert refused.value.response.status_code == 500


@pytest.mark.parametrize("code", [1000, 4001])
async def test_an_application_closes_with_a_code(code: int) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": code})

    async with served(application) as server, connect(f"ws://127.0.0.1:{server.port}/") as client:
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(client.recv(), 5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


async def test_an_application_is_told_with_which_code_the_client_closed() -> None:
    codes: asyncio.Queue[int] = asyncio.Queue()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        codes.put_nowait((await receive())["code"])

    async with served(application) as server:
        async with connect(f"ws://127.0.0.1:{server.port}/") as client:
            await client.close(4444)
        assert await asyncio.wait_for(codes.get(), 5) == 4444


async def test_everybody_is_told_when_the_server_ends() -> None:
    async with served(listening(echo)) as server:
        client = await connect(f"ws://127.0.0.1:{server.port}/")
        await client.send("hello")
        assert await client.recv() == "hello"
    with pytest.raises(ConnectionClosed) as closed:
        await asyncio.wait_for(client.recv(), 5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    await client.close()
