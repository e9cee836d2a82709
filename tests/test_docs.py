"""The pages for people are true: what they show is run, and gives what they say.

Every block of Python and every ``$ rage`` in README.md and docs/ is run, page by page, in a
folder of its own in which nothing lies but what the repository has, and what the page itself has
written. In the output shown, ``...`` stands for anything. The pages that say what the rules are
have tests of their own.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from node import run_node
from rage.cards import CARD_CODES
from rage.cli import COMMANDS, main
from rage.deal import Dealer, commitment, word_commitment
from rage.editions import ruleset
from rage.rules import pack

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page: its language, its text and the line it begins in."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in _FENCE.finditer(text)
    ]


def only(page: str, language: str) -> str:
    """The one block of a language on a page."""
    (found,) = [block.text for block in blocks(ROOT / page) if block.language == language]
    return found


RUN = [page for page in PAGES if {"python", "console"} & {each.language for each in blocks(page)}]


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """Each command of a console block, and the output shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def matches(shown: str, given: str) -> bool:
    pattern = "(?s:.*)".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, given.strip()) is not None


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_what_a_page_shows_is_true(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for each in ROOT.iterdir():
        (tmp_path / each.name).symlink_to(each)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")
    names: dict[str, Any] = {"__name__": page.stem}
    for block in blocks(page):
        if block.language == "python":
            run_python(block, page, names)
            capfd.readouterr()
        elif block.language == "console":
            for words, shown in commands(block.text):
                assert words[0] == "rage", words
                assert main(words[1:]) == 0
                given = capfd.readouterr().out
                assert not shown.strip() or matches(shown, given), given


def run_python(block: Block, page: Path, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, f"{page}:{block.line}", "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, None, block.line)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert (result.failed, result.attempted > 0) == (0, True), "".join(report)


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
                yield from (line.partition(" #")[0].strip() for line in block.text.splitlines())


#: What a command reads where it ends so.
_FILE = re.compile(r"[^=]+\.(?:json|jsonl|txt|link)")


def missing(words: list[str]) -> list[str]:
    """Those of a command's words that name a file which the repository does not have; what stands
    behind ``--out`` is written."""
    read = [word for before, word in pairwise(["", *words]) if before != "--out"]
    return [word for word in read if _FILE.fullmatch(word) and not (ROOT / word).is_file()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_names_no_file_that_is_not_there(page: Path) -> None:
    """Whoever has the sources, and does what a page says from its top, can type what it shows."""
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

    def run(arguments: argparse.Namespace) -> int:
        ran.append(arguments.command)
        return 0

    for name in COMMANDS:
        monkeypatch.setattr(import_module(f"rage.cli.{name}"), "run", run)
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
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


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


#: Files of a data folder, of a built page and of other projects.
_ELSEWHERE = {"games/", "src/rage/server/page", "examples/perft/"}
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
    for name in re.findall(r"(?<![\w./-])(?:rage|benchmarks)(?:\.[A-Za-z_]\w*)+", text):
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
    links = re.findall(r"\]\(([^)#\s]+)", prose(ROOT / "README.md"))
    assert {ROOT / link for link in links} >= set(PAGES) - {ROOT / "README.md"}


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


# --- docs/deals.md -------------------------------------------------------------------------


def vectors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(only("docs/deals.md", "json"))
    return found


def random_cases(random: Random, count: int) -> Iterator[dict[str, Any]]:
    """Deals of this program to compare with, in the form of the vectors."""
    for _ in range(count):
        rules = ruleset(random.choice(["poof", "amigo", "fundex", "amigo+pack:wild0.mad4"]))
        players = random.randint(*rules.players)
        number = random.randint(2, 10)
        seed = random.randbytes(random.choice([1, 16, 40]))
        words = [random.choice(["", "owl", "Ñ", "🂡 ace"]) for _ in range(players)]
        words = random.choice([[], words])
        deal = Dealer(rules, players, seed, words).deal(number)
        yield {
            "pack": codes(pack(rules)),
            "players": players,
            "size": rules.schedule[number - 1],
            "seed": seed.hex(),
            "words": words,
            "round": number,
            "commitment": commitment(seed),
            "word_commitments": [word_commitment(commitment(seed), word) for word in words],
            "deal": {
                "dealer": deal.dealer,
                "hands": [codes(hand) for hand in deal.hands],
                "stock": codes(deal.stock),
            },
        }


def codes(cards: tuple[int, ...] | list[int]) -> list[str]:
    return [CARD_CODES[card] for card in cards]


def test_the_vectors_are_the_deals_of_this_program() -> None:
    assert len(vectors()) >= 5
    for vector in vectors():
        rules = ruleset(vector["rules"])
        seed = bytes.fromhex(vector["seed"])
        deal = Dealer(rules, vector["players"], seed, vector["words"]).deal(vector["round"])
        assert commitment(seed) == vector["commitment"]
        assert vector["word_commitments"] == [
            word_commitment(vector["commitment"], word) if word else None
            for word in vector["words"]
        ]
        assert rules.schedule[vector["round"] - 1] == vector["size"]
        assert deal.dealer == vector["dealer"]
        assert [" ".join(codes(hand)) for hand in deal.hands] == vector["hands"]
        assert " ".join(codes(deal.stock)).startswith(vector["stock"])


def by_python(cases: list[dict[str, Any]]) -> list[Any]:
    page: dict[str, Any] = {}
    exec(only("docs/deals.md", "python"), page)
    return [
        [
            page["commitment"](seed := bytes.fromhex(case["seed"])),
            [page["word_commitment"](case["commitment"], word) for word in case["words"]],
            page["deal"](
                case["pack"], case["players"], case["size"], seed, case["words"], case["round"]
            ),
        ]
        for case in cases
    ]


def by_javascript(cases: list[dict[str, Any]]) -> list[Any]:
    program = only("docs/deals.md", "javascript") + _DRIVER
    found: list[Any] = json.loads(run_node("-e", program, given=json.dumps(cases)))
    return found


def made(cases: list[dict[str, Any]]) -> list[Any]:
    """What the program makes of them."""
    return [[case["commitment"], case["word_commitments"], case["deal"]] for case in cases]


def test_the_python_of_the_page_gives_the_same_deals() -> None:
    cases = list(random_cases(Random(1), 200))
    assert by_python(cases) == made(cases)


#: Reads cases from the standard input and writes what the page's functions make of them.
_DRIVER = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((c) => { const seed = Buffer.from(c.seed, "hex");
  const words = c.words.map((word) => wordCommitment(c.commitment, word));
  return [commitment(seed), words, deal(c.pack, c.players, c.size, seed, c.words, c.round)]; })));
"""


def test_the_javascript_of_the_page_gives_the_same_deals() -> None:
    cases = list(random_cases(Random(2), 200))
    assert by_javascript(cases) == made(cases)


def test_the_javascript_of_the_page_is_short() -> None:
    assert len(only("docs/deals.md", "javascript").splitlines()) <= 12


# --- docs/design.md ------------------------------------------------------------------------


def test_the_layers_of_the_page_are_those_that_are_checked() -> None:
    drawn = next(text for _, text, _ in blocks(ROOT / "docs/design.md") if "\ncards" in text)
    rows = [set(re.findall(r"\w+", row.partition("  ")[0])) for row in drawn.splitlines()]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [
        each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers"
    ]
    assert rows == [set(re.findall(r"rage\.(\w+)", layer)) for layer in contract["layers"]]


def test_the_map_of_the_package_is_whole() -> None:
    """``src/rage`` whole, and every top-level folder that the page names."""
    listing = next(
        text for _, text, _ in blocks(ROOT / "docs/design.md") if text.startswith("src/rage/\n")
        and "kernel.py" in text
    )  # fmt: skip
    lines = [line for line in listing.splitlines()[1:] if not line.startswith(" " * 4)]
    inside = {word for line in lines if line.startswith("  ") for word in first_words(line)}
    beside = {word for line in lines if not line.startswith("  ") for word in first_words(line)}
    package = ROOT / "src/rage"
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    folders = {path.parent.name for path in package.glob("*/*.py")} | {"locale"}
    assert inside == modules | folders
    assert all((ROOT / name).is_dir() for name in beside)
    assert "web" in beside


def first_words(line: str) -> list[str]:
    """What a line of a file list is about."""
    return [word.rstrip("/") for word in re.split(r"\s{2,}", line.strip())[0].split()]


def named_in(heading: str) -> set[str]:
    """The first words of the lines of the file list in a section of docs/design.md."""
    section = (ROOT / "docs/design.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    listing = _FENCE.findall(section.split("\n## ")[0])[-1][1]
    return {word for line in listing.splitlines() for word in first_words(line)}


def test_the_map_of_the_server_is_whole() -> None:
    server = ROOT / "src/rage/server"
    modules = {path.name for path in server.glob("*.py")} - {"__init__.py"}
    named = named_in("The table on the network")
    assert modules <= named
    assert {name for name in named if name.endswith(".py")} <= modules
    assert "api" in named


def test_the_map_of_the_page_is_whole() -> None:
    named = named_in("The page")
    folders = {path.name for path in (ROOT / "web/src").iterdir() if path.is_dir()}
    assert folders <= named
    for name in named:
        assert any((ROOT / "web" / place / name).exists() for place in ("", "src", "..")), name


def test_the_layers_of_the_browsers_page_are_those_that_are_checked() -> None:
    page = (ROOT / "docs/design.md").read_text(encoding="utf-8").split("## The page\n")[1]
    documented = [line.split(" | ") for line in _FENCE.findall(page)[0][1].splitlines()]
    layers = (ROOT / "web/layers.js").read_text(encoding="utf-8")
    checked = re.findall(r"^  \[(.+)\],$", layers, re.M)
    assert documented == [re.findall(r"'(\w+)'", layer) for layer in checked]


def test_every_package_needed_is_explained() -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(each for extra in project["project"]["optional-dependencies"].values() for each in extra),
    ]
    for requirement in needed:
        name = re.split(r"[^\w-]", requirement)[0].replace("_", "").lower()
        assert f"| {name} |" in page, requirement


def test_every_package_of_npm_is_explained() -> None:
    rows = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower().splitlines()
    first = " ".join(row.split("|")[1] for row in rows if row.startswith("|"))
    found = [ROOT / "web/package.json", *ROOT.glob("benchmarks/*/package.json")]
    assert len(found) >= 3
    for path in found:
        package = json.loads(path.read_text(encoding="utf-8"))
        for name in {**package.get("dependencies", {}), **package.get("devDependencies", {})}:
            family = name.partition("/")[0].lstrip("@")
            assert name.lower() in first or family in first, (path, name)


def test_the_readme_names_the_browsers_that_the_page_is_built_for() -> None:
    built = (ROOT / "web/browsers.ts").read_text(encoding="utf-8")
    oldest = dict(re.findall(r"'([a-z]+)([\d.]+)'", built))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    since = r"Chrome and Edge from version (\S+), in Firefox from (\S+) and in Safari from (\S+)"
    named = re.search(since, readme)
    assert named
    chrome, firefox, safari = named.groups()
    assert oldest == {"chrome": chrome, "edge": chrome, "firefox": firefox, "safari": safari}
