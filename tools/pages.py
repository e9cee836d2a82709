"""Puts the site together as it is published, in ``build/pages``: the pages of ``build/site`` as
``latest``, those of a release as ``stable``, and the game at ``play``.

    python -m tools.pages [STABLE]     the archive of the newest release's site, if there is one

Every page leads to the same one of the other version. A map for search engines and the links of the
page for missing addresses need the site's own address, ``Documentation`` in ``pyproject.toml``.
"""

from __future__ import annotations

import shutil
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
#: Where the pages have room for the versions (docs/templates), and for a link to the game.
VERSIONS: Final = "<!-- versions -->"
GAME: Final = 'href="play/"'
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>Rage</title>
{}
"""
_MISSING: Final = "<h1>There is no such page</h1>"
_MAP: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""


def assemble(site: Path, stable: Path | None, to: Path, address: str | None) -> None:
    """Write the published folder from the folder of the site, an archive and the site's address."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(site, to / "latest")
    if stable:
        with tarfile.open(stable) as archive:
            archive.extractall(to, filter="data")
        (to / "site").rename(to / "stable")
    names = [name for name in ("stable", "latest") if (to / name).exists()]
    for name in names:
        if not (to / "play").exists() and (to / name / "play").exists():
            (to / name / "play").rename(to / "play")
        shutil.rmtree(to / name / "play", ignore_errors=True)
    for name in names:
        for page in (to / name).rglob("*.html"):
            _lead_on(page, name, names, to)
    main = names[0]
    forward = f'<meta http-equiv="refresh" content="0; url={main}/" />\n<a href="{main}/">Rage</a>'
    (to / "index.html").write_text(_PAGE.format(forward), encoding="utf-8")
    missing = _MISSING
    if address:
        missing += f'\n<p><a href="{address}">Rage</a></p>'
        pages = (page.relative_to(to).as_posix() for page in sorted((to / main).rglob("*.html")))
        listed = "\n".join(f"<url><loc>{address}{page}</loc></url>" for page in pages)
        (to / "sitemap.xml").write_text(_MAP.format(listed), encoding="utf-8")
    (to / "404.html").write_text(_PAGE.format(missing), encoding="utf-8")


def _lead_on(page: Path, name: str, names: list[str], to: Path) -> None:
    """Link a page of one version to the others, and to the game."""
    inner = page.relative_to(to / name)
    up = "../" * len(inner.parts)
    links = []
    for other in names:
        there = inner if (to / other / inner).exists() else Path("index.html")
        current = ' aria-current="true"' if other == name else ""
        links.append(f'<a href="{up}{other}/{there.as_posix()}"{current}>{other}</a>')
    text = page.read_text(encoding="utf-8").replace(GAME, f'href="{up}play/"')
    shown = f'<p class="versions">{" ".join(links)}</p>'
    page.write_text(text.replace(VERSIONS, shown), encoding="utf-8")


def main() -> int:
    """Put the site together. Returns the exit status."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Documentation")
    address = address and f"{address.rstrip('/')}/"
    stable = next((Path(each) for each in sys.argv[1:] if each), None)
    assemble(ROOT / "build" / "site", stable, ROOT / "build" / "pages", address)
    if address is None:
        print("No map of the site, and no link on its 404.html: pyproject.toml names no"
              " Documentation under [project.urls].", file=sys.stderr)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
