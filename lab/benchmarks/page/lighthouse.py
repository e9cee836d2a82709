"""Lighthouse's scores of a page, on a simulated slow phone with 4G."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final, NamedTuple

from lab.benchmarks.page.browser import chromium_path
from lab.benchmarks.progress import Failure
from lab.benchmarks.server.node import install, node

_TIMEOUT: Final = 180
_AUDITS: Final = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
    "speed-index": "speed index",
}


class Scores(NamedTuple):
    """Lighthouse's scores, of 100 each; the metrics behind the performance, as text; and the
    accessibility audits that failed."""

    performance: float
    accessibility: float
    made_of: str
    missed: tuple[str, ...]


def run_lighthouse(address: str, port: int, folder: Path) -> Scores:
    """Run Lighthouse on a page, opened with nothing stored but cookies, in the browser with this
    debugging port. Raises :class:`Failure`."""
    home = install(Path(__file__).parent, "Lighthouse")
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
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"Lighthouse has not finished in {_TIMEOUT} s") from None
    if done.returncode:
        raise Failure(f"Lighthouse failed:\n{done.stderr[-2000:]}")
    return _read(json.loads(report.read_bytes()))


def _read(report: dict[str, Any]) -> Scores:
    if problem := report.get("runtimeError"):
        raise Failure(f"Lighthouse failed: {problem['message']}")
    audits = report["audits"]
    scores = {name: 100 * (each["score"] or 0) for name, each in report["categories"].items()}
    values = [f"{words} {audits[name]['displayValue']}" for name, words in _AUDITS.items()]
    refs = report["categories"]["accessibility"]["auditRefs"]
    missed = [each["id"] for each in refs if each["weight"] and audits[each["id"]]["score"] == 0]
    made_of = ", ".join(
        [*values, f"index of this machine {report['environment']['benchmarkIndex']}"]
    )
    return Scores(
        scores["performance"],
        scores["accessibility"],
        made_of.replace("\xa0", " "),
        tuple(missed),
    )
