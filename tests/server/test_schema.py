"""Every route under Schemathesis: whatever is sent, the answer is as the description says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from server.running import OURS, Running
from server.table_client import cookie

#: That whatever fits the description is taken can't be asked where a grammar of its own says what
#: can be read (rule sets, sheets, answers to questions that depend on each other, what a passkey
#: has signed), nor where 19.0 would have to be a whole number.
GRAMMARS = (
    "/api/tables", "/api/open", "/api/analysis", "/api/rules/{rules}", "/api/box",
    "/api/sheets/{sheet}", "/api/sheets/{sheet}/bids", "/api/recovery/use",
    "/api/passkeys", "/api/passkeys/use", "/api/events", "/api/events/{event}/direct",
)  # fmt: skip
SETTINGS = "color = false\n" + "".join(
    f"""
[[operations]]
include-path = "{path}"
checks.positive_data_acceptance.enabled = false
"""
    for path in GRAMMARS
)


@pytest.mark.parametrize(
    ("seed", "examples"),
    [(1, 4), *(pytest.param(seed, 400, marks=pytest.mark.long) for seed in range(2, 6))],
)
def test_every_route_answers_as_described(
    server: Running, tmp_path: Path, seed: int, examples: int
) -> None:
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    headers = {**OURS, "Cookie": cookie(server.someone("Ann"))}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings), "run"),
            f"{server.url}/schema/openapi.json",
            *(word for name, value in headers.items() for word in ("-H", f"{name}: {value}")),
            *("--seed", str(seed), "--max-examples", str(examples)),
            *("--generation-database", "none"),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    paths = httpx.get(f"{server.url}/schema/openapi.json").json()["paths"]
    assert f"Tested: {sum(map(len, paths.values()))}" in done.stdout, done.stdout
    server.check_log()
