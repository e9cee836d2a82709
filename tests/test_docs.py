"""The pages for people are true: what they show is run, and gives what they say.

Every block of Python and every ``$ rage`` in README.md and docs/ is run, page by page, in a
folder of its own in which nothing lies but what the repository has, and what the page itself has
written. In the output shown, ``...`` stands for anything. The pages that say what the rules are
have tests of their own.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from documents import FENCE, PAGES, ROOT, blocks, commands, matches, run
from rage.cli import COMMANDS, main

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
RUN = [page for page in PAGES if {"python", "console"} & {each.language for each in blocks(page)}]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_what_a_page_shows_is_true(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for each in ROOT.iterdir():
        (tmp_path / each.name).symlink_to(each)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")
    run(page)


def test_the_readme_and_a_page_in_docs_are_run() -> None:
    assert {"README.md", "deals.md"} <= {page.name for page in RUN}


def test_a_difference_in_the_output_is_seen() -> None:
    assert matches("a\n...\nc", "a\nb\nc\n")
    assert matches("a b ...", "a b c")
    assert not matches("a\n...\nc", "a\nb\n")
    assert not matches("a", "a\nb")
    assert not matches("a.c", "abc")


def test_every_console_block_runs_rage() -> None:
    found = [
        words
        for page in PAGES
        for block in blocks(page)
        if block.language == "console"
        for words, _ in commands(block.text)
    ]
    assert len(found) >= 5
    assert all(words[0] == "rage" for words in found)


def lines_for_a_shell() -> Iterator[str]:
    """What the pages show for people to type, where nothing is shown to come of it."""
    for page in PAGES:
        for block in blocks(page):
            if block.language == "sh":
                text = block.text.replace("\\\n", " ")
                yield from (line.partition(" #")[0].strip() for line in text.splitlines())


#: What a command reads where it ends so.
_FILE = re.compile(r"[^=]+\.(?:json|jsonl|txt|link)")


def missing(words: list[str]) -> list[str]:
    """Those of a command's words that name a file which the repository does not have; what stands
    behind ``--out`` is written."""
    read = [word for before, word in pairwise(["", *words]) if before != "--out"]
    return [word for word in read if _FILE.fullmatch(word) and not (ROOT / word).is_file()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_names_no_file_that_is_not_there(page: Path) -> None:
    """With the sources, a person who follows a page from its top can type what it shows."""
    written = ""
    for block in blocks(page):
        if block.language == "python":
            written += block.text
        elif block.language == "console":
            for words, _ in commands(block.text):
                assert not [word for word in missing(words) if f'"{word}"' not in written], words


def test_a_file_that_is_not_there_is_seen() -> None:
    assert missing(["replay", "game.rage.json", "--stop", "7.2"]) == ["game.rage.json"]
    assert missing(["replay", "tests/records/poof-example.rage.json"]) == []


def test_a_shell_would_find_what_the_pages_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """``rage`` takes the words that stand behind it, and the Makefile has the targets."""
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    ran = []

    def note(arguments: argparse.Namespace) -> int:
        ran.append(arguments.command)
        return 0

    for name in COMMANDS:
        monkeypatch.setattr(import_module(f"rage.cli.commands.{name}"), "run", note)
    made = set()
    for line in lines_for_a_shell():
        words = shlex.split(line)
        if words[:1] == ["make"]:
            made.update(words[1:])
        elif words and Path(words[0]).name == "rage":
            assert not missing(words[1:]), line
            assert main(words[1:]) == 0, line
    assert {"serve", "play"} <= set(ran)
    assert {"play", "test", "check", "bench", "pictures"} <= made <= set(targets)


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")  # by another test
def test_python_would_find_the_programs_that_the_pages_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And they take the options. (Those of the training are imported where PyTorch is.)"""
    parse = argparse.ArgumentParser.parse_args
    taken = list[str]()

    def parse_and_end(parser: argparse.ArgumentParser) -> None:
        parse(parser)
        taken.append(parser.prog)
        raise SystemExit

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_and_end)
    named = set()
    for line in lines_for_a_shell():
        words = shlex.split(line)
        if words[1:2] == ["-m"] and words[2] not in {"pip", "venv"}:
            module = words[2]
            named.add(module.partition(".")[0])
            assert find_spec(module), line
            if module.startswith("tools."):  # they take no options, and begin at once
                continue
            if module.startswith("lab.training") and find_spec("torch") is None:
                continue
            monkeypatch.setattr(sys, "argv", [module, *words[3:]])
            with pytest.raises(SystemExit) as ended:
                runpy.run_module(module, run_name="__main__")
            assert ended.value.code is None, line
    assert "lab" in named
    assert taken


def test_the_pictures_are_there_and_small_and_told_in_words() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [(name, words) for words, name in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", text)]
    shown += re.findall(r'<img src="([^"]+)"[^>]* alt="([^"]+)"', text)
    assert len(shown) == text.count("<img") + text.count("![") >= 2
    for name, words in shown:
        assert (ROOT / name).is_file(), name
        assert len(words) > 30, name
    taken = list((ROOT / "docs/pictures").glob("*.webp"))
    assert sum(path.stat().st_size for path in taken) < 600_000


# --- what pages name, and where their links lead -------------------------------------------


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def code_spans(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", prose(page))


def heading_ids(page: Path) -> set[str]:
    """The fragments that lead to the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.fixture(scope="module")
def sources() -> set[str]:
    """The paths of all files of the project, and of the folders that they are in."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    files = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return {each.as_posix() for file in files for each in (file, *file.parents)}


#: Files of a data folder, of a build, of other projects and of the reader.
_ELSEWHERE = {
    "games/", "src/rage/server/page", "examples/perft/", "dist/", "cautious.py",
    "privacy.md", "privacy.de.md", "src/rage/locale/CODE.json",
}  # fmt: skip
_SUFFIXES = "py|pyx|pxd|ts|js|svelte|md|sql|css|toml|txt"


@every_page
def test_files_that_a_page_names_are_there(page: Path, sources: set[str]) -> None:
    """By their path in the project, or by the end of it."""
    named = [
        word
        for span in code_spans(page)
        for word in span.split()
        if re.fullmatch(rf"[\w./-]+\.({_SUFFIXES})|([\w.-]+/)+|(docs|src|tests)/[\w./-]+", word)
    ]
    for name in set(named) - _ELSEWHERE:
        path = name.rstrip("/")
        assert any(f"/{each}".endswith(f"/{path}") for each in sources), name


@every_page
def test_modules_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(
        r"(?<![\w./-])(?:rage|lab\.(?:benchmarks|strength))(?:\.[A-Za-z_]\w*)+", text
    ):
        if not re.search(r"\.(json|jsonl|conf|service|db)$", name):
            assert resolves(name), name


def resolves(name: str) -> bool:
    """Whether a dotted name leads to a module, or to something in one."""
    module, _, rest = name.partition(".")
    found: Any = import_module(module)
    for part in rest.split("."):
        with contextlib.suppress(ModuleNotFoundError):
            import_module(f"{found.__name__}.{part}") if hasattr(found, "__path__") else None
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if link.startswith("https://"):
            continue
        name, _, fragment = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not fragment or fragment in heading_ids(target), link


@every_page
def test_a_page_that_is_named_is_linked(page: Path) -> None:
    names = {each.name for each in PAGES} - {page.name}
    unlinked = re.sub(r"\[[^]]*\]\([^)]*\)", "", prose(page))
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}", unlinked)]


def test_the_readme_leads_to_every_page() -> None:
    """But for those of the tutorial and the reference, to whose first pages it leads, and those
    that only the site has."""
    links = re.findall(r"\]\(([^)#\s]+)", prose(ROOT / "README.md"))
    whole = [page for page in PAGES if not page.read_text("utf-8").startswith("```{include}")]
    parts = {"tutorial", "reference"}
    first = {page for page in whole if page.parent.name not in parts or page.name == "index.md"}
    assert {ROOT / link for link in links} >= first - {ROOT / "README.md"}


# --- docs/record.md ------------------------------------------------------------------------


def test_the_error_that_the_page_shows_is_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGE_LANG", "en")
    green = " ".join(f"G{rank}" for rank in range(1, 4))
    hands = [f"{green} Y4 Y5 Y6 Y7 Y8 Y9 Y10", "R4 G10 O1 O2 O3 O4 O5 O6 O7 O8",
             "B1 B2 B3 B4 B5 B6 B7 B8 B9 G4"]  # fmt: skip
    tricks = ["Y4 O1 B1", "Y5 O2 B2", "G2 R4 G4"]
    deal = {"dealer": 2, "hands": hands, "stock": "P1", "bids": [0, 0, 0], "tricks": tricks}
    head = {"format": "rage-game", "version": 1, "rules": {"edition": "poof"}}
    record = tmp_path / "wrong.rage.json"
    record.write_text(json.dumps({**head, "players": ["A", "B", "C"], "rounds": [deal]}))
    page = (ROOT / "docs/record.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"`(round 1, trick 3, card 2: [^`]+)`", page)
    assert main(["replay", str(record)]) == 1
    assert capsys.readouterr().err == f"rage: {shown}\n"
    assert main(["replay", str(record), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "ok": False, "error": shown, "round": 1, "trick": 3, "card": 2,
    }  # fmt: skip
