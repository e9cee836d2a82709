"""What the server stands on: locked versions, and the bill of materials."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import sbom
from tools.asked import asked

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def pins() -> list[tuple[str, str]]:
    """Each pin, and the hashes of its files."""
    text = sbom.CONSTRAINTS.read_text(encoding="utf-8").replace(" \\\n", "\n")
    return re.findall(r"^(\w[^\n]*)\n((?: {4}--hash=sha256:[0-9a-f]{64}\n)*)", text, re.MULTILINE)


def direct() -> list[Requirement]:
    """What pyproject.toml asks for, for whatever, as `make` installs it."""
    return [Requirement(each) for extra in EXTRAS for each in asked(extra)]


def test_the_library_needs_no_other_package() -> None:
    assert PROJECT["dependencies"] == []


def versions(marks: dict[str, str]) -> dict[str, str]:
    """The locked version of each package on one system; each is locked once at most."""
    found: dict[str, str] = {}
    for each in (Requirement(pin) for pin, _ in pins()):
        if each.marker is None or each.marker.evaluate(marks):
            (pin,) = each.specifier
            assert pin.operator == "=="
            assert found.setdefault(canonicalize_name(each.name), pin.version) == pin.version
    return found


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("python", ["3.11.9", "3.12.9", "3.13.9", "3.14.1"])
def test_whatever_is_asked_for_has_a_locked_version_that_fits(python: str, system: str) -> None:
    marks = {
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": system,
    }
    locked = versions(marks)
    for each in direct():
        if each.marker is None or each.marker.evaluate(marks):
            assert each.specifier.contains(locked[canonicalize_name(each.name)]), str(each)


def test_what_those_ask_for_is_locked_too() -> None:
    named, known = versions({}), set[str]()
    left = direct()
    while left:
        each = left.pop()
        name = canonicalize_name(each.name)
        if name in known or (each.marker is not None and not each.marker.evaluate({"extra": ""})):
            continue
        assert name in named, f"{name} is not locked: make lock"
        known.add(name)
        left += [
            more
            for text in metadata.requires(each.name) or ()
            if (more := Requirement(text)).marker is None
            or any(more.marker.evaluate({"extra": extra}) for extra in (*each.extras, ""))
        ]
    assert len(known) > 80


def test_each_has_hashes_and_no_place_is_named_where_it_comes_from() -> None:
    for pin, hashes in pins():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.+!]+( ; [^/@:]+)?", pin)
        assert hashes, pin
    assert "//" not in sbom.CONSTRAINTS.read_text(encoding="utf-8")


def installed(python: Path) -> dict[str, str]:
    """The packages of an environment, as itself says, and their versions."""
    found = "{each.name: each.version for each in metadata.distributions()}"
    program = f"import json; from importlib import metadata; print(json.dumps({found}))"
    done = subprocess.run([str(python), "-c", program], check=True, capture_output=True, text=True)
    return {canonicalize_name(name): version for name, version in json.loads(done.stdout).items()}


@pytest.mark.long  # installs the server once more
def test_the_bill_of_materials_names_what_is_installed(tmp_path: Path) -> None:
    """All of a server that is installed with the locked versions, and nothing of the tests."""
    before = os.umask(0o077)
    python = sbom.install(tmp_path / "server")
    os.umask(before)
    assert {each.stat().st_mode & 0o777 for each in python.parents[:2]} == {0o755}
    bill = sbom.describe(python, sbom.packages_of(sbom.PAGE))
    named: dict[str, dict[str, str]] = {"pypi": {}, "npm": {}}
    for each in (bill["metadata"]["component"], *bill["components"]):
        kind = each.get("purl", "pkg:pypi/").removeprefix("pkg:").partition("/")[0]
        named[kind][canonicalize_name(each["name"])] = each["version"]
    assert named["pypi"] == installed(python)
    assert {"rage-cards", "litestar", "uvicorn", "picows"} <= named["pypi"].keys()
    assert not {"pytest", "cyclonedx-bom"} & named["pypi"].keys()
    locked = versions({})
    assert all(locked[name] == at for name, at in named["pypi"].items() if name != sbom.NAME)
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert "svelte" in named["npm"]
    assert all(lock[f"node_modules/{name}"]["version"] == at for name, at in named["npm"].items())
    text = json.dumps(bill)
    assert str(tmp_path) not in text
    assert "file:" not in text


def test_a_bill_without_a_page_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sbom, "installed_page", lambda python: tmp_path)
    assert sbom.main(["--python", sys.executable, "--output", str(tmp_path / "bill.json")]) == 1
    assert "python web/build.py" in capsys.readouterr().err
    assert not (tmp_path / "bill.json").exists()


def test_the_folder_without_a_server_says_what_it_carries(tmp_path: Path) -> None:
    """Python and everything that is part of it, each with its licence; what npm has, as locked."""
    assert sbom.main(["--alone", "--output", str(tmp_path / "bill.json")]) == 0
    bill = json.loads((tmp_path / "bill.json").read_text(encoding="utf-8"))
    named = {each["name"]: each for each in bill["components"]}
    assert {"pyodide", "cpython", "sqlite", "msgspec", "svelte"} <= named.keys()
    assert all(each["licenses"] for each in named.values())
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert named["pyodide"]["version"] == lock["node_modules/pyodide"]["version"]
    assert named["msgspec"]["version"] == versions({})["msgspec"]
    licences = json.loads((sbom.ALONE / "licenses.json").read_text(encoding="utf-8"))
    assert all(len(each["text"]) > 200 for each in licences)
