"""The workflows of .github: what they may do and what they call, and that the checks see faults."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from documents import ROOT
from tools import notes

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PATH = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))

#: A fault, what it takes the place of in check.yml, and what the checks say of it.
FAULTS = {
    "a branch's code with the rights of main": (
        "  pull_request:",
        "  pull_request_target:",
        "dangerous-triggers",
    ),
    "a title in a script": (
        "run: sudo",
        "run: echo '${{ github.event.head_commit.message }}'; sudo",
        "template-injection",
    ),
    "no permissions named": ("permissions: {}\n", "", "excessive-permissions"),
    "a tag instead of a hash": (
        "@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0",
        "@v7",
        "unpinned-uses",
    ),
    "a password left lying about": (
        "persist-credentials: false",
        "persist-credentials: true",
        "artipacked",
    ),
    "a key of another system": ("timeout-minutes: 60", "timeout: 60", "'timeout' was unexpected"),
    "a key with a slip": ("    steps:", "    stepz:", "'stepz' was unexpected"),
}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """One of the commands of ``make check-workflows``, in a folder."""
    words = ["sh", "-c", re.sub(r"\.venv/\w+/", "", command)]
    return subprocess.run(
        words, cwd=folder, env={**os.environ, "PATH": PATH}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def checks() -> list[str]:
    """The commands of ``make check-workflows`` that read the workflows."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    listed = subprocess.run(
        ["make", "--dry-run", "check-workflows"], cwd=ROOT, env=plain, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    found = [
        line for line in listed.stdout.splitlines() if re.search(r"\.github$|workflows/", line)
    ]
    assert len(found) == 2
    return found


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_workflow_is_found(fault: str, checks: list[str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    workflow = tmp_path / ".github/workflows/check.yml"
    right, wrong, said = FAULTS[fault]
    text = workflow.read_text(encoding="utf-8")
    assert right in text
    workflow.write_text(text.replace(right, wrong), encoding="utf-8")
    done = [run(command, tmp_path) for command in checks]
    assert any(each.returncode for each in done)
    assert said in "".join(each.stdout + each.stderr for each in done)


def steps(workflow: Path) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values():
        yield from job.get("steps", ())


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_only_calls_what_runs_anywhere(workflow: Path) -> None:
    """Its scripts are short, and name targets of the Makefile and programs of the repository."""
    targets = re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for step in steps(workflow):
        script = step.get("run", "")
        assert len(script.splitlines()) <= 5, script
        for line in script.splitlines():
            if line.startswith("make "):
                named = {word for word in line.split()[1:] if re.fullmatch(r"[\w./-]+", word)}
                assert named <= {*targets}, line
        for program in re.findall(r"-m (tools\.\w+)", script):
            assert (ROOT / f"{program.replace('.', '/')}.py").is_file()


def test_no_workflow_knows_a_secret_but_what_the_platform_gives() -> None:
    assert len(WORKFLOWS) >= 4
    for workflow in WORKFLOWS:
        assert "secrets." not in workflow.read_text(encoding="utf-8")


# --- the notes of a release ----------------------------------------------------------------

RELEASED = {
    "pyproject.toml": '[project]\nversion = "1.2.0"\n',
    "src/rage/__init__.py": '__version__ = "1.2.0"\n',
    "CITATION.cff": "version: 1.2.0\ndate-released: 2027-01-31\n",
    "CHANGELOG.md": "# Changelog\n\nWhat.\n\n## 1.2.0 (2027-01-31)\nMore [bots](docs/bots.md).\n\n"
    "## 1.1.0 (2026-12-01)\nLess.\n",
}


def released(folder: Path, **changed: str) -> Path:
    """A repository at its release, but for what is changed in a file."""
    for name, text in RELEASED.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed.get(path.stem.strip("_"), text), encoding="utf-8")
    return folder


def test_the_notes_of_a_release_are_the_top_of_the_changelog(tmp_path: Path) -> None:
    assert notes.notes(released(tmp_path), "v1.2.0") == "More bots."
    urls = '[project.urls]\nSource = "https://example.org/rage"\n'
    released(tmp_path, pyproject=RELEASED["pyproject.toml"] + urls)
    link = "https://example.org/rage/blob/v1.2.0/docs/bots.md"
    assert notes.notes(tmp_path, "v1.2.0") == f"More [bots]({link})."


@pytest.mark.parametrize(
    ("tag", "changed", "said"),
    [
        ("v1.3.0", {}, "The tag is v1.3.0, but pyproject.toml has the version 1.2.0: v1.2.0."),
        ("v1.2.0", {"CHANGELOG": "# Changelog\n\n## Unreleased\nMore.\n"}, '"## 1.2.0 (YEAR'),
        ("v1.2.0", {"CITATION": "version: 1.1.0\n"}, "CITATION.cff lacks this: version: 1.2.0"),
        ("v1.2.0", {"init": '__version__ = "1.1.0"\n'}, "src/rage/__init__.py lacks this"),
    ],
)
def test_a_release_that_does_not_agree_with_itself_is_refused(
    tag: str, changed: dict[str, str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(notes.Failed, match=re.escape(said)):
        notes.notes(released(tmp_path, **changed), tag)
