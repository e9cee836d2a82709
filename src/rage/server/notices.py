"""The operator's own texts, such as on privacy: external links, or files shown as pages."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from rage.files import system_reason
from rage.say import LANGUAGES, NotReadable, html_language, text

#: The names of all possible notices.
NOTICES: Final = ("privacy", "imprint")
#: The largest file, in bytes.
MAX_BYTES: Final = 200_000
_LINK: Final = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)]|[\w.+-]+@[\w-]+\.[\w.-]*\w")


class Notice(NamedTuple):
    """A notice: an external address, or the texts of files by language (empty: the default)."""

    url: str | None
    words: dict[str, str]


def read_notice(option: str, given: str) -> Notice:
    """The notice of an option: an address, or a file that may have translations next to it
    (``privacy.de.md``). Raises :class:`rage.NotReadable`."""
    if re.match(r"[a-z]+:", given):
        if not _is_address(given):
            raise NotReadable("serve.notice_address", option=option, given=given)
        return Notice(given, {})
    path, words = Path(given), dict[str, str]()
    for language in ("", *LANGUAGES):
        file = path.with_name(f"{path.stem}.{language}{path.suffix}") if language else path
        if not language or file.exists():
            words[language] = _read(option, file)
    return Notice(None, words)


def _is_address(given: str) -> bool:
    """Whether this is an address of a page."""
    try:
        parts = urlsplit(given)
        page = parts.scheme in ("http", "https") and parts.port != 0
        return page and bool(parts.hostname) and given.isprintable()
    except ValueError:  # brackets that are no IPv6 address, a port that is no number, and so on
        return False


def _read(option: str, file: Path) -> str:
    try:
        data = file.read_bytes()
        if len(data) <= MAX_BYTES and (words := data.decode().strip()):
            return words
    except OSError as error:
        raise NotReadable("serve.notice_file", option=option, file=str(file),
                          why=system_reason(error)) from None  # fmt: skip
    except UnicodeDecodeError:
        pass
    raise NotReadable("serve.notice_text", option=option, file=str(file), most=MAX_BYTES // 1000)


def page_of(name: str, notice: Notice, language: str, root: str) -> bytes:
    """A notice as a page: headings, lists, paragraphs, and addresses as links. ``root``: the path
    of the server's own page."""
    root, words = html.escape(root), notice.words.get(language, notice.words[""])
    title = html.escape(text(f"page.notice.{name}", language))
    home = html.escape(text("page.home", language))
    body = "\n".join(_block(each) for each in re.split(r"\n\s*\n", words.replace("\r\n", "\n")))
    return (
        f'<!doctype html><html {html_language(language)}><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>{title} · Rage</title><link rel="stylesheet" href="{root}notice.css">\n'
        f'<p><a href="{root}">{home}</a></p>\n{body}\n</html>\n'
    ).encode()


def _block(block: str) -> str:
    """A paragraph, a heading or a list; everything else in it is text."""
    if match := re.fullmatch(r"(#{1,6}) +(.+)", block):
        level = len(match[1])
        return f"<h{level}>{_line(match[2])}</h{level}>"
    lines = block.split("\n")
    if all(re.match(r"[-*] ", line) for line in lines):
        return f"<ul>{''.join(f'<li>{_line(line[2:])}</li>' for line in lines)}</ul>"
    return f"<p>{'<br>'.join(map(_line, lines))}</p>"


def _line(line: str) -> str:
    """Text with its addresses as links."""
    parts, at = [], 0
    for found in _LINK.finditer(line):
        target = found[0] if "://" in found[0] else f"mailto:{found[0]}"
        parts += [html.escape(line[at : found.start()])]
        parts += [f'<a href="{html.escape(target, quote=True)}">{html.escape(found[0])}</a>']
        at = found.end()
    return "".join([*parts, html.escape(line[at:])])
