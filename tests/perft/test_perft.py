"""Counts and digests of every way to play fixed deals; a failure prints the split."""

from __future__ import annotations

import pytest

from perft.cases import Case, all_cases, by_oracle, read, split
from rage import ruleset
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import PRINTED

CASES = all_cases()
SMALL = {name: case for name, case in CASES.items() if case.leaves <= 3000}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_kernel_counts(case: Case) -> None:
    found = case.position().perft()
    if found != (case.leaves, case.digest):
        pytest.fail(f"{found[0]} {found[1]:016x} instead of\n{case.text()}\n{split(case)}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_the_oracle_counts_the_same(case: Case) -> None:
    assert by_oracle(case) == (case.leaves, case.digest)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_oracle_counts_the_same_in_large_cases(case: Case) -> None:
    assert by_oracle(case) == (case.leaves, case.digest)


def test_the_split_adds_up() -> None:
    for case in list(SMALL.values())[:10]:
        rows = [line.split() for line in split(case).splitlines()]
        assert sum(int(count) for _, count, _ in rows) == case.leaves
        assert sum(int(digest, 16) for _, _, digest in rows) % 2**64 == case.digest


def test_a_case_reads_as_it_was_written() -> None:
    for case in CASES.values():
        assert list(read(case.text())) == [case]


def test_every_edition_variant_and_number_of_players_is_there() -> None:
    names = [case.rules for case in CASES.values()]
    for edition in PRINTED:
        least, most = ruleset(edition).player_range
        sizes = {len(case.hands) for case in CASES.values() if case.rules.startswith(edition)}
        assert sizes == set(range(least, most + 1))
        for variant in VARIANTS:
            wanted = {"rising": "", "level": ""}.get(variant, variant)  # schedules are cut here
            wanted = "" if (edition, variant) == ("amigo", "volatile") else wanted
            assert any(name.startswith(edition) and wanted in name for name in names)
