"""The rules of any rule set in plain words, and the differences between two.

Both are data: lists of reasons, made from the settings, which `say` puts into words with the card
names of an edition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final

from rage.engine.kernel import Rules
from rage.game.example import example_round
from rage.rules.cards import ACTIONS, CARD_CODES, LETTERS, WILD
from rage.rules.frozen import Value
from rage.rules.ruleset import VARIANTS, RuleSet, base_of
from rage.rules.settings import CHOICES, LABORATORY, SETTING_NAMES, Pack, format_value
from rage.say import NotReadable, Reason, check_kind, in_words, kind_name, signed, text

#: The codes of the action cards, so that a sentence can name them: ``{wild:card}``.
_CODES: Final = dict(zip(ACTIONS, CARD_CODES[WILD:], strict=True))


class Chapter(Value):
    """One chapter of the rules: its code, its title, and its sentences in order."""

    code: str
    title: Reason
    lines: tuple[Reason, ...]


def title_of(rules: RuleSet, language: str) -> str:
    """The name of a rule set for people: its edition and variants, and a note if other settings
    differ as well."""
    edition, *terms = rules.name.split("+")
    parts = [text(f"edition.{edition}", language)]
    parts += [
        text(f"variant.{each}", language).partition(":")[0].rstrip()
        for each in terms
        if each in VARIANTS
    ]
    if any(each not in VARIANTS for each in terms):
        parts.append(text("http.own_settings", language))
    return " + ".join(parts)


def title(rules: RuleSet, language: str) -> Reason:
    """The heading above the chapters."""
    return Reason("rules.title", {"name": title_of(rules, language)})


def chapters(rules: RuleSet, players: int | None = None) -> list[Chapter]:
    """All rules in order, for a number of players or for any; titles and lines are
    :class:`rage.Reason`. Raises :class:`rage.NotAllowed` if the rules do not allow that many, or no
    name can express them."""
    check_kind(rules, RuleSet, "rules")
    if players is not None:
        rules.for_players(players)
    book = [
        Chapter(code, Reason(code), tuple(lines(rules, players)))
        for code, lines in _CHAPTERS.items()
    ]
    return [chapter for chapter in book if chapter.lines]


def differences(a: RuleSet, b: RuleSet) -> list[Reason]:
    """How ``a`` differs from ``b``: a clause about ``a`` for each setting whose value differs, in
    the order of ``docs/rules.md``, after the number of players and the names of the cards. An empty
    list if they are the same."""
    check_kind(a, RuleSet, "rules")
    check_kind(b, RuleSet, "rules")
    found = []
    if a.player_range != b.player_range:
        least, most = a.player_range
        found.append(Reason("unlike.players", {"least": least, "most": most}))
    if any(kind_name(k, "en", a.edition) != kind_name(k, "en", b.edition) for k in ACTIONS):
        found.append(Reason("unlike.names", _CODES))
    return found + [_clause(a, setting) for setting in a.departures(b)]


def meaning(setting: str) -> Reason:
    """What a setting decides, by its name. Raises :class:`rage.NotReadable` if there is none."""
    if setting not in SETTING_NAMES:
        known = ", ".join(each for each in SETTING_NAMES if each not in LABORATORY)
        raise NotReadable("ruleset.no_setting", setting=in_words(setting), allowed=known)
    return _line(f"setting.{setting}")


def source(edition: str) -> Reason:
    """Where the rules of a printed edition come from."""
    return Reason(f"rules.source.{edition}")


def _clause(rules: RuleSet, setting: str) -> Reason:
    """What the value of a setting means, as part of a sentence."""
    value = getattr(rules, setting)
    if setting in CHOICES or setting in ("anytime_actions", "sweep", "teams"):
        return _line(f"unlike.{setting}.{format_value(value)}")
    match setting:
        case "pack":
            return _line("unlike.pack", **{f"{_plural(k)}": n for k, n in _counts(value)})
        case "miss":
            sign = "costs" if value < 0 else "scores" if value else "nothing"
            return _line(f"unlike.miss.{sign}", n=abs(value))
        case "schedule":
            return _line("unlike.schedule", hands=_hands(value))
        case "colours":
            return _line("unlike.colours", n=value)
        case "ranks":
            return _line("unlike.ranks", top=value - 1)
    return _line(f"unlike.{setting}", points=signed(value, "+d"))


def _plural(kind: str) -> str:
    return "bonuses" if kind == "bonus" else kind + "s"


def _counts(pack: Pack) -> Iterator[tuple[str, int]]:
    return zip(ACTIONS, pack.counts, strict=True)


def _hands(schedule: tuple[int, ...]) -> str:
    return ", ".join(str(hand) for hand in schedule)


def _line(code: str, **params: Any) -> Reason:
    return Reason(code, {**_CODES, **params})


# --- the chapters --------------------------------------------------------------------------


def _goal(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    yield _line("rules.goal.bid")
    if players is not None:
        yield _line("rules.goal.players_given", players=players)
    elif rules.teams is None:
        least, most = rules.player_range
        yield _line("rules.goal.players", least=least, most=most)
    if rules.teams is not None:
        yield _line(f"rules.goal.teams.{rules.teams}")


def _terms(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    for term in ("trick", "lead", "led", "follow", "void", "trump", "stock"):
        yield _line(f"rules.terms.{term}")


def _cards(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    yield _line(
        "rules.cards.coloured",
        n=rules.colours * rules.ranks,
        colours=rules.colours,
        top=rules.ranks - 1,
        names=LETTERS[: rules.colours],
    )
    colour, rank = LETTERS[rules.colours - 1], rules.ranks - 1
    yield _line("rules.cards.short", card=f"{colour}{rank}", colour=colour, rank=rank)
    kinds = [
        Reason("rules.cards.kind", {"n": n, "card": _CODES[kind]})
        for kind, n in _counts(rules.pack)
        if n
    ]
    if kinds:
        yield _line("rules.cards.actions", n=sum(rules.pack.counts), kinds=kinds)
    else:
        yield _line("rules.cards.no_actions")
    yield _line("rules.cards.total", n=rules.pack_size)


def _deal(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    schedule = rules.schedule
    yield _line(
        f"rules.deal.schedule.{_shape(schedule)}",
        rounds=len(schedule),
        first=schedule[0],
        last=schedule[-1],
        hands=_hands(schedule),
    )
    yield _line("rules.deal.dealer")
    yield _line("rules.deal.stock")
    if players is not None:
        left = rules.pack_size - players * max(schedule)
        yield _line("rules.deal.left", players=players, n=left)
    yield _line("rules.deal.turn_up")


def _shape(schedule: tuple[int, ...]) -> str:
    """The kind of a schedule: ``falling`` or ``rising`` by one, ``level``, or any ``list``."""
    steps = {after - before for before, after in pairwise(schedule)}
    shapes = {frozenset(): "level", frozenset({0}): "level"}
    shapes |= {frozenset({-1}): "falling", frozenset({1}): "rising"}
    return shapes.get(frozenset(steps), "list")


def _bids(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    yield _line("rules.bids.once" if rules.bidding == "open" else "rules.bids.once_unseen")
    yield _line(f"rules.bids.{rules.bidding}")
    if rules.teams is not None and rules.bidding != "open":
        yield _line("rules.bids.partner")
    yield _line(f"rules.bids.{rules.bid_total}")
    if rules.teams is not None:
        yield _line("rules.bids.teams")


def _play(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    pack = rules.pack
    yield _line("rules.play.turns")
    yield _line("rules.play.led_wild" if pack.wild else "rules.play.led")
    yield _line("rules.play.follow")
    if pack.wild:
        yield _line("rules.play.wild_in_hand")
    if any(pack.counts):
        yield _line(f"rules.play.anytime.{format_value(rules.anytime_actions)}")
    yield _line("rules.play.win")
    if pack.change or pack.out:
        yield _line("rules.play.win_then")
    if any(pack.counts[1:]):
        yield _line("rules.play.only_actions_wild" if pack.wild else "rules.play.only_actions")


def _actions(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    pack = rules.pack
    if not any(pack.counts):
        yield _line("rules.cards.no_actions")
    if pack.wild:
        yield _line("rules.actions.wild", top=rules.ranks - 1)
    if pack.wild > 1:
        yield _line(f"rules.actions.second_wild.{rules.second_wild}")
    if pack.change:
        yield _line(f"rules.actions.change.{rules.change}")
    if pack.out:
        yield _line(f"rules.actions.out.{rules.out}")
    if pack.change and pack.out:
        yield _line("rules.actions.both")
    if pack.bonus:
        yield _line("rules.actions.bonus")
    if pack.mad:
        yield _line("rules.actions.mad")


def _score(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    yield _line("rules.score.trick")
    yield _line("rules.score.exact", points=signed(rules.exact, "+d"))
    yield _line("rules.score.exact_zero", points=signed(rules.exact_zero, "+d"))
    yield _line("rules.score.miss", points=signed(rules.miss, "+d"))
    if rules.pack.bonus:
        yield _line("rules.score.bonus")
    if rules.pack.mad:
        yield _line("rules.score.mad")
    if rules.sweep:
        yield _line("rules.score.sweep")
    if rules.teams is not None:
        yield _line("rules.score.teams")
    yield _examples(rules)


def _examples(rules: RuleSet) -> Reason:
    """A bid met, a zero met, a bid missed by too few tricks and by too many (with a sweep, also by
    all), as the kernel scores them in the largest round."""
    hand = max(rules.schedule)
    bid = min(2, hand)
    over = (bid, bid + 2) if bid + 2 <= hand else (bid - 1, hand)
    pairs = dict.fromkeys([(bid, bid), (0, 0), (bid, bid - 1), over])
    if rules.sweep:
        pairs[bid, hand] = None
    table = Rules(rules, min(rules.player_counts, default=rules.player_range[0]))
    examples = [
        Reason(
            "rules.score.example",
            {"bid": bid, "won": won, "points": table.points(hand, bid, won, 0)},
        )
        for bid, won in pairs
    ]
    return _line("rules.score.examples", n=hand, examples=examples)


def _disputes(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    """The rulings of ``docs/rules.md`` that tables argue about: 2, 4, 5 and 14."""
    pack = rules.pack
    if any(pack.counts[1:]):
        yield _line(f"rules.disputes.only_actions{'_wild' if pack.wild else ''}")
    if pack.change and rules.change == "choose":
        yield _line("rules.disputes.any_colour")
        if pack.out:
            yield _line("rules.disputes.no_trump")
    if pack.wild and pack.change:
        yield _line("rules.disputes.wild_wins")
    if pack.wild and (pack.change or pack.out):
        yield _line("rules.disputes.wild_loses")


def _end(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    yield _line("rules.end.most" if rules.teams is None else "rules.end.most_teams")
    yield _line(f"rules.end.tie.{rules.tie}")


def _variants(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    left = rules.departures(base_of(rules, laboratory=True))
    described = rules.edition == "fundex"  # by Wikipedia, unlike the rules in its box
    if not left:
        yield _line("rules.variants.none_described" if described else "rules.variants.none")
    for variant in rules.name.split("+"):
        if variant in VARIANTS:
            yield _line(f"variant.{variant}")
            left = {name: value for name, value in left.items() if name not in VARIANTS[variant]}
    if left:
        yield _line("rules.variants.other", what=[_clause(rules, name) for name in left])
    if not rules.laboratory:
        yield source(rules.edition)
        yield _line("rules.variants.name", name=rules.name)


_CHAPTERS: Final[dict[str, Callable[[RuleSet, int | None], Iterator[Reason]]]] = {
    "rules.goal": _goal,
    "rules.terms": _terms,
    "rules.cards": _cards,
    "rules.deal": _deal,
    "rules.bids": _bids,
    "rules.actions": _actions,
    "rules.play": _play,
    "rules.disputes": _disputes,
    "rules.score": _score,
    "rules.end": _end,
    "rules.example": example_round,
    "rules.variants": _variants,
}
