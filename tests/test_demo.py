"""The demo workspace: what a visitor finds, and that loading it again changes nothing."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from litestar.handlers import HTTPRouteHandler

from goldloop import demo
from goldloop.app import build_app
from goldloop.artifact_evals import (
    KnowledgeDimension,
    make_surface_probe,
    score_knowledge_artifact,
    unresolved_knowledge_surfaces,
)
from goldloop.artifact_evals.suites import SUITES
from goldloop.artifact_evals.suites.pf_knowledge import LOOP
from goldloop.artifact_runs.demo import record_id
from goldloop.chain import demo as chain
from goldloop.claims.demo import claim_id, rating_id
from goldloop.edges.demo import PROTOCOL_RESPONSE, protocol_id, visit_id
from goldloop.entities.demo import contract_id, vendor_id
from goldloop.entities.history import api as history
from goldloop.entities.records import api as records
from goldloop.entities.records.ordering import Sort
from goldloop.entities.relations import api as relations
from goldloop.entities.types import service as types
from goldloop.feedback.entries import api as feedback
from goldloop.feedback.groups import api as groups
from goldloop.goldens.starters import sales_ops
from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.outside import Outside
from goldloop.knowledge import demo as knowledge
from goldloop.live.feed import Feed
from goldloop.population import demo as runs
from goldloop.responses import api as responses
from goldloop.responses.demo import amendment_id, extraction_id, rerun_id
from goldloop.sessions import api as sessions_api
from goldloop.sessions import demo as sessions
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.workspaces import service as workspaces
from goldloop.tenants.workspaces import store
from tests.factories import browser, sign_in
from tests.loops import any_number, some
from tests.wire import of_declared_type

MOST_STATEMENTS = 6200  # of about 5,650: what is said twice for every record or response is noticed
TABLES = ["entity_types", "entities", "entity_relations", "criteria_sets", "entity_responses", "entity_field_history", "views", "agents", "api_keys", "events", "conversations", "conv_turns", "conv_messages", "sessions", "feedback", "feedback_groups", "feedback_decisions", "shared_context", "shared_context_support", "shared_context_history", "shared_context_citations"]  # fmt: skip


@pytest_asyncio.fixture(scope="module")
async def demo_db(module_database_url: str, outside: Outside) -> AsyncIterator[Database]:
    statements: list[str] = []
    async with open_database(module_database_url, role=WORKER_ROLE, size=4) as opened:
        async with opened.pool.acquire() as connection:  # the only one so far: the demo is loaded on it
            connection.add_query_logger(lambda record: statements.append(record.query))
        await demo.load(opened, outside)
        assert 0 < len(statements) < MOST_STATEMENTS
        yield opened


@pytest_asyncio.fixture(scope="module")
async def visitor(
    demo_db: Database, module_database_url: str, outside: Outside
) -> AsyncIterator[httpx.AsyncClient]:
    db = Database(pool=demo_db.pool)
    auth = Authenticator(db=db, secret=b"a secret of the tests")
    app = build_app(db, auth, Feed(db=db, url=module_database_url, auth=auth), outside)
    async with browser(app) as client:
        assert (await sign_in(client, demo.EMAIL, demo.PASSWORD)).status_code == 201
        yield client


async def everything(db: Database) -> dict[str, Any]:
    tenant_id = await store.find_id(db, demo.SLUG)
    assert tenant_id is not None
    async with db.tx(system_actor(tenant_id)) as tx:
        return {
            table: await tx.fetchval(f"SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {table} t")
            for table in TABLES
        }


async def rows(client: httpx.AsyncClient, path: str, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get(path, params={"limit": 200, **query})
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


async def response(client: httpx.AsyncClient, contract: str, response_id: object) -> dict[str, Any]:
    answer = await client.get(f"/api/entities/{contract_id(contract)}/responses/{response_id}")
    assert answer.status_code == 200
    return dict(answer.json())


async def test_loading_again_changes_nothing(demo_db: Database, outside: Outside) -> None:
    before = await everything(demo_db)
    await demo.load(demo_db, outside)
    assert await everything(demo_db) == before


async def test_there_are_records_of_two_types_with_scores(visitor: httpx.AsyncClient) -> None:
    for kind in ("vendor", "contract"):
        found = await rows(visitor, "/api/entities", type=kind)
        assert len(found) == 24
        assert sum(record["score"] is not None for record in found) >= 12
    views = await rows(visitor, "/api/views")
    assert {view["entity_type"] for view in views} >= {"vendor", "contract"}


async def test_every_status_can_be_seen(visitor: httpx.AsyncClient) -> None:
    statuses: Counter[str] = Counter()
    for record in some(await rows(visitor, "/api/entities")):
        for found in any_number(await rows(visitor, f"/api/entities/{record['id']}/responses")):
            statuses[found["status"]] += 1
            assert found["submitted_by"]["name"]
    assert statuses.keys() == {"submitted", "partially_promoted", "promoted", "superseded", "rejected"}


async def test_a_rejection_says_why_and_was_answered(visitor: httpx.AsyncClient) -> None:
    rejected = await response(visitor, "papaya-frame", extraction_id("papaya-frame"))
    assert (rejected["status"], rejected["reviewer"]["name"]) == ("rejected", "Priya Raman")
    assert "240,000" in rejected["review_notes"]
    again = await response(visitor, "papaya-frame", rerun_id("papaya-frame"))
    assert (again["status"], again["parent_response_id"]) == ("promoted", rejected["id"])
    assert again["submitted_by"] == rejected["submitted_by"]
    assert again["field_meta"]["annual_value_eur"]["sources"][0]["quote"]


async def test_an_amendment_superseded_what_was_read(visitor: httpx.AsyncClient) -> None:
    assert (await response(visitor, "brightline-voice", extraction_id("brightline-voice")))[
        "status"
    ] == "superseded"
    assert (await response(visitor, "brightline-voice", amendment_id("brightline-voice")))[
        "status"
    ] == "promoted"


async def test_an_undone_promotion_left_its_trace(visitor: httpx.AsyncClient) -> None:
    found = await rows(visitor, f"/api/entities/{vendor_id('brightline')}/fields/recommendation/history")
    assert [change["kind"] for change in found] == ["undo", "promotion"]
    record = (await visitor.get(f"/api/entities/{vendor_id('brightline')}")).json()
    assert "recommendation" not in record["content"]


async def test_raters_disagree_visibly_and_not_wildly(visitor: httpx.AsyncClient) -> None:
    sets = {found["slug"]: found for found in await rows(visitor, "/api/criteria-sets")}
    agreement = await rows(visitor, f"/api/criteria-sets/{sets['vendor-risk']['id']}/agreement")
    alphas = {found["key"]: found["alpha"] for found in agreement if found["level"]}
    assert all(0 < alpha < 0.9 for alpha in some(alphas.values())), alphas
    answer = await visitor.get(
        f"/api/entities/{vendor_id('nimbus')}/responses/aggregate",
        params={"criteria_set_id": sets["vendor-risk"]["id"]},
    )
    spread = {found["key"]: found["spread"] for found in answer.json()["dimensions"]}
    assert spread["data_protection"] > 1


async def test_responses_came_over_weeks_in_an_order_that_makes_sense(visitor: httpx.AsyncClient) -> None:
    found = await rows(visitor, f"/api/entities/{vendor_id('nimbus')}/responses")
    times = [datetime.fromisoformat(row["created_at"]) for row in found]
    assert max(times) - min(times) > timedelta(weeks=2)
    assert len(set(times)) == len(times)
    rejected = await response(visitor, "papaya-frame", extraction_id("papaya-frame"))
    again = await response(visitor, "papaya-frame", rerun_id("papaya-frame"))
    assert rejected["created_at"] < rejected["reviewed_at"] < again["created_at"] < again["reviewed_at"]


async def facts(db: Database, query: str) -> list[dict[str, Any]]:
    tenant_id = await store.find_id(db, demo.SLUG)
    assert tenant_id is not None
    async with db.tx(system_actor(tenant_id)) as tx:
        return [dict(row) for row in await tx.fetch(query)]


async def test_a_record_was_there_before_what_happened_to_it_and_all_of_it_is_past(demo_db: Database) -> None:
    found = await facts(
        demo_db,
        """
        SELECT e.title, t.created_at AS type_at, e.created_at AS record_at, r.created_at AS submitted_at,
               r.reviewed_at, r.withdrawn_at, s.created_at AS set_at, e.updated_at
        FROM entity_responses r JOIN entities e USING (tenant_id) JOIN entity_types t USING (tenant_id)
        JOIN criteria_sets s USING (tenant_id)
        WHERE e.id = r.entity_id AND t.id = e.type_id AND s.id = r.criteria_set_id
        """,
    )
    newest = datetime.now(UTC)  # what a visitor does is newer
    for each in some(found):
        order = [each["type_at"], each["record_at"], each["submitted_at"], each["reviewed_at"], newest]
        known = [at for at in order if at is not None]
        assert known == sorted(known), each
        assert each["set_at"] <= each["submitted_at"] <= (each["withdrawn_at"] or newest) <= newest, each
        assert each["record_at"] <= each["updated_at"] <= newest, each


async def test_history_responses_and_events_tell_the_same_times(demo_db: Database) -> None:
    changes = await facts(
        demo_db,
        """
        SELECT h.id, h.kind, h.created_at, h.entity_version, r.created_at AS submitted_at, r.reviewed_at, v.created_at AS told_at
        FROM entity_field_history h
        LEFT JOIN entity_responses r ON r.tenant_id = h.tenant_id AND r.id = h.response_id
        LEFT JOIN events v ON v.tenant_id = h.tenant_id AND v.payload ->> 'entity_id' = h.entity_id::text
             AND v.payload ->> 'version' = h.entity_version::text AND v.name LIKE 'response.promot%'
        """,
    )
    promoted = [change for change in changes if change["kind"] == "promotion"]
    for change in some(promoted):
        assert change["submitted_at"] < change["created_at"] == change["told_at"] <= change["reviewed_at"], (
            change
        )
    for change in some([each for each in changes if each["kind"] == "undo"]):
        assert change["created_at"] == change["told_at"] > min(each["created_at"] for each in promoted)
    told = await facts(
        demo_db,
        """
        SELECT v.name, v.created_at AS told_at, r.created_at, r.reviewed_at, r.withdrawn_at
        FROM events v JOIN entity_responses r ON r.tenant_id = v.tenant_id AND r.id::text = v.payload ->> 'response_id'
        WHERE r.field_meta::text NOT LIKE '%session_id%'  -- an agent's run follows the clock
        """,
    )
    columns = {"submitted": "created_at", "rejected": "reviewed_at", "withdrawn": "withdrawn_at"}
    happened = [each for each in told if each["name"].removeprefix("response.") in columns]
    for each in some(happened):
        assert each["told_at"] == each[columns[each["name"].removeprefix("response.")]], each


async def test_versions_of_a_record_follow_each_other_in_time(demo_db: Database) -> None:
    found = await facts(
        demo_db,
        """
        SELECT entity_id, array_agg(DISTINCT (entity_version, created_at) ORDER BY (entity_version, created_at)) AS times
        FROM entity_field_history GROUP BY entity_id
        """,
    )
    for record in some(found):
        times = [at for _, at in record["times"]]
        assert times == sorted(times)


async def test_what_was_said_in_conversations_was_told_when_it_was_said(demo_db: Database) -> None:
    found = await facts(
        demo_db,
        """
        SELECT v.name, v.created_at, m.ts FROM events v JOIN conv_messages m ON m.tenant_id = v.tenant_id
        WHERE v.name LIKE 'reaction.%' AND m.payload #>> '{meta,rn}' = v.payload ->> 'rn'
        """,
    )
    assert all(each["created_at"] == each["ts"] for each in some(found))
    (turns,) = await facts(
        demo_db,
        "SELECT count(*) FILTER (WHERE created_at > now() - interval '12 hours') FROM events WHERE topic = 'conversations'",
    )
    assert turns["count"] == 0


async def test_who_takes_part_was_there_first(demo_db: Database) -> None:
    (first,) = await facts(demo_db, "SELECT min(created_at) AS at FROM entity_responses")
    then = f"agents WHERE NOT is_system AND slug NOT LIKE '{sales_ops.NAME}%'"  # which came with their set, just now
    for table in some([then, "api_keys", "memberships WHERE role <> 'owner'"]):
        made = await facts(demo_db, f"SELECT max(created_at) AS at FROM {table}")
        assert made[0]["at"] <= first["at"], table


async def test_clinicians_rate_the_protocols_of_visits_and_disagree(visitor: httpx.AsyncClient) -> None:
    (scored,) = await rows(visitor, "/api/criteria-sets", slug=PROTOCOL_RESPONSE)
    of_set = {"criteria_set_id": scored["id"]}
    ranked = await rows(
        visitor, f"/api/entities/{visit_id('2041')}/relations/ranked", field_key="protocols", **of_set
    )
    assert [(r["target"]["title"], round(r["score"] or 0)) for r in ranked] == [
        ("Night splint", 83),
        ("Forearm stretches", 67),
        ("Desk and screen set-up", 62),
        ("Cold laser on the wrist", 42),
    ]
    outcomes = await rows(visitor, f"/api/entities/{protocol_id('laser')}/outcomes", **of_set)
    assert [o["entity"]["title"].partition(":")[0] for o in outcomes] == ["OH-2047", "OH-2041"]
    answer = await visitor.get(f"/api/entities/{visit_id('2066')}/responses/aggregate", params=of_set)
    assert answer.json()["byConnection"][str(protocol_id("gaze"))]["count"] == 1, (
        "the rejected one does not count"
    )


async def test_its_claims_rest_on_sources_and_say_how_good_they_are(visitor: httpx.AsyncClient) -> None:
    numbers = {}
    for record in await rows(visitor, "/api/entities", type="claim"):
        content = record["content"]
        average = content.get("source_quality_avg")
        numbers[record["id"]] = (content.get("source_count"), average and round(average, 2))
    assert numbers == {
        str(claim_id("two-hours")): (4, 7.17),
        str(claim_id("one-owner")): (4, 6.42),
        str(claim_id("callback")): (3, 6.33),
        str(claim_id("bot-nights")): (2, 8.33),
        str(claim_id("macros")): (2, 8),
        str(claim_id("video")): (1, None),
        str(claim_id("first-name")): (None, None),
    }
    history = await rows(visitor, f"/api/entities/{claim_id('two-hours')}/fields/source_quality_avg/history")
    assert [(h["kind"], h["value"] and round(h["value"], 2)) for h in history] == [
        ("aggregate", 7.17),
        ("aggregate", 8.33),
        ("aggregate", None),
    ]


async def test_a_source_that_was_rated_again_counts_with_the_newer_rating(visitor: httpx.AsyncClient) -> None:
    found = await rows(visitor, f"/api/entities/{claim_id('one-owner')}/sources")
    assert {(s["title"], s["quality"] and round(s["quality"], 2)) for s in found} >= {
        ("The two-hour rule", 3.67),
        ("One owner per ticket, Malmö pilot", 8.33),
    }
    again = next(source for source in found if source["title"] == "The two-hour rule")
    assert again["response_id"] == str(rating_id("vendor-paper", "priya.raman"))


async def test_its_knowledge_is_judged_as_the_suites_judge_it(visitor: httpx.AsyncClient) -> None:
    failing = {}
    for suite in SUITES:
        for record in await rows(visitor, "/api/entities", type=suite.name):
            result = score_knowledge_artifact(suite.adapter(record | {"tenant": demo.SLUG}), suite.rubric)
            if not result.passed:
                failing[record["id"]] = result.gaps[0].dimension.value
    assert failing == {
        str(record_id("claim-standing-desks")): "source_grounding",
        str(record_id("plan-shoulder")): "safety_human_gate",
        str(record_id("idea-bot-tone")): "safety_human_gate",
        str(record_id("know-card-decline")): "tenant_isolation",
    }


async def test_every_surface_of_its_knowledge_is_there(visitor: httpx.AsyncClient) -> None:
    views = {view["slug"] for view in await rows(visitor, "/api/views")}
    types = {kind["slug"] for kind in await rows(visitor, "/api/entity-types")}
    probe = make_surface_probe({"view": views.__contains__, "entity-list": types.__contains__})
    for suite in SUITES:
        for record in some(await rows(visitor, "/api/entities", type=suite.name)):
            assert probe(record["content"]["surface"]), record["title"]
    resolvers = {"view": views.__contains__, "entity-list": types.__contains__}
    assert unresolved_knowledge_surfaces(LOOP, resolvers) == ()


async def test_a_link_between_its_records_leads_somewhere(visitor: httpx.AsyncClient) -> None:
    plan = (await visitor.get(f"/api/entities/{record_id('plan-wrist')}")).json()
    claim = await visitor.get(f"/api/entities/{plan['content']['rests_on'][0]['id']}")
    assert claim.json()["title"] == "Short breaks and neck pain"


async def test_people_rate_product_knowledge_on_the_dimensions_of_its_rubric(
    visitor: httpx.AsyncClient,
) -> None:
    (found,) = await rows(visitor, "/api/criteria-sets", slug="knowledge-pf_knowledge")
    assert [dimension["key"] for dimension in found["dimensions"]] == [
        f"{d}_score" for d in KnowledgeDimension
    ]


async def test_a_visitor_who_made_a_type_of_that_name_keeps_it(
    fresh_database_url: str, outside: Outside
) -> None:
    async with open_database(fresh_database_url, role=WORKER_ROLE, size=2) as db:
        made = await workspaces.create(db, demo.SLUG, demo.NAME, demo.EMAIL, demo.PASSWORD, demo.OWNER_NAME)
        async with db.tx(system_actor(made.workspace.id)) as tx:
            await types.create(tx, None, "pf_idea", "Mine", {"type": "object", "properties": {}}, {}, {})
        await demo.load(db, outside)
        async with db.tx(system_actor(made.workspace.id)) as tx:
            assert (await types.access(tx, "pf_idea")).name == "Mine"


async def test_the_people_of_the_demo_can_sign_in(visitor: httpx.AsyncClient) -> None:
    members = await rows(visitor, "/api/members")
    assert {member["status"] for member in members} == {"active"}


async def test_its_conversations_show_what_people_and_the_gate_thought(visitor: httpx.AsyncClient) -> None:
    found = await rows(visitor, "/api/conversations")
    assert {row["project"] for row in found} == {"Support", "Coding"}
    assert sum(row["feedback_counts"]["user"] for row in found) >= 12
    assert sum(row["feedback_counts"]["machine"] for row in found) == 6
    (unsettled,) = await rows(visitor, "/api/reactions/unsettled")
    assert len(unsettled["candidates"]) == 3
    assert all(candidate["assistant"] for candidate in unsettled["candidates"])
    report = (await visitor.get("/api/conversations/satisfaction", params={"by": "agent"})).json()
    assert {row["group"] for row in report["overall"]} == {"answer-bot", "coder"}
    assert len({row["bucket"] for row in report["data"]}) >= 5
    of_members = (await visitor.get("/api/conversations/satisfaction", params={"user_type": "member"})).json()
    assert of_members["overall"][0]["total"] == 5


async def test_its_sessions_are_of_several_kinds_and_were_run_by_the_same_code(
    visitor: httpx.AsyncClient,
) -> None:
    found = {row["id"]: row for row in await rows(visitor, "/api/sessions")}
    ends = {
        str(sessions.LONG_CHAT): ("client", "completed", None),
        str(runs.EXTRACTED): ("run", "completed", None),
        str(runs.MISREAD): ("run", "completed", None),
        str(runs.ENDLESS): ("run", "failed", "limit_requests"),
        str(runs.ASKING): ("run", "waiting", None),
    }
    for session_id, (source, status, error) in ends.items():
        row = found[session_id]
        assert (row["source"], row["status"], (row["error"] or {}).get("code")) == (source, status, error)
    good = (await rows(visitor, f"/api/entities/{contract_id(runs.GOOD)}/responses"))[0]
    assert (good["status"], good["source"]) == ("partially_promoted", "extraction")
    assert good["values"]["notice_days"] == 90
    assert good["field_meta"]["end_date"]["sources"][0]["quote"]
    bad = (await rows(visitor, f"/api/entities/{contract_id(runs.BAD)}/responses"))[0]
    assert (bad["status"], bad["values"]["notice_days"]) == ("rejected", 30)


async def test_its_feedback_is_of_every_source_and_in_groups_of_several_kinds(
    visitor: httpx.AsyncClient,
) -> None:
    found = await rows(visitor, "/api/feedback")
    assert {row["source_type"] for row in found} == {
        *("chat", "response", "extraction", "tool", "session", "observation"),
    }
    assert {row["rating"] for row in found} == {"positive", "negative", "neutral"}
    groups = await rows(visitor, "/api/feedback/groups")
    assert {row["kind"] for row in groups} >= {"wording", "tool", "reason"}
    by_title = {row["title"]: row for row in groups}
    (dates,) = [row for title, row in by_title.items() if "delivery date" in title]
    assert (dates["origins"], dates["pending"], dates["kind"]) == (4, 4, "wording")
    (plan,) = [row for title, row in by_title.items() if "protection plan" in title]
    members = await rows(visitor, f"/api/feedback/groups/{plan['id']}/members")
    assert len({row["author"]["id"] for row in members}) == 3
    about = (await visitor.get(f"/api/feedback/{members[0]['id']}")).json()["about"]
    assert about["turn"]["user"].startswith("Is water damage covered")
    (dismissed,) = await rows(visitor, "/api/feedback/groups", state="dismissed")
    assert (dismissed["reason"], dismissed["decided_by"]["name"]) == ("already_covered", "Mara Lindqvist")
    counted = (await visitor.get("/api/feedback/counts", params={"unit": "week"})).json()["data"]
    assert len({row["at"] for row in counted}) >= 4
    inbox = {row["kind"]: row["count"] for row in (await visitor.get("/api/inbox")).json()["data"]}
    assert inbox["feedback_groups"] >= 4


async def test_its_knowledge_is_of_every_type_in_several_states_and_rests_on_feedback(
    visitor: httpx.AsyncClient,
) -> None:
    found = await rows(visitor, "/api/admin/shared-context")
    assert {row["type"] for row in found} == {"correction", "lesson", "routing", "insight", "guideline"}
    assert {row["state"] for row in found} >= {"proposed", "shadow", "active", "retired"}
    assert all(row["state"] == "proposed" or row["wording"] for row in found)
    by_content = {row["content"]: row for row in found}
    searching = by_content["Search in the language of the ticket, and name the product in the query"]
    assert (searching["state"], searching["origins"], searching["confirmations"]) == ("active", 3, 1)
    lost = by_content["Send a changed door code again when the carrier does not confirm it"]
    assert (lost["state"], lost["decided"], lost["origins"]) == ("shadow", "active", 1)
    assert "lost_support" in lost["flags"]
    (proposal,) = [row for row in found if row["state"] == "proposed" and "delivery date" in row["content"]]
    detail = (await visitor.get(f"/api/admin/shared-context/{proposal['id']}")).json()
    assert proposal["origins"] == 4
    assert all("delivery date" in each["comment"] for each in some(detail["support"]))


async def test_its_evals_are_queued_for_the_worker_with_every_version_that_is_tried(
    visitor: httpx.AsyncClient,
) -> None:
    """What the worker makes of them is in tests/goldens/starters: the same set, with its trials."""
    queued = await rows(visitor, "/api/sessions", status="queued")
    assert {row["input"]["message"] for row in queued} == {
        request.message for request in sales_ops.STARTER.requests
    }
    assert {(row["agent"], row["agent_version"]) for row in queued} == {(sales_ops.NAME, 1)}
    (agent,) = [row for row in await rows(visitor, "/api/agents") if row["slug"] == sales_ops.NAME]
    assert len(await rows(visitor, f"/api/agents/{agent['id']}/versions")) == 1 + len(
        sales_ops.STARTER.trials
    )


async def test_what_agents_did_badly_are_candidates_for_goldens(visitor: httpx.AsyncClient) -> None:
    found = (await visitor.get("/api/admin/evals/candidates")).json()["data"]
    assert {row["representativeSessionId"] for row in found} == {
        str(runs.ENDLESS)
    }  # of the misread one was learnt since


async def test_a_value_goes_back_to_the_two_rejections_that_taught_the_agent(
    visitor: httpx.AsyncClient,
) -> None:
    value = f"field:{contract_id(chain.CONTRACT)}/{chain.FIELD}"
    found = (await visitor.get("/api/chain", params={"from": value})).json()
    nodes = {node["ref"]: node for node in found["nodes"]}
    assert nodes[value]["detail"] == "30"
    assert f"session:{chain.SESSION}" in nodes
    rejected = [
        node for node in nodes.values() if node["kind"] == "feedback" and chain.FIELD in node["title"]
    ]
    assert {node["by"]["name"] for node in some(rejected)} == {"Priya Raman", "Tomás Okafor"}
    for node in rejected:
        answer = await visitor.get("/api/chain", params={"from": node["ref"], "direction": "forward"})
        assert value in {each["ref"] for each in answer.json()["nodes"]}


async def test_a_session_names_the_knowledge_of_its_prompt_and_cites_it(visitor: httpx.AsyncClient) -> None:
    session = (await visitor.get(f"/api/sessions/{knowledge.CITING}")).json()
    assert session["status"] == "completed"
    why = (await visitor.get(f"/api/sessions/{knowledge.CITING}/shared-context")).json()
    assert why["manifest"]["manifest"] == session["manifest"]
    assert len(why["manifest"]["rows"]) >= 3
    assert len(why["cited"]) == 1
    assert any(row["state"] == "shadow" for row in why["manifest"]["rows"])  # it lost support since


@dataclass(frozen=True)
class List:
    """A list that the database writes, where its rows are shown one by one, and what only one of both has or may differ."""

    handler: HTTPRouteHandler
    path: str
    row: str
    differs: tuple[str, ...] = ()
    query: dict[str, str] = field(default_factory=dict)


RECORD = f"/api/entities/{contract_id('papaya-frame')}"
RESPONSE = "/api/entities/{entity_id}/responses/{id}"
SESSION = "/api/sessions/{id}"
RECORD_QUERIES: list[dict[str, str]] = [
    *({"sort": str(sort)} for sort in Sort),
    {"q": "frame"},
    {"waits": "true"},
    {"type": "vendor"},
    {"type": "contract", "sort": "-content.end_date"},
]
LISTS = [
    *(
        List(records.list_entities, "/api/entities", "/api/entities/{id}", query=query)
        for query in RECORD_QUERIES
    ),
    List(responses.list_responses, f"{RECORD}/responses", RESPONSE),
    List(responses.list_all_responses, "/api/responses", RESPONSE, ("entity", "criteria_set_name")),
    List(history.show_provenance, f"{RECORD}/fields", ""),
    List(
        relations.list_relations,
        f"/api/entities/{protocol_id('laser')}/relations",
        "",
        query={"direction": "in"},
    ),
    List(sessions_api.list_sessions, "/api/sessions", SESSION, ("metadata",)),
    List(feedback.list_feedback, "/api/feedback", "/api/feedback/{id}"),
    List(groups.list_groups, "/api/feedback/groups", "/api/feedback/groups/{id}", ("read_at",)),
]


@pytest.mark.parametrize("listed", LISTS, ids=lambda each: f"{each.path} {each.query}")
async def test_a_row_of_a_list_is_what_is_shown_of_it_alone(visitor: httpx.AsyncClient, listed: List) -> None:
    params = {"limit": "20", **listed.query}
    for row in some(of_declared_type(listed.handler, await visitor.get(listed.path, params=params))):
        if listed.row:
            alone = (await visitor.get(listed.row.format(**row))).json()
            assert {key: value for key, value in row.items() if key not in listed.differs} == {
                key: alone[key] for key in row if key not in listed.differs
            }


async def test_the_history_of_a_field_has_what_its_value_comes_from(visitor: httpx.AsyncClient) -> None:
    for source in some(await rows(visitor, f"{RECORD}/fields")):
        answer = await visitor.get(f"{RECORD}/fields/{source['field']}/history")
        changes = of_declared_type(history.list_field_history, answer)
        assert [change for change in changes if change["current"]] == [source]


async def test_the_members_of_a_group_are_feedback_that_says_so(visitor: httpx.AsyncClient) -> None:
    for group in some(await rows(visitor, "/api/feedback/groups")):
        answer = await visitor.get(f"/api/feedback/groups/{group['id']}/members")
        for row in some(of_declared_type(groups.list_group_members, answer)):
            alone = (await visitor.get(f"/api/feedback/{row['id']}")).json()
            assert row == {key: alone[key] for key in row}
            assert row["group_id"] == group["id"]


async def test_the_events_of_a_session_are_those_that_are_shown_alone(visitor: httpx.AsyncClient) -> None:
    seen = 0
    for session in some(await rows(visitor, "/api/sessions", limit=5)):
        path = f"/api/sessions/{session['id']}/events"
        found = of_declared_type(sessions_api.list_session_events, await visitor.get(path))
        assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
        for event in any_number(found):
            if event["whole"]:
                assert (await visitor.get(f"{path}/{event['seq']}/payload")).json() == event["payload"]
                seen += 1
    assert seen
