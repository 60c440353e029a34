"""Sources are due when a record is published, and only what can be looked up is one."""

from typing import Any

import pytest

from goldloop.artifact_evals import EvidenceRef, require_evidence_refs
from tests.artifact_evals.artifacts import make_artifact

CHECK = require_evidence_refs(
    "sources", minimum=2, draft_statuses=("draft",), finalized_statuses=("published",)
)


def _refs(*sources: Any) -> tuple[EvidenceRef, ...]:
    return tuple(EvidenceRef(source, "sources") for source in sources)


@pytest.mark.parametrize(
    ("status", "sources", "passed", "score", "says"),
    [
        ("published", ["doi:10.5555/1", "NW-T-1"], True, 1.0, "`sources` cites 2 sources, first “doi:10.5555/1”"),
        ("published", ["doi:10.5555/1"], False, 0.5, "`sources` cites 1 of 2 sources, and it is published"),
        ("published", [], False, 0.0, "cites 0 of 2 sources"),
        ("published", ["NW-1", " nw-1 "], False, 0.5, "cites 1 of 2"),  # the same source twice
        ("published", ["NW-1", "as everybody knows"], False, 0.5, "“as everybody knows” is nothing that can be looked up"),
        ("published", ["NW-1", None], False, 0.5, "; an entry names no source"),
        ("published", ["Handbook, 3rd edition", "https://a.example/b"], True, 1.0, "cites 2 sources"),
        ("draft", [], True, None, "not due while draft"),
        ("draft", ["NW-1"], True, None, "cites 1 of 2 sources, not due while draft"),
        ("draft", ["NW-1", "NW-2"], True, 1.0, "cites 2 sources"),
        ("archived", [], False, 0.0, "its status is “archived”, which is no draft"),
        (None, [], False, 0.0, "its status is nothing, which is no draft"),
    ],
)  # fmt: skip
def test_sources_are_due_in_every_status_but_a_draft_one(
    status: str | None, sources: list[Any], passed: bool, score: float | None, says: str
) -> None:
    result = CHECK.run(make_artifact(status=status, evidence_refs=_refs(*sources)))
    assert (result.passed, result.score, result.fields) == (passed, score, ("sources",))
    assert says in result.reason


def test_only_the_fields_of_the_check_are_looked_at() -> None:
    elsewhere = (EvidenceRef("NW-1", "figures"), EvidenceRef("NW-2", "sources"), EvidenceRef("?", "figures"))
    result = CHECK.run(make_artifact(evidence_refs=elsewhere))
    assert (result.score, result.reason) == (0.5, "`sources` cites 1 of 2 sources, and it is published")


@pytest.mark.parametrize(
    "arguments",
    [
        {"fields": (), "minimum": 1},
        {"fields": ("sources",), "minimum": 0},
        {"fields": ("sources",), "draft_statuses": ("a", "b"), "finalized_statuses": ("b",)},
    ],
)
def test_a_check_that_makes_no_sense_cannot_be_made(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        require_evidence_refs(*arguments.pop("fields"), **arguments)
