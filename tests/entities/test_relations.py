"""Relations between records: through which field, to which type, to one or to many."""

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import Desk, code, ok, places, some_id

CONFIGS = {
    "investors": {"relation": {"target_type": "fund", "multiple": True, "relationship_type": "invests in"}},
    "owner": {"relation": {"target_type": "fund", "multiple": False}},
}


@pytest_asyncio.fixture
async def related(desk: Desk) -> Desk:
    await desk.make_type("fund")
    ok(await desk.try_change("/api/entity-types/company", {"field_configs": CONFIGS}))
    return desk


async def connect(desk: Desk, source: Any, field: str, target: Any, **more: Any) -> httpx.Response:
    body = {"field_key": field, "target_id": target["id"], **more}
    return await desk.contributor.post(f"/api/entities/{source['id']}/relations", json=body)


async def related_to(desk: Desk, source: Any, **params: Any) -> list[str]:
    found = ok(await desk.reviewer.get(f"/api/entities/{source['id']}/relations", params=params))["data"]
    return [relation["target_title"] for relation in found]


async def test_a_connection_is_shown_with_what_it_leads_to(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    made = ok(await connect(related, company, "investors", fund))
    assert (made["source_id"], made["target_id"], made["target_title"], made["target_type"]) == (
        company["id"],
        fund["id"],
        "Fund",
        "fund",
    )
    assert made["metadata"] == {}
    found = ok(await related.reviewer.get(f"/api/entities/{company['id']}/relations"))["data"]
    assert found == [made]
    assert await related_to(related, fund) == [], "a relation leads one way"
    assert await related_to(related, company, field_key="owner") == []


async def test_connecting_again_answers_with_what_is_there(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    for field in ("investors", "owner"):
        answers = [await connect(related, company, field, fund, id=some_id()) for _ in range(3)]
        assert len({answer.json()["id"] for answer in answers}) == 1
    at_once = await asyncio.gather(*(connect(related, company, "investors", fund) for _ in range(4)))
    assert len({answer.json()["id"] for answer in at_once}) == 1
    assert await related.count("entity_relations") == 2
    assert len(await related.events("relation.added")) == 2


async def test_a_single_relation_takes_one_also_of_two_at_once(related: Desk) -> None:
    one, two = [await related.make_record(type="fund", title=f"Fund {n}") for n in range(2)]
    for _ in range(5):
        company = await related.make_record()
        answers = await asyncio.gather(*(connect(related, company, "owner", fund) for fund in (one, two)))
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        assert {a.json()["code"] for a in answers if a.status_code == 409} == {"relation_exists"}
        assert len(await related_to(related, company)) == 1
        both = [ok(await connect(related, company, "investors", fund)) for fund in (one, two)]
        assert len({relation["id"] for relation in both}) == 2


@pytest.mark.parametrize(
    ("field", "to", "place"),
    [
        ("investors", "company", ("/target_id", "wrong_type")),
        ("investors", None, ("/target_id", "entity_not_found")),
        ("name", "fund", ("/field_key", "not_a_relation")),
        ("nothing", "fund", ("/field_key", "not_a_relation")),
    ],
)
async def test_a_connection_goes_where_the_field_leads(
    related: Desk, field: str, to: str | None, place: tuple[str, str]
) -> None:
    company = await related.make_record()
    target = await related.make_record(type=to) if to else {"id": some_id()}
    answer = await connect(related, company, field, target)
    assert (answer.status_code, places(answer)) == (422, [place])
    assert await related.count("entity_relations") == 0


async def test_an_id_in_use_for_another_connection_is_a_conflict(related: Desk) -> None:
    company = await related.make_record()
    one, two = [await related.make_record(type="fund", title=f"Fund {n}") for n in range(2)]
    used = ok(await connect(related, company, "investors", one))["id"]
    assert code(await connect(related, company, "investors", two, id=used)) == (409, "relation_exists")


async def test_relations_are_listed_page_by_page(related: Desk) -> None:
    company = await related.make_record()
    titles = [f"Fund {n}" for n in range(5)]
    for title in titles:
        await connect(related, company, "investors", await related.make_record(type="fund", title=title))
    seen, cursor = [], None
    while True:
        params = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = ok(await related.reviewer.get(f"/api/entities/{company['id']}/relations", params=params))
        seen += [relation["target_title"] for relation in page["data"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert sorted(seen) == titles


async def referenced_by(desk: Desk, target: Any, **params: Any) -> list[tuple[str, str, str]]:
    """Page by page: title and type of what leads here, and through which field."""
    path, seen, cursor = f"/api/entities/{target['id']}/relations", [], None
    while True:
        query = {"direction": "in", "limit": 2, **params} | ({"cursor": cursor} if cursor else {})
        found = ok(await desk.reviewer.get(path, params=query))
        seen += [(r["source_title"], r["source_type"], r["field_key"]) for r in found["data"]]
        if (cursor := found["next_cursor"]) is None:
            return seen


async def test_a_record_knows_what_leads_to_it(related: Desk, other_workspace: Workspace) -> None:
    fund, other = [await related.make_record(type="fund", title=f"Fund {n}") for n in range(2)]
    for n in range(5):
        company = await related.make_record(title=f"Company {n}")
        ok(await connect(related, company, "investors", fund))
        if n == 0:
            ok(await connect(related, company, "owner", fund))
            ok(await connect(related, company, "investors", other))
    everything = await referenced_by(related, fund)
    assert len(everything) == len(set(everything)) == 6
    through = await referenced_by(related, fund, field_key="investors")
    assert sorted(through) == [(f"Company {n}", "company", "investors") for n in range(5)]
    assert await referenced_by(related, fund, field_key="owner") == [("Company 0", "company", "owner")]
    assert await referenced_by(related, other) == [("Company 0", "company", "investors")]
    assert await referenced_by(related, company) == []
    assert await related_to(related, company, direction="out") == ["Fund 0"]
    path = f"/api/entities/{fund['id']}/relations"
    stranger = await other_workspace.client(Role.OWNER)
    assert code(await stranger.get(path, params={"direction": "in"})) == (404, "entity_not_found")
    assert (await related.reviewer.get(path, params={"direction": "sideways"})).status_code == 422


@pytest.mark.parametrize("condition", ["", "AND field_key = 'investors'"])
async def test_a_page_of_what_leads_here_is_read_from_an_index(related: Desk, condition: str) -> None:
    workspace = related.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("SET LOCAL enable_seqscan = off")  # a table this small would be read whole
        plan = await tx.fetch(
            f"EXPLAIN SELECT id FROM entity_relations WHERE tenant_id = $1 AND target_id = $2 AND id > $3 {condition} "
            "ORDER BY id LIMIT 51",
            workspace.system.tenant_id,
            UUID(int=1),
            UUID(int=0),
        )
    plan_text = "\n".join(row[0] for row in plan)
    # Among few rows the index with the field and the one without cost the same: either is a page in order.
    assert "using entity_relations_target" in plan_text, plan_text
    assert "Sort" not in plan_text, plan_text


async def test_a_connection_is_removed_by_a_reviewer_and_from_its_own_record(
    related: Desk, other_workspace: Workspace
) -> None:
    company, other = await related.make_record(), await related.make_record()
    fund = await related.make_record(type="fund")
    made = ok(await connect(related, company, "investors", fund))
    path = f"/api/entities/{company['id']}/relations/{made['id']}"
    assert (await related.contributor.delete(path)).status_code == 403
    stranger = await other_workspace.client(Role.OWNER)
    assert code(await stranger.delete(path)) == (404, "entity_not_found")
    elsewhere = f"/api/entities/{other['id']}/relations/{made['id']}"
    assert code(await related.reviewer.delete(elsewhere)) == (404, "relation_not_found")
    assert (await related.reviewer.delete(path)).status_code == 204
    assert code(await related.reviewer.delete(path)) == (404, "relation_not_found")
    assert await related_to(related, company) == []


async def test_the_same_connection_made_at_once_is_one(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    answers = await asyncio.gather(*(connect(related, company, "investors", fund) for _ in range(6)))
    assert len({ok(answer)["id"] for answer in answers}) == 1
    assert len(await related.events("relation.added")) == 1


async def test_an_agent_connects_but_does_not_take_a_connection_away(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    agent = await related.agent(Role.REVIEWER)
    body = {"field_key": "investors", "target_id": fund["id"]}
    made = ok(await agent.post(f"/api/entities/{company['id']}/relations", json=body))
    path = f"/api/entities/{company['id']}/relations/{made['id']}"
    assert code(await agent.delete(path)) == (403, "agents_propose")
    ok(await related.reviewer.delete(path))


async def test_a_connection_that_several_remove_at_the_same_moment_is_removed_once(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund")
    made = ok(await connect(related, company, "investors", fund))
    path = f"/api/entities/{company['id']}/relations/{made['id']}"
    answers = await asyncio.gather(*(related.reviewer.delete(path) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [204, 404, 404, 404, 404]
    assert len(await related.events("relation.removed")) == 1


def with_relation(field: str, **relation: Any) -> dict[str, Any]:
    """The configs with the relation of one field changed."""
    return CONFIGS | {field: {"relation": {**CONFIGS[field]["relation"], **relation}}}


NARROWED = {
    "removed": {},
    "renamed": {"backers": CONFIGS["investors"]},
    "leading elsewhere": with_relation("investors", target_type="company"),
    "to one": with_relation("investors", multiple=False),
    "to one, as when nothing is said": {"investors": {"relation": {"target_type": "fund"}}},
}
JUST_SO = {
    "labelled": {"investors": CONFIGS["investors"] | {"label": "Backers", "description": "Who pays"}},
    "called otherwise": with_relation("investors", relationship_type="backs"),
}


@pytest.mark.parametrize("configs", NARROWED.values(), ids=NARROWED)
async def test_a_relation_does_not_change_under_its_connections(
    related: Desk, configs: dict[str, Any]
) -> None:
    companies = [await related.make_record() for _ in range(3)]
    fund = await related.make_record(type="fund", title="Fund")
    for company in companies:
        ok(await connect(related, company, "investors", fund))
    change = {"field_configs": {"owner": CONFIGS["owner"]} | configs}
    refused = await related.try_change("/api/entity-types/company", change)
    assert code(refused) == (409, "relation_in_use")
    assert refused.json()["conflict"] == {"fields": {"investors": 3}}
    assert ok(await related.admin.get("/api/entity-types/company"))["field_configs"] == CONFIGS
    for company in companies:
        ok(await related.reviewer.delete(f"/api/entities/{company['id']}"))
    changed = ok(await related.try_change("/api/entity-types/company", change))
    assert changed["field_configs"] == change["field_configs"]


@pytest.mark.parametrize("configs", JUST_SO.values(), ids=JUST_SO)
async def test_how_a_relation_is_presented_changes_freely(related: Desk, configs: dict[str, Any]) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    ok(await connect(related, company, "investors", fund))
    ok(await connect(related, company, "owner", fund))
    changes = configs | {"owner": with_relation("owner", multiple=True)["owner"]}
    ok(await related.try_change("/api/entity-types/company", {"field_configs": changes}))
    assert await related_to(related, company) == ["Fund", "Fund"]


async def test_a_field_of_the_same_name_in_another_type_does_not_stand_in_the_way(related: Desk) -> None:
    await related.make_type("house", field_configs=CONFIGS)
    house, fund = await related.make_record(type="house"), await related.make_record(type="fund")
    ok(await connect(related, house, "investors", fund))
    ok(await related.try_change("/api/entity-types/company", {"field_configs": {}}))


async def test_a_connection_and_a_change_of_its_relation_never_both_win(related: Desk) -> None:
    """Whichever commits first, afterwards every connection goes through a relation that its type has."""
    fund = await related.make_record(type="fund", title="Fund")
    for _ in range(6):
        company = await related.make_record()
        change, *made = await asyncio.gather(
            related.try_change("/api/entity-types/company", {"field_configs": {"owner": CONFIGS["owner"]}}),
            *(connect(related, company, "investors", fund) for _ in range(3)),
        )
        assert change.status_code in (200, 409), change.text
        assert {answer.status_code for answer in made} <= {201, 422}
        assert not (change.status_code == 200 and await related_to(related, company)), "one slipped in"
        ok(await related.reviewer.delete(f"/api/entities/{company['id']}"))
        ok(await related.try_change("/api/entity-types/company", {"field_configs": CONFIGS}))


async def test_a_connection_waits_for_the_change_of_its_relation_and_goes_by_it(related: Desk) -> None:
    company, fund = await related.make_record(), await related.make_record(type="fund", title="Fund")
    workspace = related.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("SELECT FROM entity_types WHERE slug = 'company' FOR UPDATE")
        connecting = asyncio.create_task(connect(related, company, "investors", fund))
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        while not await tx.fetchval(waiting):
            assert not connecting.done(), "it did not wait"
            await asyncio.sleep(0.01)
        await tx.execute("UPDATE entity_types SET field_configs = '{}', version = 2 WHERE slug = 'company'")
    answer = await connecting
    assert (answer.status_code, places(answer)) == (422, [("/field_key", "not_a_relation")])
