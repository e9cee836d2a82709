"""A store that is closed, cannot be opened or cannot write a value says so, to whom it concerns."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rage.house.store import StoreFailed
from server.running import PATIENCE
from server.stored import sqlite_store


async def test_what_is_written_after_the_end_fails_and_does_not_hang(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "rage.db")
    await store.keep_profile("person", "Ann")
    await store.close()
    with pytest.raises(StoreFailed):
        await asyncio.wait_for(store.keep_profile("person", "Ben"), PATIENCE)


async def test_a_folder_that_cannot_be_made_is_a_store_that_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(StoreFailed):
        sqlite_store(tmp_path / "file" / "rage.db")


async def test_a_value_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    """And nothing of what arrived with it."""
    store = sqlite_store(tmp_path / "rage.db")
    wrong = store.keep_profile("person", object())  # type: ignore[arg-type]
    right = store.keep_profile("other", "Ben")
    outcomes = await asyncio.gather(wrong, right, return_exceptions=True)
    assert isinstance(outcomes[0], TypeError)
    assert (await store.profile_of("other")).name == "Ben"
    await store.close()
