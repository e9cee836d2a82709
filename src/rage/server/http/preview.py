"""The preview of an invitation: what messengers show for the link of a table."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final

from rage.house.requests.requester import Requester, Site
from rage.house.requests.rows import TableLine
from rage.house.requests.tables import get_table
from rage.say import RageError, brief, join, text, visible
from rage.server.asgi import Scope, address_of, is_secure, url_of

#: The picture of all previews, a file of the page, with its width and height in pixels.
PICTURE: Final = "invitation.png"
_SIZE: Final = (1200, 630)
#: The longest name in a title.
_LONGEST: Final = 20


class Preview:
    """Describes tables in the head of their page with Open Graph tags."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def __call__(self, scope: Scope, code: str, language: str) -> str:
        """The tags for the table of a code, which reveal no more than the invitation shows to
        anyone with the link; empty if there is no such table. A wrong code counts as a guess, as
        everywhere."""
        url = url_of(scope)
        person = self._site.keys.authenticate(scope["headers"])
        requester = Requester(
            self._site, person, language, address_of(scope), url, is_secure(scope), ""
        )
        try:
            line = await get_table(requester, code)
        except RageError:
            return ""
        place = url + self._site.links.base_path
        tags = {
            "og:site_name": "Rage",
            "og:type": "website",
            "og:locale": language,
            "og:title": _title(line, language),
            "og:description": _about(line, language),
            "og:url": f"{place}/t/{line.table}",
            "og:image": f"{place}/{PICTURE}",
            "og:image:width": str(_SIZE[0]),
            "og:image:height": str(_SIZE[1]),
            "og:image:alt": text("serve.preview.picture", language),
        }
        return "".join(_written(tags))


def _written(tags: dict[str, str]) -> Iterator[str]:
    for name, content in tags.items():
        yield f'    <meta property="{name}" content="{html.escape(content, quote=True)}" />\n'
    yield '    <meta name="twitter:card" content="summary_large_image" />\n'


def _title(line: TableLine, language: str) -> str:
    names = [visible(brief(seat.name, _LONGEST), language) for seat in line.seats if seat.name]
    if not names:
        return text("serve.preview.empty", language)
    return text("serve.preview.title", language, names=join(names, language))


def _about(line: TableLine, language: str) -> str:
    free = sum(not seat.name for seat in line.seats)
    if line.phase != "gathering":
        return text("serve.preview.begun", language, title=line.title)
    return text("serve.preview.free", language, title=line.title, n=free)
