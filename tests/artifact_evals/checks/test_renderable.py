"""A surface is there when the probe says so, and a stub is nothing to show."""

from typing import Any

import pytest

from goldloop.artifact_evals import RenderTarget, require_renderable
from tests.artifact_evals.artifacts import make_artifact

TEXT = "Long enough to be read."
KNOWN = require_renderable("summary", known_surfaces=("view:desk",))


@pytest.mark.parametrize(
    ("surface", "payload", "score", "field", "says"),
    [
        ("view:desk", {"summary": TEXT}, 1.0, "surface", "`surface` is “view:desk”, which shows `summary`"),
        ("view:desk", {"summary": [1, 2]}, 1.0, "surface", "shows `summary`"),
        ("view:desk", {"summary": "Soon"}, 0.5, "summary", "`summary` would show as a stub on “view:desk”"),
        ("view:desk", {"summary": "Under construction"}, 0.5, "summary", "stub"),
        ("view:desk", {}, 0.5, "summary", "stub"),
        ("view:other", {"summary": TEXT}, 0.5, "surface", "it is none of the known surfaces"),
        ("view:other", {}, 0.0, "surface", "it is none of the known surfaces"),
        (None, {"summary": TEXT}, 0.0, "surface", "names no surface: it is shown nowhere"),
        ("", {"summary": TEXT}, 0.0, "surface", "names no surface"),
        (7, {"summary": TEXT}, 0.0, "surface", "names no surface"),
    ],
)
def test_it_is_shown_somewhere(
    surface: Any, payload: dict[str, Any], score: float, field: str, says: str
) -> None:
    result = KNOWN.run(make_artifact(render=RenderTarget(surface, payload)))
    assert (result.passed, result.score) == (score == 1, score)
    assert field in result.fields
    assert says in result.reason


@pytest.mark.parametrize(("surface", "passed"), [("view:desk", False), ("view:new", True)])
def test_a_probe_is_believed_over_the_list(surface: str, passed: bool) -> None:
    check = require_renderable("summary", known_surfaces=("view:desk",), probe=lambda ref: ref == "view:new")
    result = check.run(make_artifact(render=RenderTarget(surface, {"summary": TEXT})))
    assert result.passed == passed
    assert passed or "the probe finds no such surface" in result.reason


@pytest.mark.parametrize(
    ("fields", "known"), [(("summary",), ()), ((), ("view:desk",))], ids=["no surface", "nothing to show"]
)
def test_a_check_that_knows_nothing_cannot_be_made(fields: tuple[str, ...], known: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):
        require_renderable(*fields, known_surfaces=known)
