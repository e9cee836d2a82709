"""How the properties are run: the same examples each time, unless asked to explore.

``pytest --hypothesis-profile explore`` draws others, and many more of them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    database=None,
    deadline=None,  # two busy cores make any example slow now and then
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("fixed"), derandomize=False,
                          max_examples=3000)  # fmt: skip
settings.load_profile("fixed")


#: The folders whose tests take longest. They begin, so that no worker is left with them at the end.
LONGEST = ("page", "tui", "server", "packaging")

#: The folders whose tests wait for browsers, sockets, terminals and other processes. On busy cores
#: one in some thousands comes too late by bad luck: it gets a second try, and its first failure is
#: printed all the same, to be mended. What only computes gets none, nor do drawn examples.
WAITING = ("page", "tui", "server", "packaging", "cli", "table")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first, otherwise the order stays; and say what may be tried again."""

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)

    items.sort(key=place)
    for item in items:
        waits = item.path.relative_to(Path(__file__).parent).parts[0] in WAITING
        if waits and not getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(optionalhook=True)  # without xdist nobody asks
def pytest_xdist_auto_num_workers() -> int:
    """How many workers ``-n auto`` means: twice as many as there are processors, for the tests of
    the server and of the page wait for much of their time."""
    return 2 * (os.cpu_count() or 1)
