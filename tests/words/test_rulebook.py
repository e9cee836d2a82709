"""The rules in plain words say what the settings say, and say it in every language."""

from __future__ import annotations

from itertools import chain, permutations

import pytest

import oracle
from rage.game.box_quiz import QUESTIONS, next_question, settle
from rage.game.rulebook import chapters, differences, meaning, source, title, title_of
from rage.rules.editions import ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import CHOICES, PRINTED, SETTINGS, TEAMS, Pack
from rage.say import LANGUAGES, NotAllowed, NotReadable, Reason, catalogue, sentence, text

#: Values to try for each setting: all of them where there are few, otherwise the ends, zero,
#: one, both signs and the editions' own.
POINTS = (-100, -5, -1, 0, 1, 5, 10, 100)
PACKS = [
    Pack(*(count if i == kind else 2 for i in range(5)))
    for kind in range(5)
    for count in (0, 1, 3, 4)
]
SCHEDULES = [
    *((hand,) for hand in (1, 2, 15)),
    tuple(range(10, 0, -1)),
    tuple(range(9, 0, -1)),
    tuple(range(1, 11)),
    (10,) * 10,
    (10,) * 9,
    (1, 2, 3, 2, 1),
    (1, 2, 3, 3, 1),
]
VALUES = {
    **CHOICES,
    "pack": [Pack(), Pack(bonus=3, mad=3), Pack(0, 0, 0, 0, 0), *PACKS],
    "exact": POINTS,
    "exact_zero": POINTS,
    "miss": POINTS,
    "schedule": SCHEDULES,
    "anytime_actions": (False, True),
    "sweep": (False, True),
    "teams": (None, *TEAMS),
    "colours": (2, 3, 4, 5, 6),
    "ranks": (5, 13, 16),
}
everywhere = pytest.mark.parametrize("language", LANGUAGES)


def words(reason: Reason, rules: RuleSet, language: str = "en") -> str:
    return sentence(reason, language, edition=rules.edition)


def book(rules: RuleSet, language: str = "en", players: int | None = None) -> str:
    """All chapters but the last, which names the variants: what a table plays by."""
    return "\n".join(
        words(line, rules, language)
        for chapter in chapters(rules, players)[:-1]
        for line in chapter.lines
    )


def test_there_are_values_for_every_setting() -> None:
    assert VALUES.keys() == {setting.name for setting in SETTINGS}


@everywhere
@pytest.mark.parametrize("setting", VALUES)
@pytest.mark.parametrize("edition", PRINTED)
def test_each_value_of_a_setting_gives_another_text(
    setting: str, edition: str, language: str
) -> None:
    texts: dict[str, object] = {}
    for value in dict.fromkeys(VALUES[setting]):
        text = book(EDITIONS[edition].replace(**{setting: value}), language)
        assert text not in texts, (value, texts.get(text))
        texts[text] = value


@everywhere
@pytest.mark.parametrize("setting", VALUES)
def test_a_setting_that_differs_is_one_clause(setting: str, language: str) -> None:
    base = EDITIONS["amigo"]
    clauses: dict[object, str] = {}
    for value, other in permutations(dict.fromkeys(VALUES[setting]), 2):
        a, b = base.replace(**{setting: value}), base.replace(**{setting: other})
        (clause,) = differences(a, b)
        said = words(clause, a, language)
        assert clauses.setdefault(value, said) == said, "it depends on the value alone"
    assert len(set(clauses.values())) == len(clauses), "each value is told apart"


def test_unlike_poof_amigo() -> None:
    found = differences(EDITIONS["amigo"], EDITIONS["poof"])
    assert [words(each, EDITIONS["amigo"]) for each in found] == [
        "it is for 3 to 8 players",
        "the action cards are called Joker, Change Trump, No Trump, +5 and −5",
        ("action cards in the pack: 2 × Joker, 4 × Change Trump, 4 × No Trump, 3 × +5, 3 × −5"),
        "Change Trump turns the new trump up from the stock, and it may be the same colour",
        (
            "No Trump cancels trump for one trick only, then a new one is turned up, "
            "unless a Change Trump came first"
        ),
        "if more than one Joker calls the same colour in a trick, the last is the highest",
        "a bid of 0 met scores +10",
        "a missed bid costs 5 points",
        "players level on points share the win",
    ]


SAID = {
    "poof": [
        "For 2 to 8 players.",
        "14 action cards: 2 × Wild Rage; 4 × Change Rage; 4 × Out Rage; 2 × Bonus Rage; ",
        "; 2 × Bonus Rage; 2 × Mad Rage.",
        "110 cards in all.",
        "Change Rage: name the new trump",
        "Out Rage: there is no trump in this trick and for the rest of the round.",
        "the first is the highest",
        "Bid of 1 or more met exactly: +10.",
        "Bid of 0 met: +5.",
        "by too many or too few: +0.",
        "the one who met more bids wins",
        "bid 2, won 2: 12 points; bid 0, won 0: 5 points; bid 2, won 1: 1 point; bid 2, won 4: 4",
    ],
    "amigo": [
        "For 3 to 8 players.",
        "16 action cards: 2 × Joker; 4 × Change Trump; 4 × No Trump; 3 × +5; 3 × −5.",
        "112 cards in all.",
        "Change Trump: turn stock cards over",
        "No Trump: there is no trump in this trick. The cards turned over",
        "the last is the highest",
        "Bid of 1 or more met exactly: +10.",
        "Bid of 0 met: +10.",
        "by too many or too few: −5.",
        "If players are level on points, they share the win.",
        "won 2: 12 points; bid 0, won 0: 10 points; bid 2, won 1: −4 points; bid 2, won 4: −1",
    ],
    "fundex": [
        "For 2 to 6 players.",
        "14 action cards: 2 × Wild Rage; 4 × Change Rage; 4 × Out Rage; 2 × Bonus Rage; ",
        "; 2 × Bonus Rage; 2 × Mad Rage.",
        "110 cards in all.",
        "Change Rage: name the new trump",
        "Out Rage: there is no trump in this trick and for the rest of the round.",
        "the first is the highest",
        "Bid of 0 met: +5.",
        "by too many or too few: +0.",
        "If players are level on points, they share the win.",
    ],
}


@pytest.mark.parametrize("edition", PRINTED)
def test_the_book_of_an_edition_says_its_numbers(edition: str) -> None:
    said = book(EDITIONS[edition])
    for each in [
        *SAID[edition],
        "96 coloured cards: in each of 6 colours, the numbers 0 to 15.",
        "10 rounds: 10 cards each in the first, one fewer in every round, down to 1 in the last.",
        "Bids are said aloud",
        "The bids may add up to any number.",
        "when you cannot follow",
    ]:
        assert each in said


@everywhere
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("edition", PRINTED)
def test_a_variant_is_named_and_changes_the_rules(
    edition: str, variant: str, language: str
) -> None:
    rules = ruleset(f"{edition}+{variant}")
    if rules == EDITIONS[edition]:  # amigo scores as volatile does anyway
        assert (edition, variant) == ("amigo", "volatile")
        return
    assert book(rules, language) != book(EDITIONS[edition], language)
    last = chapters(rules)[-1]
    assert Reason(f"variant.{variant}").code in [line.code for line in last.lines]
    assert rules.name in words(last.lines[-1], rules, language)
    assert title_of(rules, language) in words(title(rules, language), rules, language)
    assert text(f"variant.{variant}", language).partition(":")[0].rstrip() in title_of(
        rules, language
    )


def test_without_variants_the_last_chapter_says_so() -> None:
    assert [line.code for line in chapters(EDITIONS["poof"])[-1].lines] == [
        "rules.variants.none",
        "rules.source.poof",
        "rules.variants.name",
    ]


def test_what_no_variant_names_is_said_besides() -> None:
    rules = ruleset("poof+sweep+miss:-3+schedule:3.2.1")
    codes = [line.code for line in chapters(rules)[-1].lines]
    assert codes == [
        "variant.sweep",
        "rules.variants.other",
        "rules.source.poof",
        "rules.variants.name",
    ]
    other = words(chapters(rules)[-1].lines[1], rules)
    assert other == (
        "Changed besides: a missed bid costs 3 points; cards each, round by round: 3, 2, 1."
    )


def test_what_is_not_in_the_pack_is_not_explained() -> None:
    said = book(ruleset("amigo+pack:wild0.change0.out0.bonus0.mad0"))
    for name in ("Joker", "Change Trump", "No Trump", "Each +5", "Each −5", "\n+5", "\n−5"):
        assert name not in said
    assert said.count("There are no action cards.") == 2


def test_for_a_number_of_players_the_stock_is_counted() -> None:
    assert "With 4 players, 70 cards are left in the stock" in book(EDITIONS["poof"], players=4)
    with pytest.raises(NotAllowed, match="amigo is for 3 to 8 players, not 2"):
        chapters(EDITIONS["amigo"], 2)


def example(rules: RuleSet) -> list[Reason]:
    (lines,) = (each.lines for each in chapters(rules) if each.code == "rules.example")
    return list(lines)


def rule_sets() -> list[RuleSet]:
    """Every value of every setting in every edition, and teams with all of them."""
    found = [
        EDITIONS[edition].replace(**{setting: value})
        for edition in PRINTED
        for setting, values in VALUES.items()
        if setting not in ("colours", "ranks")
        for value in values
    ]
    return [*found, *(rules.replace(teams=teams) for rules in found for teams in TEAMS)]


def test_the_example_is_a_round_by_these_rules() -> None:
    """The oracle, which shares no code with the kernel, plays it again card by card."""
    for rules in dict.fromkeys(rule_sets()):
        lines = example(rules)
        params = {each.code: each.params for each in lines}
        deal, bids = params["rules.example.deal"], params["rules.example.bids"]["bids"]
        tricks = [each.params["cards"] for each in lines if each.code == "rules.example.trick"]
        hands: list[list[str]] = [[] for _ in deal["players"]]
        for played in chain(*tricks):
            hands[played.params["player"]].append(played.params["card"])
        again = oracle.Round(rules, deal["dealer"], hands, [deal["card"]])
        assert again.trump == deal["colour"]
        for bid in bids:
            assert (again.to_act, bid.code) == (bid.params["player"], "rules.example.bid")
            assert str(bid.params["n"]) in again.legal()
            again.play(str(bid.params["n"]))
        winners = [each.params["winner"] for each in lines if each.code.startswith("trick.")]
        for played, winner in zip(tricks, winners, strict=True):
            for each in played:
                assert again.to_act == each.params["player"]
                assert each.params["card"] in again.legal()
                again.play(each.params["card"])
            assert len(again.taken[winner]) > 0
            assert again.to_act in (winner, None)
        points = [each.params for each in lines if each.code == "rules.example.points"]
        assert [each["points"] for each in points] == again.points()
        for each in points:
            assert eval(each["sum"].replace("−", "-")) == each["points"]
            assert each["won"] == sum(len(again.taken[seat]) for seat in each["players"])


def test_who_is_void_in_the_example_is_void_and_nobody_else_is() -> None:
    for rules in dict.fromkeys(rule_sets()):
        lines = example(rules)
        (void,) = (each.params for each in lines if each.code == "rules.example.void")
        first, second = (e.params["cards"] for e in lines if e.code == "rules.example.trick")
        assert first[0].params["card"][0] == void["colour"]
        for each in first:
            held = [e.params["card"] for e in (*first, *second)
                    if e.params["player"] == each.params["player"]]  # fmt: skip
            holds = any(card[0] == void["colour"] for card in held)
            assert holds != (each.params["player"] == void["player"])


def test_the_example_of_the_box() -> None:
    rules = EDITIONS["poof"]
    said = [words(each, rules) for each in example(rules)]
    assert said[2] == "Trick 1: Ada leads B13; Ben plays B10; Cleo plays R2; Dan plays B5."
    assert said[4] == "Cleo wins the trick: red is trump, and R2 is the only red."
    assert said[-1] == "Dan: bid 1, won 1: 1 + 10 + 5 = 16."


def test_rules_of_the_laboratory_have_no_example() -> None:
    assert "rules.example" not in [each.code for each in chapters(EDITIONS["oh_hell"])]


def test_what_a_card_does_is_said_before_it_is_played() -> None:
    for edition in PRINTED:
        codes = [each.code for each in chapters(EDITIONS[edition])]
        assert codes.index("rules.terms") < codes.index("rules.cards")
        assert codes.index("rules.actions") < codes.index("rules.play")


def test_the_terms_are_explained() -> None:
    said = book(EDITIONS["poof"])
    for term in ("Trick", "Lead", "Led colour", "Follow", "Void", "Trump", "Stock"):
        assert f"\n{term}" in said


@pytest.mark.parametrize("bidding", CHOICES["bidding"])
def test_a_partner_sees_no_bid_only_where_bids_are_not_open(bidding: str) -> None:
    rules, unseen = EDITIONS["amigo"].replace(bidding=bidding), "Not even a partner sees your bid"
    assert (unseen in book(rules.replace(teams=2))) == (bidding != "open")
    assert unseen not in book(rules)


def test_everyone_bids_at_once_or_in_turn_but_not_both() -> None:
    for bidding in CHOICES["bidding"]:
        said = book(EDITIONS["amigo"].replace(bidding=bidding))
        assert ("From the dealer's left, clockwise, everyone bids" in said) == (bidding == "open")
        assert ("Everyone bids once, at the same time" in said) == (bidding != "open")


def test_the_rulings_that_settle_disputes_are_said_where_they_matter() -> None:
    def ruled(name: str) -> list[str]:
        return [
            line.code.removeprefix("rules.disputes.")
            for each in chapters(ruleset(name))
            if each.code == "rules.disputes"
            for line in each.lines
        ]

    wild = ["wild_wins", "wild_loses"]
    assert ruled("poof") == ["only_actions_wild", "any_colour", "no_trump", *wild]
    assert ruled("amigo") == ["only_actions_wild", *wild]
    assert ruled("poof+pack:out0") == ["only_actions_wild", "any_colour", *wild]
    assert ruled("poof+pack:wild0") == ["only_actions", "any_colour", "no_trump"]
    assert ruled("poof+pack:change0") == ["only_actions_wild", "wild_loses"]
    assert ruled("poof+pack:change0.out0.bonus0.mad0") == []


def test_the_book_says_where_the_rules_come_from() -> None:
    """``fundex`` is what Wikipedia says, and not what the booklet in the box does."""
    for edition in PRINTED:
        (line,) = (each for each in chapters(EDITIONS[edition])[-1].lines
                   if each.code.startswith("rules.source."))  # fmt: skip
        assert line == source(edition)
        assert ("Wikipedia" in words(line, EDITIONS[edition])) == (edition == "fundex")
    assert "Wikipedia" in words(title(EDITIONS["fundex"], "en"), EDITIONS["fundex"])


@everywhere
def test_titles_meanings_and_questions_are_in_every_language(language: str) -> None:
    texts = catalogue(language)
    for edition in EDITIONS.values():
        assert words(title(edition, language), edition, language)
    for chapter in chapters(EDITIONS["poof"]):
        assert words(chapter.title, EDITIONS["poof"], language)
    for setting in SETTINGS:
        assert words(meaning(setting.name), EDITIONS["amigo"], language)
    for question in QUESTIONS:
        assert texts[question.code]
        assert all(texts[answer.code] for answer in question.answers)


@pytest.mark.parametrize("edition", PRINTED)
def test_true_answers_find_the_box(edition: str) -> None:
    """True answers find the box, and so do unknown ones until the last question."""
    for ignored in range(len(QUESTIONS)):
        left: tuple[str, ...] = PRINTED
        asked = 0
        while (step := next_question(asked, left)) is not None:
            asked, question = step
            true = [each for each in question.answers if edition in each.leaves]
            left = settle(left, true[-1 if asked <= ignored else 0])
        if ignored < 3:
            assert left == (edition,)
        assert edition in left


def test_no_answer_leaves_nothing() -> None:
    def explore(asked: int, left: tuple[str, ...]) -> int:
        assert left
        step = next_question(asked, left)
        if step is None:
            return 1
        asked, question = step
        return sum(explore(asked, settle(left, answer)) for answer in question.answers)

    assert explore(0, PRINTED) > len(PRINTED)


def test_a_question_that_decides_nothing_is_not_asked() -> None:
    step = next_question(1, ("poof", "fundex"))
    assert step is not None
    number, question = step
    assert (number, question.code) == (3, "box.players")
    assert [answer.code for answer in question.answers] == [
        "box.players.2-6",
        "box.players.2-8",
        "box.other",
    ]
    assert next_question(0, ("poof",)) is None


@pytest.mark.parametrize("edition", PRINTED)
def test_the_questions_agree_with_the_editions(edition: str) -> None:
    rules = EDITIONS[edition]
    answers = {answer.code: answer.leaves for question in QUESTIONS for answer in question.answers}
    least, most = rules.player_range
    assert answers[f"box.players.{least}-{most}"] == (edition,)
    assert edition in answers[f"box.cards.{rules.pack_size}"]
    names = (
        "joker"
        if words(Reason("rules.cards.kind", {"n": 1, "card": "W"}), rules).endswith("Joker")
        else "rage"
    )
    assert edition in answers[f"box.names.{names}"]


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        ("5", "1 round, with 5 cards for everyone."),
        ("1", "1 round, with 1 card for everyone."),
        ("5.5", "2 rounds, each with 5 cards for everyone."),
        ("5.4", "2 rounds: 5 cards each in the first, one fewer in every round"),
        ("1.2", "2 rounds: 1 card each in the first, one more in every round"),
        ("5.3", "2 rounds, with this many cards each: 5, 3."),
    ],
)
def test_the_book_says_how_many_rounds_there_are_and_of_how_many_cards(
    schedule: str, said: str
) -> None:
    assert said in book(ruleset(f"poof+schedule:{schedule}"))


@pytest.mark.parametrize("edition", PRINTED)
def test_the_book_speaks_of_several_wilds_only_where_there_are_several(edition: str) -> None:
    base = EDITIONS[edition]
    for wilds in range(5):
        said = book(base.replace(pack=base.pack.replace(wild=wilds)))
        assert ("If more than one" in said) == (wilds > 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", ["99", "0.1", ".".join("1" * 31), "ten", "", "15"])
def test_a_refused_schedule_is_spoken_of_in_words(term: str, language: str) -> None:
    """And not by the name that the setting has in a rule set."""
    with pytest.raises((NotAllowed, NotReadable)) as caught:
        ruleset(f"poof+schedule:{term}").for_players(8)
    said = sentence(caught.value.reason, language)
    assert "schedule" not in said
    assert said[-1] == "."
