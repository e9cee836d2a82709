"""The names of bots at tables: all have some of their own, the same in every language.

They are in the sky, because hardly anybody who joins is called that: small moons for the easy bot,
bright stars for steady, stars whose light changes for medium, which does not always play its best,
the brightest of their constellations for hard, whole constellations for master, and people who
looked at them for long for deep.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NAMES: Final[Mapping[str, str]] = {
    "easy": "Puck Mimas Rhea Naiad Thebe Elara Leda Kalyke",
    "steady": "Vega Rigel Spica Altair Deneb Sirius Capella Procyon",
    "medium": "Mira Algol Izar Porrima Shedar Gienah Tarazed Nashira",
    "hard": "Antares Bellatrix Regulus Hadar Kochab Zosma Menkar Fomalhaut",
    "master": "Orion Draco Lyra Cygnus Pavo Hydra Corvus Aquila",
    "deep": "Kepler Tycho Halley Hubble Cassini Messier Herschel Sagan",
}


def names_of(bot: str) -> list[str]:
    """The names for a bot, eight; others than those that people are offered have steady's."""
    return _NAMES.get(bot, _NAMES["steady"]).split()
