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
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from documents import ROOT
from rage.cli.commands import serve
from rage.cli.parser import Parser
from rage.server.config import Config
from server.conftest import Launch
from server.fronts import NAME, PAGE, SERVERS, block, changed, page_file
from server.running import open_table
from server.table_client import connected, play_out

CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")


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


def entrypoint() -> list[str]:
    """What the container starts, after ``rage serve``."""
    (entry,) = re.findall(r"^ENTRYPOINT (.*)", CONTAINER, re.MULTILINE)
    words: list[str] = json.loads(entry)
    assert words[:2] == ["rage", "serve"]
    return words[2:]


def services(file: str) -> dict[str, Any]:
    """The services of a file for Compose, under the name of the page."""
    text = re.sub(r"\$\{NAME:\?\}", NAME, (ROOT / file).read_text(encoding="utf-8"))
    found: dict[str, Any] = yaml.safe_load(text)["services"]
    return found


def test_the_container_starts_a_server_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {line.partition(" ")[0]: line.partition(" ")[2] for line in CONTAINER.splitlines()}
    monkeypatch.setenv("RAGE_DATA", words["VOLUME"])
    assert f" RAGE_DATA={words['VOLUME']} " in words["ENV"]
    run = shlex.split(block("sh", "podman run").splitlines()[-1])
    one = services("compose.yaml")["one"]
    assert f"data:{words['VOLUME']}" in one["volumes"]
    for options in (run[run.index("rage", run.index("-v") + 2) + 1 :], one["command"]):
        config = configured([*entrypoint(), *options])
        assert config.host == ""
        assert config.allowed_hosts == (NAME,)
        assert str(config.data) == words["VOLUME"]
        assert str(config.port) == words["EXPOSE"]


def test_one_proxy_stands_before_the_containers_and_is_that_of_the_pages() -> None:
    """Which is tried in test_proxies.py and test_routing.py."""
    written = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8").partition("\n")[2]
    ours = changed(written, {"{$NAME}": NAME, "{$SERVERS}": "10.0.0.11:7243 10.0.0.12:7243"})
    assert ours == page_file("caddy", 2)
    one, several = services("compose.yaml"), services("compose.several.yaml")
    assert one["proxy"]["environment"] == {"NAME": NAME, "SERVERS": "one:7243"}
    assert several["proxy"]["environment"] == {"SERVERS": "one:7243 two:7243"}
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in one["proxy"]["volumes"]
    open_to_all = [name for file in (one, several) for name in file if "ports" in file[name]]
    assert open_to_all == ["proxy"]


def test_the_containers_are_two_servers_and_what_they_need(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their options, their database and their health check are those of a server."""
    several = services("compose.several.yaml")
    one, two, database = (several[each] for each in ("one", "two", "db"))
    base = {"file": "compose.yaml", "service": "one"}
    assert two == {**one, "hostname": "two", "extends": base}
    assert f"ARG {next(iter(one['build']['args']))}=" in CONTAINER
    for name, value in one["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:\?\}", "0" * 64, value))
    config = configured([*entrypoint(), *one["command"]])
    user = database["environment"]["POSTGRES_USER"]
    assert config.store == f"postgresql://{user}:{'0' * 64}@db/{user}"
    (check,) = re.findall(r"^HEALTHCHECK .*CMD (.*)", CONTAINER, re.MULTILINE)
    running = launch(*one["command"], RAGE_STORE="")
    code = changed(json.loads(check)[2], {f":{config.port}/readyz": f":{running.port}/readyz"})
    subprocess.run([sys.executable, "-c", code], check=True)


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
    *_, line = (ROOT / "deploy" / "install").read_text(encoding="utf-8").splitlines()
    names = set(line.partition("uninstall --yes ")[2].split())
    assert {"faker", "httpx"} <= names
    (tmp_path / "sitecustomize.py").write_text(WITHOUT.format(names=names), encoding="utf-8")
    paths = filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))
    running = launch(PYTHONPATH=os.pathsep.join(paths))
    ann = running.someone("Ann")
    code = open_table(ann, "poof+schedule:1", 2, bots=["steady"], start=True)
    asyncio.run(_played_out(running.url, code, ann))
    event = ann.post("/api/events", json={"rules": "poof"}).json()["event"]
    for path, rules in ann.get("/schema/openapi.json").json()["paths"].items():
        named = path.replace("{table}", code).replace("{game}", "1").replace("{rules}", "poof")
        named = named.replace("{event}", event)
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
