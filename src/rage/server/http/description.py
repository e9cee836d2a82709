"""``/schema``: the description of the API, as OpenAPI and as a page without scripts."""

from __future__ import annotations

import html
import inspect
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

import msgspec
from litestar import MediaType, Request
from litestar.enums import OpenAPIMediaType
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from msgspec import Struct

from rage import __version__
from rage.bots import BOTS
from rage.say import text

ApiRequest = Request[Any, Any, Any]
Data = dict[str, Any]


def openapi_config() -> OpenAPIConfig:
    """How Litestar describes the API, and where."""
    return OpenAPIConfig(
        title="Rage",
        version=__version__,
        use_handler_docstrings=True,
        path="/schema",
        render_plugins=[_Json(), _Page(), _Style()],
    )


def completed_schema(schema: Data) -> Data:
    """The OpenAPI description with what Litestar leaves out: the docstrings of the structs,
    whether they refuse unknown fields, the names of the bots, what each error status means."""
    structs: dict[str, Any] = {each.__name__: each for each in _subclasses(Struct)}
    schema = msgspec.json.decode(msgspec.json.encode(schema))
    for name, each in schema["components"]["schemas"].items():
        if (struct := structs.get(name)) is None:
            continue
        each["description"] = " ".join(inspect.cleandoc(struct.__doc__ or "").split())
        if struct.__struct_config__.forbid_unknown_fields:
            each["additionalProperties"] = False
    new = schema["components"]["schemas"]["NewTable"]["properties"]
    new["bots"]["items"] = {"enum": [*BOTS, None]}
    schema["components"]["schemas"]["Options"]["properties"]["bot"]["enum"] = [*BOTS]
    for _, _, operation in operations(schema):
        operation["summary"] = operation["description"].partition(";")[0].rstrip(".")
        for status, answer in operation["responses"].items():
            answer["description"] = text(f"schema.status.{status}")
    return schema


def _subclasses(kind: Any) -> Iterator[Any]:
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)


def operations(schema: Data) -> Iterator[tuple[str, str, Data]]:
    """Each path, method and operation."""
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            if isinstance(operation, dict) and "responses" in operation:
                yield path, method.upper(), operation


class _Json(OpenAPIRenderPlugin):
    """The description for programs."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON)

        self._made: bytes | None = None

    def render(self, request: ApiRequest, openapi_schema: Data) -> bytes:
        """The description as JSON, made once."""
        if self._made is None:
            self._made = msgspec.json.encode(completed_schema(openapi_schema))
        return self._made


class _Style(OpenAPIRenderPlugin):
    """How the page looks."""

    def __init__(self) -> None:
        super().__init__(path="/style.css", media_type=MediaType.CSS)

    def render(self, request: ApiRequest, openapi_schema: Data) -> bytes:
        """The style sheet."""
        return files("rage.server.http").joinpath("schema.css").read_bytes()


class _Page(OpenAPIRenderPlugin):
    """The description for people."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type=MediaType.HTML)
        self._made: bytes | None = None

    def render(self, request: ApiRequest, openapi_schema: Data) -> bytes:
        """The page, which loads nothing but its style sheet; made once, as a server has one base
        path."""
        if self._made is None:
            self._made = self._make(str(request.scope.get("rage.base", "")), openapi_schema)
        return self._made

    def _make(self, base: str, openapi_schema: Data) -> bytes:
        schema = completed_schema(openapi_schema)
        parts = [_HEAD.format(base=html.escape(base), title=_words("schema.title"))]
        parts += [_operation(*each) for each in operations(schema)]
        parts.append(f"<h2>{_words('schema.structs')}</h2>")
        parts += [_struct(*each) for each in sorted(schema["components"]["schemas"].items())]
        return ("\n".join(parts) + "\n</main></html>\n").encode()


_HEAD: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="dark light">'
    '<title>{title}</title><link rel="stylesheet" href="{base}/schema/style.css">'
    '<main><h1>{title}</h1><p><a href="{base}/schema/openapi.json">openapi.json</a></p>'
)


def _words(code: str) -> str:
    return html.escape(text(code))


def _operation(path: str, method: str, operation: Data) -> str:
    """A route: what it does, takes and answers."""
    rows = [
        (each["name"], _kind(each["schema"]), text(f"schema.in.{each['in']}"))
        for each in operation.get("parameters", ())
        if each["in"] in ("path", "query")
    ]
    body = operation.get("requestBody")
    if body is not None:
        rows.append((text("schema.body"), _content(body), ""))
    answers = [
        (status, _content(each), each["description"])
        for status, each in sorted(operation["responses"].items())
    ]
    return (
        f"<section><h2><code>{method}</code> <code>{html.escape(path)}</code></h2>"
        f"<p>{html.escape(operation['description'])}</p>{_rows(rows)}{_rows(answers)}</section>"
    )


def _content(holder: Data) -> str:
    return ", ".join(
        _kind(each["schema"]) if kind.endswith("json") else html.escape(kind)
        for kind, each in holder.get("content", {}).items()
    )


def _rows(rows: list[tuple[str, str, str]]) -> str:
    """Table rows, each of a name, a type that is already HTML, and a description."""
    lines = (
        f'<tr><th scope="row"><code>{html.escape(name)}</code></th>'
        f"<td>{kind}</td><td>{html.escape(words)}</td></tr>"
        for name, kind, words in rows
    )
    return f"<table>{''.join(lines)}</table>" if rows else ""


def _struct(name: str, schema: Data) -> str:
    """A struct: what it is, and its fields."""
    required = schema.get("required", ())
    rows = [
        (field, _kind(each), "" if field in required else text("schema.optional"))
        for field, each in schema.get("properties", {}).items()
    ]
    about = html.escape(schema.get("description", ""))
    return f'<section id="{name}"><h3>{name}</h3><p>{about}</p>{_rows(rows)}</section>'


def _kind(schema: Data) -> str:
    """A type as a few words of HTML, linked where it is a struct."""
    if "$ref" in schema:
        name = html.escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "enum" in schema:
        return html.escape(" | ".join(json.dumps(each) for each in schema["enum"]))
    several = schema.get("oneOf") or schema.get("anyOf")
    if several:
        return " | ".join(dict.fromkeys(_kind(each) for each in several))
    if schema.get("type") == "array":
        items = schema.get("items") or {}
        inner = _kind(items if isinstance(items, dict) else {})
        return f"[{inner}]"
    kind = schema.get("type", "any")
    return html.escape(" | ".join(kind) if isinstance(kind, list) else str(kind))
