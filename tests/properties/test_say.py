"""The catalogues: the same keys, the same placeholders, nothing that cannot be said."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rage
from rage import Reason
from rage.rules.settings import CHOICES
from rage.say import JOINERS, LANGUAGES, NO_BREAK, catalogue, seat_name, sentence, visible
from reasons import is_printable

SOURCES = list(Path(rage.__file__).parent.rglob("*.py"))
WEB = Path(__file__).parents[2] / "web" / "src"
PAGE = [path for kind in ("*.ts", "*.svelte") for path in WEB.rglob(kind)
        if not path.name.endswith(".test.ts")]  # fmt: skip
SOURCES.append(WEB.parents[1] / "tools" / "generated" / "languages.py")  # of a page of the docs
PAGE.append(WEB.parent / "cannot.ts")  # it writes sentences into the page when that is built


def test_every_code_in_the_sources_is_in_the_catalogue() -> None:
    """Codes are written out where they are used: ``Reason("refuse.turn", ...)``."""
    said = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if name in ("Reason", "NotAllowed", "NotReadable", "text") and isinstance(
                node, ast.Call
            ):
                said |= codes_in(node.args[0]) if node.args else set()
    assert len(said) > 60
    assert said <= set(catalogue("en"))


def codes_in(node: ast.expr) -> set[str]:
    """The codes that an argument may be: written out, or one of two."""
    match node:
        case ast.Constant(value=str(code)):
            return {code}
        case ast.IfExp(body=one, orelse=two):
            return codes_in(one) | codes_in(two)
    return set()


def test_what_the_catalogue_has_is_used() -> None:
    """Every code stands in the sources, the page's too: whole, as the beginning of a composed one,
    or as another one with an end. Codes of the page alone begin with ``page.``."""
    python, page = (
        "\n".join(path.read_text(encoding="utf-8") for path in paths) for paths in (SOURCES, PAGE)
    )
    whole = set(re.findall(r"[\"'`]([\w.?-]+)[\"'`]", python + page)) | {"seat"}
    begun = tuple(
        re.findall(r"f[\"']([\w.-]*\.[\w.-]*)\{", python)
        + re.findall(r"`([\w.-]*\.[\w.-]*)\$\{", page)
        + re.findall(r"[\"'`]([\w.-]+\.)[\"'`] \+", page)
    )
    ends = re.findall(r"\}(\.[\w.-]+)`", page) + re.findall(r"f\"\{\w+\}(\.[\w.-]+)\"", python)
    ends += [f".{value}" for values in CHOICES.values() for value in values]  # of a setting

    def stands(code: str) -> bool:
        code = code.removeprefix("alone.")  # what it is without a server (web/catalogues.ts)
        return code in whole or code.startswith(begun)

    assert not {
        code
        for code in catalogue("en")
        if not stands(code)
        and not any(code.endswith(end) and stands(code.removesuffix(end)) for end in ends)
    }
    ours = {code for code in catalogue("en") if code.startswith("page.")}
    named = {code for code in ours if f'"{code}"' in python}
    # The button that a refusal of the server names, and the way home from an operator's text.
    assert named == {"page.after.copy_link", "page.home"}


@given(st.text())
def test_a_name_with_control_characters_is_escaped(name: str) -> None:
    shown = visible(name)
    assert is_printable(shown.translate(dict.fromkeys(map(ord, JOINERS))))
    if not any(joiner in name for joiner in JOINERS + NO_BREAK):
        assert (shown == name) == name.isprintable()


@pytest.mark.parametrize("name", ["👩‍🚀", "می‌خواهم", "क्‍ष"])
def test_a_joiner_between_what_it_joins_is_left_as_it_is(name: str) -> None:
    assert visible(name) == name
    assert visible(f"{name}\u200d") == f"{name}\\u200d"


def test_a_joiner_that_joins_nothing_is_escaped() -> None:
    assert visible("A\u200dnn\u200c") == "A\\u200dnn\\u200c"
    assert visible("\u200d\u200d") == "\\u200d\\u200d"


NASTY = ["\x1b[2J", "a\nb", "\u202eevil", "\ud800", "\x00", "{winner:seat}", "{", "\u200b", "\r"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NASTY)
def test_a_name_may_hold_anything(name: str, language: str) -> None:
    assert is_printable(seat_name(0, language, [name]))
    words = sentence(Reason("refuse.turn", {"player": 0}), language, names=[name])
    assert is_printable(words)
    assert (visible(name) if name.strip() else seat_name(0, language, [])) in words
    said = dict.fromkeys(("term", "editions", "variants", "presets"), name)
    inside = Reason("ruleset.no_term", said)
    assert is_printable(sentence(inside, language))


def test_a_seat_without_a_name_has_its_number() -> None:
    assert seat_name(2, "en", ["A", "B"]) == "seat 2"


def test_there_is_no_other_language() -> None:
    with pytest.raises(rage.NotReadable, match="en, de, es"):
        catalogue("tlh")


@pytest.mark.parametrize("kind", [rage.NotReadable, rage.NotAllowed])
def test_an_error_is_a_value_error_that_explains_itself_and_can_be_pickled(
    kind: type[rage.NotAllowed | rage.NotReadable],
) -> None:
    import pickle

    error = kind("players.refused", players=9, edition="poof", least=2, most=8)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert again.reason == error.reason
    assert str(again) == str(error) == sentence(error.reason)
