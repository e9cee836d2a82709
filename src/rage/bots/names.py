"""The names of bots at tables: each bot has its own, the same in every language.

They come from the sky, because hardly any player is called that: moons for easy, stars for steady,
medium and hard, constellations for master, and astronomers for deep.
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
    """The eight names of a bot; bots that are not offered to people have steady's."""
    return _NAMES.get(bot, _NAMES["steady"]).split()
