"""The requests of a house, answered without a server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from inspect import Parameter, signature
from types import NoneType
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, unquote

import msgspec

from rage.house.base.errors import MethodNotAllowed, NotFound, problem, status_of
from rage.house.requests.requester import Reply, Requester, Site
from rage.house.requests.routes import ROUTES, Route, path_pattern, read_body
from rage.house.store import StoreFailed
from rage.say import NotReadable, RageError, catalogue

_log: Final = logging.getLogger(__name__)
_JSON: Final = "application/json"
_PATTERNS: Final = tuple((path_pattern(route.path), route) for route in ROUTES)


class Answer(NamedTuple):
    """The answer to a request: its status, the type of its body, and its body."""

    status: int
    media: str
    body: bytes


async def answer(
    site: Site, person: str, method: str, path: str, query: str, body: bytes | None, language: str
) -> Answer:
    """The answer to a request of a person, with a ``path`` such as ``/api/tables`` and a ``query``
    as in a URL."""
    try:
        catalogue(language)
        route, given = _find(method, path)
        requester = Requester(site, person, language, None, "", secure=True, known="")
        given |= _asked(route, dict(parse_qsl(query)))
        if "data" in _kinds(route):
            given["data"] = read_body(body or b"", _kinds(route)["data"])
        if "requester" not in _kinds(route):
            return _answered(route, await route.answer(**given))
        return _answered(route, await route.ask(requester, **given))
    except RageError as error:
        return _refused(error, language)
    except StoreFailed as error:
        _log.error("store failed: %s", error)
        return _refused(RageError("http.store_failed"), language, 503)
    except Exception:
        _log.exception("request failed")
        return _refused(RageError("http.failed"), language, 500)


def _find(method: str, path: str) -> tuple[Route, dict[str, Any]]:
    """The route of a path, and the parameters in the path. Raises :class:`NotFound` and
    :class:`MethodNotAllowed`."""
    found = False
    for pattern, route in _PATTERNS:
        if (match := pattern.fullmatch(path)) is not None:
            found = True
            if route.method == method:
                given = {name: unquote(value) for name, value in match.groupdict().items()}
                return route, _read(given, _kinds(route))
    raise MethodNotAllowed("http.method") if found else NotFound("http.no_route")


@cache
def _kinds(route: Route) -> dict[str, Any]:
    """The types of the parameters of a route's function."""
    kinds = get_type_hints(route.answer, include_extras=True)
    del kinds["return"]
    return {name: _if_given(kind) for name, kind in kinds.items()}


def _if_given(kind: Any) -> Any:
    """The type of a parameter, without the ``None`` of an optional one."""
    if get_origin(kind) is Annotated:
        of, meta = get_args(kind)
        return Annotated[_if_given(of), meta]
    given = [each for each in get_args(kind) if each is not NoneType]
    return given[0] if NoneType in get_args(kind) else kind


def _asked(route: Route, query: Mapping[str, str]) -> dict[str, Any]:
    """The parameters of a route that are in the query. Raises :class:`rage.NotReadable` for a wrong
    or missing one."""
    in_query = [
        each
        for each in signature(route.answer).parameters.values()
        if each.name not in ("requester", "data") and f"{{{each.name}}}" not in route.path
    ]
    for each in in_query:
        if each.name not in query and each.default is Parameter.empty:
            raise NotReadable("http.field", field=each.name)
    given = {each.name: query[each.name] for each in in_query if each.name in query}
    return _read(given, _kinds(route))


def _read(given: Mapping[str, str], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as values of their types. Raises :class:`rage.NotReadable`."""
    read = {}
    for name, value in given.items():
        try:
            read[name] = msgspec.convert(value, kinds[name], strict=False)
        except msgspec.ValidationError:
            raise NotReadable("http.field", field=name) from None
    return read


def _answered(route: Route, said: Any) -> Answer:
    status, body = route.status, said
    if isinstance(said, Reply):
        status, body = said.status or status, said.body
    if body is None:
        return Answer(status, route.media, b"")
    if isinstance(body, bytes):
        return Answer(status, route.media, body)
    if route.media != _JSON:
        return Answer(status, route.media, body.encode())
    return Answer(status, _JSON, msgspec.json.encode(body))


def _refused(error: RageError, language: str, status: int | None = None) -> Answer:
    body = msgspec.json.encode(problem(error, language))
    return Answer(status or status_of(error), _JSON, body)
