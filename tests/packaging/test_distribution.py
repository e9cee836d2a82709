"""What an index would offer: its contents, its metadata, and what works with it alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from packages import (
    MEGABYTE,
    PAGE,
    PURE,
    ROOT,
    copy_of_sources,
    hook,
    make_distribution,
    make_wheel,
    python_of,
    tracked,
)
from rage.say import LANGUAGES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_source_distribution_holds_what_a_reader_looks_for(distribution: Path) -> None:
    with tarfile.open(distribution) as archive:
        names = {each.name.partition("/")[2] for each in archive if each.isfile()}
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"} <= names
    assert {"constraints.txt", "web/build.py", f"src/{PAGE}/index.html"} <= names
    pictures = {name for name in tracked("docs/pictures") if name.endswith(".py")}
    assert tracked("src", "web", "docs", "examples") - pictures <= names
    assert not [name for name in names if re.search(r"^(tests|lab)/|node_modules|\.so$", name)]


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        size = sum(each.file_size for each in archive.infolist())
        modes = {each.external_attr >> 16 & 0o777 for each in archive.infolist()}
    ours = {name.removeprefix("src/") for name in tracked("src/rage")}
    assert ours <= names
    more = {name for name in names - ours if not name.startswith((f"{PAGE}/", "rage_cards-"))}
    assert {name.rpartition(".")[2] for name in more} <= {"so", "pyd"}, more
    assert f"{PAGE}/index.html" in names
    assert size < 10 * MEGABYTE
    assert modes <= {0o644, 0o664, 0o755}  # whatever those were who built it


def test_built_again_elsewhere_the_source_distribution_is_the_same(
    distribution: Path, tmp_path: Path
) -> None:
    make_distribution(tmp_path / "another" / "folder")
    (again,) = tmp_path.rglob("dist/*.tar.gz")
    assert again.read_bytes() == distribution.read_bytes()


@pytest.mark.long  # compiles once more
def test_built_again_elsewhere_the_wheel_is_the_same(
    distribution: Path, wheel: Path, tmp_path: Path
) -> None:
    make_wheel(distribution, tmp_path)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_the_wheel_says_what_it_carries_of_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if "/sboms/" in each)
        bill = json.loads(archive.read(name))
        licences = json.loads(archive.read(f"{PAGE}/licenses.json"))
    assert re.fullmatch(r"rage_cards-[\w.]+\.dist-info/sboms/rage-cards\.cdx\.json", name)
    assert bill["metadata"]["component"]["version"] == PROJECT["version"]
    assert "svelte" in {each["name"] for each in bill["components"]}
    assert len(bill["components"]) == len(licences)


def metadata_of(wheel: Path) -> Metadata:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return Metadata.from_email(archive.read(name), validate=True)


def test_the_metadata_are_whole(wheel: Path) -> None:
    found = metadata_of(wheel)
    assert found.description_content_type == "text/markdown"
    assert found.license_expression == "MIT"
    assert found.summary
    assert found.keywords
    assert found.classifiers
    assert found.provides_extra
    assert {"play", "arena", "cluster"} <= {*found.provides_extra}
    for each in found.requires_dist or ():
        assert each.marker is not None
        assert "extra ==" in str(each.marker), f"the library needs {each}"


def near(text: str) -> list[str]:
    """The paths that a README names as pictures or links; code has neither."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", text)
    return [each for pair in targets for each in pair if each and not re.match(r"[a-z]+:|#", each)]


def test_the_description_names_no_path_of_the_repository(wheel: Path) -> None:
    said = metadata_of(wheel).description or ""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert near(readme), "there is something to replace"
    assert near(said) == []
    assert "<img" not in said
    headings = re.compile(r"^#+ .*$", re.MULTILINE)
    assert headings.findall(said) == headings.findall(readme)


def test_once_the_sources_have_an_address_links_and_pictures_lead_there(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path)
    project = source / "pyproject.toml"
    urls = '[project.urls]\nSource = "https://example.org/rage"\n'
    project.write_text(project.read_text("utf-8").replace("[project.urls]\n", urls), "utf-8")
    done = hook(source, "prepare_metadata_for_build_wheel('.')", **PURE, RAGE_NO_PAGE="1")
    assert done.returncode == 0, done.stderr
    (file,) = source.glob("*.dist-info/METADATA")
    found = Metadata.from_email(file.read_bytes(), validate=True)
    said = found.description or ""
    assert near(said) == []
    for path in near((ROOT / "README.md").read_text(encoding="utf-8")):
        kind = "raw" if path.endswith((".webp", ".gif", ".png", ".svg")) else "blob"
        assert f"https://example.org/rage/{kind}/HEAD/{path}" in said


def run(python: Path, folder: Path, *words: str, language: str = "en") -> tuple[int, str, str]:
    """What ``rage`` answers in the environment of a Python, and its status."""
    done = subprocess.run(
        [str(python), "-m", "rage", *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "RAGE_DATA": str(folder / "data"), "RAGE_LANG": language},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("rules amigo", "Rage (AMIGO 00990)"),
        ("judge B3 B4 --trump red", "B4 is the highest blue"),
        ("learn", "Green was led"),
        ("deal --seed 1 --round 10", "commitment"),
        ("replay sample", "Ben wins the game"),
        ("analyse sample --worlds 1", "Ada"),
        ("verify sample", "Every deal came from the seed"),
        ("convert sample", "winners: 1"),
        ("arena hard steady --deals 1 --rules poof+schedule:2", "steady"),
        ("sheet --out -", "</html>"),
    ],
)
def test_the_wheel_alone_is_enough_for(
    words: str, says: str, installed: Path, tmp_path: Path
) -> None:
    status, said, error = run(installed, tmp_path, *words.split())
    assert (status, error) == (0, "")
    assert says in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_something_is_missing_one_sentence_says_what_to_type(
    language: str, installed: Path, tmp_path: Path
) -> None:
    command = f"{installed} -m pip install 'rage-cards[play]'"
    for words in ((), ("play",), ("games",), ("serve", "--lan"), ("completion", "bash")):
        status, said, error = run(installed, tmp_path, *words, language=language)
        assert (status, said) == (1, "")
        assert error.endswith(f": {command}\n")
        assert error.count("\n") == 1


def test_in_an_environment_of_uv_the_sentence_names_its_command(
    wheel: Path, tmp_path: Path
) -> None:
    """Such an environment has no pip, and that of uvx lasts for one run."""
    uv = [sys.executable, "-m", "uv", "--offline"]
    given = ["--no-index", "--find-links", str(wheel.parent), "--python", sys.executable]
    folders = ("UV_CACHE_DIR", "UV_TOOL_DIR", "UV_TOOL_BIN_DIR")
    home = {each: str(tmp_path / each) for each in folders}
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "RAGE_LANG": "en", **home}
    subprocess.run([*uv, "venv", "-q", *given[-2:], str(tmp_path / "env")], check=True)
    python = python_of(tmp_path / "env")
    for command, said in (
        ([*uv, "tool", "run", *given, "rage-cards", "play"], "uvx 'rage-cards[play]' play"),
        ([*uv, "tool", "install", *given, "rage-cards"], ""),
        ([f"{tmp_path}/UV_TOOL_BIN_DIR/rage-cards"], "uv tool install 'rage-cards[play]'"),
        ([*uv, "pip", "install", *given[:-1], str(python), "rage-cards"], ""),
        ([str(python), "-m", "rage"], f"uv pip install --python {python} 'rage-cards[play]'"),
    ):
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == (1 if said else 0), done.stderr
        assert done.stderr.endswith(f": {said}\n" if said else "\n")
