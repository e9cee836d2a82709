"""Colours as numbers: contrast (WCAG 2), distance (OKLab), and how they look to people who are
colour blind (Machado, Oliveira and Fernandes 2009, the full loss of one kind of cone)."""

from __future__ import annotations

import re
from math import dist
from typing import Final

#: Red, green and blue from 0 to 255, as on a screen.
Colour = tuple[float, float, float]

LOSSES: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def parsed(css: str) -> Colour:
    """A colour from ``rgb(1, 2, 3)`` or ``color(srgb 0.1 0.2 0.3)``, as a browser computes it. It
    must be opaque."""
    match = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", css)
    mixed = re.fullmatch(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)", css)
    found = match or mixed
    assert found, f"no opaque colour: {css}"
    red, green, blue = (float(each) * (1 if match else 255) for each in found.groups())
    return red, green, blue


def _linear(value: float) -> float:
    value = min(max(value / 255, 0), 1)
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, 1 to 21."""

    def luminance(colour: Colour) -> float:
        red, green, blue = map(_linear, colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def oklab(colour: Colour, loss: str = "none") -> Colour:
    """A colour as seen with a loss, in OKLab (Ottosson 2020)."""
    linear = tuple(map(_linear, colour))
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0), 1) for row in LOSSES[loss]
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: Colour, other: Colour, loss: str = "none") -> float:
    """How far apart two colours look: 0 to about 1; 0.02 is just noticed."""
    return dist(oklab(one, loss), oklab(other, loss))
