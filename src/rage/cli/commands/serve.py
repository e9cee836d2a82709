"""``rage serve``: serves tables to browsers."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rage.bots import BOTS
from rage.bots.stand_in import slow_bots
from rage.bots.titles import stand_in_notes
from rage.cli.arguments import LOCATIONS, configure_location, read_location, read_secret
from rage.cli.parser import FILES, Parser
from rage.cli.terminal import has_browser, open_in_browser, program_name, uncompiled_note
from rage.extras import command_line
from rage.files import data_folder
from rage.rules.number import read_number
from rage.say import NotAllowed, NotReadable, text

if TYPE_CHECKING:
    from rage.server.config import Config

#: Other environment variables that it reads, for the help.
VARIABLES: Final = (*LOCATIONS, "RAGE_LIMITS", "RAGE_SECRET", "RAGE_SLOW_BOTS")
_MAX_BOT_DELAY = 60.0
#: The value of ``rage.house.tables.services``, which is too large to load for the help.
_DEFAULT_BOT_DELAY = 0.4
#: More connections than a machine has.
_MAX_CONNECTIONS = 1_000_000
#: More processors than a machine has.
_MAX_THINKING = 1000
#: More people than share an address anywhere.
_MAX_PEOPLE = 100_000
#: A terabyte, in megabytes.
_MAX_STORE = 1_000_000
#: Two years, the longest usual recommendation for HSTS.
_MAX_DAYS = 730


def configure(parser: Parser) -> None:
    """Add the options, with defaults from the modules that define them."""
    from rage.bots.cores import cores
    from rage.house import limits
    from rage.house.operating.retention import DEFAULT_RETENTION
    from rage.server import config
    from rage.server.notices import NOTICES

    def usual(key: str) -> str:
        return text(f"cli.serve.usual.{key}", parser.language, port=config.PORT)

    def option(name: str, **options: Any) -> None:
        parser.option(name, code=f"cli.serve.{name[2:].replace('-', '_')}", **options)

    keep = ",".join(f"{name}={days}" for name, days in DEFAULT_RETENTION._asdict().items())
    none = text("cli.none", parser.language)
    option("--host", metavar="ADDRESS", usual=usual("host"))
    option("--port", type=int, metavar="N", usual=usual("port"))
    configure_location(parser)
    option("--name", metavar="NAME", usual=usual("name"))
    option("--no-browser", action="store_true", usual=usual("browser"))
    option("--lan", action="store_true")
    option("--certfile", metavar="FILE", usual=usual("http"), values=FILES)
    option("--keyfile", metavar="FILE", usual=usual("keyfile"), values=FILES)
    option("--proxy", metavar="ADDRESSES", default="", usual=none)
    option("--allowed-hosts", metavar="NAMES", default="", usual=usual("hosts"))
    option("--base-path", metavar="PATH", default="", usual="/")
    option("--metrics", metavar="HOST:PORT", usual=none)
    option("--max-connections", metavar="N", usual=limits.MAX_CONNECTIONS)
    option("--people-per-address", metavar="N", usual=limits.PEOPLE)
    option("--limits", metavar="NAME=N/HOURLY,...", usual=usual("limits"))
    option("--thinking", metavar="N", usual=cores())
    option("--hsts", metavar="DAYS", usual=none)
    option("--bot-delay", type=float, metavar="SECONDS", usual=_DEFAULT_BOT_DELAY)
    option("--keep", metavar="NAME=DAYS,...", usual=keep)
    for name in NOTICES:
        parser.option(
            f"--{name}", code="cli.serve.notice", metavar="URL|FILE", usual=none, values=FILES
        )
    option("--max-store", metavar="MB", usual=limits.MAX_STORE // limits.MB)
    code = "cli.serve.log"
    parser.choice("--log", code=code, of=("text", "json"), usual="text", default="text")


def run(arguments: argparse.Namespace) -> int:
    """Serve the page and its tables until Ctrl-C or SIGTERM."""
    browser = not arguments.no_browser and has_browser()
    return serve_until_ended(arguments, lambda config: announce(config, arguments, browser=browser))


def serve_until_ended(arguments: argparse.Namespace, told: Callable[[Config], None]) -> int:
    """Serve until Ctrl-C; ``told`` is called once the server answers, with the configuration, which
    by then has the actual port."""
    from dataclasses import replace

    from rage.server.run import PORT_TRIES, bind, serve

    config = read(arguments)
    sockets = bind(config.host, config.port, tries=1 if arguments.port is not None else PORT_TRIES)
    config = replace(config, port=sockets[0].getsockname()[1])

    def ready() -> None:
        with contextlib.suppress(BrokenPipeError):  # the reader has gone; the server stays
            told(config)

    try:
        serve(config, sockets, ready)
    finally:
        for each in sockets:
            each.close()
    print(text("serve.ended", arguments.language))
    return 0


def read(arguments: argparse.Namespace) -> Config:
    """The configuration from the options. Raises :class:`rage.NotReadable` and
    :class:`rage.NotAllowed`."""
    from rage.house.limits import MAX_CONNECTIONS, MAX_STORE, MB, PEOPLE
    from rage.house.limits.limiting import read_limits
    from rage.house.operating.retention import read_retention
    from rage.server.config import (
        PORT,
        Config,
        read_base_path,
        read_host,
        read_hosts,
        read_name,
        read_proxies,
    )
    from rage.server.notices import NOTICES, read_notice

    if arguments.lan and arguments.host is not None:
        raise NotAllowed("serve.lan_and_host")
    slow_bots()  # refuse a bad value now, rather than at the first bot
    port = PORT if arguments.port is None else arguments.port
    _check_port(port)
    delay = arguments.bot_delay
    if delay is not None and not 0 <= delay <= _MAX_BOT_DELAY:
        raise NotReadable("serve.bot_delay", most=int(_MAX_BOT_DELAY))
    host = read_host("localhost" if arguments.host is None else arguments.host)
    certfile, keyfile = _certificate(arguments)
    proxies = read_proxies(arguments.proxy)
    hsts = _number_of("--hsts", arguments.hsts, 0, _MAX_DAYS)
    if hsts is not None and certfile is None and not proxies:
        raise NotAllowed("serve.hsts_alone")
    most = _number_of("--max-connections", arguments.max_connections, 1, _MAX_CONNECTIONS)
    people = _number_of("--people-per-address", arguments.people_per_address, 1, _MAX_PEOPLE)
    thinking = _number_of("--thinking", arguments.thinking, 1, _MAX_THINKING)
    store = _number_of("--max-store", arguments.max_store, 1, _MAX_STORE)
    location = read_location(arguments)
    return Config(
        data=location if isinstance(location, Path) else data_folder(),
        store=None if isinstance(location, Path) else location,
        name=socket.gethostname() if arguments.name is None else read_name(arguments.name),
        host="" if arguments.lan else host,
        port=port,
        base_path=read_base_path(arguments.base_path),
        allowed_hosts=read_hosts(arguments.allowed_hosts),
        proxies=proxies,
        certfile=certfile,
        keyfile=keyfile,
        metrics=None if arguments.metrics is None else _read_metrics(arguments.metrics),
        bot_delay=delay,
        log=arguments.log,
        max_connections=MAX_CONNECTIONS if most is None else most,
        people_per_address=PEOPLE if people is None else people,
        limits=read_limits(arguments.limits or os.environ.get("RAGE_LIMITS", "")),
        thinking=thinking or 0,
        hsts=hsts,
        secret=read_secret(),
        keep=read_retention(arguments.keep or ""),
        notices={
            name: read_notice(f"--{name}", given)
            for name in NOTICES
            if (given := getattr(arguments, name) or os.environ.get(f"RAGE_{name.upper()}"))
        },
        max_store=MAX_STORE if store is None else store * MB,
    )


def _check_port(port: int) -> None:
    if not 0 <= port < 65536:
        raise NotReadable("serve.port", port=port)


def _number_of(option: str, written: str | None, least: int, most: int) -> int | None:
    """The number given for an option, if any."""
    if written is None:
        return None
    number = read_number(written, least, most)
    if number is None:
        raise NotReadable("serve.number", option=option, least=least, most=most, given=written)
    return number


def _read_metrics(written: str) -> tuple[str, int]:
    from rage.server.config import read_host

    host, _, digits = written.rpartition(":")
    port = read_number(digits, 0, 999_999_999)  # an invalid port gets its own error below
    if port is None:
        raise NotReadable("serve.metrics", address=written)
    _check_port(port)
    return read_host(host or "127.0.0.1") or "0.0.0.0", port


def _certificate(arguments: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """The files of a certificate and its key, which may be one file."""
    if arguments.certfile is None:
        if arguments.keyfile is not None:
            raise NotAllowed("serve.key_alone")
        return None, None
    return Path(arguments.certfile), Path(arguments.keyfile) if arguments.keyfile else None


def announce(config: Config, arguments: argparse.Namespace, *, browser: bool) -> None:
    """Print where the tables are, and how friends get there."""
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
            if len(others) > 1 and sys.stdin.isatty():
                print(text("serve.more_codes", language))
                if hasattr(signal, "SIGTTIN"):  # reading in the background would stop the server
                    signal.signal(signal.SIGTTIN, signal.SIG_IGN)
                threading.Thread(target=_show_codes, args=(others,), daemon=True).start()
    elif arguments.lan:
        print(text("serve.no_network", language))
    elif config.is_local_only and not config.proxies:
        print(text("serve.alone", language, command=_repeated(arguments)))
    if note := uncompiled_note(language, config.data):
        print(note)
    for each in stand_in_notes(BOTS, language):
        print(each)
    print(text("serve.how_to_end", language), flush=True)
    if browser:
        threading.Thread(target=open_in_browser, args=(here + "/",), daemon=True).start()


def _repeated(arguments: argparse.Namespace) -> str:
    """The command as it was typed, without its host."""
    kept, words = [], iter(getattr(arguments, "words", ()))
    for word in words:
        if word == "--host":
            next(words, None)
        elif not word.startswith("--host="):
            kept.append(word)
    return " ".join([program_name(), *([command_line(kept)] if kept else [])])


def _show_codes(urls: list[str]) -> None:
    """Show the QR code of the next address whenever Enter is pressed."""
    from rage.server.network import qr_lines

    for url in itertools.cycle([*urls[1:], urls[0]]):
        try:
            # Not with sys.stdin, which cannot be closed while this waits for it.
            if not os.read(sys.stdin.fileno(), 1024):
                return
        except OSError:  # the server is in the background now
            return
        with contextlib.suppress(BrokenPipeError):
            print(f"  {url}/\n{qr_lines(url + '/')}", flush=True)
