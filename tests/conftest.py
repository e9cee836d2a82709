"""How the properties are run: the same examples each time, unless asked to explore.

``pytest --hypothesis-profile explore`` draws others, and many more of them.
"""

from __future__ import annotations

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
