"""``--cluster`` on a real Ray cluster: one of this machine, started for these tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from server.running import free_port

# Not imported: that takes as long as to collect all other tests together, in each worker.
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="there is no Ray for this version of Python"
)

SHORT = "poof+schedule:2.1"
FAILING = """
class Bot:
    def __init__(self, seed):
        pass

    def choose(self, view):
        raise RuntimeError("out of ideas")
"""


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = "from rage.cli import main; raise SystemExit(main())"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster with one processor."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "hopeless.py").write_text(FAILING)
    address = f"127.0.0.1:{free_port()}"
    ray_command = [sys.executable, "-m", "ray.scripts.scripts"]
    start = [
        *ray_command, "start", "--head", f"--port={address.rpartition(':')[2]}", "--num-cpus=1",
        "--include-dashboard=false", "--disable-usage-stats",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run(start, env=environment, check=True, timeout=120, stdout=subprocess.DEVNULL)
    yield address
    subprocess.run([*ray_command, "stop", "--force"], check=True, timeout=60, capture_output=True)


def without_times(found: dict[str, Any]) -> dict[str, Any]:
    for each in (*found["pairs"], *found["overall"].values()):
        for name in ("ms_per_move", "cpu_ms_per_move"):
            del each[name]
    return found


@pytest.mark.long  # starting Ray takes half a minute
def test_a_match_comes_to_the_same_on_a_cluster(cluster: str, tmp_path: Path) -> None:
    words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "2", "--json"]
    there = run(*words, "--cluster", cluster, "--out", "there.jsonl", folder=tmp_path)
    assert (there.returncode, there.stderr) == (0, "")
    here = run(*words, "--processes", "1", folder=tmp_path)
    assert without_times(json.loads(there.stdout)) == without_times(json.loads(here.stdout))
    again = run(*words, "--out", "there.jsonl", folder=tmp_path)  # nothing is left to be played
    assert without_times(json.loads(again.stdout)) == without_times(json.loads(here.stdout))


@pytest.mark.long  # as above
def test_a_simulation_comes_to_the_same_on_a_cluster(cluster: str, tmp_path: Path) -> None:
    words = ["simulate", "--rules", SHORT, "--bots", "steady,easy", "--games", "120", "--out"]
    there = run(*words, "there", "--cluster", cluster, folder=tmp_path)
    assert (there.returncode, there.stderr) == (0, "")
    here = run(*words, "here", "--processes", "1", folder=tmp_path)
    assert here.stdout == there.stdout.replace("there", "here")


@pytest.mark.long  # the way there and back is tried above
def test_what_a_bot_does_wrong_there_is_said_here_in_a_line(cluster: str, tmp_path: Path) -> None:
    (tmp_path / "hopeless.py").write_text(FAILING)
    words = ["arena", "python:hopeless:Bot", "random", "--rules", SHORT, "--deals", "1"]
    found = run(*words, "--cluster", cluster, folder=tmp_path)
    assert found.returncode == 1
    (line,) = found.stderr.splitlines()
    assert "out of ideas" in line


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:{closed}", "there is no Ray cluster at 127.0.0.1:"),
        ("nowhere", "nowhere is not the address of a cluster"),
        ("a..b:6379", "there is no Ray cluster at a..b:6379: "),
        ("host:99999", "host:99999 is not the address of a cluster"),
        ("host:" + "9" * 5000, "is not the address of a cluster"),
    ],
)
def test_an_address_without_a_cluster_is_an_error(address: str, said: str, tmp_path: Path) -> None:
    words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "1"]
    given = address.format(closed=free_port())
    found = run(*words, "--cluster", given, folder=tmp_path)
    assert found.returncode == 2
    (line,) = found.stderr.splitlines()
    assert said in line


def test_what_answers_but_is_no_cluster_is_said_to_be_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        Thread(target=answer, daemon=True).start()
        words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "1"]
        found = run(*words, "--cluster", address, folder=tmp_path)
    assert found.returncode == 2
    assert found.stderr == f"rage: what answers at {address} is not a Ray cluster\n"


def test_processes_are_not_for_a_cluster(tmp_path: Path) -> None:
    words = ["arena", "steady", "random", "--cluster", "auto", "--processes", "2"]
    found = run(*words, folder=tmp_path)
    assert found.returncode == 1
    assert "--processes is for this machine" in found.stderr
