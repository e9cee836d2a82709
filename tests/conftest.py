"""How the properties are run: the same examples each time, unless asked to explore.

``pytest --hypothesis-profile long`` tries more of them, ``explore`` others, and many more. With
``RAGE_NO_SKIPS`` set, a test fails that would be skipped for something that every machine can have.
"""

from __future__ import annotations

import json
import logging
import os
import re
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from packages import make_distribution, make_environment, make_wheel, once, python_of
from rage import say

# A run that was started in the background ignores Ctrl-C, and so would every program that a test
# starts and stops with it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "fixed",
    derandomize=True,
    database=None,
    max_examples=40,
    deadline=None,  # two busy cores make any example slow now and then
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("fixed"), max_examples=200)
settings.register_profile("explore", settings.get_profile("fixed"), derandomize=False,
                          max_examples=3000)  # fmt: skip
settings.load_profile("fixed")


PAGE = Path(__file__).with_name("page")
#: The folders whose tests take longest. They begin, so that no worker is left with them at the end.
LONGEST = ("page", "tui", "server", "house", "packaging")
#: The module that comes first of all: it builds the wheel, for which others wait.
BUILDS = PAGE.with_name("packaging") / "test_distribution.py"

NO_SKIPS = bool(os.environ.get("RAGE_NO_SKIPS"))
#: What a machine need not have even so, as the reasons for skipping name it.
MAY_LACK = re.compile(r"\b(zsh|fish|sqlite3|systemd)\b")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What must not be skipped has failed."""
    return _unless_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same of whole files."""
    return _unless_skipped((yield))


def _unless_skipped(report: Report) -> Report:
    reason = str(report.longrepr)
    if NO_SKIPS and report.skipped and not MAY_LACK.search(reason):
        report.outcome, report.longrepr = "failed", f"skipped, with RAGE_NO_SKIPS set: {reason}"
    return report


@pytest.hookimpl(tryfirst=True)  # before the long ones are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first, otherwise the order stays; and leave what is not sampled to the
    long runs."""

    @cache
    def folder_of(path: Path) -> str:
        return path.relative_to(Path(__file__).parent).parts[0]

    def place(item: pytest.Item) -> int:
        if item.path == BUILDS:
            return -1
        folder = folder_of(item.path)
        return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)

    items.sort(key=place)
    seen = Counter[str]()
    for item in items:
        long = item.get_closest_marker("long") is not None
        if (sampled := item.get_closest_marker("sampled")) and not long:
            test = item.nodeid.partition("[")[0]
            if seen[test] % sampled.args[0]:
                item.add_marker(pytest.mark.long)
            seen[test] += 1


@pytest.hookimpl(optionalhook=True)  # without xdist nobody asks
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many workers ``-n auto`` means: twice as many as there are processors, for most tests
    wait for much of their time; as many for those of the page alone, for a browser keeps a
    processor busy, and more of them only get into each other's way."""
    processors = os.cpu_count() or 1
    page_alone = all(Path(each.partition("::")[0]).resolve().is_relative_to(PAGE)
                     for each in config.args)  # fmt: skip
    return processors if page_alone else 2 * processors


@pytest.fixture(autouse=True)
def own_log() -> Iterator[None]:
    """Where the log goes is the business of each test: a server in this process takes it over."""
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    yield
    root.handlers[:], root.level = handlers, level


@pytest.fixture(scope="session")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution."""
    (made,) = once(tmp_path_factory, "sdist", make_distribution).glob("dist/*.tar.gz")
    return made


@pytest.fixture(scope="session")
def wheel(distribution: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled wheel of the source distribution."""
    folder = once(tmp_path_factory, "wheel", lambda folder: make_wheel(distribution, folder))
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel and nothing else."""
    folder = once(tmp_path_factory, "installed", lambda folder: make_environment(wheel, folder))
    return python_of(folder)


@pytest.fixture
def arabic(monkeypatch: pytest.MonkeyPatch) -> str:
    """A language whose catalogue has only some sentences, six forms of a word for a number, and
    cases."""
    own = json.loads(
        Path(__file__).with_name("words").joinpath("ar.json").read_text(encoding="utf-8")
    )
    known = say.catalogue
    catalogues = {"ar": say.completed(own)}
    monkeypatch.setattr(say, "catalogue", lambda name: catalogues.get(name) or known(name))
    return "ar"
