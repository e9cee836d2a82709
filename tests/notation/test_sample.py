"""The game that comes with Rage."""

from __future__ import annotations

from pathlib import Path

import pytest

import rage
from rage.cli import main
from rage.notation import replay, write_record
from rage.notation.fair import conclusion, verify


def test_the_sample_is_a_whole_game_whose_deals_are_proven() -> None:
    record = rage.example_record()
    assert replay(record).over
    findings = list(verify(record))
    assert all(finding.ok for finding in findings)
    assert conclusion(findings).code == "verify.proven"
    record.rounds.clear()
    assert rage.example_record().rounds, "each call reads another"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["replay", "sample", "--stop", "10"], "Legal: G10"),
        (["verify", "sample"], "Round 10: the deal came from the seed."),
        (["convert", "sample"], "winners: 1"),
    ],
)
def test_commands_read_it_by_its_name(
    words: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--lang", "en"]) == 0
    assert says in capfd.readouterr().out


def test_a_file_of_that_name_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record = rage.example_record()
    record.names[0] = "Zoe"
    Path("sample").write_bytes(write_record(record))
    assert main(["replay", "sample"]) == 0
    assert "Zoe" in capfd.readouterr().out
