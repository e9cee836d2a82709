"""A file that one process has to itself."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rage.files import InUse, lock

fcntl = pytest.importorskip("fcntl", reason="Windows locks in another way")

#: Has a file to itself, says so, and waits.
HOLDER = """
import sys
from pathlib import Path
from rage.files import lock
with lock(Path(sys.argv[1])) as file:
    file.write(b"mine")
    file.flush()
    print("now", flush=True)
    sys.stdin.read()
"""


def test_another_process_waits_until_the_first_has_ended_however_it_does(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"now\n"
        with pytest.raises(InUse) as refused, lock(path):
            pass
        assert refused.value.said == "mine"
        holder.kill()
        holder.wait()
        with lock(path) as file:
            file.seek(0)
            assert file.read() == b"mine"
    assert path.exists()


def test_a_file_that_is_not_to_be_kept_goes_also_where_something_fails(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with lock(path, keep=False):
        assert path.exists()
    assert not path.exists()
    with pytest.raises(FileNotFoundError), lock(path, keep=False):
        (tmp_path / "none").read_bytes()
    assert not path.exists()


def test_a_system_without_locks_is_not_another_who_has_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As some folders of a network are."""

    def no_locks(number: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(OSError, match="No locks available"), lock(tmp_path / "lock"):
        pass


def test_nobody_has_a_file_that_was_removed_while_they_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened while another process had it, locked once that one has removed it: then a third may
    have made a new one."""
    path = tmp_path / "lock"
    flock, removed = fcntl.flock, list[int]()

    def remove_first(number: int, how: int) -> None:
        flock(number, how)
        if not removed:
            removed.append(path.stat().st_ino)
            path.unlink()

    monkeypatch.setattr("fcntl.flock", remove_first)
    with lock(path, keep=False) as file:
        assert removed
        assert os.path.samestat(os.fstat(file.fileno()), path.stat())
        with pytest.raises(InUse), lock(path, keep=False):
            pass
        assert path.exists(), "a lock that was refused removes nothing"
    assert not path.exists()
