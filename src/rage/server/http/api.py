"""The requests of a house over HTTP: its table of routes, answered by Litestar.

Unknown paths and methods, and ``OPTIONS`` requests, never reach Litestar.
"""

from __future__ import annotations

import logging
import re
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints

import msgspec
from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.params import Parameter as QueryParameter
from msgspec import Meta

from rage.house.base.errors import MethodNotAllowed, NotFound, Problem, problem, status_of
from rage.house.requests.requester import Reply, Requester, Site
from rage.house.requests.routes import ROUTES, Route, path_pattern, read_body
from rage.house.store import StoreFailed
from rage.say import NotReadable, RageError
from rage.server.asgi import (
    Application,
    Receive,
    Scope,
    Send,
    address_of,
    answer_language,
    header,
    is_secure,
    language_of,
    refuse,
    respond,
    url_of,
)
from rage.server.http import description
from rage.server.http.page import File, make_file, send_file

_log: Final = logging.getLogger(__name__)
_DESCRIPTION: Final = "/schema/openapi.json"
#: The errors for what Litestar refuses before any of our own code runs, by status.
_REFUSALS: Final = {404: "http.no_route", 405: "http.method", 413: "http.too_large"}
#: The statuses with which any request can be refused.
_USUAL: Final = (400, 403, 429, 503)
ApiRequest = Request[Any, Any, Any]
# For types known only at run time.
_DEPENDENCY: Final[Any] = NamedDependency
_BODY: Final[Any] = JSONBody
_PATH: Final[Any] = FromPath
_QUERY: Final[Any] = FromQuery


class Api:
    """The requests of a ``site``, as an ASGI application."""

    def __init__(self, site: Site) -> None:
        methods: dict[str, set[str]] = {_DESCRIPTION: {"GET"}}
        for route in ROUTES:
            methods.setdefault(route.path, set()).add(route.method)
        self._known = [
            (path_pattern(path), ", ".join(sorted(found))) for path, found in methods.items()
        ]
        self._site, self._litestar = site, api_of(site)
        self._api = cast(Application, self._litestar)
        self._described: File | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the API."""
        path, method = scope["path"].rstrip("/"), scope["method"]
        allowed = next((each for known, each in self._known if known.fullmatch(path)), None)
        if allowed is None:
            await refuse(NotFound("http.no_route"), scope, send)
        elif method in allowed.split(", "):
            if path == _DESCRIPTION:
                await self._describe(scope, send)
            else:
                await self._api(scope, receive, send)
        else:
            headers = [(b"allow", f"{allowed}, OPTIONS".encode())]
            if method == "OPTIONS":
                await respond(send, 204, b"", headers)
            else:
                await refuse(MethodNotAllowed("http.method"), scope, send, headers)

    async def _describe(self, scope: Scope, send: Send) -> None:
        """Answer with the description of the API, which is made and compressed once."""
        person = self._site.keys.authenticate(scope["headers"])
        try:
            self._site.limits.acquire("any", address_of(scope), person)
        except RageError as error:
            await refuse(error, scope, send)
            return
        if self._described is None:
            schema = description.completed_schema(self._litestar.openapi_schema.to_schema())
            made = make_file("openapi.json", msgspec.json.encode(schema), {})
            self._described = made._replace(cache=b"no-store")
        await send_file(self._described, 200, scope, send)


def api_of(site: Site) -> Litestar:
    """The routes as an application of Litestar."""

    def provide_site() -> Site:
        return site

    return Litestar(
        [handler_of(route) for route in ROUTES],
        request_class=StrictRequest,
        dependencies={
            "site": Provide(provide_site, sync_to_thread=False),
            "requester": Provide(requester_of, sync_to_thread=False),
        },
        exception_handlers={
            RageError: _refuse,
            HTTPException: _refuse_early,
            StoreFailed: _refuse_store_failure,
            Exception: _fail,
        },
        openapi_config=description.openapi_config(),
        compression_config=CompressionConfig("gzip", minimum_size=1000, gzip_compress_level=6),
        logging_config=None,
        debug=False,
    )


def handler_of(route: Route) -> HTTPRouteHandler:
    """The handler of a route, with the parameters of its function marked as Litestar reads them."""
    types = get_type_hints(route.answer, include_extras=True)
    parameters = [
        each.replace(annotation=_marked(each, types[each.name], route.path))
        for each in signature(route.answer).parameters.values()
    ]

    async def handle(**given: Any) -> Any:
        requester = given.pop("requester", None)
        if requester is None:
            return await route.answer(**given)
        answer = await route.ask(requester, **given)
        return _response(answer, route.status) if isinstance(answer, Reply) else answer

    answers = types["return"]
    if get_origin(answers) is Reply:
        answers = Response[get_args(answers)[0]]  # type: ignore[misc]  # known when it runs
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(handle, name, getattr(route.answer, name))
    marked: Any = handle
    marked.__signature__ = Signature(parameters, return_annotation=answers)
    marked.__annotations__ = {each.name: each.annotation for each in parameters} | {
        "return": answers
    }
    return HTTPRouteHandler(
        _with_types(route.path, types),
        http_method=route.method,
        status_code=route.status,
        media_type=route.media,
        responses=_refusals(route),
        request_max_body_size=route.most,
    )(handle)


def _with_types(path: str, types: dict[str, Any]) -> str:
    """A path whose parameters are followed by their types."""
    return re.sub(r"\{(\w+)\}", lambda name: f"{{{name[1]}:{types[name[1]].__name__}}}", path)


def _marked(parameter: Parameter, kind: Any, path: str) -> Any:
    """The type of a parameter, and where in a request it is."""
    if parameter.name == "requester":
        return _DEPENDENCY[Requester]
    if parameter.name == "data":
        return _BODY[kind]
    if f"{{{parameter.name}}}" in path:
        return _PATH[kind]
    if get_origin(kind) is not Annotated:
        return _QUERY[kind]
    of, meta = get_args(kind)
    assert isinstance(meta, Meta)
    limits = {
        name: value
        for name in ("ge", "le", "pattern", "max_length")
        if (value := getattr(meta, name)) is not None
    }
    return Annotated[of, QueryParameter(**limits)]


def _response(reply: Reply[Any], status: int) -> Response[Any]:
    status = status if reply.status is None else reply.status
    return Response(reply.body, status_code=status, headers=reply.headers)


def _refusals(route: Route) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the description of the API."""
    if "requester" not in signature(route.answer).parameters:
        return {}
    return {
        status: ResponseSpec(Problem, generate_examples=False)
        for status in sorted({*_USUAL, *route.refusals})
    }


def requester_of(request: Request[Any, Any, Any], site: NamedDependency[Site]) -> Requester:
    """The requester of a request, which counts towards the limit on all requests. Raises
    :class:`rage.NotReadable` for an unknown language, and
    :class:`rage.house.base.errors.TooManyRequests`."""
    scope: Any = request.scope
    requester = Requester(
        site,
        site.keys.authenticate(scope["headers"]),
        language_of(scope["query_string"], header(scope, b"accept-language")),
        address_of(scope),
        url_of(scope),
        is_secure(scope),
        header(scope, b"if-none-match"),
    )
    requester.rate_limit("any")
    return requester


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON body must be exactly of the type the route declares; Litestar itself
    would accept "4" for 4. It passes structs on unchanged, so the body is decoded once."""

    async def json(self) -> Any:
        """The body as an instance of the type of the route's ``data``. Raises
        :class:`rage.NotReadable`, which names the field."""
        declared = self.route_handler.parsed_data_field
        return read_body(await self.body(), Any if declared is None else declared.annotation)


def _answer(request: ApiRequest, error: RageError, status: int) -> Response[Problem]:
    scope: Any = request.scope
    language = answer_language(scope["query_string"], header(scope, b"accept-language"))
    headers = {}
    if status == 429:
        headers["retry-after"] = str(error.reason.params["seconds"])
    return Response(problem(error, language), status_code=status, headers=headers)


def _refuse(request: ApiRequest, error: RageError) -> Response[Problem]:
    """Answer a request that raised one of our own errors."""
    return _answer(request, error, status_of(error))


def _refuse_early(request: ApiRequest, error: HTTPException) -> Response[Problem]:
    """Answer errors that Litestar raises itself: unreadable requests and unknown paths."""
    status = error.status_code
    if "disconnected" in error.detail:  # halfway through: no one reads the answer
        return _answer(request, NotReadable("http.unreadable"), 400)
    if status >= 500:
        return _fail(request, error)
    if code := _REFUSALS.get(status):
        return _answer(request, NotFound(code), status)
    extra: Any = error.extra if isinstance(error.extra, list) else []
    fields = [str(each.get("key", "")) for each in extra if isinstance(each, dict)]
    named = ", ".join(field for field in fields if field not in ("", "data"))
    if named:
        return _answer(request, NotReadable("http.field", field=named), 400)
    return _answer(request, NotReadable("http.unreadable"), 400)


def _refuse_store_failure(request: ApiRequest, error: StoreFailed) -> Response[Problem]:
    """Answer that the store has failed, so that nothing has happened."""
    _log.error("store failed: %s", error)
    return _answer(request, RageError("http.store_failed"), 503)


def _fail(request: ApiRequest, error: Exception) -> Response[Problem]:
    """Answer a bug: the log has the details, the answer a plain sentence."""
    _log.error("request failed", exc_info=error)
    return _answer(request, RageError("http.failed"), 500)
