"""Draw the application icons of the page into ``public``: the six rays of a Wild.

    python web/draw_icons.py

The rays come from ``src/icons/actions.ts``, the colours from ``src/style/tokens.css``. Chromium
renders the SVG as PNG, for systems that want one.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PUBLIC = WEB / "public"
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
#: File name, size, the share that the rays fill, and the share of the corner radius.
PNGS = (
    ("icon-192.png", 192, 0.78, 0.22),
    ("icon-512.png", 512, 0.78, 0.22),
    ("icon-maskable-512.png", 512, 0.56, 0.0),  # a system may cut away all but a disc of 80 %
    ("apple-touch-icon.png", 180, 0.7, 0.0),
)


def token(name: str) -> str:
    """The value of a colour in ``tokens.css``."""
    text = (WEB / "src" / "style" / "tokens.css").read_text(encoding="utf-8")
    (value,) = re.findall(rf"^  --{name}: (#\w+);", text, flags=re.MULTILINE)
    return str(value)


def rays() -> list[str]:
    """The path data of the six rays, in a square of 24."""
    text = (WEB / "src" / "icons" / "actions.ts").read_text(encoding="utf-8")
    (inside,) = re.findall(r"RAYS: readonly string\[\] = \[(.*?)\]", text, flags=re.DOTALL)
    return re.findall(r"'([^']+)'", inside)


def icon(share: float, corner: float) -> str:
    """The icon as SVG: rays that fill ``share`` of it, on dark with corners of ``corner``."""
    scale = 64 / 24 * share
    place = 32 - 12 * scale
    lines = [
        f'    <path d="{ray}" fill="{token(name)}" stroke="{token(name)}" />'
        for name, ray in zip(COLOURS, rays(), strict=True)
    ]
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
            f'  <rect width="64" height="64" rx="{64 * corner:.5g}" fill="{token("card-dark")}" />',
            f'  <g transform="translate({place:.5g} {place:.5g}) scale({scale:.5g})"',
            '     stroke-linejoin="round">',
            *lines,
            "  </g>",
            "</svg>",
            "",
        ]
    )


def main() -> int:
    """Write the icon files."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    (PUBLIC / "icon.svg").write_text(icon(0.86, 0.22), encoding="utf-8")
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium)
        for name, size, share, corner in PNGS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }}</style>{icon(share, corner)}")
            page.screenshot(path=str(PUBLIC / name), omit_background=True)
            page.close()
        browser.close()
    # For clients that request it without having read the page.
    Image.open(PUBLIC / "icon-192.png").save(PUBLIC / "favicon.ico", sizes=[(32, 32)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
