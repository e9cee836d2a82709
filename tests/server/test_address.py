"""Addresses of databases that cannot be right: the error names what is wrong, never the
password."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from rage.cli import main
from rage.server.postgres import connection
from rage.server.postgres.url import called


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://rage:secret@127.0.0.1:abc/rage", "the port abc"),
        ("postgresql://rage:secret@h1:5432,h2:70000/rage", "the port 70000"),
        ("postgresql://rage:secret@127.0.0.1/rage?sslmode=foo", "the sslmode foo"),
        ("postgresql://rage:se@cret@127.0.0.1/rage", "@ as %40"),
        ("postgresql://rage:se/cret@127.0.0.1/rage", "/ as %2F"),
        ("postgresql://rage:se?cret@127.0.0.1/rage", "? as %3F"),
        ("postgresql://rage:se#cret@127.0.0.1/rage", "# as %23"),
        ("postgresql://rage:secret@[::1:5432/rage", "a PostgreSQL database"),
        ("postgresql://rage:secret@℀/rage", "a PostgreSQL database"),
        ("mysql://rage:secret@127.0.0.1/rage", "a PostgreSQL database"),
    ],
)
def test_the_wrong_part_is_named(
    address: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", "en", "admin", "list", "--store", address]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert why in said
    assert "cret" not in said


def test_the_database_is_named_without_the_password() -> None:
    assert called("postgresql://rage:x@db:5433/rage?sslmode=require") == "PostgreSQL db:5433/rage"
    assert called("postgresql://rage@/rage?host=/run&port=1") == "PostgreSQL /run:1/rage"
    assert called("postgresql:///rage") == "PostgreSQL rage"


def test_another_service_at_the_port_is_called_that(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            with contextlib.suppress(OSError):
                while True:
                    server.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        there = f"127.0.0.1:{server.getsockname()[1]}"
        words = ["--lang", "en", "admin", "list", "--store", f"postgresql://rage:x@{there}/rage"]
        assert main(words) == 1
        server.shutdown(socket.SHUT_RDWR)
    (said,) = capsys.readouterr().err.splitlines()
    assert f"PostgreSQL {there}/rage" in said
    assert "perhaps it is not PostgreSQL" in said


def test_a_setting_is_named_where_it_comes_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGE_STORE", "postgresql://rage@127.0.0.1:1/rage")
    assert main(["--lang", "en", "restore", "--data", "there", "b.sqlite"]) == 1
    assert "leave out --data or RAGE_STORE" in capsys.readouterr().err
