"""The proxies of docs/hosting.md in front of a server: with its very text, but this machine's ports
and a certificate made here."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.running import OURS, free_port, introduced
from tools.services import found

_DOCS = Path(__file__).parents[2] / "docs"
PAGE = (_DOCS / "hosting.md").read_text(encoding="utf-8")
#: About several servers.
SERVERS = (_DOCS / "servers.md").read_text(encoding="utf-8")
#: Under which name everybody asks for the page.
NAME = "cards.example.org"
#: What stands around the text for nginx, which is a part of a file; its own folders need rights.
_NGINX = """
daemon off;
{user}
pid "{folder}/nginx.pid";
events {{}}
http {{
    access_log off;
    {temporary}
    {site}
}}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
#: Caddy neither fetches a certificate nor listens anywhere else.
_CADDY = "{\n\tadmin off\n\tauto_https off\n"


def block(language: str, containing: str = "", page: str = PAGE) -> str:
    """The first block of a language that contains something."""
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
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
               "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
               "-keyout", "key.pem", "-out", "cert.pem"]  # fmt: skip
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl, which makes the certificate, is not installed")


def nginx_file(folder: Path, changes: dict[str, str]) -> str:
    """The page's section for nginx, in a file that is complete."""
    kept = "/etc/letsencrypt/live/cards.example.org"
    pems = {
        f"{kept}/fullchain.pem": f"{folder}/cert.pem",
        f"{kept}/privkey.pem": f"{folder}/key.pem",
    }
    temporary = "".join(f"{name}_temp_path {folder}/{name};\n" for name in _TEMPORARY)
    site = changed(block("nginx"), {**pems, **changes})
    user = "user root;" if os.geteuid() == 0 else ""  # others can't read the tests' folders
    return _NGINX.format(user=user, folder=folder, temporary=temporary, site=site)


def caddy_file(folder: Path, changes: dict[str, str]) -> str:
    """The page's file for Caddy, with a certificate instead of one that Caddy would fetch."""
    site = changed(block("caddyfile"), changes)
    settings, name, rest = site.partition(NAME)
    pems = f"{{\n\ttls {folder}/cert.pem {folder}/key.pem\n"
    return settings.replace("{\n", _CADDY, 1) + name + rest.replace("{\n", pems, 1)


class Front:
    """A proxy on a port of its own, which forwards to another. ``changes``: how its file differs
    from the page."""

    def __init__(self, program: str, folder: Path, behind: int, changes: dict[str, str]) -> None:
        path = found(program)
        if path is None:
            pytest.skip(f"{program} is not installed (python -m tools.services)")
        certificate(folder, NAME)
        self.port = free_port()
        handed = {"127.0.0.1:7243": f"127.0.0.1:{behind}"}
        if program == "nginx":
            there = {"listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl"}
            text, name = nginx_file(folder, {**handed, **there, **changes}), "nginx.conf"
            command = [path, "-e", "stderr", "-c", str(folder / name)]
        else:
            there = {f"{NAME} {{": f"{NAME}:{self.port} {{"}
            text, name = caddy_file(folder, {**handed, **there, **changes}), "Caddyfile"
            command = [path, "run", "--adapter", "caddyfile", "--config", str(folder / name)]
        (folder / name).write_text(text, encoding="utf-8")
        self._errors = (folder / f"{program}.err").open("w+b")
        home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder)}  # fmt: skip
        self._process = subprocess.Popen(command, env=home, stderr=self._errors, cwd=folder)
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
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={**OURS, "host": f"{NAME}:{self.port}", "origin": self.url, **headers},
            transport=_Named(verify=False, local_address=address),
        )
        self._clients.append(client)
        return client

    def someone(self, name: str, base: str = "") -> httpx.Client:
        """Somebody with a cookie and a name."""
        return introduced(self.nobody(), name, base)

    def socket(self) -> dict[str, Any]:
        """What a WebSocket client needs to reach it."""
        trusting = ssl._create_unverified_context()
        return {"host": "127.0.0.1", "port": self.port, "ssl": trusting, "server_hostname": NAME,
                "origin": self.url}  # fmt: skip

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


class _Named(httpx.HTTPTransport):
    """Asks for the name under which the proxy has its certificate."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        return super().handle_request(request)
