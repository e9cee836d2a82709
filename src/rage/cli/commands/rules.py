"""``rage rules``: the rules of any rule set in plain words, and which box you own."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import NamedTuple

from rage.cli.arguments import rule_sets
from rage.cli.parser import Parser
from rage.cli.terminal import program_name
from rage.game.box_quiz import Answer, Question, next_question, settle
from rage.game.rulebook import chapters, differences, meaning, source, title
from rage.rules.editions import PRESETS, ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import LABORATORY, PRINTED, SETTINGS, format_value
from rage.say import NotAllowed, NotReadable, Reason, fill, sentence

WIDEST = 80


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage rules``."""
    parser.option("rules", code="cli.rules.name", nargs="?", metavar="RULES", values=rule_sets)
    only = parser.add_mutually_exclusive_group()
    parser.option(
        "--unlike", code="cli.rules.unlike", group=only, metavar="RULES", values=rule_sets
    )
    parser.option("--settings", code="cli.rules.settings", group=only, action="store_true")
    parser.option("--which", code="cli.rules.which", group=only, action="store_true")
    parser.option("--players", code="cli.rules.players", type=int, metavar="N")


def run(arguments: argparse.Namespace) -> int:
    """Print the requested page. Returns 1 if ``--which`` finds no single edition."""
    page = _Page(arguments.language)
    rules = None if arguments.rules is None else ruleset(arguments.rules)
    _refuse_unused(arguments)
    if arguments.which:
        return _ask(page)
    if arguments.settings:
        _print_settings(page, rules)
    elif rules is None:
        if arguments.unlike is not None:
            raise NotReadable("cli.rules.unlike_needs", command=program_name())
        _print_choice(page)
    elif arguments.unlike is not None:
        _print_differences(page, rules, ruleset(arguments.unlike))
    else:
        _print_rules(page, rules, arguments.players)
    return 0


def _refuse_unused(arguments: argparse.Namespace) -> None:
    """Raise :class:`rage.NotAllowed` if a word on the command line would have no effect."""
    if arguments.which and arguments.rules is not None:
        raise NotAllowed("cli.rules.which_alone", rules=arguments.rules)
    whole = not (arguments.which or arguments.settings or arguments.unlike is not None)
    if arguments.players is not None and not (whole and arguments.rules is not None):
        raise NotAllowed("cli.rules.players_alone")


class _Page(NamedTuple):
    """Prints sentences in a language, with the card names of an edition."""

    language: str
    edition: str | None = None

    def say(self, reason: Reason) -> str:
        return sentence(reason, self.language, edition=self.edition)

    def head(self, reason: Reason) -> None:
        print(_wrapped(self.say(reason)))

    def item(self, words: str, mark: str = "- ") -> None:
        print(_wrapped(words, f"  {mark}", " " * (2 + len(mark))))


def _wrapped(words: str, first: str = "", rest: str = "") -> str:
    """Words wrapped to the terminal's width, at most 80."""
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    return fill(words, width, first, rest)


def _print_rules(page: _Page, rules: RuleSet, players: int | None) -> None:
    book = chapters(rules, players)
    page = page._replace(edition=rules.edition)
    page.head(title(rules, page.language))
    for chapter in book:
        print()
        page.head(chapter.title)
        for line in chapter.lines:
            page.item(page.say(line))


def _print_differences(page: _Page, rules: RuleSet, base: RuleSet) -> None:
    page = page._replace(edition=rules.edition)
    found = differences(rules, base)
    names = {"name": rules.name, "base": base.name}
    page.head(Reason("unlike.head" if found else "unlike.nothing", names))
    for each in found:
        page.item(page.say(each))


def _print_choice(page: _Page) -> None:
    page.head(Reason("cli.rules.editions"))
    for edition in PRINTED:
        rules = EDITIONS[edition]
        least, most = rules.player_range
        params = {"title": f"edition.{edition}", "least": least, "most": most}
        line = Reason("edition.line", {**params, "cards": rules.pack_size})
        page.item(page.say(line), f"{edition:16} ")
    print()
    page.head(Reason("cli.rules.variants"))
    for variant in VARIANTS:
        page.item(page.say(Reason(f"variant.{variant}")), f"{variant:16} ")
    print()
    page.head(Reason("cli.rules.presets"))
    for preset in PRESETS:
        page.item(page.say(Reason(f"preset.{preset}")), f"{preset:16} ")
    print()
    page.head(Reason("cli.rules.more", {"command": program_name()}))


def _print_settings(page: _Page, rules: RuleSet | None) -> None:
    if rules is not None:
        page = page._replace(edition=rules.edition)
    for setting in SETTINGS:
        if setting.name in LABORATORY:
            continue
        page.item(page.say(meaning(setting.name)), f"{setting.name:16} ")
        allowed = Reason("setting.line.allowed", {"allowed": f"allowed.{setting.kind}"})
        page.item(page.say(allowed), " " * 17)
        example = f"{setting.name}:{format_value(getattr(rules or EDITIONS['poof'], setting.name))}"
        page.item(page.say(Reason("setting.line.written", {"example": example})), " " * 17)
        source = Reason("setting.line.source", {"source": setting.source})
        page.item(page.say(source), " " * 17)


# --- which box do you own? -----------------------------------------------------------------


def _ask(page: _Page) -> int:
    """Ask until one edition is left, nothing more can be asked, or the input ends."""
    left: tuple[str, ...] = PRINTED
    asked = 0
    while (step := next_question(asked, left)) is not None:
        asked, question = step
        answer = _read_answer(page, question)
        if answer is None:
            break
        left = settle(left, answer)
    if len(left) == 1:
        found = {"title": f"edition.{left[0]}", "edition": left[0], "command": program_name()}
        page.head(source(left[0]))
        page.head(Reason("box.found", found))
        return 0
    editions = [Reason("box.one_of", {"edition": e, "title": f"edition.{e}"}) for e in left]
    page.head(Reason("box.left", {"editions": editions}))
    for edition in left[1:]:
        _print_differences(page, EDITIONS[edition], EDITIONS[left[0]])
    return 1


def _read_answer(page: _Page, question: Question) -> Answer | None:
    """The answer chosen by its number on a line of input; ``None`` at the end of input."""
    page.head(Reason(question.code))
    numbered = {str(number): each for number, each in enumerate(question.answers, 1)}
    for number, each in numbered.items():
        page.item(page.say(Reason(each.code)), f"{number}. ")
    count = {"n": len(question.answers)}
    while True:
        print(page.say(Reason("box.answer", count)), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line or not sys.stdin.isatty():
            print()
        if not line:
            return None
        if (answer := numbered.get(line.strip())) is not None:
            return answer
        print(page.say(Reason("box.answer_again", count)))
