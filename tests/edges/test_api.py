"""Rating the connections of a record, over HTTP."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from goldloop.edges.jobs import refresh_edge_scores, repair_edge_scores
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.tenants.model import Role
from tests.clinic import NOTE, RATING, SCOPE, Clinic
from tests.factories import Workspace
from tests.records import code, ok, places, some_id


async def test_a_part_of_the_connections_is_rated_and_scored_by_their_mean(clinic: Clinic) -> None:
    one, two, three = [await clinic.make_protocol(title) for title in ("One", "Two", "Three")]
    visit = await clinic.make_visit(one, two, three)
    made = await clinic.rate(visit, [(one, 5), (two, 3)])
    assert (made["values"], made["scope"]) == ({one["id"]: {"rating": 5}, two["id"]: {"rating": 3}}, SCOPE)
    assert (made["weighted_score"], made["normalized_score"]) == (4, 0.75)
    assert (made["status"], made["promotable_fields"]) == ("submitted", [])
    assert made == await clinic.desk.response(made)


async def test_an_empty_matrix_is_accepted_and_writes_nothing(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    nothing: list[dict[str, Any]] = [
        {},
        {protocol["id"]: {}},
        {protocol["id"]: {"rating": None, "note": " "}},
    ]
    for values in nothing:
        answer = await clinic.try_rate(visit, values)
        assert (answer.status_code, answer.json()) == (200, {"submitted": False})
    assert await clinic.desk.count("entity_responses") == 0
    assert await clinic.desk.events("response.submitted") == []


async def test_a_note_without_a_rating_is_kept_without_a_score(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    for body in ({"values": {protocol["id"]: {"note": "Odd"}}}, {"values": {}, "notes": "Nobody came"}):
        made = ok(await clinic.try_rate(visit, **body))
        assert (made["weighted_score"], made["normalized_score"]) == (None, None)


async def test_what_is_wrong_is_named_and_nothing_is_kept(clinic: Clinic) -> None:
    here, elsewhere, planned = [await clinic.make_protocol() for _ in range(3)]
    visit = await clinic.make_visit(here)
    await clinic.connect(visit, planned, "planned")
    answer = await clinic.try_rate(
        visit,
        {
            here["id"]: {"rating": "5", "mood": 1},
            elsewhere["id"]: {"rating": 5},
            planned["id"]: {"rating": 5},
            "nobody": {},
        },
    )
    assert places(answer) == [
        (f"/values/{here['id']}/mood", "unknown_dimension"),
        (f"/values/{here['id']}/rating", "wrong_type"),
        (f"/values/{elsewhere['id']}", "unknown_connection"),
        (f"/values/{planned['id']}", "other_field"),
        ("/values/nobody", "unknown_connection"),
    ]
    assert await clinic.desk.count("entity_responses") == 0


async def test_what_was_said_about_connections_is_never_promoted(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    made = await clinic.rate(visit, [(protocol, 5)])
    answer = await clinic.desk.try_promote(made, "rating")
    assert code(answer) == (409, "not_promotable")
    assert [fault["code"] for fault in answer.json()["errors"]] == ["relation_scoped"]


async def test_an_agent_rates_connections_by_its_tool(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    agent = await clinic.desk.agent(Role.REVIEWER)

    async def call(**more: Any) -> Any:
        body = {"entityId": visit["id"], "criteriaSetSlug": "visit-protocol-response", **more}
        return ok(await agent.post("/api/tools/submitResponse", json=body))

    made = await call(values={protocol["id"]: {"rating": 5}})
    assert (made["submitted"], made["normalizedScore"], made["status"]) == (True, 1, "submitted")
    empty = await call(values={})
    assert empty["submitted"] is False
    assert empty.keys() == made.keys()
    assert "error" in await call(values={protocol["id"]: {"rating": 5}}, promoteFields=["rating"])


async def test_a_scope_names_a_relation_field_of_every_type(clinic: Clinic) -> None:
    answer = await clinic.desk.admin.post(
        "/api/criteria-sets",
        json={"slug": "x", "name": "X", "kind": "assessment", "dimensions": [RATING], "entity_type_slugs": ["visit"],
              "scope": {"type": "relation", "fieldKey": "name"}},
    )  # fmt: skip
    assert places(answer) == [("/scope/fieldKey", "not_a_relation")]


@pytest.mark.parametrize(("strategy", "expected"), [("mean", 3), ("median", 2), ("min", 2), ("max", 5)])
async def test_the_aggregate_has_what_was_said_per_connection(
    clinic: Clinic, strategy: str, expected: float
) -> None:
    one, two = await clinic.make_protocol("One"), await clinic.make_protocol("Two")
    visit = await clinic.make_visit(one, two)
    people = [(await clinic.desk.person())[1] for _ in range(3)]
    for person, rating in zip(people, (2, 2, 5), strict=True):
        await clinic.rate(visit, [(one, rating)], by=person)
    ok(await clinic.try_rate(visit, {two["id"]: {"note": "Odd"}}, by=people[0]))
    withdrawn = await clinic.rate(visit, [(one, 1)], by=people[0])
    await clinic.desk.withdraw(withdrawn, people[0])
    found = await clinic.desk.aggregate(visit, clinic.criteria_set, strategy=strategy)
    rated = found["byConnection"][one["id"]]
    assert (rated["title"], rated["count"], rated["dimensions"]) == (
        "One",
        3,
        {"rating": {"value": expected, "count": 3}},
    )
    assert (rated["weighted_score"], rated["normalized_score"]) == (expected, (expected - 1) / 4)
    noted = found["byConnection"][two["id"]]
    assert (noted["count"], noted["normalized_score"]) == (1, None)
    assert "matrix" not in found
    assert found["count"] == 4
    (dimension,) = [each for each in found["dimensions"] if each["key"] == "rating"]
    assert (dimension["count"], dimension["respondents"], dimension["value"]) == (3, 3, expected)


async def test_a_set_about_records_has_no_connections_in_its_aggregate(clinic: Clinic) -> None:
    made = await clinic.desk.make_set("plain")
    visit = await clinic.make_visit()
    await clinic.desk.submit(visit, {"team": 3}, criteria_set_slug="plain")
    found = await clinic.desk.aggregate(visit, made, compact="true")
    assert "byConnection" not in found
    assert "matrix" not in found


async def test_the_compact_form_has_every_number_in_columns(clinic: Clinic) -> None:
    one, two = await clinic.make_protocol("One"), await clinic.make_protocol("Two")
    visit = await clinic.make_visit(one, two)
    user_id, person = await clinic.desk.person()
    await clinic.rate(visit, [(one, 2), (two, 4)], by=person)
    await clinic.rate(visit, [(two, 5)], by=person)
    matrix = (await clinic.desk.aggregate(visit, clinic.criteria_set, compact="true"))["matrix"]
    assert [each["key"] for each in matrix["dimensions"]] == ["rating"]
    assert sorted(each["title"] for each in matrix["connections"]) == ["One", "Two"]
    assert [each["id"] for each in matrix["respondents"]] == [str(user_id)]
    titles = [each["title"] for each in matrix["connections"]]
    cells = matrix["cells"]
    rows = zip(cells["connection"], cells["respondent"], cells["values"][0], strict=True)
    assert sorted((titles[c], r, v) for c, r, v in rows) == [("One", 0, 2), ("Two", 0, 4), ("Two", 0, 5)]


async def test_a_change_of_the_set_changes_nothing_that_was_said_about_connections(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    await clinic.rate(visit, [(protocol, 4)])
    before = await clinic.desk.aggregate(visit, clinic.criteria_set)
    await clinic.change_set(dimensions=[{**RATING, "scale": [0, 100], "weight": 0.1}, NOTE])
    assert await clinic.desk.aggregate(visit, clinic.criteria_set) == before


async def test_agreement_is_measured_over_connections(clinic: Clinic) -> None:
    protocols = [await clinic.make_protocol() for _ in range(4)]
    visit = await clinic.make_visit(*protocols)
    for ratings in ((1, 2, 4, 5), (1, 3, 4, 5)):
        _, person = await clinic.desk.person()
        await clinic.rate(visit, list(zip(protocols, ratings, strict=True)), by=person)
    path = f"/api/criteria-sets/{clinic.criteria_set['id']}/agreement"
    found = {each["key"]: each for each in ok(await clinic.desk.reviewer.get(path))["data"]}
    assert (found["rating"]["units"], found["rating"]["raters"], found["rating"]["values"]) == (4, 2, 8)
    assert found["rating"]["alpha"] > 0.8


async def test_beside_the_score_of_a_connection_stands_who_gave_it_each_by_their_newest(
    clinic: Clinic,
) -> None:
    apart, alone, unrated = [await clinic.make_protocol(title) for title in ("Apart", "Alone", "Unrated")]
    visit = await clinic.make_visit(apart, alone, unrated)
    people = [(await clinic.desk.person())[1] for _ in range(3)]
    await clinic.rate(visit, [(apart, 5), (alone, 4)], by=people[0])
    await clinic.rate(visit, [(apart, 1)], by=people[0])
    await clinic.rate(visit, [(apart, 2)], by=people[1])
    await clinic.rate(visit, [(apart, 4)], by=people[2])
    await clinic.refresh(visit)
    found = {each["target"]["title"]: each["raters"] for each in (await clinic.ranked(visit))["data"]}
    assert found == {
        "Apart": {
            "count": 3,
            "more": False,
            "median": 25,
            "min": 0,
            "max": 75,
            "spread": 38.19,
            "disagree": True,
        },
        "Alone": {
            "count": 1,
            "more": False,
            "median": 75,
            "min": 75,
            "max": 75,
            "spread": None,
            "disagree": False,
        },
        "Unrated": None,
    }


async def test_connections_carry_their_scores_and_are_ranked_by_them(clinic: Clinic) -> None:
    protocols = [await clinic.make_protocol(title) for title in ("Low", "High", "Middle", "Unrated")]
    visit = await clinic.make_visit(*protocols)
    low, high, middle, _ = protocols
    await clinic.rate(visit, [(low, 1), (high, 5), (middle, 2)])
    await clinic.rate(visit, [(middle, 4)])
    await clinic.refresh(visit)
    relations = await clinic.relations(visit)
    cached = relations[middle["id"]]["metadata"]["scores"][clinic.criteria_set["id"]]
    one_voice = {"count": 1, "more": False, "median": 75, "min": 75, "max": 75, "spread": None}
    assert cached == {
        "score": 50,
        "weighted_score": 3,
        "count": 2,
        "dimensions": {"rating": 3},
        "raters": one_voice,
    }
    seen, cursor = [], None
    while True:
        page = await clinic.ranked(visit, limit=1, **({"cursor": cursor} if cursor else {}))
        seen += [(each["target"]["title"], each["score"]) for each in page["data"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [("High", 100), ("Middle", 50), ("Low", 0), ("Unrated", None)]


async def test_scores_follow_a_rejection_a_withdrawal_and_a_new_connection(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    first, second = [await clinic.rate(visit, [(protocol, rating)]) for rating in (1, 5)]

    async def score() -> Any:
        await clinic.refresh(visit)
        metadata = (await clinic.relations(visit))[protocol["id"]]["metadata"]
        scores = metadata.get("scores", {}).get(clinic.criteria_set["id"])
        assert scores is None or (await clinic.ranked(visit))["data"][0]["score"] == scores["score"]
        return scores and scores["score"]

    assert await score() == 50
    await clinic.desk.review(first, "rejected", "No")
    assert await score() == 100
    relation = (await clinic.relations(visit))[protocol["id"]]
    ok(await clinic.desk.reviewer.delete(f"/api/entities/{visit['id']}/relations/{relation['id']}"))
    assert await clinic.desk.count("relation_scores") == 0
    await clinic.connect(visit, protocol)
    assert await score() == 100
    await clinic.desk.withdraw(second)
    assert await score() is None
    assert (await clinic.relations(visit))[protocol["id"]]["metadata"] == {}


async def test_the_repair_heals_caches_that_were_spoilt(clinic: Clinic) -> None:
    protocols = [await clinic.make_protocol() for _ in range(3)]
    visits = [await clinic.make_visit(*protocols) for _ in range(2)]
    for visit in visits:
        await clinic.rate(visit, list(zip(protocols, (1, 3, 5), strict=True)))
    bystander = await clinic.make_visit(protocols[0])
    await clinic.refresh(*visits)
    right = [await clinic.relations(visit) for visit in visits], [await clinic.ranked(v) for v in visits]
    spoil = [
        """UPDATE entity_relations SET metadata = '{"scores": {"x": 1}, "kept": 2}' WHERE source_id = $1""",
        "UPDATE entity_relations SET metadata = '{}' WHERE source_id = $1",
        """UPDATE entity_relations SET metadata = '{"scores": "nonsense"}' WHERE source_id = $1""",
        "UPDATE relation_scores SET score = -1 WHERE source_id = $1",
        "DELETE FROM relation_scores WHERE source_id = $1",
    ]
    workspace = clinic.desk.workspace
    for sql in spoil:
        async with workspace.db.tx(workspace.system) as tx:
            await tx.execute("DELETE FROM marks")
            await tx.execute(sql, visits[0]["id"])
            await tx.execute(
                """UPDATE entity_relations SET metadata = '{"scores": {"x": 1}}' WHERE source_id = $1""",
                bystander["id"],
            )
            await repair_edge_scores(tx)
            marked = await tx.fetch("SELECT DISTINCT key FROM marks WHERE kind = 'edges.scores'")
        for row in marked:
            await refresh_edge_scores(workspace.db, workspace.system, row["key"])
        healed = [await clinic.relations(visit) for visit in visits], [await clinic.ranked(v) for v in visits]
        assert json.loads(json.dumps(healed).replace(', "kept": 2', "").replace('"kept": 2, ', "")) == [
            *right
        ], sql
        assert (await clinic.relations(bystander))[protocols[0]["id"]]["metadata"] == {}


async def test_outcomes_come_from_the_responses_and_not_from_the_cache(clinic: Clinic) -> None:
    protocol, other = await clinic.make_protocol(), await clinic.make_protocol()
    best, worst, silent = [
        await clinic.make_visit(protocol, other, title=t) for t in ("Best", "Worst", "Silent")
    ]
    await clinic.rate(best, [(protocol, 4), (other, 1)])
    await clinic.rate(best, [(protocol, 5)])
    await clinic.rate(worst, [(protocol, 2), (other, 5)])
    ok(await clinic.try_rate(silent, {protocol["id"]: {"note": "Odd"}}))
    workspace = clinic.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("""UPDATE entity_relations SET metadata = '{"scores": "nonsense"}'""")
    found = await clinic.outcomes(protocol)
    assert [(o["entity"]["title"], o["weighted_score"], o["count"]) for o in found] == [
        ("Best", 4.5, 2),
        ("Worst", 2, 1),
        ("Silent", None, 1),
    ]


async def test_outcomes_say_what_the_aggregate_says_also_after_the_dimensions_changed(clinic: Clinic) -> None:
    protocol, other = await clinic.make_protocol("One"), await clinic.make_protocol("Other")
    visit = await clinic.make_visit(protocol, other)
    await clinic.rate(visit, [(protocol, 4), (other, 2)])
    pain = {"key": "pain", "label": "Pain", "type": "rating", "scale": [0, 10], "weight": 0.5}
    await clinic.change_set(dimensions=[pain])
    ok(await clinic.try_rate(visit, {protocol["id"]: {"pain": 9}}))
    await clinic.change_set(dimensions=[{**RATING, "scale": [1, 9]}])
    await clinic.rate(visit, [(other, 6)])
    await clinic.refresh(visit)
    by_connection = (await clinic.desk.aggregate(visit, clinic.criteria_set))["byConnection"]
    cached = dict(await clinic.order(visit))
    for rated, weighted in ((protocol, (4 + 9 * 0.5) / 1.5), (other, 4)):
        (outcome,) = await clinic.outcomes(rated)
        said = by_connection[rated["id"]]
        for name in ("count", "weighted_score", "normalized_score"):
            assert outcome[name] == said[name]
        assert outcome["weighted_score"] == pytest.approx(weighted)
        assert cached[rated["title"]] == pytest.approx(outcome["normalized_score"] * 100)


async def test_outcomes_are_paged_and_records_that_did_equally_well_keep_their_order(clinic: Clinic) -> None:
    protocol = await clinic.make_protocol()
    ratings = (3, 5, None, 1, 3, None, 3, 5)
    for number, rating in enumerate(ratings):
        visit = await clinic.make_visit(protocol, title=str(number))
        said = {"note": "Odd"} if rating is None else {"rating": rating}
        ok(await clinic.try_rate(visit, {protocol["id"]: said}))
    whole = await clinic.outcomes(protocol)
    assert [outcome["entity"]["title"] for outcome in whole] == ["1", "7", "0", "4", "6", "3", "2", "5"]
    for limit in (1, 2, 3, 8):
        seen: list[Any] = []
        cursor = None
        while True:
            page = ok(
                await clinic.try_outcomes(protocol, limit=limit, **({"cursor": cursor} if cursor else {}))
            )
            assert len(page["data"]) <= limit
            seen += page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert seen == whole, limit
    answer = await clinic.try_outcomes(protocol, cursor="nonsense")
    assert (answer.status_code, places(answer)) == (422, [("/cursor", "invalid_cursor")])


async def test_a_rating_sent_again_is_answered_as_the_first_time_also_when_disconnected_since(
    clinic: Clinic,
) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    response_id = some_id()
    made = await clinic.rate(visit, [(protocol, 5)], id=response_id)
    relation = (await clinic.relations(visit))[protocol["id"]]
    ok(await clinic.desk.reviewer.delete(f"/api/entities/{visit['id']}/relations/{relation['id']}"))
    assert await clinic.rate(visit, [(protocol, 5)], id=response_id) == made
    unknown = [(f"/values/{protocol['id']}", "unknown_connection")]
    for values in ({protocol["id"]: {"rating": 4}}, {protocol["id"]: 5}):
        assert places(await clinic.try_rate(visit, values, id=response_id)) == unknown
    assert places(await clinic.try_rate(visit, made["values"])) == unknown
    assert await clinic.desk.count("entity_responses") == 1


async def test_only_a_relation_field_of_the_record_is_ranked(clinic: Clinic) -> None:
    visit = await clinic.make_visit()
    for field in ("protcols", "name"):
        query = {"field_key": field, "criteria_set_id": clinic.criteria_set["id"]}
        answer = await clinic.desk.reviewer.get(f"/api/entities/{visit['id']}/relations/ranked", params=query)
        assert (answer.status_code, places(answer)) == (422, [("/field_key", "not_a_relation")])


async def test_whoever_looks_is_told_when_scores_were_written(
    clinic: Clinic, data_dir: Path, database_url: str
) -> None:
    protocol = await clinic.make_protocol()
    visit = await clinic.make_visit(protocol)
    made = await clinic.rate(visit, [(protocol, 5)])
    workspace = clinic.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            "INSERT INTO live_watchers VALUES ($1, $1, now() + interval '1 minute')", tx.actor.tenant_id
        )
    ours = f'{workspace.system.tenant_id} entities ["{visit["id"]}"]'
    told: list[str] = []
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))

    async def told_by_a_refresh() -> int:
        await connection.execute("SELECT")  # what was sent before is here
        told.clear()
        await clinic.refresh(visit)
        await connection.execute("SELECT")
        return sum(message.startswith(ours) for message in told)

    try:
        await connection.add_listener("goldloop_live", lambda *message: told.append(str(message[-1])))
        assert await told_by_a_refresh() == 1
        assert await told_by_a_refresh() == 0, "only a change is told"
        await clinic.desk.withdraw(made)
        assert await told_by_a_refresh() == 1
    finally:
        await connection.close()


async def test_what_is_not_there_is_not_found(clinic: Clinic, other_workspace: Workspace) -> None:
    visit = await clinic.make_visit()
    stranger = await other_workspace.client(Role.ADMIN)
    set_id = clinic.criteria_set["id"]
    for client, entity, criteria in (
        (clinic.desk.reviewer, some_id(), set_id),
        (clinic.desk.reviewer, visit["id"], some_id()),
        (stranger, visit["id"], set_id),
    ):
        query = {"criteria_set_id": criteria, "field_key": "protocols"}
        for path in ("relations/ranked", "outcomes"):
            answer = await client.get(f"/api/entities/{entity}/{path}", params=query)
            assert answer.status_code == 404, answer.text
