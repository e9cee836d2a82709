"""``rage serve`` as it is typed: options, addresses, ports, folders, startup and shutdown."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from rage.cli import arguments
from rage.cli.commands import serve
from rage.cli.parser import Parser
from rage.server import network
from rage.server.config import Config
from refusals import refused
from server.conftest import Launch
from server.fronts import certificate
from server.running import OURS, PATIENCE, STANDSTILL, busy, free_port, open_table
from server.table_client import connected, cookie, play_out

Captured = pytest.CaptureFixture[str]


def error_of(capsys: Captured, *options: str) -> str:
    """The line that a server is refused with."""
    return refused(capsys, "serve", "--no-browser", *options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "65536"], "65536 is not a port"),
        (["--port", "-1"], "−1 is not a port"),
        (["--lan", "--host", "0.0.0.0"], "--lan listens everywhere"),
        (["--host", "no.such.name.invalid"], "there is no address no.such.name.invalid"),
        (["--host", "a..b"], "there is no address a..b"),
        (["--host", "a" * 70], "there is no address aaaaaaa"),
        (["--host", "192.0.2.7"], "192.0.2.7"),
        (["--host", " "], "there is no address ''"),
        (["--host", "[::1"], "there is no address [::1"),
        (["--base-path", "/a b"], "not a path such as /rage"),
        (["--base-path", "/../x"], "not a path such as /rage"),
        (["--allowed-hosts", "a/b"], "a/b is not the name of a server"),
        (["--proxy", "300.1.2.3"], "300.1.2.3 is neither the address of a proxy"),
        (["--metrics", "nine"], "nine is not an address such as"),
        (["--metrics", "localhost:99999"], "99999 is not a port"),
        (["--metrics", "localhost:000000000123456"], "000000000123456 is not an address such as"),
        (["--metrics", "a..b:9000"], "there is no address a..b"),
        (["--metrics", "192.0.2.7:9000"], "cannot listen on 192.0.2.7, port 9000"),
        (["--max-connections", "0"], "--max-connections takes a number from 1 to 1000000, not 0"),
        (["--max-connections", "many"], "takes a number from 1 to 1000000, not many"),
        (["--people-per-address", "-5"], "--people-per-address takes a number from 1 to 100000"),
        (["--people-per-address", "1.5"], "takes a number from 1 to 100000, not 1.5"),
        (["--limits", "opened=1/2"], "cannot read opened=1/2 in --limits: write NAME=N/HOURLY"),
        (["--limits", "open=1"], "cannot read open=1 in --limits"),
        (["--limits", "open=0/5"], "the numbers from 1 to 100000000"),
        (["--limits", "open=1/2,open=1/2"], "the names are request, any, person"),
        (["--name", "two words"], "two words is not a name for a server"),
        (["--thinking", "0"], "--thinking takes a number from 1 to 1000, not 0"),
        (["--hsts", "x", "--proxy", "127.0.0.1"], "--hsts takes a number from 0 to 730, not x"),
        (["--hsts", "731", "--proxy", "127.0.0.1"], "--hsts takes a number from 0 to 730"),
        (["--hsts", "365"], "--hsts needs HTTPS"),
        (["--bot-delay", "-1"], "--bot-delay takes 0 to 60 seconds"),
        (["--bot-delay", "nan"], "--bot-delay takes 0 to 60 seconds"),
        (["--keyfile", "x"], "--keyfile needs --certfile"),
        (["--certfile", "/no/such/file"], "No such file"),
        (["--data", "/proc/no/such/folder"], "/proc/no/such/folder"),
        (["--store", "mysql://rage@db/rage"], "must be the address of a PostgreSQL database"),
        (["--store", "postgresql://rage@db/rage"], "with a database there is no data folder"),
    ],
)
def test_options_that_are_wrong(
    options: list[str], said: str, capsys: Captured, tmp_path: Path
) -> None:
    given = [] if "--data" in options else ["--data", str(tmp_path / "data")]
    given += [] if "--port" in options else ["--port", "0"]
    assert said in error_of(capsys, *given, *options)


def test_a_database_needs_an_extra(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "find_spec", lambda name: None)
    monkeypatch.setenv("RAGE_STORE", "postgresql://rage:hunter2@db/rage")
    error = error_of(capsys)
    assert "[postgres]" in error
    assert "hunter2" not in error


@pytest.fixture(scope="module")
def pems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates and keys, good and bad."""
    folder = tmp_path_factory.mktemp("pems")
    certificate(folder)
    other = tmp_path_factory.mktemp("other")
    certificate(other)
    (folder / "other.pem").write_bytes((other / "key.pem").read_bytes())
    (folder / "text.pem").write_text("nothing", encoding="utf-8")
    for command in (
        "openssl pkey -in key.pem -aes128 -passout pass:secret -out locked.pem",
        "openssl req -new -key key.pem -subj /CN=localhost -out asked.pem",
        "openssl x509 -req -in asked.pem -signkey key.pem -days -1 -out old.pem",
    ):
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(
    ("certfile", "keyfile", "said"),
    [
        ("none.pem", "key.pem", "none.pem cannot be read: No such file"),
        ("cert.pem", "none.pem", "none.pem cannot be read: No such file"),
        (".", "key.pem", "cannot be read: Is a directory"),
        ("text.pem", "key.pem", "no certificate in"),
        ("key.pem", "key.pem", "no certificate in"),
        ("cert.pem", "text.pem", "no private key in"),
        ("cert.pem", None, "no private key in"),
        ("cert.pem", "locked.pem", "no private key in"),  # and nobody is asked for a password
        ("cert.pem", "other.pem", "is not that of the certificate in"),
        ("old.pem", "key.pem", "old.pem has expired"),
    ],
)
def test_an_invalid_certificate(
    certfile: str, keyfile: str | None, said: str, pems: Path, capsys: Captured, tmp_path: Path
) -> None:
    given = ["--port", "0", "--data", str(tmp_path / "data"), "--certfile", str(pems / certfile)]
    given += ["--keyfile", str(pems / keyfile)] if keyfile else []
    assert said in error_of(capsys, *given)


def test_a_secret_that_is_too_short(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for given in ("short", ""):
        monkeypatch.setenv("RAGE_SECRET", given)
        assert "RAGE_SECRET" in error_of(capsys, "--port", "0", "--data", str(tmp_path))


def test_a_folder_that_is_a_file(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert str(file) in error_of(capsys, "--port", "0", "--data", str(file))


def test_a_file_that_is_not_a_store(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"no database at all" * 100)
    error = error_of(capsys, "--port", "0", "--data", str(tmp_path))
    assert "cannot be read or stored" in error


def test_a_folder_that_another_server_uses(
    launch: Launch, capsys: Captured, tmp_path: Path
) -> None:
    running = launch()
    error = error_of(capsys, "--port", "0", "--data", str(running.data))
    assert f"another server uses the folder {running.data}: {running.url}/;" in error
    assert running.nobody().get("/healthz").status_code == 200


def test_a_port_that_is_taken(launch: Launch, capsys: Captured, tmp_path: Path) -> None:
    port = launch().port
    error = error_of(capsys, "--port", str(port), "--data", str(tmp_path / "other"))
    assert error == f"rage: port {port} is taken by another program\n"
    free = str(free_port())
    error = error_of(capsys, "--port", free, "--metrics", free, "--data", str(tmp_path / "other"))
    assert error == f"rage: port {free} is that of the tables; --metrics needs another one\n"


def test_brackets_around_an_address_and_a_star_are_read_everywhere() -> None:
    parser = Parser(language="en")
    serve.configure(parser)
    words = ["--host", "[::1]", "--metrics", "[::1]:9100", "--proxy", "[::1],10.1.2.3/8"]
    config = serve.read(parser.parse_args(words))
    assert (config.host, config.metrics) == ("::1", ("::1", 9100))
    assert config.proxies == ("::1", "10.0.0.0/8")
    config = serve.read(parser.parse_args(["--host", "*", "--metrics", "*:9100"]))
    assert (config.host, config.metrics) == ("", ("0.0.0.0", 9100))


def test_the_next_free_port_is_taken_where_none_was_asked_for() -> None:
    from rage.server.run import bind

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sockets = bind("127.0.0.1", port, tries=20)
        try:
            assert port < sockets[0].getsockname()[1] < port + 20
        finally:
            for each in sockets:
                each.close()


def test_it_listens_on_this_machine_alone(launch: Launch) -> None:
    running = launch()
    assert running.said[1].startswith("Only this computer gets in.")
    for host in {str(info[4][0]) for info in socket.getaddrinfo("localhost", None)}:
        name = f"[{host}]" if ":" in host else host
        assert httpx.get(f"http://{name}:{running.port}/healthz").status_code == 200
    for address in own_addresses() or pytest.skip("this machine is in no network"):
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://{address}:{running.port}/healthz")


def own_addresses() -> list[str]:
    from rage.server.network import addresses

    found = addresses(Config(Path(), host="0.0.0.0"))
    return [httpx.URL(each).host for each in found]


async def test_it_listens_in_the_home_network_when_asked_to(launch: Launch) -> None:
    running = launch("--lan")
    listed = running.nobody().get("/api/network").json()["addresses"]
    for address in own_addresses() or pytest.skip("this machine is in no network"):
        url = f"http://{address}:{running.port}"
        assert url in listed
        code = running.nobody().get("/api/qr", params={"path": "/t/x", "at": url})
        assert code.text == network.Links(Config(Path())).image(f"{url}/t/x")
        assert f"  {url}/" in running.said
        with httpx.Client(base_url=url, headers=OURS) as far:
            me = far.get("/api/me")
            assert not me.json()["secure"]
            assert "Secure" not in me.headers["set-cookie"]
            assert far.put("/api/me", json={"name": "Ann"}).status_code == 200
            table = open_table(far, bots=["steady"] * 3, start=True)
            async with connected(url, table, far) as guest:
                assert guest.table["phase"] == "playing"
    assert any("█" in line or "▀" in line for line in running.said)
    given = running.someone("Ann").post("/api/handover").json()
    assert given["url"].startswith(listed[0])


async def test_https(launch: Launch, pems: Path) -> None:
    """Also for others of the network, for whom the page is secure then, too."""
    files = ("--certfile", str(pems / "cert.pem"), "--keyfile", str(pems / "key.pem"))
    running = launch("--lan", *files)
    assert running.url.startswith("https://")
    trusting = ssl._create_unverified_context()
    for url in (running.url, *(f"https://{each}:{running.port}" for each in own_addresses())):
        assert any(url in line for line in running.said)
        with httpx.Client(base_url=url, headers=OURS, verify=False) as ann:
            me = ann.get("/api/me")
            assert me.json()["secure"]
            assert me.headers["set-cookie"].endswith("; Secure")
            handed = ann.post("/api/handover").json()["url"]
            assert handed.startswith("https://")
            async with connected(url, open_table(ann), ann, ssl=trusting) as guest:
                assert guest.table["me"]["name"] == "Ann"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_ends_in_good_order_with_connections_open(
    launch: Launch, number: signal.Signals
) -> None:
    running = launch()
    ann = running.someone("Ann")
    code = open_table(ann, bots=["steady"], start=True)
    headers = {"Cookie": cookie(ann)}
    address = f"{running.url.replace('http', 'ws')}/ws/{code}"
    async with connect(address, additional_headers=headers, origin=running.url) as socket:
        await socket.recv()
        begun = time.monotonic()
        running.process.send_signal(number)
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()
        assert running.process.wait(PATIENCE) == 0
        assert time.monotonic() - begun < 5 * busy(running) + STANDSTILL
        assert socket.close_code == 1012
    assert running.logged() == ""
    again = launch()
    line = again.nobody(cookie=headers["Cookie"]).get(f"/api/tables/{code}").json()
    assert line["phase"] == "playing"
    assert line["seats"][0]["me"]


async def test_metrics_have_an_address_of_their_own(launch: Launch) -> None:
    port = free_port()
    running = launch("--metrics", f"127.0.0.1:{port}", "--name", "east-1")
    ann = running.someone("Ann")
    code = open_table(ann, "poof+schedule:2.1", bots=["steady"] * 3)
    async with connected(running.url, code, ann) as guest:
        await guest.do("start")
        await play_out([guest], Random(2))
        moves = sum(fact["type"] == "played" for fact in guest.facts)
    assert moves == 4 * (1 + 2) + 4 * (1 + 1)  # a bid and the cards of each, in both rounds
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert {'server="east-1"' in line for line in text.splitlines() if line[0] != "#"} == {True}
    found = dict(re.findall(r"^(rage_\w+)\{.*\} ([\d.e+-]+)$", text, re.MULTILINE))
    assert float(found["rage_tables"]) == 1
    assert float(found["rage_events_total"]) > 5
    assert float(found["rage_moves_total"]) == moves
    assert float(found["rage_commit_seconds_count"]) >= 1
    assert {"rage_sockets", "rage_outbox_bytes", "rage_bots_waiting", "rage_refused_total"} <= (
        found.keys()
    )
    assert "rage_tables" not in running.nobody().get("/metrics").text


def test_serve_is_the_default_command(tmp_path: Path) -> None:
    """On its usual port, or on the next one that is free."""
    environment = {**os.environ, "RAGE_DATA": str(tmp_path), "RAGE_LANG": "de"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):  # no browser
        environment.pop(name, None)
    environment["BROWSER"] = "true"
    process = subprocess.Popen(
        [sys.executable, "-m", "rage"], stdout=subprocess.PIPE, text=True, env=environment,
        encoding="utf-8",
    )  # fmt: skip
    assert process.stdout is not None
    try:
        said = []
        while "Strg-C" not in (line := process.stdout.readline()):
            assert line
            said.append(line)
        (url,) = re.findall(r"http://localhost:72\d\d/", "".join(said))
        assert httpx.get(f"{url}healthz").json() == {"ok": True}
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "Rage ist beendet. Alle Tische sind gespeichert.\n"
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert (tmp_path / "tables.sqlite").exists()


def test_the_browser_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urls: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr("webbrowser.open", urls.put)
    parser = Parser(language="en")
    serve.configure(parser)
    arguments = parser.parse_args(["--port", "7299", "--base-path", "x"])
    arguments.language = "en"
    serve.announce(serve.read(arguments), arguments, browser=True)
    assert urls.get(timeout=5) == "http://localhost:7299/x/"


def test_a_server_for_one_says_what_to_type_to_let_others_in(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """After ``make play`` the command is not on the path."""
    monkeypatch.setattr("rage.cli.commands.serve.program_name", lambda: ".venv/bin/rage")
    parser = Parser(language="en")
    serve.configure(parser)
    words = ["--port", "7300", "--data", "my games", "--host", "127.0.0.1"]
    for typed, hint in (([], ""), (words, " --port 7300 --data 'my games'")):
        arguments = parser.parse_args(typed)
        arguments.language, arguments.words = "en", typed
        serve.announce(serve.read(arguments), arguments, browser=False)
        assert f"in: .venv/bin/rage{hint} --lan\n" in capsys.readouterr().out


def test_the_other_commands_load_neither_the_server_nor_what_completes() -> None:
    """It would cost every start some milliseconds."""
    program = "import sys; from rage.cli import main; main(['rules']); main(['serve', '--help'])\n"
    program = program.replace("main(['serve', '--help'])", "print(*sys.modules)")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={**os.environ, "RAGE_LANG": "en"},
    )  # fmt: skip
    loaded = done.stdout.split("\n")[-2].split()
    assert "rage.game.rulebook" in loaded
    late = {"litestar", "uvicorn", "msgspec", "segno", "prometheus_client", "argcomplete"}
    assert not late & set(loaded)


def test_browsers_are_told_to_use_https_only(launch: Launch, pems: Path) -> None:
    """On secure answers of every kind, and on no other."""
    paths = ("/", "/api/me", "/api/none", "/assets/none.js")
    keys = ("--certfile", str(pems / "cert.pem"), "--keyfile", str(pems / "key.pem"))
    own = launch(*keys, "--hsts", "365")
    client = own.nobody()
    for path in paths:
        headers = client.get(path).headers
        assert headers["strict-transport-security"] == f"max-age={365 * 86400}"
    own.end()
    proxied = launch("--proxy", "127.0.0.1", "--hsts", "0")
    secure, plain = proxied.nobody(**{"x-forwarded-proto": "https"}), proxied.nobody()
    for path in paths:
        assert secure.get(path).headers["strict-transport-security"] == "max-age=0"
        assert "strict-transport-security" not in plain.get(path).headers
    proxied.end()
    assert "strict-transport-security" not in launch(*keys).nobody().get("/").headers
