"""Whatever bytes come over a WebSocket, each message is answered clearly or the client is
disconnected, and nobody else notices."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.raw_client import BINARY, CLOSE, CONT, PING, PONG, TEXT, RawClient, frame
from server.reachable import COMMAND_TYPES
from server.running import Running, open_table
from server.table_client import cookie


@pytest.fixture
def table(server: Running) -> tuple[str, str]:
    """The code of a table with a game, and the cookie of its host."""
    client = server.someone("Ann")
    return open_table(client, players=4, bots=["random"] * 3, start=True), cookie(client)


@pytest.fixture(scope="session")
def hall(server: Running) -> tuple[str, str]:
    """The code of a table, and the cookie of a stranger to it."""
    code = open_table(server.someone("Ann"), players=3, bots=["random", "random"], start=True)
    return code, cookie(server.someone("Eve"))


@pytest.fixture(scope="session")
def until_read(server: Running) -> Callable[[], object]:
    """Waits until the server has read what was sent to it before, as it answers another client."""
    other = server.nobody()
    return lambda: other.get("/healthz").raise_for_status()


def send_apart(one: RawClient, parts: Sequence[bytes], until_read: Callable[[], object]) -> None:
    """Send parts, each of which is read before the next is sent, unless the client is disconnected
    meanwhile."""
    with contextlib.suppress(ConnectionError):
        for part in parts:
            one.send(part)
            until_read()


def until_pong(one: RawClient, codes: set[int]) -> Iterator[Any]:
    """The messages until the answer to a ping, or until the server has disconnected, with one of
    some codes."""
    while True:
        opcode, payload = one.receive_frame()
        if opcode == CLOSE:
            assert int.from_bytes(payload[:2], "big") in codes, payload
            return
        if opcode == TEXT:
            yield (message := json.loads(payload))
            if message["type"] == "pong":
                return


#: What is no message closes the connection.
UNREADABLE = {
    "a command and a ping": b'{"id":7,"do":{"type":"pause"},"ping":3}',
    "a command and a number": b'{"id":7,"do":{"type":"pause"},"since":3}',
    "a command and lessons": b'{"id":7,"do":{"type":"pause"},"coach":null}',
    "two commands": b'{"do":{"type":"no"},"do":{"type":"leave"}}',
    "nothing": b"",
    "no JSON": b"hello",
    "half": b'{"ping":',
    "a list": b"[1]",
    "a number": b"7",
    "null": b"null",
    "not a number": b'{"ping":NaN}',
    "infinite": b'{"ping":1e999}',
    "negative": b'{"ping":-1}',
    "a fraction": b'{"ping":1.5}',
    "huge": b'{"ping":' + b"9" * 400 + b"}",
    "a flag": b'{"ping":true}',
    "text": b'{"ping":"1"}',
    "another field": b'{"ping":1,"more":2}',
    "deep": b'{"do":{"a":' + b"[" * 1900 + b"]" * 1900 + b"}}",
    "half a character": b'{"do":{"type":"join","name":"\\ud800"}}',
    "no UTF-8": b'{"do":{"type":"join","name":"\xff\xfe"}}',
    "with NUL": b'{"ping":1}\x00',
    "twice": b'{"ping":1}{"ping":2}',
}
#: What can be read, but is no command of a client, is refused.
REFUSED = {
    "empty": b"{}",
    "a ping and a number": b'{"ping":3,"since":3}',
    "no type": b'{"id":1,"do":{}}',
    "a list as type": b'{"id":1,"do":{"type":[]}}',
    "null as type": b'{"id":1,"do":{"type":null}}',
    "unknown": b'{"id":1,"do":{"type":"fly"}}',
    "too much": b'{"id":1,"do":{"type":"pause","seat":1}}',
    "too little": b'{"id":1,"do":{"type":"play"}}',
    "a huge ply": b'{"id":1,"do":{"type":"play","ply":' + b"9" * 3000 + b',"move":"0"}}',
    "a flag as ply": b'{"id":1,"do":{"type":"play","ply":true,"move":"0"}}',
    "a fraction as ply": b'{"id":1,"do":{"type":"play","ply":0.5,"move":"0"}}',
    "a long move": b'{"id":1,"do":{"type":"play","ply":0,"move":"' + b"R" * 3500 + b'"}}',
    "a NUL": b'{"id":1,"do":{"type":"play","ply":0,"move":"\\u0000"}}',
    "deep objects": b'{"do":' + b'{"a":' * 600 + b"1" + b"}" * 600 + b"}",
    "deep, but not too deep": b'{"do":{"type":"play","ply":' + b"[" * 200 + b"]" * 200 + b"}}",
    "4096 bytes": b'{"id":1,"do":{"type":"fly"}}'.ljust(4096),
    "presence": b'{"id":1,"do":{"type":"set_presence","person":"x","present":false}}',
    "a nudge": b'{"id":1,"do":{"type":"nudge","seat":0,"ply":0}}',
    "a vote": b'{"id":1,"do":{"type":"open_takeover_vote","seat":0,"ply":0}}',
    "settling": b'{"id":1,"do":{"type":"settle"}}',
    "a table": b'{"id":1,"do":{"type":"create","rules":"poof","players":3,"name":"Eve"}}',
}  # fmt: skip
#: What breaks the rules of a WebSocket, and the close code of each.
BROKEN = {
    "binary": (frame(b'{"ping":1}', BINARY), 4000),
    "not masked": (frame(b'{"ping":1}', masked=False), 1002),
    "a reserved opcode": (frame(b"", 3), 1002),
    "reserved bits": (bytes([0xF1]) + frame(b"{}")[1:], 1002),
    "a long ping": (frame(b"x" * 126, PING), 1002),
    "a ping in pieces": (frame(b"", PING, fin=False), 1002),
    "a piece of nothing": (frame(b"{}", CONT), 1002),
    "4097 bytes": (frame(b'{"ping":1}'.ljust(4097)), 1009),
    "16 kB": (frame(b'{"do":{"a":"' + b"x" * 16_384 + b'"}}'), 1009),
    "16 kB in pieces": (
        frame(b'{"do":{"a":"', fin=False) + frame(b"x" * 4000, CONT, fin=False) * 4, 1009,
    ),
    "a terabyte": (b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"abcd", 1009),
    "no UTF-8 in pieces": (frame(b'"\xc3', fin=False) + frame(b'"', CONT), 4000),
    "a message within a message": (frame(b'{"pi', fin=False) + frame(b'{"ping":1}'), 1002),
}  # fmt: skip


#: What is sent, and the code with which that closes the connection, none if it is refused.
CASES: dict[str, tuple[bytes, int | None]] = {
    **{name: (frame(payload), 4000) for name, payload in UNREADABLE.items()},
    **{name: (frame(payload), None) for name, payload in REFUSED.items()},
    **BROKEN,
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_no_command_is_refused_or_closes_the_connection(
    server: Running, table: tuple[str, str], until_read: Callable[[], object], name: str
) -> None:
    """Whether it arrives at once or byte by byte; and nothing comes of it."""
    data, code = CASES[name]
    for begin in (0, 24):  # bytes: where a frame begins and is masked
        parts = [*(data[at : at + 1] for at in range(begin)), data[begin:]]
        with RawClient(server.url, *table) as one:
            send_apart(one, parts, until_read)
            if code is not None:
                assert one.close_code() == code
                continue
            one.send(frame(b'{"ping":5}'))
            heard = list(until_pong(one, set()))
        assert [each["type"] for each in heard].count("refused") == 1
        facts = {fact["type"] for each in heard for fact in each.get("events", ())}
        assert facts <= {"played"}


HANDSHAKES: dict[str, tuple[bytes, int]] = {
    "a head without end": (b"X: " + b"x" * 1_000_000 + b"\r\n", 400),
    "another version": (b"Sec-WebSocket-Version: 99\r\n", 426),
    "another key": (b"Sec-WebSocket-Key: x\r\n", 400),
    "extensions": (b"Sec-WebSocket-Extensions: ;;;,,\r\n", 101),
    "no ASCII": ("X: ä€\r\n".encode(), 101),
}


@pytest.mark.parametrize("name", HANDSHAKES)
def test_a_broken_handshake_is_answered(server: Running, table: tuple[str, str], name: str) -> None:
    more, status = HANDSHAKES[name]
    with RawClient(server.url, *table, wait=False) as one:
        with contextlib.suppress(ConnectionError):  # it may be answered before all is sent
            one.send(one.request[:-2] + more + b"\r\n")
        assert one.answer() == status


@pytest.mark.parametrize("later", range(4))
@pytest.mark.parametrize(
    "behind", [frame(b"{}") * 500, b"\xff" * 5000, frame(b"", PING) * 10_000],
    ids=["messages", "no frames", "pings"],
)  # fmt: skip
def test_frames_before_the_handshake_harm_nobody(
    server: Running,
    table: tuple[str, str],
    until_read: Callable[[], object],
    behind: bytes,
    later: int,
) -> None:
    with RawClient(server.url, *table, wait=False) as one:
        one.send(one.request)
        for _ in range(later):
            until_read()
        with contextlib.suppress(EOFError, ConnectionError):
            one.send(behind)
            assert one.answer() == 101
            one.send(frame(b"nonsense"))
            assert one.close_code() in (1002, 1006, 4000, 4008)
    until_read()


# Random messages.

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip
FIELDS = ("ply", "move", "seat", "person", "name", "rules", "players", "options", "yes", "tricks",
          "text", "preset", "word", "bot", "names", "muted", "allowed", "present",
          "bar")  # fmt: skip
VALUES = st.sampled_from(
    (0, 1, 3, -1, 99, 2**53, True, False, None, "", "R1", "0", "WR", "steady", "poof", "Ann",
     "x" * 300, [0, 0, 0, 9], [], {}, {"undo": True})
)  # fmt: skip
MESSAGES = st.one_of(
    ANYTHING,
    st.fixed_dictionaries({"do": ANYTHING}, optional={"id": ANYTHING}),
    st.builds(
        lambda kind, fields, number: {"id": number, "do": {"type": kind, **fields}},
        st.sampled_from(sorted(COMMAND_TYPES)),
        st.dictionaries(st.sampled_from(FIELDS), VALUES | ANYTHING, max_size=4),
        st.integers(0, 2**53),
    ),
)


#: With which codes the server may end a connection that says such things; and one that says what
#: can't be read as frames.
CODES = {4000, 4001, 4008, 4010}
BROKEN_CODES = CODES | {1000, 1001, 1002, 1003, 1007, 1009}
#: Beside a message: nothing, or a ping or a pong, one of which holds bytes that masked look like a
#: message.
BESIDE = (b"", b"", frame(b"x", PING), frame(b"", PONG), frame(frame(b'{"ping":99}')[6:], PING))


@st.composite
def in_frames(draw: st.DrawFn, message: Any) -> bytes:
    """A message short or long, whole or in pieces, with a ping or a pong beside each."""
    words = json.dumps(message).encode() + b" " * draw(st.sampled_from((0, 0, 115, 116, 200)))
    ends = sorted(draw(st.lists(st.integers(0, len(words)), max_size=2)))
    pieces = [words[a:b] for a, b in zip([0, *ends], [*ends, len(words)], strict=True)]
    made = b""
    for at, piece in enumerate(pieces):
        made += draw(st.sampled_from(BESIDE))
        made += frame(piece, CONT if at else TEXT, fin=at == len(pieces) - 1)
    return made


@st.composite
def said(draw: st.DrawFn) -> tuple[list[Any], list[bytes]]:
    """Messages, each with a ping of its number after it, and these as bytes, cut anywhere or into
    the messages."""
    messages = draw(st.lists(MESSAGES, min_size=1, max_size=8))
    parts = [
        draw(in_frames(message)) + draw(in_frames({"ping": number}))
        for number, message in enumerate(messages)
    ]
    if draw(st.booleans()):
        return messages, parts
    whole = b"".join(parts)
    ends = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    return messages, [whole[a:b] for a, b in zip([0, *ends], [*ends, len(whole)], strict=True)]


@settings(max_examples=150)
@given(said())
@example(([{"id": 1, "do": {"type": "set_presence", "person": "x", "present": False}}],
          [frame(b'{"id":1,"do":{"type":"set_presence","person":"x","present":false}}'),
           frame(b'{"ping":0}')]))  # fmt: skip
@example(([None], [frame(b"null") + frame(b'{"ping":0}')]))
def test_every_message_is_answered_in_order_or_closes_the_connection(
    server: Running,
    hall: tuple[str, str],
    until_read: Callable[[], object],
    talk: tuple[list[Any], list[bytes]],
) -> None:
    """Whatever a stranger says, in frames of any kind, in parts cut anywhere: one answer to each
    command, or a code."""
    messages, parts = talk
    with RawClient(server.url, *hall) as one:
        send_apart(one, parts, until_read)
        for number, message in enumerate(messages):
            heard = list(until_pong(one, CODES))
            if not heard or heard[-1]["type"] != "pong":
                return
            assert heard[-1]["ping"] == number
            asked = message.get("id") if isinstance(message, dict) else None
            if asked is not None:
                assert [each.get("id") for each in heard].count(asked) == 1, (message, heard)


@settings(max_examples=100)
@given(said(), st.randoms(use_true_random=False))
def test_frames_with_changed_bytes_are_read_or_end_the_connection(
    server: Running,
    hall: tuple[str, str],
    until_read: Callable[[], object],
    talk: tuple[list[Any], list[bytes]],
    rng: Random,
) -> None:
    """Flipped, inserted or cut off: answers, a code, or a wait for the rest until the client
    gives up."""
    data = bytearray(b"".join(talk[1]))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 3)) or b"\xff"
    with RawClient(server.url, *hall) as one, contextlib.suppress(EOFError, ConnectionError):
        one.send(bytes(data))
        one.socket.shutdown(socket.SHUT_WR)
        while list(until_pong(one, BROKEN_CODES)):
            pass
    until_read()


def test_closing_twice_at_once_is_closing_once(server: Running, table: tuple[str, str]) -> None:
    """What is asked to end while it ends for a flood leaves no error in the log."""
    for _ in range(5):
        with RawClient(server.url, *table) as one:
            one.send(frame(b'{"ping":1}') * 500)
            with RawClient(server.url, *table):  # which ends the first one
                assert one.close_code() in (4001, 4008, 1006)
