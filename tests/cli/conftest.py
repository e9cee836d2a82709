"""Commands run in these tests speak English, and see no games and sheets but their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def empty_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A data folder in which nothing has been kept, unless a test names another."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RAGE_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language, unless a test or an option names another."""
    monkeypatch.setenv("RAGE_LANG", "en")
