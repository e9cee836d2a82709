"""The page's sentences are the program's: the same catalogues, filled in the same way."""

from __future__ import annotations

import ast
import gzip
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rage
from generators import deals_for, rules_from
from page.conftest import ROOT, Ask
from rage import Game
from rage.game.account import account_of, tell_account
from rage.rules.cards import CARD_CODES, LETTERS, MOVE_CODES
from rage.rules.settings import PRINTED
from rage.say import LANGUAGES, Reason, brief, catalogue, sentence, visible

PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
WEB = ROOT / "web" / "src"
#: What the sentences of one language may weigh, compressed, in each part of a page's catalogue.
MOST = {"first": 14_000, "late": 19_500, "after": 7_300}
TEXTS = [
    *(
        "",
        "Ann",
        "ada",
        "ßo",
        "señor Ñandú",
        "émile",
        "Inés",
        "Hielo",
        "łódź",
        "語",
        "🂡",
        "a b",
        "{winner:seat}",
        "{",
    ),
    *("\x1b[2J", "a\nb\t\r", "\u202eevil", "\ud800", "x\udfff", "\x00", "\u200b", "\xa0", "\u3000"),
    *("\U000e0001", "\\", "x" * 240, "x" * 241, "ab🂡" * 100, "$&", "$1", "$$"),
]


def text(rng: Random) -> str:
    return rng.choice((rng.choice(TEXTS), "".join(rng.sample(TEXTS[1:12], 3))))


def value(kind: str, rng: Random, depth: int) -> Any:
    """A random parameter of a kind of placeholder."""
    match kind:
        case "":
            return rng.choice((text(rng), rng.randint(-100, 2000), 1))
        case "plural":
            return rng.randint(0, 3)
        case "seat":
            return rng.randrange(8)
        case "person":
            return rng.choice((None, text(rng)))
        case "seats":
            return [rng.randrange(8) for _ in range(rng.randrange(4))]
        case "card":
            return rng.choice((*CARD_CODES, *MOVE_CODES[96:112]))
        case "cards" | "choice":
            return " ".join(rng.choice(CARD_CODES) for _ in range(rng.randrange(5)))
        case "colour":
            return rng.choice(LETTERS)
        case "colours":
            return "".join(rng.sample(LETTERS, rng.randrange(7)))
        case "text":
            return rng.choice(list(catalogue("en")))
        case "number":
            return rng.randrange(-120, 120) / 10
        case "reasons":
            return [reason(rng, depth + 1) for _ in range(rng.randrange(4))]
        case _:
            assert kind == "reason"
            return reason(rng, depth + 1)


def reason(rng: Random, depth: int = 0, code: str | None = None) -> Reason:
    """A reason with random parameters, of any code if none is given."""
    codes = catalogue("en")
    while code is None or (depth > 2 and ":reason" in codes[code]):
        code = rng.choice(list(codes))
    kinds: dict[str, str] = {}
    for name, kind in PLACE.findall(codes[code]):
        head = kind.partition("|")[0]
        kinds[name] = head if kinds.get(name, "you") in ("plural", "you") else kinds[name]
    params = {name: value(kind, rng, depth) for name, kind in kinds.items()}
    if rng.random() < 0.2:
        params.setdefault("edition", rng.choice(PRINTED))
    if rng.random() < 0.1:
        params["cast"] = rng.sample(TEXTS, 4)
    return Reason(code, params)


def wire(value: Any, rng: Random) -> Any:
    """A reason in one of the forms in which the page gets one."""
    if isinstance(value, list):
        return [wire(each, rng) for each in value]
    if not isinstance(value, Reason):
        return value
    params = {name: wire(each, rng) for name, each in value.params.items()}
    forms: list[Any] = [{"code": value.code, "params": params}]
    if not {"code", "params"} & params.keys():
        forms.append({"code": value.code, **params})
    return rng.choice(forms)


def test_every_sentence_of_every_language(ask: Ask, cases: int) -> None:
    rng = Random(1)
    questions, due = [], []
    codes = list(catalogue("en"))
    for i in range(max(cases, 3 * len(codes) * len(LANGUAGES))):
        code, language = codes[i % len(codes)], rng.choice(LANGUAGES)
        said = reason(rng, code=code)
        edition = rng.choice((None, *PRINTED))
        names = [text(rng) for _ in range(rng.choice((0, 2, 4, 8)))]
        you = rng.choice((None, *range(8)))
        questions.append({"language": language, "reason": wire(said, rng), "edition": edition,
                          "names": names, "you": you})  # fmt: skip
        due.append(sentence(said, language, edition=edition, names=names, you=you))
    said_by_page = ask("sentence", questions)
    wrong = [each for each in zip(due, said_by_page, questions, strict=True) if each[0] != each[1]]
    assert not wrong, wrong[:3]


def test_numbers_have_the_forms_of_words_of_their_language(ask: Ask) -> None:
    """The rule in a catalogue, which Python follows, is that of the browser."""
    numbers = [*range(205), 1000, 1_000_001]
    for language in LANGUAGES:
        asked = [{"language": language, "reason": wire(Reason("sheet.hand", {"n": n}), Random(n))}
                 for n in numbers]  # fmt: skip
        due = [sentence(Reason("sheet.hand", {"n": n}), language) for n in numbers]
        assert ask("sentence", asked) == due


def test_six_forms_and_cases_are_said_alike(ask: Ask, arabic: str) -> None:
    rng = Random(3)
    own = json.loads((ROOT / "tests/words/ar.json").read_text(encoding="utf-8"))
    reasons = [reason(rng, code=code) for code in (*catalogue("en"), *[*own] * 4)
               if code in catalogue("en")]  # fmt: skip
    reasons += [Reason("sheet.hand", {"n": n}) for n in range(205)]
    asked = [{"language": "ar", "path": "tests/words/ar.json", "reason": wire(each, rng),
              "edition": "amigo"} for each in reasons]  # fmt: skip
    due = [sentence(each, arabic, edition="amigo") for each in reasons]
    assert ask("sentence", asked) == due


def test_what_does_not_print_is_escaped_alike(ask: Ask) -> None:
    """Every character there is, save those that a newer Unicode has added."""
    known = [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) != "Cn"]
    known = [c for c in known if c < "\U00020000" or c >= "\U000e0000"]
    # Halves of pairs side by side would be one letter to the page.
    lines = ["|".join(known[i : i + 1000]) for i in range(0, len(known), 1000)]
    tags = ("gbeng", "gbsct", "gbwls", "gb", "usca")
    flags = ["🏴" + "".join(chr(0xE0000 + ord(c)) for c in each) + "\U000e007f" for each in tags]
    assert [visible(flag) == flag for flag in flags] == [True, True, True, False, False]
    lines += [f"👩\u200d{flag}\u200d👩{flag}" for flag in flags]
    answers = ask("words", [{"text": line, "most": 9999} for line in lines])
    assert [shown for shown, _ in answers] == [visible(line) for line in lines]


def test_long_words_are_cut_alike(ask: Ask) -> None:
    rng = Random(2)
    words = ["".join(rng.choice("ab🂡") for _ in range(rng.randint(0, 260))) for _ in range(1000)]
    mosts = [rng.choice((4, 60, 61, 240)) for _ in words]
    asked = [{"text": each, "most": most} for each, most in zip(words, mosts, strict=True)]
    assert [cut for _, cut in ask("words", asked)] == list(map(brief, words, mosts))


def test_numbers_and_times_are_written_as_in_the_language(ask: Ask) -> None:
    noon, minute = 1_790_000_000_000, 60_000
    asked = [{"language": language, "moment": noon, "now": noon + 5 * minute}
             for language in ("en", "de", "es")]  # fmt: skip
    en, de, es = ask("intl", asked)
    assert (en[0], de[0], es[0]) == (
        "1,790,000,000,000", "1.790.000.000.000", "1.790.000.000.000"
    )  # fmt: skip
    assert en[1] == "−300,000"
    assert (en[3], de[3], es[3]) == ("5 minutes ago", "vor 5 Minuten", "hace 5 minutos")
    assert len({en[2], de[2], es[2]}) == 3
    assert all("2026" in each[2] for each in (en, de, es))


def test_the_page_accounts_for_points_as_the_library_does(ask: Ask) -> None:
    """Every side in every round of games of all kinds, from the round as the server sends it."""
    questions, said = list[object](), list[str]()
    for seed in range(60):
        rng = Random(seed)
        rules, players = rules_from(rng.choice, most=6)
        rules = rules.replace(sweep=seed % 2 == 0)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        while not game.over:
            game.play(rng.choice(game.legal_moves))
        view = game.view(None)
        for current, data in zip(view.rounds, view.as_data()["rounds"], strict=True):
            for side, seats in enumerate(view.side_seats):
                language = LANGUAGES[len(said) % len(LANGUAGES)]
                questions.append({
                    "language": language, "round": data, "side": side, "seats": seats,
                    "edition": rules.edition,
                })  # fmt: skip
                reason = tell_account(account_of(current, game.position.rules, side))
                said.append(sentence(reason, language, edition=rules.edition))
    assert len(said) > 300
    assert ask("account", questions) == said


# --- the parts of the catalogues -------------------------------------------------------------


@pytest.fixture(scope="module")
def parts(ask: Ask) -> dict[str, dict[str, str]]:
    """For each page, in which part of its catalogue each sentence is (`web/catalogues.ts`)."""
    codes = list(catalogue("en"))
    asked = [{"key": code, "page": page} for page in ("table", "sheet") for code in codes]
    found = ask("part", asked)
    return {"table": dict(zip(codes, found, strict=False)),
            "sheet": dict(zip(codes, found[len(codes) :], strict=True))}  # fmt: skip


#: The server deals by itself, gives a position legal moves only, and takes nothing back on a game.
FOR_CALLERS = {"argument", "cards", "deal", "moment", "moves", "position", "reason", "undo"}


def test_the_page_can_say_what_the_server_sends(parts: dict[str, dict[str, str]]) -> None:
    """Whatever a table may refuse, and whatever coach, lessons and advice say, comes to the page as
    a code. (HTTP answers in words, and the codes of `FOR_CALLERS` are for callers of the library.)
    """
    package = Path(rage.__file__).parent
    said = set()
    for place in ("table", "coach", "learn", "rules", "engine/kernel.py", "game/rulings.py",
                  "game/history.py", "game/view.py", "game/game.py", "bots/advice.py", "say.py",
                  "house/tables/hub.py", "house/tables/services.py",
                  "house/tables/conversation.py"):  # fmt: skip
        below = package / place
        for path in below.rglob("*.py") if below.is_dir() else [below]:
            said |= set(codes_said(ast.parse(path.read_text(encoding="utf-8"))))
    said = {code for code in said if code.split(".")[0] not in FOR_CALLERS}
    assert {"coach.change_held.choose", "coach.aim.more.team", "advice.bid.even.short"} <= said
    assert {code for code in said if parts["table"][code] == "never"} == set()


def codes_said(tree: ast.AST) -> Iterator[str]:
    """The codes that a module names, whole or by their beginning: more words may be added to it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            begin = node.value.removesuffix(".")
            yield from (code for code in catalogue("en") if f"{code}.".startswith(f"{begin}."))


def test_a_page_carries_nothing_that_only_a_terminal_says(parts: dict[str, dict[str, str]]) -> None:
    for page in parts.values():
        begins = {code.partition(".")[0] for code, part in page.items() if part != "never"}
        assert not begins & {"argparse", "cli", "tui", "encode", "saved", "scorer", "serve"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_small(language: str, parts: dict[str, dict[str, str]]) -> None:
    """What is said from the first moment on, and what is loaded after that, or after a game."""
    for page, found in parts.items():
        for part, most in MOST.items():
            texts = {code: catalogue(language)[code] for code in found if found[code] == part}
            size = len(gzip.compress(json.dumps(texts, ensure_ascii=False).encode()))
            assert size < most, (page, part)


SOURCES = [path for path in [*WEB.rglob("*.ts"), *WEB.rglob("*.svelte")]
           if not path.name.endswith((".test.ts", ".d.ts"))]  # fmt: skip
SAID = re.compile(
    r"""\bt\(\s*['"]([\w.-]+)['"]\s*(?:,\s*(\{(?:[^{}]|\{[^{}]*\})*\})\s*)?(,[^()]*)?[,)]"""
)
CODE = re.compile(r"""(?:\bcode: |\brefuse\(\s*)['"]([\w-]+\.[\w.-]+)['"]""")


def test_the_page_says_only_what_there_is() -> None:
    missing = {
        (path.name, code)
        for path in SOURCES
        for code in [
            *(match[1] for match in SAID.finditer(path.read_text(encoding="utf-8"))),
            *CODE.findall(path.read_text(encoding="utf-8")),
        ]
        if code not in catalogue("en")
    }
    assert not missing


def test_the_page_leaves_signs_to_the_language() -> None:
    """French has a space before a colon: what the page puts together has it from the catalogue."""
    beside = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
    markup = [(path.name, beside.sub("", path.read_text(encoding="utf-8")))
              for path in SOURCES if path.suffix == ".svelte"]  # fmt: skip
    assert sum("withColon(" in text for _, text in markup) > 5
    assert [name for name, text in markup if re.search(r"\}[:;](?=[\s<\"])", text)] == []


def test_the_page_gives_every_parameter() -> None:
    """Where a code and its parameters are written out, each placeholder has its parameter."""
    wrong, seen = [], 0
    for path in SOURCES:
        for code, params, rest in SAID.findall(path.read_text(encoding="utf-8")):
            needed = {name for name, _ in PLACE.findall(catalogue("en").get(code, ""))}
            given = set(re.findall(r"(\w+)\s*(?=[:,}])", re.sub(r":[^,}]*", ":", params)))
            if (rest and not params) or "..." in params:
                continue  # made up elsewhere
            seen += 1
            if not needed <= given:
                wrong.append((path.name, code, needed - given))
    assert seen > 100
    assert not wrong
