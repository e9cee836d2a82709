"""What an operator sees of a server: its metrics, and the alerts and the dashboard made of them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from random import Random

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from rage import __version__
from server.conftest import Launch
from server.running import free_port, open_table, wait_until
from server.table_client import connected, play_out
from tools.services import found

HERE = Path(__file__).parent
DEPLOY = HERE.parents[1] / "deploy"
RULES, DASHBOARD = DEPLOY / "rage.rules.yml", DEPLOY / "rage.dashboard.json"


def promtool(*words: str | Path, said: str | None = None) -> None:
    """Run the tool of Prometheus; fail with what it says if it finds anything."""
    path = found("promtool")
    if path is None:
        pytest.skip("promtool is not installed (python -m tools.services)")
    command = [path, *map(str, words)]
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def named_in(text: str) -> set[str]:
    """The metrics that an expression names."""
    return set(re.findall(r"\b(?:rage|process)_\w+", text))


def test_each_alert_fires_for_its_reason_and_none_without() -> None:
    promtool("check", "rules", RULES)
    promtool("test", "rules", HERE / "alerts.yml")


async def test_the_metrics_are_those_that_alerts_and_dashboard_name(launch: Launch) -> None:
    """A real server has all of them, with values that move; Prometheus finds nothing wrong."""
    port = free_port()
    running = launch("--metrics", f"127.0.0.1:{port}", "--max-store", "7")

    def metrics() -> dict[str, float]:
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        lines = re.findall(r"^(\w+(?:\{.*\})?) ([-+\d.e]+)$", text, re.MULTILINE)
        return {re.sub(',?server="[^"]*",?', "", name): float(value) for name, value in lines}

    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    ann = running.someone("Ann")
    code = open_table(ann, "poof+schedule:2", 3, bots=["steady"] * 2)
    async with connected(running.url, code, ann) as guest:
        assert (await guest.do("resume"))["type"] == "refused"
        await guest.do("start")
        await play_out([guest], Random(2))
    assert ann.get("/api/tables/aaaaaaaa").status_code == 404
    await wait_until(lambda: metrics()["rage_store_bytes{}"] > 0)
    seen = metrics()
    assert seen["rage_store_limit_bytes{}"] == 7_000_000
    assert seen["rage_store_reachable{}"] == 1
    assert seen["rage_sockets_opened_total{}"] == 1
    assert seen["rage_move_seconds_count{}"] == 3  # a bid and two cards
    assert seen["rage_loop_lag_seconds_count{}"] > 1
    assert seen['rage_refusals_total{reason="http.no_table"}'] == 1
    assert seen['rage_http_answers_total{status="404"}'] == 1
    assert seen[f'rage_build_info{{version="{__version__}"}}'] == 1
    assert seen["process_resident_memory_bytes{}"] > 1e7
    names = {name.partition("{")[0] for name in seen}
    rules = yaml.safe_load(RULES.read_text("utf-8"))["groups"][0]["rules"]
    assert len(rules) == 8
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    assert set().union(*map(named_in, asked)) <= names
    promtool("check", "metrics", said=httpx.get(f"http://127.0.0.1:{port}/metrics").text)
    for about in re.findall(r"^# HELP rage_\w+ (.*)$", text, re.MULTILINE):
        assert re.fullmatch(r"[A-Z].*\.", about), about
