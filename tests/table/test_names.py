"""Names: which are accepted, and which cannot be told apart."""

from __future__ import annotations

from unicodedata import category, is_normalized, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rage import NotReadable
from rage.say import FLAGS, JOINERS, LANGUAGES, sentence, visible
from rage.table import Chat, Event, GiveSeat, Join, Rename, Start, Table, Watch
from rage.table.facts.events import Created, HostPassed, Joined, Sat, SeedCommitted, SeedStored
from rage.table.options import DEFAULT_OPTIONS
from rage.table.people.names import MAX_MARKS, MAX_NAME, alike, name_from, read_name
from rage.table.people.speech import MAX_CHAT
from reasons import is_printable
from table.tables import refusal_code, started_table, table_of

GENUINE = [
    "Bea", "Ñandú", "Zoë", "李", "Åse", "دانا", "👩\u200d🚀", "O'Neil", "Jean-Luc", "X Æ A-12", "Q",
    "می\u200cخواهم", "क्\u200dष", "Ида", "Ελένη", "Արմեն", "ᏣᎳᎩ", "山田 太郎", "가나", "สมชาย",
    "Nguyễn Thị", "שָׁלוֹם", "འབྲུག", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "1\ufe0f\u20e3",
    "葛\U000e0100", "👍🏽", "Desdemona", "Maximiliane-Friederike", "Ludwig van der Aa",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f Ann",
]  # fmt: skip

REFUSED = {
    "name.empty": ["", "  ", "\u3000", "\t\n"],
    "name.long": ["x" * (MAX_NAME + 1), "y" * 4000],
    "name.character": [
        "\x1b[2JEve", "a\nb", "a\tb", "\x00", "a\x7fb", "\u2028x\u2028y", "a\u2029b", "\u202eevil",
        "A\u2066b", "a\u200eb", "a\u200bb", "a\u00adb", "\ufeffa", "\ud800", "\ue000", "\U000f0000",
        "\u0378", "\uffff", "\u3164", "a\u115fb", "\u2800", "A\u034fn", "\U000e0041",
        "\u200dAnn", "Ann\u200d", "An\u200d\u200dn", "An\u200c n", "A\ufffcb",
        "🏴\U000e0067\U000e0062\U000e007f",
        "\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    ],
    "name.marks": [
        "\u0301", "\u0301a", "a \u0301", "\ufe0f", "Z\u0335\u0321\u0322\u0327\u0328a",
    ],
}  # fmt: skip

ALIKE = [
    ("Ann", "ann"), ("Ann", "ANN"), ("Ann", "Аnn"), ("Ann", "Ａｎｎ"),
    ("Ann", "𝐀𝐧𝐧"), ("Zoë", "Zoe"), ("Zoë", "Zoe\u0308"), ("Søren", "Soren"), ("Ben", "ВЕN"),
    ("Hen", "Ηen"), ("Ann", "Ꭺnn"), ("Hanna", "Һаnna"), ("Ian", "lan"), ("Ian", "1an"),
    ("Ian", "|an"), ("Leo", "Le0"), ("Arno", "Amo"), ("vvilli", "willi"), ("İpek", "ipek"),
    ("ıpek", "ipek"), ("Strauß", "STRAUSS"),
    ("👩\u200d🚀", "👩🚀"), ("❤", "❤\ufe0f"), ("Ann Lee", "Ann  Lee"), ("دانا", "دَانا"),
    ("oսt", "out"), ("Սlla", "Ulla"),
]  # fmt: skip

DIFFERENT = [
    ("Ann", "Anna"), ("Kai", "Kal"), ("Ian", "Lan"), ("Ali", "All"), ("Ann", "An n"),
    ("राम", "रीमा"), ("かな", "がな"), ("李", "王"), ("👩", "👨"), ("Jo", "Joe"), ("Bo", "Bob"),
    ("steady 2", "steady 3"),
]  # fmt: skip


@pytest.mark.parametrize("name", GENUINE)
def test_genuine_names_of_any_script_are_names(name: str) -> None:
    assert read_name(name) == normalize("NFC", name)
    run = table_of("ann", "ben")
    run.do(Rename(name), "ben")
    assert visible(run.table.state.seats[1].name) == normalize("NFC", name)


@pytest.mark.parametrize(("code", "name"), [(c, n) for c, names in REFUSED.items() for n in names])
def test_what_is_not_a_name_is_refused(code: str, name: str) -> None:
    with pytest.raises(NotReadable) as caught:
        read_name(name)
    assert caught.value.reason.code == code
    for language in LANGUAGES:
        assert is_printable(sentence(caught.value.reason, language))
    run = table_of("ann", "ben", players=3)
    assert refusal_code(run, Rename(name), "ben") == code
    assert refusal_code(run, Join(name), "cleo") == code
    assert refusal_code(run, Watch(name), "cleo") == code
    assert refusal_code(run, GiveSeat(1, bot="random", name=name), "ann") == code
    assert refusal_code(run, Start("random", (name,)), "ann") == code


def test_a_name_is_stored_composed_and_with_single_blanks() -> None:
    assert read_name(" Zoe\u0308 \u00a0 Lee\n") == "Zoë Lee"


def test_chat_is_counted_composed() -> None:
    run = table_of("ann", "ben")
    assert run.say(Chat("E\u0301" * MAX_CHAT), "ben").text == "É" * MAX_CHAT


@given(st.text(max_size=MAX_NAME + 2))
def test_an_accepted_name_hides_nothing(text: str) -> None:
    try:
        name = read_name(text)
    except NotReadable:
        return
    assert read_name(name) == name
    assert 0 < len(name) <= MAX_NAME
    assert is_normalized("NFC", name)
    assert any(category(each)[0] in "LNPS" for each in name)
    kinds = {category(each) for each in FLAGS.sub("", name) if each not in JOINERS}
    assert not kinds & {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
    marks = "".join("m" if category(each)[0] == "M" else " " for each in name)
    assert "m" * (MAX_MARKS + 1) not in marks
    assert alike(name, name)


@given(st.text(max_size=2 * MAX_NAME))
def test_any_text_gives_a_name(text: str) -> None:
    name = name_from(text)
    assert name == "" or read_name(name) == name


@given(st.text("AbcdeHIkmnoPstXÄØ 0", min_size=1), st.data())
def test_disguises_are_seen_through(text: str, data: st.DataObject) -> None:
    """Letters of another script, accents, other cases, joiners and widths, each at random."""
    name = read_name("x" + text + "x")[:20].strip()
    cyrillic = str.maketrans("AaceHKMoPpTXx", "АасеНКМоРрТХх")

    def disguised(letter: str) -> str:
        full = chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter
        accented = letter + "\u0301" if letter.isalpha() else letter
        return data.draw(st.sampled_from([letter, letter.translate(cyrillic), full, accented]))

    other = "".join(map(disguised, name))
    assert alike(name, other)
    assert alike(name, name.swapcase())
    assert alike(name, "\u200d".join(name))


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ(one: str, other: str) -> None:
    assert not alike(one, other)


def test_no_two_names_at_a_table_are_nearly_the_same() -> None:
    run = started_table("ann", "ben", players=3)
    bot = run.table.state.seats[2].name
    for taken in ("Веn", "BEN", "ben", "Bén", bot.upper()):
        assert refusal_code(run, Watch(taken), "eve") in ("table.name_taken", "table.name_alike")
        assert refusal_code(run, GiveSeat(1, bot="random", name=taken), "ben").startswith(
            "table.name"
        )
    run.do(Rename("Bén"), "ben")
    run.do(Rename("Ben"), "ben")


def test_no_bot_has_a_persons_name() -> None:
    """What the host suggests is left out where a guest has it; what there is by itself differs."""
    run = table_of("ann", "ben", players=4)
    run.do(Rename("Véga"), "ben")
    run.do(Watch("Altair"), "eve")
    run.do(Start("steady", ("Vega", "Rigel")), "ann")
    assert run.table.state.names == ("Ann", "Véga", "Rigel", "Spica")


def test_no_more_names_are_looked_at_than_there_are_seats() -> None:
    """Each is compared with all others: 256 of them took the server a second."""
    run = table_of("ann", "ben", players=4)
    run.do(Start("steady", ("Vega", "Rigel", "Castor", "Izar", "Izar", "\n")), "ann")
    assert run.table.state.names == ("Ann", "Ben", "Vega", "Rigel")


def test_older_names_still_fold_and_stay() -> None:
    """A log of before; who has such a name may move and be seen, and keeps it."""
    table = Table()
    facts = (
        Created("poof", 3, DEFAULT_OPTIONS), SeedCommitted(1, "00" * 32), SeedStored("00" * 16),
        Joined("ann", "\u202eevil"), HostPassed("ann"), Sat("ann", 0),
        Joined("ben", "\u200b"), Sat("ben", 1),
    )  # fmt: skip
    for number, fact in enumerate(facts, 1):
        table.apply(Event(number, 1000, fact))
    assert table.do(Join("\u200b", 2), "ben", 2000) == [Event(9, 2000, Sat("ben", 2))]
    assert table.do(Watch("Eve"), "eve", 3000)
    assert table.view_for("eve").seats[2].name == "\u200b"


@pytest.mark.parametrize(
    "other",
    ["Ann\U00016fe4", "Ann\u2d7f", "Ann\U0001107f", "\ua4ee\ua4e0\ua4e0", "A\u0274\u0274",
     "\u2c80nn"],
)  # fmt: skip
def test_marks_and_letters_of_other_scripts_do_not_make_another_name(other: str) -> None:
    assert alike(other, "Ann")
