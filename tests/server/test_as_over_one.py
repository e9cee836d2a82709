"""Two servers on one PostgreSQL, behind a proxy, are as one: what other files test of one server,
here tested of two; and what limits count."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import httpx
import pytest

from rage.house.limits import MAX_OPEN
from server.fleet import Fleet
from server.fronts import IN_TURN, NAME, Front
from server.running import introduced, open_table, person_of
from server.table_client import connected, cookie
from server.test_again import test_only_who_was_there_plays_a_game_again
from server.test_bounds import (
    test_strangers_cannot_use_up_the_limits_of_those_at_the_table,
    test_the_limit_of_open_tables_counts_over_the_socket_too,
)
from server.test_people import (
    test_a_client_with_a_cookie_stays_the_same_person,
    test_a_cookie_that_is_not_ours_proves_nothing,
    test_a_name_is_kept,
    test_another_device_becomes_the_same_person_once,
)
from server.test_sheets import (
    test_a_name_belongs_to_the_first_phone_and_a_phone_to_one_name,
    test_another_key_is_another_sheet,
    test_no_byte_of_what_others_get_depends_on_a_hidden_bid,
)
from server.test_tables import (
    test_a_client_without_a_cookie_cannot_open_a_table,
    test_a_finished_game_is_only_for_those_who_were_there,
    test_an_unknown_table,
    test_who_was_removed_has_played_nevertheless,
)

#: Where every request may reach another server than the last: only one person is connected to a
#: table, and nothing is asked for that is in the memory of one server.
ANYWHERE = (
    test_a_client_with_a_cookie_stays_the_same_person,
    test_a_client_without_a_cookie_cannot_open_a_table,
    test_a_cookie_that_is_not_ours_proves_nothing,
    test_a_name_is_kept,
    test_an_unknown_table,
    test_another_device_becomes_the_same_person_once,
    test_the_limit_of_open_tables_counts_over_the_socket_too,
)
#: Where each reaches the one that docs/servers.md says.
ROUTED = (
    test_a_finished_game_is_only_for_those_who_were_there,
    test_a_name_belongs_to_the_first_phone_and_a_phone_to_one_name,
    test_another_key_is_another_sheet,
    test_no_byte_of_what_others_get_depends_on_a_hidden_bid,
    test_only_who_was_there_plays_a_game_again,
    test_strangers_cannot_use_up_the_limits_of_those_at_the_table,
    test_who_was_removed_has_played_nevertheless,
)
__all__ = ["ANYWHERE", "ROUTED"]
#: How often an address may ask for a link for another device.
LINKS = 4


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    servers = Fleet(tmp_path_factory.mktemp("two"), "--limits", f"handover={LINKS}/6")
    yield servers
    servers.close()


@pytest.fixture(scope="module")
def routed(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """A proxy that sends everybody where their table is."""
    started = Front("haproxy", tmp_path_factory.mktemp("routed"), *fleet.ports)
    yield started
    started.end()


@pytest.fixture(scope="module")
def in_turn(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """One that sends each request to another server than the last."""
    folder = tmp_path_factory.mktemp("in-turn")
    started = Front("haproxy", folder, *fleet.ports, changes=IN_TURN)
    yield started
    started.end()


@pytest.fixture
def server(request: pytest.FixtureRequest, routed: Front, in_turn: Front) -> Front:
    """What the tests of other files take for a server."""
    return in_turn if request.function in ANYWHERE else routed


async def test_an_ended_session_is_ended_at_both(in_turn: Front) -> None:
    """Whichever is asked to, and wherever somebody with the cookie is connected."""
    ann = in_turn.someone("Ann")
    before, tables = cookie(ann), [open_table(ann) for _ in range(2)]
    one, two = (connected(in_turn.url, each, before) for each in tables)
    async with one as here, two as there:
        assert ann.post("/api/me/end-sessions").status_code == 200
        assert [await each.close_code() for each in (here, there)] == [4003, 4003]
    for _ in range(2):
        assert person_of(in_turn.nobody(cookie=before)) != person_of(ann)


def links(client: httpx.Client) -> int:
    """How many links an address gets before it is too much."""
    statuses = [client.post("/api/handover").status_code for _ in range(LINKS + 1)]
    assert statuses[-1] == 429
    return statuses.count(201)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one address to itself")
def test_what_an_address_may_do_is_counted_by_the_server_that_the_proxy_sends_it_to(
    fleet: Fleet, routed: Front
) -> None:
    """As one server counts it; who could choose the server might do it at each."""
    assert links(introduced(routed.nobody("127.0.0.9"))) == LINKS
    at = {"x-forwarded-for": "9.9.1.9", "host": NAME}
    assert [links(each.someone("Eve", **at)) for each in fleet.servers] == [LINKS, LINKS]


def test_what_is_stored_is_counted_for_all(fleet: Fleet) -> None:
    """However they share the open tables of a host."""
    ann = fleet.servers[0].someone("Ann", host=NAME)
    both = [each.nobody(cookie=cookie(ann), host=NAME) for each in fleet.servers]
    for number in range(MAX_OPEN):
        open_table(both[number % 2], options={"access": "open"})
    asked = {"rules": "amigo", "players": 4, "options": {"access": "open"}}
    for each in both:
        refused = each.post("/api/tables", json=asked).json()
        assert refused["reason"]["code"] == "http.too_many_open"
