"""What docs/hosting.md shows works, as far as this machine can tell."""

from __future__ import annotations

import argparse
import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rage.cli import serve
from rage.server.config import Config
from server.conftest import Launch
from server.fronts import PAGE, block
from server.running import opened
from server.sitting import cookie


def configured(words: list[str]) -> Config:
    """What the command after ``rage serve`` sets up."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    serve.configure(parser, "en")
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
    assert config.listens_here_alone
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


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    parser = argparse.ArgumentParser()
    serve.configure(parser, "en")
    table = PAGE.partition("## Options")[2].partition("\n## ")[0]
    shown = set(re.findall(r"--[a-z][a-z-]*", table.partition("`RAGE_SECRET`")[0]))
    there = {each for action in parser._actions for each in action.option_strings}
    assert shown == {each for each in there if each.startswith("--")} - {"--help"}


def test_a_backup_is_made_while_the_server_runs_and_goes_on_elsewhere(
    launch: Launch, tmp_path: Path
) -> None:
    running = launch()
    ann = running.someone("Ann")
    code = opened(ann, bots=["steady"] * 3, start=True)
    command = shlex.split(block("sh", "VACUUM"))
    other = tmp_path / "other"
    other.mkdir()
    files = [str(running.data / "tables.sqlite"), str(other / "tables.sqlite")]
    subprocess.run([sys.executable, *command[1:3], *files], check=True)
    copy = launch(data=other).nobody(cookie=cookie(ann))
    line = copy.get(f"/api/tables/{code}").json()
    assert line["phase"] == "playing"
    assert line["seats"][0]["me"]
