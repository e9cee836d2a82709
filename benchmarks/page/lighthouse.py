"""Lighthouse: what it thinks of a page, as of a slow phone on 4G."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.page.browser import chromium_path
from benchmarks.server.node import installed, node
from benchmarks.words import Failure

_PATIENCE: Final = 180
_TOLD: Final = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
    "speed-index": "speed index",
}


class Judged(NamedTuple):
    """What Lighthouse gives: both of 100, and in words what the first is made of."""

    performance: float
    accessibility: float
    made_of: str
    missed: tuple[str, ...]


def judged(address: str, port: int, folder: Path) -> Judged:
    """Judge a page, opened without anything kept but cookies, in the browser that is driven by a
    port. Raises :class:`Failure`."""
    home = installed(Path(__file__).parent, "Lighthouse")
    report = folder / "lighthouse.json"
    command = [str(node()), str(home / "node_modules/lighthouse/cli/index.js"), address]
    command += [f"--port={port}", "--output=json", f"--output-path={report}", "--quiet"]
    command += ["--only-categories=performance,accessibility", "--no-enable-error-reporting"]
    try:
        done = subprocess.run(
            command,
            env=os.environ | {"CHROME_PATH": chromium_path()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"Lighthouse has not judged the page in {_PATIENCE} s") from None
    if done.returncode:
        raise Failure(f"Lighthouse could not judge the page:\n{done.stderr[-2000:]}")
    return _read(json.loads(report.read_bytes()))


def _read(report: dict[str, Any]) -> Judged:
    if problem := report.get("runtimeError"):
        raise Failure(f"Lighthouse could not judge the page: {problem['message']}")
    audits = report["audits"]
    scores = {name: 100 * (each["score"] or 0) for name, each in report["categories"].items()}
    values = [f"{words} {audits[name]['displayValue']}" for name, words in _TOLD.items()]
    refs = report["categories"]["accessibility"]["auditRefs"]
    missed = [each["id"] for each in refs if each["weight"] and audits[each["id"]]["score"] == 0]
    made_of = ", ".join(
        [*values, f"index of this machine {report['environment']['benchmarkIndex']}"]
    )
    return Judged(
        scores["performance"],
        scores["accessibility"],
        made_of.replace("\xa0", " "),
        tuple(missed),
    )
