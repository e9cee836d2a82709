"""How much two pictures of a page differ to the eye: not by how a font was rasterised, but by what
has moved, is missing, reaches out or has another colour."""

from __future__ import annotations

from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageFilter

#: Both are looked at so small that a letter is a spot: in pixels of a window to one of theirs ...
_COARSE: Final = 4
#: ... and what differs is averaged over squares of twice this many and one of them.
_AROUND: Final = 2
#: From where on it is another picture: a mean difference of so much, of 255, in any square ...
MAX_DIFFERENCE: Final = 26
#: ... and where letters are drawn in another way than in the pictures that are kept.
MAX_ELSEWHERE: Final = 52
#: What a page runs so that its words are as wide everywhere: Chromium brings this font along with
#: whatever draws text on Linux.
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
    """A screenshot of a window of this width, as it is kept: half or a third as large, in WebP."""
    full = Image.open(BytesIO(png)).convert("RGB")
    part = width // (2 if width < 1000 else 3)
    size = (part, round(full.height * part / full.width))
    return _webp(full.resize(size, Image.Resampling.LANCZOS))


def _webp(picture: Image.Image) -> bytes:
    to = BytesIO()
    picture.save(to, "WEBP", quality=60, method=6)
    return to.getvalue()


def difference(one: bytes, other: bytes, width: int) -> Difference:
    """How much two pictures of a window of this width differ, both shrunk: what the compression
    has changed is alike in both."""
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
