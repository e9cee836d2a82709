"""Where the limits of ``docs/record.md`` lie: what they name is still read, one more is not."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from rage.cli import main
from rage.notation import (
    NotARecord,
    parse_record,
    read_link,
    read_text,
    write_link,
    write_record,
    write_text,
)

EXAMPLE = (Path(__file__).parent.parent / "records/poof-example.rage.json").read_bytes()
MEBIBYTE = 1024 * 1024


def with_field(value: str) -> bytes:
    """The example with one more field, its value given as JSON."""
    return EXAMPLE.replace(b"{", b'{"x": ' + value.encode() + b",", 1)


def nested(depth: int) -> str:
    """That many lists, one inside the other."""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(("size", "status"), [(MEBIBYTE, 0), (MEBIBYTE + 1, 2)])
@pytest.mark.parametrize("form", ["record", "text", "link"])
def test_a_file_of_exactly_1_mib_is_replayed_and_one_byte_more_is_not(
    form: str, size: int, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = parse_record(EXAMPLE)
    forms = {
        "record": write_record(record),
        "text": write_text(record).encode(),
        "link": write_link(record).encode(),
    }
    path = tmp_path / "file"
    path.write_bytes(forms[form].ljust(size))
    assert main(["replay", str(path)]) == status
    assert (str(MEBIBYTE) in capsys.readouterr().err) == (status == 2)


def test_a_record_of_exactly_1_mib_is_written_and_one_byte_more_is_not() -> None:
    record = parse_record(EXAMPLE)
    room = MEBIBYTE - len(write_record(parse_record(with_field('""'))))
    record.extra["x"] = "y" * room
    assert len(write_record(record)) == MEBIBYTE
    record.extra["x"] += "y"
    with pytest.raises(NotARecord):
        write_record(record)


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_are_read_up_to_2_to_the_53rd(sign: int) -> None:
    """In a text as in a record."""
    for number in (2**53 - 1, 2**53):
        record = parse_record(with_field(str(sign * number)))
        text = write_text(record)
        assert record.extra["x"] == read_text(text).extra["x"] == sign * number
    with pytest.raises(NotARecord):
        parse_record(with_field(str(sign * (2**53 + 1))))
    with pytest.raises(NotARecord):
        read_text(text.replace(str(2**53), str(2**53 + 1)))


@pytest.mark.parametrize(("in_round", "deepest"), [(False, 63), (True, 61)])
def test_every_form_holds_what_is_nested_64_deep_in_a_record_and_nothing_deeper(
    in_round: bool, deepest: int
) -> None:
    """The record itself is the first of the 64."""
    record = parse_record(EXAMPLE)
    extra = record.rounds[0].extra if in_round else record.extra
    extra["x"] = json.loads(nested(deepest))
    data, text, link = write_record(record), write_text(record), write_link(record)
    assert write_record(parse_record(data)) == data
    assert write_record(read_text(text)) == data
    assert write_record(read_link(link)) == data
    with pytest.raises(NotARecord, match="64 deep"):
        read_text(text.replace(nested(deepest), nested(deepest + 1)))
    with pytest.raises(NotARecord):
        parse_record(data.replace(nested(deepest).encode(), nested(deepest + 1).encode()))
    extra["x"] = json.loads(nested(deepest + 1))
    for write in (write_record, write_text, write_link):
        with pytest.raises(NotARecord, match="64 deep"):
            write(record)


def test_a_link_whose_rounds_are_nested_too_deep_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = parse_record(EXAMPLE)
    record.rounds[0].extra["x"] = json.loads(nested(62))
    with monkeypatch.context() as patched:
        patched.setattr("rage.notation.writer.check_depth", lambda data: None)
        link = write_link(record)
    with pytest.raises(NotARecord):
        read_link(link)


def test_a_link_too_long_to_be_read_is_not_written() -> None:
    """What does not compress is longer in a link than in a record."""
    record = parse_record(EXAMPLE)
    printable = [chr(code) for code in range(32, 127) if chr(code) not in '"\\']
    letters = Random(0).choices(printable, k=MEBIBYTE - 2000)
    record.extra["comment"] = "".join(letters)
    assert parse_record(write_record(record)).extra == record.extra
    with pytest.raises(NotARecord, match=str(MEBIBYTE)):
        write_link(record)
