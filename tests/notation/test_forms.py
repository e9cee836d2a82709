"""``docs/forms.md``: a text and a link that were tampered with are refused."""

from __future__ import annotations

import base64
import copy
import json
import quopri
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from rage import Game
from rage.engine.deal import Deals, commitment, word_commitment
from rage.notation import (
    NotARecord,
    Record,
    parse_record,
    read_link,
    read_record,
    read_text,
    record_of,
    write_link,
    write_record,
    write_text,
)
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet

EXAMPLE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "records/poof-example.rage.json").read_bytes()
)


def record(**fields: Any) -> Record:
    data = copy.deepcopy(EXAMPLE)
    data.update(fields)
    return parse_record(json.dumps(data).encode())


# --- text ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["Bo\nbids: 0 0 0", "Bo\n5. R1 R2 R3", "Bo\r\n[x 1]", "\x1b[2JBo", "Bo ; C", "Bo ;", "; Bo"],
)
def test_a_winner_is_named_in_the_line_of_the_trick_whatever_the_name(name: str) -> None:
    given = record(players=["A", name, "C"])
    text = write_text(given)
    assert write_record(read_text(text)) == write_record(given)
    assert len(text.split("\n")) == len(write_text(record()).split("\n"))
    assert "\x1b" not in text
    tricks = [line for line in text.split("\n") if line[:2] in ("1.", "2.", "3.", "4.")]
    assert [line.partition(" ;")[0] for line in tricks] == [
        f"{number}. {cards}" for number, cards in enumerate(EXAMPLE["rounds"][0]["tricks"], 1)
    ]
    assert all("Bo" in line.partition(" ;")[2] for line in (tricks[0], tricks[3]))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("2. G10", "1. G10"), ("2. G10", "3. G10"), ("4. X", "3. X"), ("4. X", "5. X"),
        ("1. B15", "0. B15"), ("1. B15", "2. B15"),
        ("hand 1:", "hand 0:"), ("hand 1:", "hand 2:"), ("hand 2:", "hand 3:"),
        ("round 7,", "round 6,"), ("round 7,", "round 8,"),
    ],
)  # fmt: skip
def test_a_number_repeated_or_skipped_is_refused(line: str, wrong: str) -> None:
    text = write_text(record())
    assert text.count(line) == 1
    number = text[: text.index(line)].count("\n") + 1
    with pytest.raises(NotARecord, match=f"ine {number}"):
        read_text(text.replace(line, wrong))


# --- link ----------------------------------------------------------------------------------


def as_bytes(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def as_part(number: int) -> str:
    data = number.to_bytes((number.bit_length() + 7) // 8, "little")
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_link_with_any_one_letter_changed_is_refused() -> None:
    head, _, number = write_link(record()).rpartition(".")
    changed = 0
    for i, letter in enumerate(number):
        other = number[:i] + ("A" if letter != "A" else "B") + number[i + 1 :]
        if as_bytes(other) == as_bytes(number):  # bits behind the last byte
            continue
        changed += 1
        with pytest.raises(NotARecord):
            read_link(f"{head}.{other}")
    assert changed > 20


def test_a_link_put_together_from_two_is_refused() -> None:
    """Both hold the same cards, and so each part can be read with the other's."""
    one, other = (write_link(record(players=names)) for names in (["A", "B", "C"], ["A", "B", "D"]))
    mixed = f"{one.rpartition('.')[0]}.{other.rpartition('.')[2]}"
    assert mixed not in (one, other)
    with pytest.raises(NotARecord):
        read_link(mixed)


def test_a_link_with_a_digit_too_many_is_refused() -> None:
    """With no round there are three digits: the check, no rounds, and no seed; so the next one
    has the value 65,536 x 31 x 2."""
    given = record(rounds=[], scores=[0, 0, 0])
    head, _, part = write_link(given).rpartition(".")
    number = int.from_bytes(as_bytes(part), "little")
    assert as_part(number) == part
    assert read_link(f"{head}.{part}").rounds == []
    for more in (1, 2, 255):
        with pytest.raises(NotARecord):
            read_link(f"{head}.{as_part(number + more * 65536 * 31 * 2)}")


def rematch(rules: RuleSet) -> Record:
    """A whole game whose first dealer the game before has decided, against the seed; its words
    were committed to."""
    seed, words = b"a rematch", ["owl", "", "elk"]
    first = (Deals(rules, 3, seed, words).first_dealer() + 1) % 3
    dealer = Deals(rules, 3, seed, words, first)
    game = Game(rules, 3, deals=[dealer.deal(number) for number, _ in enumerate(rules.schedule, 1)])
    while not game.over:
        game.play(game.legal_moves[0])
    hashes = [word_commitment(commitment(seed), word) if word else None for word in words]
    return record_of(
        game,
        commitment=commitment(seed),
        words=[word or None for word in words],
        word_commitments=hashes,
        first_dealer=first,
        seed=seed.hex(),
    )


def test_the_link_of_a_rematch_leaves_its_deals_to_the_seed() -> None:
    given = rematch(ruleset("poof"))
    link = write_link(given)
    assert write_record(read_link(link)) == write_record(given)
    del given.extra["seed"]
    assert len(write_link(given)) > 2 * len(link)


# --- pasted --------------------------------------------------------------------------------

LINK = f"https://rage.example/open#{write_link(record())}"
WRAPPED = "\n".join(LINK[at : at + 60] for at in range(0, len(LINK), 60))


@pytest.mark.parametrize(
    "pasted",
    [
        LINK, f"<{LINK}>", f"  {LINK}\n", WRAPPED, f"> look: {WRAPPED}".replace("\n", "\r\n  "),
        f"Look at this game: {LINK}. It is 1.5 times as long!", f"See [this]({LINK}&at=7.2)",
        LINK.rpartition("#")[2], f"[our game]({LINK})", f"look: {quote(LINK)} there",
        f"[a b]({quote(LINK)})", quopri.encodestring(f"Our game: {LINK}\n".encode()).decode(),
    ],
)  # fmt: skip
def test_a_link_is_read_as_people_paste_it(pasted: str) -> None:
    assert write_record(read_record(pasted.encode())) == write_record(record())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("written", [write_record(record()).decode(), write_text(record()), LINK])
def test_files_of_notepad_and_powershell_are_read(written: str, encoding: str) -> None:
    """A byte order mark, and UTF-16 behind one."""
    assert write_record(read_record(written.encode(encoding))) == write_record(record())


def test_what_is_no_link_is_said_to_be_none() -> None:
    for wrong in (LINK[:-9], f"Look: {LINK[:-9]} there", "https://rage.example/#1.a.b"):
        with pytest.raises(NotARecord, match="link"):
            read_record(wrong.encode())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("games/0.rage.json", "is a file name"),
        ("game one.json\n", "is a file name"),
        ("[]", "neither a record"),
        ('[{"format": "rage-game"}]', "neither a record"),
        ("Dear diary,\nI lost again.", "neither a record"),
        ("import rage\n", "neither a record"),
        ("<script>alert(1)</script>", "neither a record"),
        ("<b>who won?</b> See rage.app", "neither a record"),
    ],
)
def test_what_cannot_be_a_game_is_said_to_be_none(given: str, said: str) -> None:
    with pytest.raises(NotARecord, match=said):
        read_record(given)
