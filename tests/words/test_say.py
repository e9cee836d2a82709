"""Sentences begin with a capital letter, names stay as they are."""

from __future__ import annotations

import pytest

import rage
from rage.say import (
    LANGUAGES,
    Reason,
    card_name,
    decimal,
    join,
    percent,
    sentence,
    short_name,
    with_colon,
)


def test_a_sentence_that_begins_with_a_colour_begins_with_a_capital() -> None:
    reason = Reason("refuse.follow", {"card": "R4", "colour": "G", "cards": "G10", "n": 1})
    assert sentence(reason) == "Green was led and you hold green: play G10."
    named = Reason("event.trump.change_named", {"colour": "G"})
    assert sentence(named) == "Green is trump now."


def test_cards_to_choose_from_are_joined_by_or() -> None:
    params = {"colour": "P", "cards": "P11 P4 P2", "card": "R4", "n": 3}
    reason = Reason("refuse.follow", params)
    assert sentence(reason) == "Purple was led and you hold purple: play P11, P4 or P2."
    assert sentence(reason, "de").endswith("mit L11, L4 oder L2.")
    assert sentence(reason, "es").endswith("juega M11, M4 o M2.")


def test_a_reason_may_bring_its_people() -> None:
    reason = Reason("event.bid", {"player": 1, "n": 2, "cast": ("Ada", "Ben")})
    assert sentence(reason) == sentence(reason, names=["Cleo", "Dan"]) == "Ben bids 2."


def test_a_name_is_never_changed() -> None:
    reason = Reason("event.bid", {"player": 0, "n": 2})
    assert sentence(reason, names=["ada"]) == "ada bids 2."
    assert sentence(reason, names=["ßo"]) == "ßo bids 2."
    many = Reason("event.end", {"players": [0, 1], "n": 2, "points": 9})
    assert sentence(many, names=["ada", "bob"]) == "ada and bob win the game with 9 points."


def test_a_seat_without_a_name_begins_a_sentence_with_a_capital() -> None:
    assert sentence(Reason("event.bid", {"player": 2, "n": 2})) == "Seat 2 bids 2."
    assert sentence(Reason("event.bid", {"player": 2, "n": 2}), "es") == "Asiento 2 apuesta 2."
    many = Reason("event.end", {"players": [1, 0], "n": 2, "points": 9})
    assert sentence(many) == "Seat 1 and seat 0 win the game with 9 points."
    assert sentence(many, names=["ada"]) == "Seat 1 and ada win the game with 9 points."


@pytest.mark.parametrize("name", ["", " "])
def test_a_player_without_a_name_is_called_by_the_seat(name: str) -> None:
    why = Reason("refuse.turn", {"player": 1})
    assert sentence(why, names=["Ada", name]) == "It is seat 1's turn."
    assert (
        sentence(Reason("event.bid", {"player": 1, "n": 2}), names=["Ada", name])
        == "Seat 1 bids 2."
    )
    assert "seat 1 to bid" in repr(rage.Game("poof", [name] * 2, seed=0))


def test_within_a_sentence_nothing_gets_a_capital() -> None:
    reason = Reason("event.trump.deal", {"cards": "R4", "colour": "R"})
    assert sentence(reason) == "Turned up: R4; red is trump."


def test_what_is_no_sentence_gets_no_capital() -> None:
    assert sentence(Reason("colour.R")) == "red"
    assert sentence(Reason("ruleset.no_setting", {"setting": "mis", "allowed": "x"})) == (
        "there is no setting called mis; the settings are x"
    )


def test_colours_are_joined() -> None:
    reason = Reason("rules.cards.coloured", {"n": 48, "colours": 3, "top": 15, "names": "ROY"})
    assert sentence(reason).endswith("The colours: red, orange and yellow.")


def test_french_has_a_space_before_signs() -> None:
    kinds = [Reason("rules.cards.kind", {"n": 2, "card": card}) for card in "WX"]
    reason = Reason("rules.cards.actions", {"n": 4, "kinds": kinds})
    assert sentence(reason, "en", edition="poof").endswith(": 2 × Wild Rage; 2 × Out Rage.")
    assert sentence(reason, "fr").endswith("\u202f: 2 × Joker\u202f; 2 × Sans atout.")
    assert [with_colon("Ada", language) for language in ("de", "fr")] == ["Ada:", "Ada\u202f:"]


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("Inés", "Ana e Inés"),
        ("Hilario", "Ana e Hilario"),
        ("Íñigo", "Ana e Íñigo"),
        ("Iago", "Ana y Iago"),
        ("Hierro", "Ana y Hierro"),
        ("Yago", "Ana y Yago"),
        ("Hugo", "Ana y Hugo"),
    ],
)
def test_spanish_has_another_and_before_the_same_sound(last: str, words: str) -> None:
    assert join(["Ana", last], "es") == words
    assert join(["Ana", last], "en") == f"Ana and {last}"


def test_spanish_has_another_or_before_the_same_sound() -> None:
    params = {"colour": "P", "cards": "W X", "card": "R4", "n": 2, "edition": "poof"}
    reason = Reason("refuse.follow", params)
    assert sentence(reason, "es").endswith("juega Wild Rage u Out Rage.")
    assert sentence(reason, "de").endswith("mit Wild Rage oder Out Rage.")


@pytest.mark.parametrize(
    ("language", "edition", "name"),
    [
        ("en", "amigo", "Change Trump"),
        ("de", "amigo", "Trumpfwechsel"),
        ("de", "poof", "Change Rage"),
        ("es", "poof", "Change Rage"),
        ("es", "fundex", "Change Rage"),
        ("es", "amigo", "Cambio de triunfo"),
    ],
)
def test_cards_have_the_names_printed_on_them(language: str, edition: str, name: str) -> None:
    assert card_name("C", language, edition) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_editions_with_the_same_cards_name_them_alike(language: str) -> None:
    for code in "WCX+-":
        assert card_name(code, language, "fundex") == card_name(code, language, "poof")


@pytest.mark.parametrize(
    ("code", "short"),
    [
        ("G4", "Gr4"),
        ("Y15", "G15"),
        ("WG", "WGr"),
        ("CY", "CG"),
        ("W", "W"),
        ("X", "X"),
        ("3", "3"),
    ],
)
def test_short_names_have_the_letters_of_the_language(code: str, short: str) -> None:
    assert short_name(code, "de") == short
    assert short_name(code) == code


@pytest.mark.parametrize(
    ("language", "letters"),
    [("en", "R O Y G B P"), ("de", "R O G Gr B L"), ("es", "R N A V Az M")],
)
def test_letters_for_people(language: str, letters: str) -> None:
    said = " ".join(card_name(f"{letter}4", language)[:-1] for letter in "ROYGBP")
    assert said == letters


def test_a_reason_may_bring_its_edition() -> None:
    why = Reason("refuse.change_turns", {"card": "C"})
    reason = Reason(
        "notation.cannot_play",
        {"player": 0, "cast": ["ada"], "card": "CR", "why": why, "edition": "amigo"},
    )
    assert sentence(reason) == (
        "ada cannot play Change Trump to red: "
        "Under these rules Change Trump names no colour: it turns up the new trump."
    )
    assert "Change Rage to red" in sentence(reason, edition="poof")


def test_percentages_are_written_as_readers_do() -> None:
    written = [percent(0.125, ".1f", language) for language in ("en", "de", "es")]
    assert written == ["12.5%", "12,5 %", "12,5 %"]
    assert percent(1, ".0f", "de") == "100 %"


def test_what_is_rounded_to_nought_is_not_negative() -> None:
    assert decimal(-0.03, ".1f", "en") == decimal(0.0, ".1f", "en") == "0.0"
    assert decimal(-0.03, "+.1f", "de") == "+0,0"
    assert decimal(-0.06, ".1f", "es") == "−0,1"


def test_a_word_has_as_many_forms_as_its_language(arabic: str) -> None:
    forms = {0: "ورقة", 1: "ورقة واحدة", 2: "ورقتان", 3: "أوراق", 10: "أوراق", 11: "ورقةً",
             99: "ورقةً", 100: "ورقة", 102: "ورقة", 103: "أوراق", -2: "ورقتان"}  # fmt: skip
    said = {n: sentence(Reason("sheet.hand", {"n": n}), arabic) for n in forms}
    assert said == {n: f"{n} {form}".replace("-", "−") for n, form in forms.items()}
    assert sentence(Reason("sheet.hand", {"n": -1})) == "−1 card"


def test_a_noun_has_the_case_that_its_sentence_asks_for(arabic: str) -> None:
    def played(card: str) -> str:
        params = {"player": 0, "card": card, "edition": "amigo"}
        return sentence(Reason("event.play", params), arabic, names=["Ann"])

    assert played("W") == "Ann يلعب جوكرًا."
    assert played("X") == "Ann يلعب بلا أتو.", "which has no other form"
    change = Reason("event.trump.change_named", {"colour": "R"})
    assert sentence(change, arabic) == "صار الأتو الأحمر."
