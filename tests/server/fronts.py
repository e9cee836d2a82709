"""The proxies of docs/hosting.md in front of a server, and of docs/servers.md in front of several:
with their very text, but this machine's ports and a certificate made here."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.running import OURS, free_port, introduced
from tools.services import found

_DOCS = Path(__file__).parents[2] / "docs"
PAGE = (_DOCS / "hosting.md").read_text(encoding="utf-8")
#: About several servers, and where those are.
SERVERS = (_DOCS / "servers.md").read_text(encoding="utf-8")
_ADDRESSES = ("10.0.0.11:7243", "10.0.0.12:7243")
#: Under which name everybody asks for the page.
NAME = "cards.example.org"
#: How HAProxy sends each request to the other server than the one before, wherever its table is.
IN_TURN = {"balance hdr(X-Place)\n    hash-type consistent": "balance roundrobin"}
#: What stands around the text for nginx, which is a part of a file; its own folders need rights.
_NGINX = """
daemon off;
{user}
{files}
pid "{folder}/nginx.pid";
events {{ {connections} }}
http {{
    {temporary}
    {site}
}}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
#: Caddy neither fetches a certificate nor listens anywhere else.
_CADDY = "{\n\tadmin off\n\tauto_https off\n"


def block(language: str, containing: str = "", page: str = PAGE) -> str:
    """The first block of a language on a page that contains something."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return next(each for each in blocks if containing in each)


def changed(text: str, changes: dict[str, str]) -> str:
    """A text with some words replaced, each of which must be in it."""
    for old, new in changes.items():
        assert old in text, f"{old!r} is not in {text}"
        text = text.replace(old, new)
    return text


def certificate(folder: Path, name: str = "localhost") -> None:
    """A certificate that nobody else trusts: ``cert.pem`` and ``key.pem``."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
               "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj", f"/CN={name}",
               "-addext", f"subjectAltName=DNS:{name}",
               "-keyout", "key.pem", "-out", "cert.pem"]  # fmt: skip
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl, which makes the certificate, is not installed")


def page_file(program: str, servers: int) -> str:
    """What the pages say for a proxy before one or several servers."""
    if program == "haproxy":
        return block("text", page=SERVERS)
    language = {"nginx": "nginx", "caddy": "caddyfile"}[program]
    one = block(language)
    if servers == 1:
        return one
    if program == "caddy":
        before, found, after = re.split(r"(\treverse_proxy [^}]*}\n)", one)
        assert found
        return before + block(language, page=SERVERS) + after
    theirs = block(language, "proxy_connect_timeout", SERVERS)
    changes = {"        proxy_pass http://127.0.0.1:7243;\n": theirs}
    return block(language, "upstream", SERVERS) + changed(one, changes)


def nginx_file(folder: Path, port: int, site: str) -> str:
    """A section for nginx, in a file that is complete."""
    kept = "/etc/letsencrypt/live/cards.example.org"
    there = {
        f"{kept}/fullchain.pem": f"{folder}/cert.pem",
        f"{kept}/privkey.pem": f"{folder}/key.pem",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
    }
    temporary = "".join(f"{name}_temp_path {folder}/{name};\n" for name in _TEMPORARY)
    user = "user root;" if os.geteuid() == 0 else ""  # others can't read the tests' folders
    files, connections = block("text", "worker_connections").splitlines()
    return _NGINX.format(
        user=user, folder=folder, files=files, connections=connections, temporary=temporary,
        site=changed(site, there),
    )  # fmt: skip


def caddy_file(folder: Path, port: int, site: str) -> str:
    """A file for Caddy, with a certificate instead of one that Caddy would fetch."""
    settings, name, rest = changed(site, {f"{NAME} {{": f"{NAME}:{port} {{"}).partition(NAME)
    pems = f"{{\n\ttls {folder}/cert.pem {folder}/key.pem\n"
    return settings.replace("{\n", _CADDY, 1) + name + rest.replace("{\n", pems, 1)


def haproxy_file(folder: Path, port: int, site: str) -> str:
    """A file for HAProxy, which reads a certificate and its key from one file."""
    pems = [(folder / f"{each}.pem").read_text(encoding="ascii") for each in ("cert", "key")]
    (folder / "both.pem").write_text("".join(pems), encoding="ascii")
    there = {"bind :443 ssl": f"bind 127.0.0.1:{port} ssl"}
    return changed(site, {**there, f"/etc/haproxy/{NAME}.pem": f"{folder}/both.pem"})


#: For each proxy, how its file is made, and the options with which it reads that.
_KINDS: dict[str, tuple[Callable[[Path, int, str], str], tuple[str, ...]]] = {
    "nginx": (nginx_file, ("-e", "stderr", "-c")),
    "caddy": (caddy_file, ("run", "--adapter", "caddyfile", "--config")),
    "haproxy": (haproxy_file, ("-db", "-f")),
}


class Front:
    """A proxy on a port of its own, which forwards to those of one or several servers.
    ``changes``: how its file differs from the page."""

    def __init__(
        self, program: str, folder: Path, *behind: int, changes: dict[str, str] | None = None
    ) -> None:
        path = found(program)
        if path is None:
            pytest.skip(f"{program} is not installed (python -m tools.services)")
        certificate(folder, NAME)
        self.port = free_port()
        addresses = ("127.0.0.1:7243",) if len(behind) == 1 else _ADDRESSES
        ports = {
            address: f"127.0.0.1:{port}" for address, port in zip(addresses, behind, strict=True)
        }
        site = changed(page_file(program, len(behind)), {**ports, **(changes or {})})
        write, options = _KINDS[program]
        file = folder / f"{program}.conf"
        file.write_text(write(folder, self.port, site), encoding="utf-8")
        command = [path, *options, str(file)]
        self._errors = (folder / f"{program}.err").open("w+b")
        home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder)}  # fmt: skip
        self._process = subprocess.Popen(
            command, env=home, stdout=self._errors, stderr=self._errors, cwd=folder
        )
        self._clients: list[httpx.Client] = []
        self._wait()

    @property
    def url(self) -> str:
        """The name that people use, which is known only here."""
        return f"https://{NAME}:{self.port}"

    def _wait(self) -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        self._errors.seek(0)
        raise AssertionError(self._errors.read().decode())

    def nobody(self, address: str = "127.0.0.1", **headers: str) -> httpx.Client:
        """Somebody without a cookie, who asks from an address."""
        client = visitor(self.url, address, **headers)
        self._clients.append(client)
        return client

    def someone(self, name: str | None = None, base: str = "") -> httpx.Client:
        """Somebody with a cookie, and a name if one is given."""
        return introduced(self.nobody(), name, base)

    def end(self) -> None:
        """End it."""
        for client in self._clients:
            client.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()
            self._errors.close()


def visitor(url: str, address: str = "127.0.0.1", **headers: str) -> httpx.Client:
    """Somebody without a cookie at a front, or at a server itself."""
    there, from_there = httpx.URL(url), {**OURS, **headers}
    if there.host != NAME:
        return httpx.Client(base_url=url, headers=from_there, verify=False)
    return httpx.Client(
        base_url=there.copy_with(host="127.0.0.1"),
        headers={"host": f"{NAME}:{there.port}", "origin": url, **from_there},
        transport=_Named(verify=False, local_address=address),
    )


def reaching(url: str) -> dict[str, Any]:
    """What a WebSocket client needs to reach a front, or a server itself, beside its address."""
    there = httpx.URL(url)
    if there.host != NAME:
        return {"origin": url, "proxy": None}
    return {"host": "127.0.0.1", "port": there.port, "ssl": _trusting(), "server_hostname": NAME,
            "origin": f"https://{NAME}:{there.port}", "proxy": None}  # fmt: skip


@cache
def _trusting() -> ssl.SSLContext:
    return ssl._create_unverified_context()


class _Named(httpx.HTTPTransport):
    """Asks for the name under which the proxy has its certificate."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        return super().handle_request(request)
