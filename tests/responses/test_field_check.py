"""A value that its field can never hold is refused when it is submitted; one table for the server and the form."""

from typing import Any

import pytest

from goldloop.entities.schema import check_content
from tests import tables
from tests.loops import some
from tests.records import COMPANY, Desk, ok, places

pytestmark = pytest.mark.usefixtures("registry")
TABLE = tables.load("field_values")


def url(record: Any) -> str:
    return f"/api/entities/{record['id']}/responses"


async def change_schema(desk: Desk, **more: Any) -> None:
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": COMPANY | more}))


async def test_what_a_field_can_never_hold_is_refused_at_its_value(desk: Desk) -> None:
    await desk.make_type("contract", TABLE["schema"])
    await desk.make_set("terms", dimensions=TABLE["dimensions"])
    record = await desk.make_record({"title": "Acme"}, type="contract")
    found = {}
    for row in some(TABLE["cases"]):
        answer = await desk.contributor.post(
            url(record), json={"values": row["values"], "criteria_set_slug": "terms"}
        )
        found[row["case"]] = [list(place) for place in places(answer)] if answer.status_code == 422 else []
    assert found == {row["case"]: row["faults"] for row in TABLE["cases"]}


async def test_formats_and_patterns_are_those_of_the_schema(desk: Desk) -> None:
    properties = {
        "at": {"type": "string", "format": "date-time"},
        "mail": {"type": "string", "format": "email"},
        "site": {"type": "string", "format": "uri"},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "maybe": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    }
    await desk.make_type("site", {"type": "object", "properties": properties})
    record = await desk.make_record(type="site")
    good = {"at": "2026-01-31T12:00:00Z", "mail": "a@b.example", "site": "https://b.example", "code": "ABC"}
    bad = {"at": "2026-01-31", "mail": "a", "site": "b", "code": "abc"}
    await desk.submit(record, good)
    answer = await desk.contributor.post(url(record), json={"values": bad})
    assert places(answer) == [
        ("/values/at", "format"),
        ("/values/mail", "format"),
        ("/values/site", "format"),
        ("/values/code", "pattern"),
    ]


async def test_rules_between_fields_wait_for_the_promotion(desk: Desk) -> None:
    end = {
        "if": {"properties": {"stage": {"const": "late"}}},
        "then": {"properties": {"name": {"maxLength": 3}}},
    }
    await change_schema(desk, required=["summary"], dependentRequired={"employees": ["active"]}, **end)
    record = await desk.make_record({"summary": "Words", "stage": "late"})
    response = await desk.submit(record, {"name": "Acme", "employees": 3})
    assert places(await desk.try_promote(response, "name")) == [("/content/name", "max_length")]
    assert places(await desk.try_promote(response, "employees")) == [("/content/active", "required")]


async def test_a_field_that_refers_into_a_rule_between_fields_is_left_to_the_promotion(desk: Desk) -> None:
    properties = COMPANY["properties"] | {"alias": {"$ref": "#/allOf/0/properties/name"}}
    rule = {"allOf": [{"properties": {"name": {"type": "string", "maxLength": 6}}}]}
    await change_schema(desk, properties=properties, **rule)
    record = await desk.make_record()
    await desk.make_set("names", dimensions=[{"key": "alias", "label": "Alias", "type": "text"}])
    response = await desk.submit(record, {"alias": "Too long"}, criteria_set_slug="names")
    assert places(await desk.try_promote(response, "alias")) == [("/content/alias", "max_length")]


async def test_of_two_dimensions_for_one_field_each_is_checked(desk: Desk) -> None:
    dimensions = [
        {"key": "name", "label": "Name", "type": "text"},
        {"key": "alias", "label": "Alias", "type": "text", "fieldName": "name"},
    ]
    await desk.make_set("names", dimensions=dimensions)
    record = await desk.make_record()
    for values, wrong in (
        ({"name": "A", "alias": "Acme"}, ["/values/name"]),
        ({"name": "Acme", "alias": "A"}, ["/values/alias"]),
        ({"name": "A", "alias": "B"}, ["/values/name", "/values/alias"]),
    ):
        answer = await desk.contributor.post(
            url(record), json={"values": values, "criteria_set_slug": "names"}
        )
        assert [path for path, _ in places(answer)] == wrong


async def test_what_was_submitted_before_the_schema_changed_stays_and_may_be_sent_again(desk: Desk) -> None:
    record = await desk.make_record()
    first = await desk.submit(record, {"employees": 5000})
    properties = COMPANY["properties"] | {"employees": {"type": "integer", "maximum": 100}}
    await change_schema(desk, properties=properties)
    again = await desk.contributor.post(url(record), json={"id": first["id"], "values": {"employees": 5000}})
    assert ok(again)["id"] == first["id"]
    assert (await desk.response(first))["values"] == {"employees": 5000}
    answer = await desk.contributor.post(url(record), json={"values": {"employees": 5000}})
    assert answer.status_code == 422
    assert check_content(COMPANY, {"employees": 5000}) == []
