"""docs/rules.md, "Names": how a rule set is written, read and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import rules_from
from rage import Game, NotAllowed, NotReadable, RuleSet, ruleset
from rage.game.rulebook import chapters
from rage.notation import record_of, write_link, write_record, write_text
from rage.rules.editions import PRESETS
from rage.rules.ruleset import EDITIONS, VARIANTS
from rage.rules.settings import PRINTED, SETTINGS, Pack

rulesets = st.builds(
    lambda data: rules_from(lambda options: data.draw(st.sampled_from(options)))[0], st.data()
)


@given(rulesets)
def test_writing_and_reading_a_name_gives_the_rule_set_back(rules: RuleSet) -> None:
    """ "Writing gives one canonical form" """
    name = rules.name
    assert ruleset(name) == rules
    assert ruleset(name).name == name


@given(rulesets, st.randoms(use_true_random=False))
def test_reading_takes_the_terms_in_any_order(rules: RuleSet, random: object) -> None:
    """ "Reading accepts any order" """
    terms = rules.name.split("+")
    random.shuffle(terms)  # type: ignore[attr-defined]  # a random.Random
    assert ruleset("+".join(terms)) == rules


def test_a_preset_is_a_rule_set_with_a_name_of_its_own() -> None:
    """ "`bga` is `amigo+tie:exact_bids`" """
    assert ruleset("bga") == ruleset("amigo").replace(tie="exact_bids")
    assert ruleset("bga").name == "amigo+tie:exact_bids"
    assert ruleset(" BGA + sweep") == ruleset("amigo+tie:exact_bids+sweep")
    with pytest.raises(NotAllowed, match="two editions"):
        ruleset("poof+bga")


def test_the_first_boxes_have_a_smaller_pack() -> None:
    """ "`1983` is `poof+pack:change3.out3`, the pack of the boxes of 1983 and 1985 (108 cards" """
    rules = ruleset("1983")
    assert rules == ruleset("poof+pack:change3.out3")
    assert rules.pack == Pack(wild=2, change=3, out=3, bonus=2, mad=2)
    assert rules.pack_size == 108
    assert rules.player_counts == [*range(2, 9)]


def test_no_preset_is_called_as_something_else_is() -> None:
    assert not PRESETS.keys() & {*EDITIONS, *VARIANTS, *(each.name for each in SETTINGS)}


def test_a_setting_equal_to_the_editions_may_be_written() -> None:
    """ "a setting equal to the edition's" """
    assert ruleset("poof+miss:0+change:choose+teams:none+pack:wild2+sweep:false") == ruleset("poof")


def test_an_equals_sign_is_read_as_a_colon() -> None:
    """ "`=` for `:` on a command line" """
    assert ruleset("poof+miss=-5+schedule=3.2.1") == ruleset("poof+miss:-5+schedule:3.2.1")


def test_case_and_spaces_and_hyphens_do_not_matter() -> None:
    wanted = ruleset("amigo").replace(anytime_actions=True, exact_zero=3)
    assert ruleset(" AMIGO + Anytime_Actions + exact-zero: 3 ") == wanted


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("amigo+sweep+secret-bids", "amigo+secret-bids+sweep"),
        ("poof+miss:-5+schedule:3.2.1+pack:wild2.out0", "poof+pack:out0+miss:-5+schedule:3.2.1"),
        ("poof+exact_zero:10+miss:-5", "poof+volatile"),
        ("miss:-5+poof", "poof+miss:-5"),
        ("amigo+volatile", "amigo"),
        ("fundex+bidding:hidden", "fundex+hidden-bids"),
        ("fundex+teams:3+sweep:true", "fundex+sweep+three-teams"),
        ("fundex+schedule:10.10.10.10.10.10.10.10.10.10", "fundex+level"),
        ("poof+schedule:1.2.3.4.5.6.7.8.9.10+anytime-actions", "poof+anytime-actions+rising"),
        ("amigo+exact_zero:10+miss:0", "amigo+miss:0"),
        ("fundex+tie:exact_bids+second_wild:higher", "fundex+second_wild:higher+tie:exact_bids"),
    ],
)
def test_writing_gives_one_canonical_form(written: str, canonical: str) -> None:
    """ "variant names where they fit, then settings, in the order of the tables here, and
    nothing that equals the edition's" """
    assert ruleset(written).name == canonical


def test_variant_names_come_in_the_order_of_the_table() -> None:
    everything = "+".join(reversed([each for each in VARIANTS if each not in CLASHING]))
    assert ruleset(f"poof+{everything}").name == (
        "poof+anytime-actions+hidden-bids+sweep+volatile+rising+two-teams"
    )


CLASHING = ("secret-bids", "plus-minus-one", "level", "three-teams")


def test_the_ten_variants_have_these_names() -> None:
    """ "Variants have names:" """
    assert list(VARIANTS) == [
        "anytime-actions", "hidden-bids", "secret-bids", "plus-minus-one", "sweep", "volatile",
        "rising", "level", "two-teams", "three-teams",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "sweep", "rage", "poof+", "poof+miss", "poof+luck:3", "+",
                                  "poof+miss:many", "poof+schedule:3,2,1", "poof+pack:wild",
                                  "poof+pack:joker2", "oh_hell", "poof+colours:4",
                                  "poof+schedule:", "poof+teams:two", "poof+:3"])  # fmt: skip
def test_what_is_no_name_cannot_be_read(name: str) -> None:
    with pytest.raises(NotReadable) as refused:
        ruleset(name)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["poof+amigo", "poof+miss:1+miss:2", "poof+volatile+miss:0",
                                  "poof+rising+level", "poof+two-teams+three-teams",
                                  "poof+hidden-bids+secret-bids"])  # fmt: skip
def test_what_contradicts_itself_is_refused(name: str) -> None:
    with pytest.raises(NotAllowed):
        ruleset(name)


@given(st.text(max_size=40) | st.lists(st.sampled_from([*PRINTED, *VARIANTS, "pack:wild2",
       "miss:", "schedule:1..2", "=", "pack:wild1.wild2", "teams:9"])).map("+".join))  # fmt: skip
def test_any_text_is_read_or_refused_with_one_line(name: str) -> None:
    refusal = ""
    try:
        rules = ruleset(name)
    except (NotReadable, NotAllowed) as refused:
        refusal = str(refused)
    assert len(refusal.splitlines()) < 2
    assert refusal or ruleset(rules.name) == rules


def test_laboratory_settings_are_read_only_in_the_laboratory() -> None:
    """ "no interface offers them, and a record with them is refused" """
    for name in ("oh_hell", "poof+colours:4", "poof+ranks:13"):
        with pytest.raises(NotReadable):
            ruleset(name)
        assert ruleset(name, laboratory=True).laboratory


@pytest.mark.parametrize(
    ("rules", "setting", "named"),
    [
        (RuleSet(edition="mine", player_range=(2, 8)), "edition mine", False),
        (EDITIONS["fundex"].replace(player_range=(2, 8)), "player_range 2.8", False),
        (EDITIONS["oh_hell"], "edition oh_hell", True),
        (EDITIONS["poof"].replace(colours=4, schedule=(3,)), "colours 4", True),
        (EDITIONS["poof"].replace(ranks=13, schedule=(3,)), "ranks 13", True),
    ],
)
def test_rules_that_no_name_or_record_may_hold_are_not_written(
    rules: RuleSet, setting: str, named: bool
) -> None:
    for write in (write_record, write_text, write_link):
        with pytest.raises(NotAllowed, match=f"{setting} are for research"):
            write(record_of(Game(rules, 3, seed=b"x")))
    if named:
        assert ruleset(rules.name, laboratory=True) == rules
        return
    for say in (lambda rules: rules.name, chapters):
        with pytest.raises(NotAllowed, match=f"{setting} are for research"):
            say(rules)


def test_a_kind_named_twice_in_a_pack_is_refused() -> None:
    with pytest.raises((NotAllowed, NotReadable)):
        ruleset("poof+pack:wild1.wild3")


def test_departures_come_in_the_order_of_the_tables() -> None:
    rules = ruleset("poof").replace(
        sweep=True, pack=Pack(0, 0, 0, 0, 0), miss=1, change="reveal", teams=2, schedule=(1,)
    )
    order = [each.name for each in SETTINGS]
    departures = list(rules.departures(EDITIONS["poof"]))
    assert departures == sorted(departures, key=order.index)
    assert len(departures) == 6


def test_terms_that_contradict_each_other_are_refused_in_any_order() -> None:
    """``1`` is none of what a setting that is on or off may be, though Python takes it for on."""
    terms = ("anytime-actions", "anytime_actions:1")
    for name in ("+".join(("poof", *each)) for each in (terms, terms[::-1])):
        with pytest.raises(NotAllowed):
            ruleset(name)
