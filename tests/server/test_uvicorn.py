"""What the protocols take for granted about uvicorn, websockets and h11: each assumption is a test,
which names it, so that a new version that breaks one says so."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from rage import server

SOURCES = sorted(Path(str(server.__file__)).parent.rglob("*.py"))
#: All that the server uses of them, and nothing else.
USED = {
    "uvicorn": {"Config", "Server"},
    "uvicorn.server": {"ServerState"},
    "websockets.datastructures": {"Headers"},
    "websockets.frames": {"Frame", "Opcode"},
    "websockets.http11": {"Request", "Response"},
    "websockets.server": {"ServerProtocol"},
    "h11": {
        "Connection", "Data", "DONE", "EndOfMessage", "Event", "IDLE", "InformationalResponse",
        "MUST_CLOSE", "NEED_DATA", "PAUSED", "RemoteProtocolError", "Request", "Response",
        "SEND_BODY", "SEND_RESPONSE", "SERVER",
    },
}  # fmt: skip


def names_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What a module imports of the three, and which attributes of them it names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module.partition(".")[0] in ("uvicorn", "websockets", "h11"):
                yield from ((node.module, each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            for each in node.names:
                if each.name.partition(".")[0] in ("uvicorn", "websockets", "h11"):
                    assert "." not in each.name, each.name
        elif isinstance(node, ast.Attribute) and isinstance(module := node.value, ast.Name):
            yield from ((module.id, node.attr),) if module.id in ("uvicorn", "h11") else ()


def test_nothing_else_of_them_is_used() -> None:
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        for module, name in names_in(ast.parse(path.read_text("utf-8"))):
            found.setdefault(module, set()).add(name)
    assert found == USED


@pytest.mark.parametrize("module", USED)
def test_what_is_used_is_public(module: str) -> None:
    assert not any(part.startswith("_") for part in module.split("."))
    found = importlib.import_module(module)
    for name in USED[module]:
        assert not name.startswith("_")
        assert hasattr(found, name)


# --- uvicorn -------------------------------------------------------------------------------


class Spy(asyncio.Protocol):
    """A protocol that notes how uvicorn treats it."""

    def __init__(self, **arguments: Any) -> None:
        self.arguments = arguments
        self.shut_down = 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.arguments["server_state"].connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.arguments["server_state"].connections.discard(self)

    def shutdown(self) -> None:
        self.shut_down += 1
        asyncio.get_running_loop().call_later(0.2, self.transport.close)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Only lives."""
    assert scope["type"] == "lifespan"
    scope["state"]["lives"] = True
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


async def spied(check: Callable[[Spy, uvicorn.Config], Any], **options: Any) -> Spy:
    """What uvicorn does with a protocol of ours; ``check`` is called while it is connected."""
    spies = []

    def protocol(**arguments: Any) -> Spy:
        spies.append(Spy(**arguments))
        return spies[-1]

    http: Any = protocol
    settings: dict[str, Any] = {"lifespan": "on", "log_config": None, "ws": "none", **options}
    config = uvicorn.Config(application, http=http, port=0, **settings)
    running = uvicorn.Server(config)
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    while not spies:
        await asyncio.sleep(0.01)
    check(spies[0], config)
    running.should_exit = True
    await task
    assert spies[0].transport.is_closing(), "uvicorn does not wait for connections to end"
    writer.close()
    return spies[0]


async def test_uvicorn_gives_a_protocol_these_arguments() -> None:
    def check(spy: Spy, config: uvicorn.Config) -> None:
        assert {"config", "server_state", "app_state"} <= set(spy.arguments)
        assert spy.arguments["config"] is config
        assert isinstance(spy.arguments["server_state"], ServerState)
        assert spy.arguments["app_state"]["lives"] is True

    await spied(check)


async def test_uvicorn_shuts_connections_down_and_waits_for_them() -> None:
    spy = await spied(lambda spy, config: None)
    assert spy.shut_down == 1


async def test_uvicorn_keeps_connections_and_tasks_in_sets_and_a_date_for_answers() -> None:
    def check(spy: Spy, config: uvicorn.Config) -> None:
        state = spy.arguments["server_state"]
        assert isinstance(state.connections, set)
        assert isinstance(state.tasks, set)
        assert [name for name, _ in state.default_headers] == [b"date"]

    await spied(check, server_header=False)


async def test_uvicorn_waits_for_tasks() -> None:
    ended = []

    async def work() -> None:
        await asyncio.sleep(0.4)
        ended.append(True)

    def check(spy: Spy, config: uvicorn.Config) -> None:
        tasks = spy.arguments["server_state"].tasks
        task = asyncio.get_running_loop().create_task(work())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    await spied(check)
    assert ended


async def test_uvicorn_has_these_settings_when_it_runs() -> None:
    def check(spy: Spy, config: uvicorn.Config) -> None:
        assert callable(config.loaded_app)
        assert config.root_path == ""
        assert config.asgi_version == "3.0"
        assert (config.ws_max_size, config.ws_ping_interval, config.ws_ping_timeout) == (7, 8, 9)
        assert config.timeout_keep_alive == 10

    await spied(check, ws_max_size=7, ws_ping_interval=8, ws_ping_timeout=9, timeout_keep_alive=10)


def test_uvicorn_believes_proxies_in_the_application_it_has_loaded() -> None:
    config = uvicorn.Config(application, proxy_headers=True, forwarded_allow_ips=["1.2.3.4"])
    config.load()
    assert type(config.loaded_app).__name__ == "ProxyHeadersMiddleware"


# --- websockets ----------------------------------------------------------------------------

HANDSHAKE = (
    b"GET /ws/x?since=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def protocol_after_handshake() -> ServerProtocol:
    """A connection after its handshake."""
    websocket = ServerProtocol(max_size=4096)
    websocket.receive_data(HANDSHAKE)
    (request,) = websocket.events_received()
    assert isinstance(request, Request)
    websocket.send_response(websocket.accept(request))
    assert websocket.data_to_send()[0].startswith(b"HTTP/1.1 101 ")
    return websocket


def test_websockets_gives_a_handshake_as_a_request() -> None:
    websocket = ServerProtocol()
    websocket.receive_data(HANDSHAKE)
    (request,) = websocket.events_received()
    assert isinstance(request, Request)
    assert request.path == "/ws/x?since=1"
    assert ("Host", "x") in list(request.headers.raw_items())
    assert websocket.accept(request).status_code == 101


def test_websockets_says_that_a_request_cannot_be_read() -> None:
    websocket = ServerProtocol()
    websocket.receive_data(b"nonsense\r\n\r\n")
    assert websocket.handshake_exc is not None
    assert websocket.events_received() == []
    assert websocket.parser_exc is None


def test_websockets_refuses_a_path_that_is_too_long() -> None:
    websocket = ServerProtocol()
    websocket.receive_data(b"GET /" + b"a" * 12_000 + b" HTTP/1.1\r\n\r\n")
    assert websocket.handshake_exc is not None
    assert websocket.data_to_send()[0].startswith(b"HTTP/1.1 414 ")


def test_websockets_rejects_with_a_response() -> None:
    websocket = ServerProtocol()
    websocket.receive_data(HANDSHAKE)
    websocket.send_response(websocket.reject(403, "no"))
    assert websocket.data_to_send()[0].startswith(b"HTTP/1.1 403 ")


def test_websockets_answers_a_ping_by_itself_and_says_so() -> None:
    websocket = protocol_after_handshake()
    websocket.receive_data(Frame(Opcode.PING, b"abc").serialize(mask=True))
    (frame,) = websocket.events_received()
    assert isinstance(frame, Frame)
    assert frame.opcode is Opcode.PING
    assert websocket.data_to_send() == [Frame(Opcode.PONG, b"abc").serialize(mask=False)]


def test_websockets_answers_a_close_and_keeps_its_code() -> None:
    websocket = protocol_after_handshake()
    websocket.receive_data(Frame(Opcode.CLOSE, b"\x03\xe9").serialize(mask=True))
    assert websocket.close_rcvd is not None
    assert websocket.close_rcvd.code == 1001
    assert websocket.data_to_send()[0] == Frame(Opcode.CLOSE, b"\x03\xe9").serialize(mask=False)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xff", 1002),  # no such opcode
        (b"\x81\x05hello", 1002),  # not masked
        (Frame(Opcode.TEXT, b"x" * 5000).serialize(mask=True), 1009),
        (Frame(Opcode.CONT, b"x").serialize(mask=True), 1002),
    ],
    ids=["opcode", "unmasked", "long", "continued"],  # the masks are random
)
def test_websockets_keeps_an_error_and_raises_none(data: bytes, code: int) -> None:
    websocket = protocol_after_handshake()
    websocket.receive_data(data)
    assert websocket.parser_exc is not None
    assert websocket.close_sent is not None
    assert websocket.close_sent.code == code
    assert websocket.data_to_send()[0][2:4] == code.to_bytes(2, "big")
    websocket.receive_data(b"more")  # which is ignored


def test_websockets_can_be_told_to_fail() -> None:
    websocket = protocol_after_handshake()
    websocket.fail(4008)
    assert websocket.data_to_send()[0] == b"\x88\x02\x0f\xa8"
    assert websocket.parser_exc is None
    websocket.receive_data(b"more")
    assert websocket.events_received() == []


def test_websockets_closes_and_reads_on() -> None:
    websocket = protocol_after_handshake()
    websocket.send_close(4001)
    assert websocket.data_to_send() == [b"\x88\x02\x0f\xa1"]
    assert websocket.state is State.CLOSING
    websocket.receive_data(Frame(Opcode.TEXT, b"late").serialize(mask=True))
    assert len(websocket.events_received()) == 1
    websocket.receive_data(Frame(Opcode.CLOSE, b"\x0f\xa1").serialize(mask=True))
    assert websocket.close_rcvd is not None


# --- h11 -----------------------------------------------------------------------------------


def test_h11_goes_on_with_the_next_request_only_when_told_to() -> None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
    assert isinstance(connection.next_event(), h11.Request)
    assert isinstance(connection.next_event(), h11.EndOfMessage)
    assert connection.next_event() is h11.PAUSED
    assert connection.their_state is h11.DONE
    connection.send(h11.Response(status_code=200, headers=[(b"content-length", b"0")]))
    connection.send(h11.EndOfMessage())
    assert connection.our_state is h11.DONE
    connection.start_next_cycle()
    assert connection.states == {h11.SERVER: h11.IDLE, h11.CLIENT: h11.IDLE}
    assert isinstance(connection.next_event(), h11.Request)


def test_h11_keeps_what_it_has_not_parsed() -> None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
    connection.next_event()
    assert connection.trailing_data == (b"abc", False)
    assert connection.their_state is h11.SEND_BODY


def test_h11_says_when_the_connection_has_to_close() -> None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    while connection.next_event() is not h11.NEED_DATA and connection.their_state is not h11.DONE:
        if connection.their_state is h11.MUST_CLOSE:
            break
    assert connection.their_state is h11.MUST_CLOSE
    connection.send(h11.Response(status_code=200, headers=[(b"content-length", b"0")]))
    connection.send(h11.EndOfMessage())
    assert connection.our_state is h11.MUST_CLOSE


def test_h11_names_headers_in_small_letters() -> None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"GET / HTTP/1.1\r\nHOST: x\r\nExpect: 100-continue\r\n\r\n")
    request = connection.next_event()
    assert isinstance(request, h11.Request)
    assert list(request.headers) == [(b"host", b"x"), (b"expect", b"100-continue")]


def test_the_strict_connection_overrides_what_h11_has() -> None:
    assert list(inspect.signature(h11.Connection.next_event).parameters) == ["self"]


def test_random_pieces_add_up() -> None:
    """However a stream of frames is cut into pieces, the same frames come out of it."""
    rng = Random(1)
    kinds = (Opcode.TEXT, Opcode.BINARY, Opcode.PING)
    for _ in range(200):
        frames = [
            Frame(rng.choice(kinds), rng.randbytes(rng.choice((0, 5, 125)))) for _ in range(5)
        ]
        data = b"".join(frame.serialize(mask=True) for frame in frames)
        websocket, found, at = protocol_after_handshake(), list[Any](), 0
        while at < len(data):
            piece = data[at : at + rng.randrange(1, 60)]
            websocket.receive_data(piece)
            found += websocket.events_received()
            at += len(piece)
        assert [(each.opcode, bytes(each.data)) for each in found] == [
            (frame.opcode, frame.data) for frame in frames
        ]
