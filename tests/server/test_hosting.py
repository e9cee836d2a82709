"""What docs/hosting.md shows works, as far as this machine can tell."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from random import Random

import httpx
import pytest

from rage.cli import serve
from rage.cli.parser import Parser
from rage.server.config import Config
from server.conftest import Launch
from server.fronts import PAGE, block
from server.running import open_table
from server.table_client import connected, play_out


def configured(words: list[str]) -> Config:
    """What the command after ``rage serve`` sets up."""
    parser = Parser(language="en", exit_on_error=False)
    serve.configure(parser)
    return serve.read(parser.parse_args(words))


def test_the_unit_starts_a_server_behind_a_proxy() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # as configparser wants it
    unit.read_string(block("ini"))
    command = shlex.split(unit["Service"]["ExecStart"])
    assert command[:2] == ["/opt/rage/bin/rage", "serve"]
    config = configured(command[2:])
    assert config.data == Path("/var/lib") / unit["Service"]["StateDirectory"]
    assert config.allowed_hosts == ("cards.example.org",)
    assert config.is_local_only
    for proxy in (block("caddyfile"), block("nginx")):
        assert f"127.0.0.1:{config.port}" in proxy
        assert config.allowed_hosts[0] in proxy


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_unit_and_finds_it_safe(tmp_path: Path) -> None:
    """Its scale is from 0, safe, to 10; a unit that says nothing of it has 9.6."""
    program = tmp_path / "rage"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    unit = tmp_path / "rage.service"
    unit.write_text(block("ini").replace("/opt/rage/bin/rage", str(program)), encoding="utf-8")
    copying = block("ini", "rage-backup").replace("/usr/local/sbin/rage-backup", str(program))
    (tmp_path / "rage-backup.service").write_text(copying, encoding="utf-8")
    timer = tmp_path / "rage-backup.timer"
    timer.write_text(block("ini", "[Timer]"), encoding="utf-8")
    command = ["systemd-analyze", "verify", str(timer)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, str(timer) in done.stderr) == (0, False), done.stderr
    for asked in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        command = ["systemd-analyze", *asked, str(unit)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert str(unit) not in done.stderr  # what it does not know it only grumbles at


def test_the_container_starts_a_server_for_everybody() -> None:
    lines = block("dockerfile").splitlines()
    words = {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}
    entry = json.loads(words["ENTRYPOINT"])
    run = shlex.split(block("sh", "podman run"))
    config = configured([*entry[2:], *run[run.index("rage", run.index("-v") + 2) + 1 :]])
    assert entry[:2] == ["rage", "serve"]
    assert config.host == ""
    assert str(config.data) == words["VOLUME"]
    assert str(config.port) == words["EXPOSE"]
    check = json.loads(words["HEALTHCHECK"].removeprefix("CMD "))
    compile(check[2], "healthcheck", "exec")
    assert f":{config.port}/healthz" in check[2]


#: Refuses an import as a package does that is not installed.
WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            print("Traceback: imported", name, file=sys.stderr)
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Refuse())
"""


def test_the_container_needs_nothing_that_it_removes(launch: Launch, tmp_path: Path) -> None:
    """Every route is asked, and a game is played, where none of that can be imported."""
    (line,) = (each for each in block("dockerfile").splitlines() if "pip uninstall" in each)
    names = set(line.partition("--yes ")[2].split())
    assert {"faker", "httpx"} <= names
    (tmp_path / "sitecustomize.py").write_text(WITHOUT.format(names=names), encoding="utf-8")
    paths = filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))
    running = launch(PYTHONPATH=os.pathsep.join(paths))
    ann = running.someone("Ann")
    code = open_table(ann, "poof+schedule:1", 2, bots=["steady"], start=True)
    asyncio.run(_played_out(running.url, code, ann))
    for path, rules in ann.get("/schema/openapi.json").json()["paths"].items():
        named = path.replace("{table}", code).replace("{game}", "1").replace("{rules}", "poof")
        if "get" in rules:
            answer = ann.get(named, params={"path": "/", "ply": 1})
            # The game is over, none is being analysed, and no sheet is shown.
            others = {"/api/tables/{table}/advice": 409}
            others |= {"/api/analysis/{name}": 404, "/api/sheets/{sheet}": 404}
            due = others.get(path, 200)
            assert answer.status_code == due, (path, answer.text)
    assert ann.post("/api/tables", json={"rules": 7}).status_code == 400
    assert running.end() == 0
    assert not running.logged()


async def _played_out(url: str, code: str, who: httpx.Client) -> None:
    async with connected(url, code, who) as guest:
        await play_out([guest], Random(1))


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    parser = Parser(language="en")
    serve.configure(parser)
    table = PAGE.partition("## Options")[2].partition("\n## ")[0]
    shown = set(re.findall(r"--[a-z][a-z-]*", table.partition("`RAGE_SECRET`")[0]))
    assert shown == {each for each in parser.names if each.startswith("--")} - {"--help"}
