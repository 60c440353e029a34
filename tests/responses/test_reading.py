"""Every way to read responses asks for the same permissions: none of them tells what another keeps to itself."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

import httpx
import pytest
from litestar.routes import HTTPRoute

from goldloop.app import build_litestar
from goldloop.claims import service as claims
from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.edges import service as edges
from goldloop.entities.permissions import ENTITIES_READ, ENTITIES_UPDATE
from goldloop.kit.db import Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.permissions import Permissions
from goldloop.promotion import service as promotion
from goldloop.responses import (
    aggregation_service,
    agreement_service,
    queue_service,
    raters_service,
    service,
)
from goldloop.responses.aggregation import Strategy
from goldloop.responses.model import ResponseStatus
from goldloop.responses.permissions import RESPONSES_CREATE, RESPONSES_READ, RESPONSES_REVIEW
from goldloop.tenants.model import Role
from tests.clinic import Clinic
from tests.loops import some
from tests.records import code

OF_A_RECORD = {RESPONSES_READ, ENTITIES_READ}
BY_A_SET = OF_A_RECORD | {CRITERIA_SETS_READ}


class Rated(NamedTuple):
    visit: UUID
    protocol: UUID
    set: UUID
    response: UUID


class Way(NamedTuple):
    method: str
    path: str
    needs: set[str]
    use_case: Callable[[Tx, Rated], Awaitable[Any]]
    body: dict[str, Any] | None = None


BY_SET = "?criteria_set_id={set}"
RESPONSE = "/api/entities/{visit}/responses/{response}"
WAYS = {
    "list": Way(
        "GET",
        "/api/entities/{visit}/responses/",
        OF_A_RECORD,
        lambda tx, of: service.list_responses(tx, of.visit, None, None, None, 50),
    ),
    "show": Way("GET", RESPONSE, OF_A_RECORD, lambda tx, of: service.access(tx, of.visit, of.response)),
    "aggregate": Way(
        "GET",
        "/api/entities/{visit}/responses/aggregate" + BY_SET,
        BY_A_SET,
        lambda tx, of: aggregation_service.aggregate(tx, of.visit, of.set, Strategy.MEAN),
    ),
    "raters": Way(
        "GET",
        "/api/entities/{visit}/responses/raters" + BY_SET,
        BY_A_SET,
        lambda tx, of: raters_service.list_by_rater(tx, of.visit, of.set, None, 50),
    ),
    "scores": Way(
        "GET",
        "/api/entities/{visit}/responses/scores" + BY_SET,
        BY_A_SET,
        lambda tx, of: raters_service.list_scores(tx, of.visit, of.set, None, 50),
    ),
    "over all records": Way(
        "GET",
        "/api/responses",
        OF_A_RECORD,
        lambda tx, of: queue_service.list_responses(tx, queue_service.Filter(), None, 50),
    ),
    "count": Way(
        "GET",
        "/api/responses/count",
        OF_A_RECORD,
        lambda tx, of: queue_service.count_responses(tx, queue_service.Filter()),
    ),
    "assign": Way(
        "POST",
        "/api/responses/assign",
        OF_A_RECORD | {RESPONSES_REVIEW},
        lambda tx, of: queue_service.assign(tx, [], [of.visit], None),
        {"entity_ids": [], "user_id": None},
    ),
    "first steps": Way("GET", "/api/first-steps", OF_A_RECORD, lambda tx, of: promotion.read_first_steps(tx)),
    "agreement": Way(
        "GET",
        "/api/criteria-sets/{set}/agreement",
        {RESPONSES_READ, CRITERIA_SETS_READ},  # numbers over all records, of none in particular
        lambda tx, of: agreement_service.read_agreement(tx, of.set),
    ),
    "ranked": Way(
        "GET",
        "/api/entities/{visit}/relations/ranked" + BY_SET + "&field_key=protocols",
        BY_A_SET,
        lambda tx, of: edges.get_ranked_connections(tx, of.visit, "protocols", of.set, None, 50),
    ),
    "outcomes": Way(
        "GET",
        "/api/entities/{protocol}/outcomes" + BY_SET,
        BY_A_SET,
        lambda tx, of: edges.read_outcomes(tx, of.protocol, of.set),
    ),
    "sources": Way(
        "GET",
        "/api/entities/{protocol}/sources",
        OF_A_RECORD,
        lambda tx, of: claims.list_sources(tx, of.protocol, None, 50),
    ),
    "preview": Way(
        "POST",
        RESPONSE + "/promote/preview",
        OF_A_RECORD,
        lambda tx, of: promotion.preview(tx, of.visit, of.response, []),
        {"fields": []},
    ),
    "promote": Way(
        "POST",
        RESPONSE + "/promote",
        OF_A_RECORD | {ENTITIES_UPDATE},
        lambda tx, of: promotion.promote(tx, of.visit, of.response, [], None),
        {"fields": []},
    ),
    "review": Way(
        "PATCH",
        RESPONSE,
        OF_A_RECORD | {RESPONSES_REVIEW},
        lambda tx, of: service.review(tx, of.visit, of.response, ResponseStatus.REJECTED, None),
        {"status": "rejected"},
    ),
    "withdraw": Way(
        "DELETE",
        RESPONSE,
        OF_A_RECORD | {RESPONSES_CREATE, RESPONSES_REVIEW},  # it is somebody else's
        lambda tx, of: service.withdraw(tx, of.visit, of.response),
    ),
}
EACH = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())


async def make_rated(clinic: Clinic) -> Rated:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    response = await clinic.rate(visit, [(protocol, 5)])
    return Rated(*(UUID(found["id"]) for found in (visit, protocol, clinic.criteria_set, response)))


def ask(client: httpx.AsyncClient, way: Way, of: Rated) -> Awaitable[httpx.Response]:
    return client.request(way.method, way.path.format(**of._asdict()), json=way.body)


@EACH
async def test_a_key_that_lacks_one_permission_reads_no_responses(clinic: Clinic, way: Way) -> None:
    of, workspace = await make_rated(clinic), clinic.desk.workspace
    for missing in some(sorted(way.needs)):
        narrowed = await workspace.client(Role.OWNER, scopes=sorted(way.needs - {missing}))
        assert code(await ask(narrowed, way, of)) == (403, "forbidden"), missing
    enough = await workspace.client(Role.OWNER, scopes=sorted(way.needs))
    assert (await ask(enough, way, of)).status_code != 403


@EACH
async def test_the_use_case_asks_for_what_its_route_does(clinic: Clinic, way: Way) -> None:
    """Tools and jobs come to it without the route."""
    of, workspace = await make_rated(clinic), clinic.desk.workspace
    for missing in sorted(way.needs - {RESPONSES_CREATE}):
        granted = Permissions(grants=frozenset(way.needs - {missing}))
        actor = replace(workspace.system, permissions=granted)
        async with workspace.db.tx(actor) as tx:
            with pytest.raises(Forbidden):
                await way.use_case(tx, of)


def test_every_route_that_tells_of_responses_is_here() -> None:
    of = Rated._make("{}" for _ in Rated._fields)._asdict()
    known = {(way.method, way.path.partition("?")[0].rstrip("/").format(**of)) for way in WAYS.values()}
    found = {
        (method, re.sub(r"{[^}]*}", "{}", route.path))
        for route in build_litestar(None, None, None).routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods - {"OPTIONS"}
        if "/responses" in route.path or RESPONSES_READ in (handler.opt.get("permission") or ())
    }
    silent = {
        ("POST", "/api/entities/{}/responses"),  # tells nothing but what was sent
        ("POST", "/api/entities/{}/responses/{}/undo"),  # to whoever changes the record, who reads it
        ("POST", "/api/entities/{}/populate"),  # tells of a session
        ("POST", "/api/populate"),
        ("GET", "/api/responses/responses.csv"),  # as the list does
    }
    assert found - known == silent
