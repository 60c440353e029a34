"""A field is filled in when it says something."""

from typing import Any

import pytest

from goldloop.artifact_evals import require_fields
from tests.artifact_evals.artifacts import make_artifact

CHECK = require_fields("topic", "owner.name")


@pytest.mark.parametrize(
    ("fields", "score", "missing"),
    [
        ({"topic": "x", "owner": {"name": "Ann"}}, 1.0, ("topic", "owner.name")),
        ({"topic": 0, "owner": {"name": False}}, 1.0, ("topic", "owner.name")),  # both say something
        ({"topic": "x", "owner.name": "Ann"}, 1.0, ("topic", "owner.name")),  # the dot is in the name itself
        ({"topic": "x", "owner": "Ann"}, 0.5, ("owner.name",)),
        ({"topic": "TBD", "owner": {"name": "Ann"}}, 0.5, ("topic",)),
        ({"topic": " ", "owner": {"name": None}}, 0.0, ("topic", "owner.name")),
        ({}, 0.0, ("topic", "owner.name")),
    ],
)
def test_the_share_of_filled_fields_is_the_score(
    fields: dict[str, Any], score: float, missing: tuple[str, ...]
) -> None:
    result = CHECK.run(make_artifact(fields=fields))
    assert (result.passed, result.score, result.fields) == (score == 1, score, missing)
    assert all(f"`{field}`" in result.reason for field in missing)


def test_a_check_of_no_field_cannot_be_made() -> None:
    with pytest.raises(ValueError):
        require_fields()
