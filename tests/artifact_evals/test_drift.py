"""Where the drift guard looks: what checks read, what the adapter asks for, what good records have."""

from typing import Any

import pytest

from goldloop.artifact_evals import KnowledgeArtifact, KnowledgeRubric, find_drift, require_fields

RUBRIC = KnowledgeRubric(name="r", schema_completeness=require_fields("topic", "owner.name"))
NAME = {"type": "object", "properties": {"name": {}}}


def adapter(record: Any) -> KnowledgeArtifact:
    content = record["content"]
    return KnowledgeArtifact(id="1", type="note", title=content.get("headline", ""), status=content["status"])


def drift(properties: dict[str, Any], *records: Any, **schema: Any) -> dict[str, str]:
    found = find_drift({"properties": properties, **schema}, RUBRIC, adapter, records)
    return {each.field: each.used_by for each in found}


@pytest.mark.parametrize(
    ("properties", "schema", "fields"),
    [
        ({"topic": {}, "owner": NAME}, {}, {}),
        ({"topic": {}, "owner.name": {}}, {}, {}),
        ({"topic": {}, "owner": {"$ref": "#/$defs/person"}}, {"$defs": {"person": NAME}}, {}),
        ({"topic": {}, "owner": {"$ref": "#/$defs/nobody"}}, {}, {"owner.name": "the check require_fields"}),
        ({"topic": {}, "owner": {}}, {}, {"owner.name": "the check require_fields"}),
        ({"owner": NAME}, {}, {"topic": "the check require_fields"}),
        ({}, {}, {"topic": "the check require_fields", "owner.name": "the check require_fields"}),
    ],
)
def test_a_field_that_a_check_reads_is_declared(
    properties: dict[str, Any], schema: dict[str, Any], fields: dict[str, str]
) -> None:
    assert drift(properties, **schema) == fields


def test_a_field_that_the_adapter_asks_for_is_declared_also_when_no_record_has_it() -> None:
    record = {"content": {"status": "draft"}}
    assert drift({"topic": {}, "owner": NAME}, record) == {"headline": "the adapter", "status": "the adapter"}


def test_a_field_that_a_good_record_has_is_declared() -> None:
    record = {"content": {"status": "draft", "colour": "red"}}
    declared = {"topic": {}, "owner": NAME, "headline": {}, "status": {}}
    assert drift(declared, record) == {"colour": "a good fixture"}


STEP = {"type": "object", "properties": {"action": {}, "owner": {"$ref": "#/$defs/person"}}}
DECLARED = {"topic": {}, "owner": NAME, "headline": {}, "status": {}}


@pytest.mark.parametrize(
    ("rules", "value", "fields"),
    [
        ({"items": STEP}, [{"action": "x", "owner": {"name": "y"}}], set()),
        ({"items": STEP}, [{"action": "x"}, {"deed": "x"}], {"steps[].deed"}),
        ({"items": STEP}, [{"owner": {"nom": "y"}}], {"steps[].owner.nom"}),
        (STEP, {"deed": "x"}, {"steps.deed"}),
        ({"anyOf": [STEP, {"properties": {"deed": {}}}]}, {"deed": "x", "action": "y"}, set()),
        (
            {"oneOf": [{"type": "string"}, {"items": {"oneOf": [{"type": "string"}, STEP]}}]},
            ["x", {"deed": 1}],
            {"steps[].deed"},
        ),
        ({"type": "array"}, [{"anything": 1}], set()),
        ({"type": "object"}, {"anything": 1}, set()),
        ({"$ref": "#/$defs/tree"}, {"kids": [{"kids": [{"leaf": 1}]}]}, {"steps.kids[].kids[].leaf"}),
        ({"$ref": "#/$defs/loop"}, {"a": 1}, set()),
        ({"items": STEP}, "no list", set()),
    ],
)
def test_a_field_within_a_good_record_is_declared_where_the_schema_says_what_is_there(
    rules: Any, value: Any, fields: set[str]
) -> None:
    tree = {"properties": {"kids": {"items": {"$ref": "#/$defs/tree"}}}}
    defs = {"person": NAME, "tree": tree, "loop": {"$ref": "#/$defs/loop"}}
    record = {"content": {"status": "draft", "steps": value}}
    assert set(drift({**DECLARED, "steps": rules}, record, **{"$defs": defs})) == fields


def test_a_deep_record_does_not_exhaust_the_stack() -> None:
    value: Any = {}
    for _ in range(5000):
        value = {"kids": [value]}
    tree = {"properties": {"kids": {"items": {"$ref": "#/$defs/tree"}}}}
    record = {"content": {"status": "draft", "steps": value}}
    assert drift({**DECLARED, "steps": {"$ref": "#/$defs/tree"}}, record, **{"$defs": {"tree": tree}}) == {}


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_a_schema_that_is_put_together_declares_what_its_parts_do(word: str) -> None:
    parts = [{"properties": {"topic": {}}}, {"$ref": "#/$defs/owned"}]
    schema = {word: parts, "$defs": {"owned": {"properties": {"owner": NAME}}}}
    assert drift({}, **schema) == {}
    assert drift({}, **{word: parts[:1]}) == {"owner.name": "the check require_fields"}


@pytest.mark.parametrize("record", [None, {}, {"content": None}, {"content": {}}, "text"])
def test_an_adapter_that_crashes_hides_nothing_else(record: Any) -> None:
    assert drift({"owner": NAME}, record) == {"topic": "the check require_fields"}
