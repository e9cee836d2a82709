"""``/schema/openapi.json``: the description of the API."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi import OpenAPIConfig
from msgspec import Struct

from rage import __version__
from rage.bots import BOTS

ApiRequest = Request[Any, Any, Any]
Data = dict[str, Any]


def openapi_config() -> OpenAPIConfig:
    """The settings with which Litestar describes the API."""
    return OpenAPIConfig(
        title="Rage",
        version=__version__,
        use_handler_docstrings=True,
        path="/schema",
        render_plugins=[],
    )


def completed_schema(schema: Data) -> Data:
    """The OpenAPI description with the parts that Litestar leaves out: the docstrings of structs,
    whether they refuse unknown fields, the names of the bots, the meaning of each error status."""
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
            answer["description"] = HTTPStatus(int(status)).phrase
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
