"""What docs/hosting.md and docs/servers.md show works, as far as this machine can tell."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from rage.cli.commands import serve
from rage.cli.parser import Parser
from rage.server.config import Config
from server.conftest import Launch
from server.fronts import PAGE, SERVERS, block
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


def test_the_container_starts_a_server_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = block("dockerfile").splitlines()
    words = {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}
    entry = json.loads(words["ENTRYPOINT"])
    name, _, folder = words["ENV"].partition("=")
    monkeypatch.setenv(name, folder)
    run = shlex.split(block("sh", "podman run"))
    config = configured([*entry[2:], *run[run.index("rage", run.index("-v") + 2) + 1 :]])
    assert entry[:2] == ["rage", "serve"]
    assert config.host == ""
    assert str(config.data) == words["VOLUME"]
    assert str(config.port) == words["EXPOSE"]
    check = json.loads(words["HEALTHCHECK"].removeprefix("CMD "))
    compile(check[2], "healthcheck", "exec")
    assert f":{config.port}/healthz" in check[2]


def test_the_containers_are_two_servers_and_what_they_need(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their options, their database and their health check are those of a server."""
    services = yaml.safe_load(block("yaml", page=SERVERS))["services"]
    one, two, database, proxy = (services[each] for each in ("one", "two", "db", "proxy"))
    assert {**two, "hostname": "one"} == one
    assert "ports" not in one
    assert "ports" not in database
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    container = block("dockerfile")
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)", container, re.MULTILINE)[0])
    assert f"ARG {next(iter(one['build']['args']))}=" in container
    for name, value in one["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:\?\}", "0" * 64, value))
    config = configured([*entry[2:], *one["command"]])
    user = database["environment"]["POSTGRES_USER"]
    assert config.store == f"postgresql://{user}:{'0' * 64}@db/{user}"
    assert f"one:{config.port} two:{config.port}" in SERVERS
    check = one["healthcheck"]["test"]
    assert f":{config.port}/readyz" in check[3]
    running = launch(*one["command"], RAGE_STORE="")
    code = check[3].replace(str(config.port), str(running.port))
    subprocess.run([sys.executable, check[2], code], check=True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_unit_of_several_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = block("ini", page=SERVERS)
    command = re.findall(r"^ExecStart=\S+/rage serve (.*)", changed, re.MULTILINE)[0]
    monkeypatch.setenv("RAGE_STORE", "postgresql://rage@db/rage")
    for specifier, value in {"${ADDRESS}": "10.0.0.11", "%i": "7243", "%H": "one"}.items():
        command = command.replace(specifier, value)
    config = configured(shlex.split(command))
    assert (config.name, config.host) == ("one-7243", "10.0.0.11")
    program = tmp_path / "rage"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    kept = [line for line in block("ini").splitlines() if not line.startswith("StateDirectory")]
    text = "\n".join(changed if line.startswith("ExecStart") else line for line in kept)
    unit = tmp_path / "rage@.service"
    unit.write_text(text.replace("/opt/rage/bin/rage", str(program)), encoding="utf-8")
    verify = ["systemd-analyze", "verify", str(tmp_path / f"rage@{config.port}.service")]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (done.returncode, str(unit) in done.stderr) == (0, False), done.stderr


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
