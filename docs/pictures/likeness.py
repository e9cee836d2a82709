"""How much two pictures of a page differ to the eye: not in how a font was rasterised, but in parts
that have moved, are missing, overflow or have another colour."""

from __future__ import annotations

from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageFilter

#: Both are scaled down until a letter is a spot: pixels of the window per pixel ...
_COARSE: Final = 4
#: ... and differences are averaged over squares of twice this plus one such pixels.
_AROUND: Final = 2
#: Above this, it is another picture: the mean difference, of 255, in any square ...
MAX_DIFFERENCE: Final = 26
#: ... and on a machine that draws letters differently from the stored pictures.
MAX_ELSEWHERE: Final = 52
#: A script of the page that makes words equally wide everywhere: on Linux, Chromium brings this
#: font along with whatever draws text.
PLAIN_FONT: Final = """
const style = new CSSStyleSheet();
style.replaceSync(":root { --font: 'DejaVu Sans', sans-serif !important }");
document.adoptedStyleSheets = [style];
"""


class Difference(NamedTuple):
    """The largest mean difference in any square, and where that is, in pixels of the window."""

    most: int
    x: int
    y: int


def shrunk(png: bytes, width: int) -> bytes:
    """A screenshot of a window of this width, as stored: half or a third as large, in WebP."""
    full = Image.open(BytesIO(png)).convert("RGB")
    part = width // (2 if width < 1000 else 3)
    size = (part, round(full.height * part / full.width))
    return _webp(full.resize(size, Image.Resampling.LANCZOS))


def _webp(picture: Image.Image) -> bytes:
    to = BytesIO()
    picture.save(to, "WEBP", quality=60, method=6)
    return to.getvalue()


def difference(one: bytes, other: bytes, width: int) -> Difference:
    """How much two pictures of a window of this width differ, both shrunk, so that
    compression has changed them alike."""
    before, now = (Image.open(BytesIO(each)).convert("RGB") for each in (one, other))
    if before.size != now.size:
        return Difference(255, 0, 0)
    spread = _spread(before, now, width)
    values = spread.tobytes()
    most = max(values)
    y, x = divmod(values.index(most), spread.width)
    return Difference(most, x * _COARSE, y * _COARSE)


def _spread(before: Image.Image, now: Image.Image, width: int) -> Image.Image:
    size = (width // _COARSE, round(before.height * (width // _COARSE) / before.width))
    one, other = (
        each.resize(size, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(1))
        for each in (before, now)
    )
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).filter(
        ImageFilter.BoxBlur(_AROUND)
    )
