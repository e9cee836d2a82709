"""Messages and requests that are nearly right: valid ones with random changes of their bytes,
fields or types, the same for the same seed."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from server.raw_client import BINARY, CLOSE, CONT, PING, PONG, TEXT, frame

#: What a person may ask of a table, as it should be; :data:`LEFT_OUT`, what ends a table for those
#: who sit there, so that all of them can be tried afterwards.
COMMANDS: Final[tuple[dict[str, Any], ...]] = (
    {"type": "play", "ply": 0, "move": "3"},
    {"type": "play", "ply": 7, "move": "R15"},
    {"type": "change_bid", "ply": 1, "move": "3"},
    {"type": "chat", "text": "hello"},
    {"type": "chat", "preset": "thanks"},
    {"type": "propose_undo", "ply": 3},
    {"type": "claim", "ply": 3, "tricks": [1, 2, 0]},
    {"type": "answer", "ply": 3, "yes": False},
    {"type": "withdraw"},
    {"type": "vote", "seat": 1, "yes": True},
    {"type": "show_hand", "allowed": True},
    {"type": "look_at", "seat": 0},
    {"type": "commit_word", "hash": "0" * 64},
    {"type": "reveal_word", "word": "owl"},
    {"type": "rename", "name": "Ann"},
    {"type": "mute", "person": "abcdefghjkmn", "muted": True},
    {"type": "step_in", "seat": 2},
    {"type": "take_back"},
    {"type": "take_host"},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "start", "bot": "steady", "names": ["Vega", "Deneb"]},
    {"type": "watch", "name": "Eve"},
    {"type": "set_presence", "person": "abcdefghjkmn", "present": False},
    {"type": "nudge", "seat": 0, "ply": 3},
    {"type": "create", "rules": "poof", "players": 3, "name": "Eve"},
    {"type": "rematch"},
    {"type": "configure", "rules": "poof", "players": 3, "options": {"undo": False}},
    {"type": "join", "name": "Eve", "seat": 2},
    {"type": "ask_for_seat", "seat": 2},
    {"type": "refuse_seat", "person": "abcdefghjkmn"},
    {"type": "vacate", "seat": 2},
    {"type": "swap", "seat": 0, "other": 1},
    {"type": "ready", "round": 1},
    {"type": "open_takeover_vote", "seat": 0, "ply": 3},
    {"type": "start_anyway"},
    {"type": "deal_next"},
    {"type": "set_clock"},
    {"type": "settle"},
)
LEFT_OUT: Final = {"leave", "remove", "give_seat"}
#: What else they may say.
MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    {"ping": 1},
    {"since": 0},
    {"coach": []},
    {"id": 1, "do": {"type": "pause"}},
)
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**53, 2**53 + 1, 10**400, -(10**30), 0.5, 1e308, "",
    "0", "R1", "WR", "\x00", "\ud800", "🂡" * 100, "x" * 2000, "../../etc/passwd", "steady", "poof",
    [], [None], [[]], [0] * 500, {}, {"a": {}}, {"type": "play"}, ["play"], {"type": ["play"]},
)  # fmt: skip
FIELDS: Final = ("type", "ply", "move", "seat", "person", "name", "text", "yes", "__proto__", "")
NEST: Final = 900
BYTES: Final = (
    b"\x00",
    b"\xff",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b'"',
    b"{",
    b"]",
    b"\\u",
    b",",
    b"\r\n",
)


class Mutants:
    """A source of them, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    # Data.

    def value(self) -> Any:
        """Any value of any type."""
        if self.rng.random() < 0.02:
            deep: Any = 1
            for _ in range(NEST):
                deep = [deep] if self.rng.random() < 0.5 else {"a": deep}
            return deep
        return self.rng.choice(VALUES)

    def fields(self, data: dict[str, Any]) -> dict[str, Any]:
        """The same with one to three fields left out, added, renamed or of another type."""
        made = dict(data)
        for _ in range(self.rng.randint(1, 3)):
            name = self.rng.choice([*made, *FIELDS])
            way = self.rng.randrange(4)
            if way == 0:
                made.pop(name, None)
            elif way == 1 and name in made:
                made[self.rng.choice(FIELDS)] = made.pop(name)
            else:
                made[name] = self.value()
        return made

    def spoilt(self, data: bytes) -> bytes:
        """The same with some bytes changed, added, doubled or cut off."""
        made = bytearray(data)
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randint(0, len(made))
            way = self.rng.randrange(6)
            if way == 0 and at < len(made):
                made[at] ^= 1 << self.rng.randrange(8)
            elif way == 1:
                made[at:at] = self.rng.choice(BYTES)
            elif way == 2:
                del made[at : at + self.rng.randint(1, 8)]
            elif way == 3:
                made[at:at] = made[at : at + self.rng.randint(1, 40)]
            elif way == 4:
                made[at : at + 1] = self.rng.randbytes(self.rng.randint(1, 6))
            elif self.rng.random() < 0.3:
                del made[at:]
        return bytes(made)

    # Messages.

    def command(self) -> bytes:
        """A message of the right shape, whose command is right or nearly so."""
        command: Any = self.rng.choice(COMMANDS)
        if self.rng.random() < 0.8:
            command = self.fields(command)
        said = {"id": self.rng.randrange(1000), "do": command}
        return json.dumps(said).encode()[:4000]

    def message(self) -> bytes:
        """A message that probably cannot be read."""
        way = self.rng.randrange(3)
        if way == 0:
            return self.spoilt(self.command())
        said = self.rng.choice(MESSAGES)
        if way == 1:
            return json.dumps(self.fields(said)).encode()
        return json.dumps(self.value()).encode()

    def frames(self) -> bytes:
        """Frames with such a message, right or wrong themselves."""
        words = self.message()
        way = self.rng.randrange(8)
        if way < 3:
            return frame(words)
        if way == 3:
            kind = self.rng.choice((TEXT, BINARY, CONT, CLOSE, PING, PONG, 3, 11))
            return frame(words, kind, fin=self.rng.random() < 0.5)
        if way == 4:
            cut = self.rng.randint(0, len(words))
            return frame(words[:cut], fin=False) + frame(words[cut:], CONT)
        if way == 5:
            return frame(words, masked=False)
        if way == 6:
            return frame(words)[: self.rng.randint(1, 20)]
        return self.spoilt(frame(words))

    # Requests.

    def request(self, code: str, who: str, host: str) -> bytes:
        """An HTTP request of ``who`` to ``host``, with a few things wrong at most."""
        method, path, body = self.rng.choice(ROUTES)
        method, path = self._method(method), self._path(path.replace("{table}", code))
        headers = [("Host", host), ("Cookie", who), ("X-Rage", "1"), *self._odd_headers()]
        if self.rng.random() < 0.2:
            headers.pop(self.rng.randrange(len(headers)))
        data = self._body(body)
        framed, data = self._framed(data)
        lines = [f"{method} {path} HTTP/{self.rng.choice(VERSIONS)}"]
        lines += [f"{name}: {value}" for name, value in (*headers, *framed)]
        made = "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + data
        return self.spoilt(made) if self.rng.random() < 0.15 else made

    def _method(self, method: str) -> str:
        return self.rng.choice(METHODS) if self.rng.random() < 0.15 else method

    def _path(self, path: str) -> str:
        way = self.rng.randrange(8)
        if way == 0:
            query = "&".join(
                f"{self.rng.choice(QUERIES)}={self.rng.choice(TEXTS)}"
                for _ in range(self.rng.randint(1, 6))
            )
            path += "?" + query
        elif way == 1:
            at = self.rng.randint(0, len(path))
            path = path[:at] + self.rng.choice(TEXTS) + path[at:]
        elif way == 2:
            path = self.rng.choice(PATHS)
        return path.replace(" ", "%20")

    def _odd_headers(self) -> list[tuple[str, str]]:
        return [self.rng.choice(HEADERS) for _ in range(self.rng.randint(0, 3))]

    def _body(self, body: dict[str, Any] | None) -> bytes:
        if body is None:
            return b"" if self.rng.random() < 0.9 else self.rng.randbytes(20)
        way = self.rng.randrange(4)
        if way == 0:
            return json.dumps(body).encode()
        if way == 1:
            return self.spoilt(json.dumps(body).encode())
        if way == 2:
            return json.dumps(self.value()).encode()
        return json.dumps(self.fields(body)).encode()

    def _framed(self, data: bytes) -> tuple[list[tuple[str, str]], bytes]:
        """The headers that say how long a body is, and the body in that form."""
        way = self.rng.randrange(7, 24)
        if way > 11:
            return [("Content-Type", "application/json"), ("Content-Length", str(len(data)))], data
        if way == 7:
            return [("Content-Length", self.rng.choice(LENGTHS))], data
        sizes = [data[at : at + 7] for at in range(0, len(data), 7)]
        chunks = b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in sizes) + b"0\r\n\r\n"
        if way == 8:
            chunks = self.spoilt(chunks)
        if way == 9:
            both = [("Transfer-Encoding", "chunked"), ("Content-Length", str(len(data)))]
            return both, chunks
        coding = self.rng.choice(("chunked", "chunked", "gzip, chunked", "chunked, chunked", "x"))
        return [("Transfer-Encoding", coding)], chunks


OPTIONS: Final = {"access": "open", "undo": True, "takeover": "vote", "grace": 20, "clock": None}
TABLE: Final = {
    "rules": "poof",
    "players": 3,
    "name": "Eve",
    "bots": ["steady"],
    "options": OPTIONS,
}
KEY: Final = "A" * 43
SHEET: Final = {"key": KEY, "game": "g1", "sheet": "1.AAAA.AAAA"}
#: What a page may ask of a server; :data:`NOT_ASKED`, what the people of the tables could not go on
#: after.
ROUTES: Final[tuple[tuple[str, str, dict[str, Any] | None], ...]] = (
    ("GET", "/", None), ("GET", "/t/{table}", None), ("GET", "/assets/none.js", None),
    ("GET", "/manifest.webmanifest", None), ("GET", "/healthz", None), ("GET", "/readyz", None),
    ("GET", "/schema/openapi.json", None), ("GET", "/api/me", None), ("GET", "/api/tables", None),
    ("PUT", "/api/me", {"name": "Eve"}), ("POST", "/api/handover", None),
    ("POST", "/api/handover/AAAAAAAAAAAAAAAA", None), ("POST", "/api/tables", TABLE),
    ("POST", "/api/tables", {**TABLE, "start": True}), ("GET", "/api/tables/{table}", None),
    ("GET", "/api/games", None), ("GET", "/api/tables/{table}/games/1", None),
    ("GET", "/api/tables/{table}/games/1/record", None), ("GET", "/api/rules", None),
    ("GET", "/api/rules/amigo+sweep?players=4&unlike=poof", None),
    ("GET", "/api/box?answers=0,1", None), ("GET", "/api/qr?path=/t/{table}", None),
    ("GET", "/api/network", None), ("GET", "/ws/{table}?since=1", None),
    ("GET", "/ws/{table}?screen", None), ("GET", "/api/tables/{table}/advice?ply=3", None),
    ("POST", "/api/tables/{table}/games/1/again", {"alone": True}),
    ("GET", "/api/tables/{table}/games/1/same", None), ("GET", "/api/day?edition=amigo", None),
    ("POST", "/api/day", {"edition": "amigo"}), ("POST", "/api/open", {"game": "1.AAAA.AAAA"}),
    ("POST", "/api/analysis", {"game": "1.AAAA.AAAA"}), ("GET", "/api/analysis/none", None),
    ("PUT", "/api/sheets", SHEET), ("POST", "/api/sheets/stop", {"key": KEY}),
    ("POST", "/api/sheets/free", {"key": KEY, "name": "Ann"}), ("GET", "/api/sheets/none", None),
    ("POST", "/api/sheets/none/phones", {"name": "Ann", "proof": KEY}),
    ("PUT", "/api/sheets/none/bids",
     {"name": "Ann", "proof": KEY, "game": "g1", "round": 1, "bid": 2}),
)  # fmt: skip
NOT_ASKED: Final = {("POST", "/api/me/end-sessions")}
METHODS: Final = (
    "HEAD",
    "OPTIONS",
    "DELETE",
    "PATCH",
    "TRACE",
    "CONNECT",
    "BREW",
    "get",
    "G" * 300,
    "",
)
VERSIONS: Final = ("1.1",) * 20 + ("1.0", "0.9", "2.0", "1.9", "x")
TEXTS: Final = (
    "%00", "%ff", "%2e%2e%2f", "%", "%zz", "..", "//", "\\", "ä", "🂡", "a" * 300, "0", "-1", "1e9",
    "9" * 50, "null", "%0d%0aX: 1", "'", "<script>", ";", "amigo", "+", "1,2,3", ",,,", "de", "xx",
)  # fmt: skip
QUERIES: Final = (
    "lang",
    "players",
    "unlike",
    "answers",
    "path",
    "since",
    "x",
    "",
    "lang%00",
    "a[]",
)
PATHS: Final = (
    "*", "http://example.org/", "//", "/api", "/api/", "/api//tables", "/API/tables", "/schema/..",
    "/../../etc/passwd", "/api/rules/" + "+sweep" * 200, "/api/rules/poof+schedule:" + "9." * 400,
    "/api/tables/" + "a" * 4000, "/%2e%2e/", "/api/rules/%00", "/assets/../index.html",
    "/api/qr?path=//x",
)  # fmt: skip
LENGTHS: Final = ("-1", "0", "1", "99999", "1e3", "18446744073709551616", "", "abc", "5, 5", "+3")
HEADERS: Final = (
    ("Host", "example.org"), ("Host", ""), ("Host", "[::1"), ("Host", "a:b:c"), ("Host", "a:x"),
    ("Origin", "null"), ("Origin", "https://example.org"), ("Origin", "http://["),
    ("Sec-Fetch-Site", "cross-site"), ("Accept-Language", "de;q=x,,;;q=2"),
    ("Accept-Language", "ä" * 50), ("Accept-Encoding", "br;q=0, *;q=0, gzip;q=nan"),
    ("If-None-Match", '"' * 500), ("Range", "bytes=9-1"), ("Cookie", "rage-" * 500),
    ("Cookie", "rage-aaaaaaaa=abcdefghjkmn.AAAA"), ("Cookie", "=;=;;\x01"),
    ("X-Forwarded-For", "1.2.3.4, x"), ("X-Forwarded-Proto", "gopher"), ("Forwarded", "for=\"[::"),
    ("Content-Type", "multipart/form-data; boundary=x"), ("Content-Type", "application/x-msgpack"),
    ("Content-Type", "text/plain; charset=utf-7"), ("Content-Encoding", "gzip"),
    ("Expect", "100-continue"), ("Upgrade", "h2c"), ("Upgrade", "websocket"),
    ("Connection", "Upgrade"), ("Connection", "close"), ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "x"), ("X-Rage", "2"), ("X", "x" * 9000), ("X\x00", "1"), ("X Y", "1"),
    ("", "1"), ("X", "a\rb"), ("TE", "trailers"), ("Trailer", "X"),
)  # fmt: skip
