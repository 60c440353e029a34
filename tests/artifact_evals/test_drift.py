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


@pytest.mark.parametrize("record", [None, {}, {"content": None}, {"content": {}}, "text"])
def test_an_adapter_that_crashes_hides_nothing_else(record: Any) -> None:
    assert drift({"owner": NAME}, record) == {"topic": "the check require_fields"}
