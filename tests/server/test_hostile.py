"""Random and hostile clients: each is answered clearly or disconnected, and nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from rage.table.commands import COMMANDS
from rage.table.schema import tag_of
from server import raw_client
from server.conftest import Launch
from server.raw_client import BINARY, CONT, PING, PONG, RawClient, frame
from server.running import Running, busy, open_table
from server.table_client import TableClient, connected, cookie, game_of

#: What a person calls at once, in seconds, on a machine that has also the attacker to bear.
AT_ONCE = 0.25
#: How many moves are measured at least, of which a busy machine may hold up one.
LEAST = 5
#: The attacks of every run; all of them are tried in the long ones.
OFTEN = ("messages", "fragments", "since", "send_after_close")


@pytest.fixture
def table(server: Running) -> tuple[str, str]:
    """The code of a table with a game, and the cookie of its host."""
    client = server.someone("Ann")
    return open_table(client, players=4, bots=["random"] * 3, start=True), cookie(client)


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
#: These can be read, but are not commands.
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
    "16 kB": (raw_client.LONG, 1009),
    "16 kB in pieces": (
        frame(b'{"do":{"a":"', fin=False) + frame(b"x" * 4000, CONT, fin=False) * 4, 1009,
    ),
    "a terabyte": (b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"abcd", 1009),
    "no UTF-8 in pieces": (frame(b'"\xc3', fin=False) + frame(b'"', CONT), 4000),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_message_closes_the_connection(
    server: Running, table: tuple[str, str], name: str
) -> None:
    with RawClient(server.url, *table) as one:
        one.send(frame(UNREADABLE[name]))
        assert one.close_code() == 4000


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_command_is_refused(server: Running, table: tuple[str, str], name: str) -> None:
    answers: list[dict[str, Any]] = []
    with RawClient(server.url, *table) as one:
        one.send(frame(REFUSED[name]) + frame(b'{"ping":5}'))
        while not answers or answers[-1]["type"] != "pong":
            answers.append(one.message())
    assert [answer["type"] for answer in answers].count("refused") == 1


@pytest.mark.parametrize("name", BROKEN)
def test_invalid_frames_close_the_connection(
    server: Running, table: tuple[str, str], name: str
) -> None:
    data, code = BROKEN[name]
    with RawClient(server.url, *table) as one:
        one.send(data)
        assert one.close_code() == code


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


@pytest.mark.parametrize("behind", [frame(b"{}") * 500, b"\xff" * 5000, raw_client.PINGS])
def test_frames_before_the_handshake_harm_nobody(
    server: Running, table: tuple[str, str], behind: bytes
) -> None:
    for pause in (0.0, 0.0005, 0.001, 0.002, 0.005):
        with RawClient(server.url, *table, wait=False) as one:
            one.send(one.request)
            time.sleep(pause)
            with contextlib.suppress(ConnectionError):
                one.send(behind)
                one.send(frame(b"nonsense"))
            one.socket.settimeout(5)
            with contextlib.suppress(EOFError, ConnectionError):
                assert one.answer() == 101
                one.send(frame(b"nonsense"))
                assert one.close_code(5) in (1002, 1006, 4000, 4008)
    assert server.nobody().get("/healthz").status_code == 200


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
        st.sampled_from(sorted(tag_of(kind) for kind in COMMANDS)),
        st.dictionaries(st.sampled_from(FIELDS), VALUES | ANYTHING, max_size=4),
        st.integers(0, 2**53),
    ),
)


@settings(max_examples=150)
@given(messages=st.lists(MESSAGES, min_size=1, max_size=15))
@example(messages=[{"id": 1, "do": {"type": "set_presence", "person": "x", "present": False}}])
def test_every_message_is_answered_or_closes_the_connection(
    server: Running, messages: list[Any]
) -> None:
    """Whatever is sent, by a stranger: an answer to each command, or 4000."""
    code, eve = _hall(server)
    with RawClient(server.url, code, eve) as one:
        for number, message in enumerate(messages):
            one.send(frame(json.dumps(message).encode()) + frame(b'{"ping":%d}' % number))
            if not _answered(one, message, number):
                break


#: With which codes the server may end a connection that says such things.
CODES = {1000, 1001, 1002, 1003, 1007, 1009, 4000, 4001, 4008, 4010}


def _answered(one: RawClient, message: Any, number: int) -> bool:
    """Whether it goes on after a message, which must have been answered."""
    asked = message.get("id") if isinstance(message, dict) else None
    heard = []
    while True:
        opcode, payload = one.receive_frame()
        if opcode == raw_client.CLOSE:
            assert int.from_bytes(payload[:2], "big") in (4000, 4001, 4008, 4010), payload
            return False
        heard.append(json.loads(payload))
        if heard[-1]["type"] == "pong" and heard[-1]["ping"] == number:
            break
    if asked is not None:
        assert [each.get("id") for each in heard].count(asked) == 1, (message, heard)
    return True


@settings(max_examples=100)
@given(messages=st.lists(MESSAGES, min_size=1, max_size=4), rng=st.randoms(use_true_random=False))
def test_frames_with_changed_bytes_are_read_or_end_the_connection(
    server: Running, messages: list[Any], rng: Random
) -> None:
    """Flipped, inserted or cut off: an answer, a close code, or a wait for the rest."""
    code, eve = _hall(server)
    data = bytearray(b"".join(frame(json.dumps(each).encode()) for each in messages))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 3)) or b"\xff"
    with RawClient(server.url, code, eve) as one:
        one.socket.settimeout(0.1)
        with contextlib.suppress(TimeoutError, EOFError, ConnectionError):
            one.send(bytes(data) + frame(b'{"ping":77}'))
            while b'"ping":77' not in (received := one.receive_frame())[1]:
                if received[0] == raw_client.CLOSE:
                    assert int.from_bytes(received[1][:2], "big") in CODES, bytes(data)
    assert server.nobody().get("/healthz").status_code == 200


@st.composite
def spoken(draw: st.DrawFn, number: int) -> bytes:
    """One message as frames: short or long, whole or in pieces, with a ping or a pong beside."""
    words = b'{"ping":%d%b}' % (number, b" " * draw(st.sampled_from((0, 0, 115, 116, 200))))
    ends = sorted(draw(st.lists(st.integers(0, len(words)), max_size=2)))
    pieces = [words[a:b] for a, b in zip([0, *ends], [*ends, len(words)], strict=True)]
    made = b""
    for at, piece in enumerate(pieces):
        made += draw(st.sampled_from((b"", b"", frame(b"x", PING), frame(b"", PONG))))
        made += frame(piece, CONT if at else raw_client.TEXT, fin=at == len(pieces) - 1)
    return made


@st.composite
def cut(draw: st.DrawFn) -> list[bytes]:
    """Twelve messages as bytes that come in any parts, some of them exactly a message."""
    said = [draw(spoken(number)) for number in range(12)]
    if draw(st.booleans()):
        return said
    whole = b"".join(said)
    ends = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    return [whole[a:b] for a, b in zip([0, *ends], [*ends, len(whole)], strict=True)]


@settings(max_examples=60)
@given(parts=cut())
def test_messages_are_read_in_order_however_they_are_split(
    server: Running, parts: list[bytes]
) -> None:
    """In frames of any kind, in parts cut anywhere."""
    code, eve = _hall(server)
    with RawClient(server.url, code, eve) as one:
        for part in parts:
            one.send(part)
            time.sleep(0.001)  # so that most are read one by one
        heard: list[int] = []
        while len(heard) < 12:
            opcode, payload = one.receive_frame()
            assert opcode in (raw_client.TEXT, PONG), payload
            if opcode == raw_client.TEXT and (said := json.loads(payload))["type"] == "pong":
                heard.append(said["ping"])
    assert heard == list(range(12))


def test_a_frame_inside_a_frame_is_not_read(server: Running) -> None:
    """What looks like a message, but is the rest of a ping, is only given back."""
    code, eve = _hall(server)
    inner = frame(b'{"ping":99}')
    disguised = frame(inner)[6:]  # which masked is itself again
    outer = frame(disguised, PING)
    assert outer[6:] == inner
    with RawClient(server.url, code, eve) as one:
        one.send(outer[:6])
        time.sleep(0.05)  # so that the rest is read by itself
        one.send(inner)
        one.send(frame(b'{"ping":1}'))
        heard: list[tuple[int, bytes]] = []
        while not heard or heard[-1][0] == PONG or b'"pong"' not in heard[-1][1]:
            heard.append(one.receive_frame())
    assert (PONG, disguised) in heard
    assert json.loads(heard[-1][1])["ping"] == 1


@pytest.mark.parametrize("pause", [0, 0.05], ids=["together", "apart"])
def test_a_message_within_a_message_closes_the_connection(server: Running, pause: float) -> None:
    """However the parts arrive."""
    code, eve = _hall(server)
    with RawClient(server.url, code, eve) as one:
        one.send(frame(b'{"pi', fin=False))
        time.sleep(pause)
        one.send(frame(b'{"ping":1}'))
        assert one.close_code() == 1002


_HALLS: dict[str, tuple[str, str]] = {}


def _hall(server: Running) -> tuple[str, str]:
    """One table of each server, and the cookie of a stranger to it."""
    if server.url not in _HALLS:
        code = open_table(server.someone("Ann"), players=3, bots=["random", "random"], start=True)
        _HALLS[server.url] = code, cookie(server.someone("Eve"))
    return _HALLS[server.url]


HOUSE = [
    {"type": "set_presence", "person": "x", "present": False},
    {"type": "nudge", "seat": 0, "ply": 0},
    {"type": "open_takeover_vote", "seat": 0, "ply": 0},
    {"type": "settle"},
    {"type": "create", "rules": "poof", "players": 3, "name": "Eve"},
]


@pytest.mark.parametrize("command", HOUSE, ids=lambda command: str(command["type"]))
async def test_commands_of_the_server_itself_are_refused(
    server: Running, table: tuple[str, str], command: dict[str, Any]
) -> None:
    async with connected(server.url, *table) as ann:
        seq = ann.seq
        await ann.refusal_code(command.pop("type"), **command)
        assert ann.seq == seq or all(fact["type"] == "played" for fact in ann.facts)


# What others notice.


def two(server: Running) -> AbstractAsyncContextManager[list[TableClient]]:
    """Two people at a table of their own."""
    return game_of(server.url, [server.someone(name) for name in ("Ann", "Ben")])


async def waits(guests: list[TableClient], rng: Random, seconds: float) -> list[float]:
    """How long each move takes until both have been told, in a game that goes on for so long, and
    for some moves at least."""
    found, until = list[float](), time.monotonic() + seconds
    while time.monotonic() < until or len(found) < LEAST:
        one = next((guest for guest in guests if guest.turn is not None), None)
        if one is None:
            break  # the game is over
        begun = time.monotonic()
        ply = one.ply
        await one.play(rng)
        for guest in guests:
            while guest.ply == ply:
                await guest.receive()
        found.append(time.monotonic() - begun)
        await asyncio.sleep(0.01)
    return found


def attack(
    name: str, server: Running, code: str, who: str, seconds: float
) -> subprocess.Popen[str]:
    program = str(Path(raw_client.__file__))
    command = [sys.executable, program, name, server.url, code, who, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    "name",
    [
        name if name in OFTEN else pytest.param(name, marks=pytest.mark.long)
        for name in raw_client.ATTACKS
    ],
)
async def test_others_notice_nothing(server: Running, name: str) -> None:
    """The offender sits at the same table as one of the two pairs, and is hung up on."""
    seconds = 0.7
    async with two(server) as here, two(server) as elsewhere:
        mallory = server.someone("Mallory")
        async with connected(server.url, here[0].code, mallory) as watching:
            await watching.do("watch", name="Mallory")
        calm = await waits(elsewhere, Random(1), 0.3)
        process = attack(name, server, here[0].code, cookie(mallory), seconds)
        both = await asyncio.gather(
            waits(here, Random(2), seconds), waits(elsewhere, Random(3), seconds)
        )
        ends = int((await asyncio.to_thread(process.communicate))[0])
    for found in both:
        found.sort()
        worst, usual = found[-1], found[len(found) // 2]
        middle = sorted(calm)[len(calm) // 2]
        print(f"{name}, {ends} ends: {len(found)} moves, {usual:.3f} s, at worst {worst:.3f},"
              f" {middle:.3f} before")  # fmt: skip
        assert usual < AT_ONCE * busy(server)
    assert ends
    assert server.process.poll() is None


@pytest.mark.long
async def test_fifty_messages_a_second_for_long_are_too_many(server: Running) -> None:
    mallory = server.someone("Mallory")
    code = open_table(mallory)
    process = attack("just_too_fast", server, code, cookie(mallory), 20)
    assert int((await asyncio.to_thread(process.communicate))[0]) >= 1


async def test_closing_twice_at_once_is_closing_once(launch: Launch) -> None:
    """What is asked to end while it ends for a flood leaves no error in the log."""
    server = launch()
    ann = server.someone("Ann")
    code = open_table(ann, "poof", 2, bots=["steady"], start=True)
    for _ in range(5):
        here, there = (connected(server.url, code, ann) for _ in range(2))
        async with here as guest, there:  # the first one ends, and floods meanwhile
            with contextlib.suppress(ConnectionClosed):
                for _ in range(500):
                    await guest.send({"ping": 1})
            assert await guest.close_code() in (4001, 4008, 1006)
