"""``rage serve``: tables in the browser, for whoever has the link."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from rage.say import NotAllowed, NotReadable, text
from rage.tui.saved import folder

if TYPE_CHECKING:
    from rage.server.config import Config

_NEEDED = ("litestar", "msgspec", "uvicorn", "websockets", "segno")
_MOST_DELAY = 60.0


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""

    def say(key: str) -> str:
        return text(f"cli.serve.{key}", language)

    parser.add_argument("--host", metavar="ADDRESS", help=say("host"))
    parser.add_argument("--port", type=int, metavar="N", help=say("port"))
    parser.add_argument("--data", metavar="DIR", help=say("data"))
    parser.add_argument("--no-browser", action="store_true", help=say("no_browser"))
    parser.add_argument("--lan", action="store_true", help=say("lan"))
    parser.add_argument("--certfile", metavar="FILE", help=say("certfile"))
    parser.add_argument("--keyfile", metavar="FILE", help=say("keyfile"))
    parser.add_argument("--proxy", metavar="ADDRESSES", default="", help=say("proxy"))
    parser.add_argument("--allowed-hosts", metavar="NAMES", default="", help=say("allowed_hosts"))
    parser.add_argument("--base-path", metavar="PATH", default="", help=say("base_path"))
    parser.add_argument("--metrics", metavar="HOST:PORT", help=say("metrics"))
    parser.add_argument("--bot-delay", type=float, metavar="SECONDS", help=say("bot_delay"))
    parser.add_argument("--log", choices=("text", "json"), default="text", help=say("log"))


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise NotAllowed("serve.missing", packages=", ".join(missing))
    from dataclasses import replace

    from rage.server.run import TRIES, bind, serve

    config = read(arguments)
    sockets = bind(config.host, config.port, tries=1 if arguments.port is not None else TRIES)
    config = replace(config, port=sockets[0].getsockname()[1])
    browser = not arguments.no_browser and _has_screen()

    def ready() -> None:
        with contextlib.suppress(BrokenPipeError):  # whoever read has gone; the tables stay
            announce(config, arguments, browser=browser)

    try:
        serve(config, sockets, ready)
    finally:
        for each in sockets:
            each.close()
    print(text("serve.ended", arguments.language))
    return 0


def read(arguments: argparse.Namespace) -> Config:
    """What the options say. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    from rage.server.config import PORT, Config, read_base_path, read_hosts, read_proxies

    if arguments.lan and arguments.host is not None:
        raise NotAllowed("serve.lan_and_host")
    port = PORT if arguments.port is None else arguments.port
    _check_port(port)
    delay = arguments.bot_delay
    if delay is not None and not 0 <= delay <= _MOST_DELAY:
        raise NotReadable("serve.bot_delay", most=int(_MOST_DELAY))
    host = arguments.host if arguments.host is not None else "localhost"
    certfile, keyfile = _certificate(arguments)
    return Config(
        data=folder() if arguments.data is None else Path(arguments.data),
        host="" if arguments.lan or host == "*" else host,
        port=port,
        base_path=read_base_path(arguments.base_path),
        allowed_hosts=read_hosts(arguments.allowed_hosts),
        proxies=read_proxies(arguments.proxy),
        certfile=certfile,
        keyfile=keyfile,
        metrics=None if arguments.metrics is None else _read_metrics(arguments.metrics),
        bot_delay=delay,
        log=arguments.log,
        secret=_secret(),
    )


def _check_port(port: int) -> None:
    if not 0 <= port < 65536:
        raise NotReadable("serve.port", port=port)


def _read_metrics(written: str) -> tuple[str, int]:
    host, _, port = written.rpartition(":")
    if not port.isascii() or not port.isdigit():
        raise NotReadable("serve.metrics", address=written)
    _check_port(int(port[:9]))
    return host.strip("[]") or "127.0.0.1", int(port)


def _certificate(arguments: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """The files of a certificate and its key, which one file may hold together."""
    if arguments.certfile is None:
        if arguments.keyfile is not None:
            raise NotAllowed("serve.key_alone")
        return None, None
    return Path(arguments.certfile), Path(arguments.keyfile) if arguments.keyfile else None


def _secret() -> bytes | None:
    """What cookies are signed with, where ``RAGE_SECRET`` says it."""
    given = os.environ.get("RAGE_SECRET")
    if not given:
        return None
    if len(given) < 32:
        raise NotReadable("serve.secret", least=32)
    return given.encode("utf-8", "surrogateescape")


def _has_screen() -> bool:
    """Whether somebody could see a browser that we open."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return not os.environ.get("SSH_CONNECTION")


def announce(config: Config, arguments: argparse.Namespace, *, browser: bool) -> None:
    """Say where the tables are, and how friends get there."""
    from rage.server.config import PORT
    from rage.server.network import addresses, own_url, qr_lines

    language = arguments.language
    if arguments.port is None and config.port != PORT:
        print(text("serve.next_port", language, port=PORT, instead=config.port))
    here = own_url(config)
    print(text("serve.here", language, url=here))
    others = addresses(config)
    if others:
        print(text("serve.network", language))
        for each in others:
            print(f"  {each}/")
        if sys.stdout.isatty() or arguments.lan:
            print(qr_lines(others[0] + "/"))
    elif arguments.lan:
        print(text("serve.no_network", language))
    elif config.listens_here_alone and not config.proxies:
        print(text("serve.alone", language))
    print(text("serve.how_to_end", language), flush=True)
    if browser:
        threading.Thread(target=_open, args=(here + "/",), daemon=True).start()


def _open(url: str) -> None:
    import webbrowser

    webbrowser.open(url)
