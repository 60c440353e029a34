"""One thing of another workspace is a leak, whatever else is right."""

from typing import Any

import pytest

from goldloop.artifact_evals import EvidenceRef, RecordRef, assert_tenant_scope
from tests.artifact_evals.artifacts import SOURCE, make_artifact

OURS, THEIRS = EvidenceRef("A-1", "sources", "", "acme"), EvidenceRef("B-1", "sources", "", "umbrella")
LINK = RecordRef("b-2", "supersedes", "umbrella")


@pytest.mark.parametrize(
    ("changes", "fields", "says"),
    [
        ({}, None, "every source and link is of `acme` or public"),
        ({"evidence_refs": (SOURCE, OURS), "references": (RecordRef("a", "x", "acme"),)}, None, "acme"),
        ({"evidence_refs": ()}, None, "acme"),
        ({"tenant": None}, ("tenant",), "`tenant` is nothing: it belongs to no workspace"),
        ({"tenant": ""}, ("tenant",), "belongs to no workspace"),
        ({"tenant": 5}, ("tenant",), "`tenant` is 5"),
        (
            {"evidence_refs": (OURS, THEIRS)},
            ("sources",),
            "`sources` points to “B-1” in workspace “umbrella”, but it belongs to “acme”",
        ),
        ({"references": (LINK,)}, ("supersedes",), "`supersedes` points to “b-2”"),
        ({"evidence_refs": (THEIRS, THEIRS), "references": (LINK,)}, ("sources", "supersedes"), "(and 2 more)"),
    ],
)  # fmt: skip
def test_everything_is_of_one_workspace(
    changes: dict[str, Any], fields: tuple[str, ...] | None, says: str
) -> None:
    result = assert_tenant_scope().run(make_artifact(**changes))
    assert (result.passed, result.score) == (fields is None, 1.0 if fields is None else 0.0)
    assert says in result.reason
    assert fields is None or result.fields == fields


@pytest.mark.parametrize(("tenant", "passed"), [("acme", True), ("umbrella", False)])
def test_a_named_workspace_is_the_only_one(tenant: str, passed: bool) -> None:
    result = assert_tenant_scope(tenant).run(make_artifact())
    assert result.passed == passed
    assert passed or result.reason == "`tenant` is “acme”, not “umbrella”"
