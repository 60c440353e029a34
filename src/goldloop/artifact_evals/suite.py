"""A suite: a rubric with labelled fixtures, and the contracts that make its verdicts worth something.

1. Every fixture behaves as labelled: a good one passes, a bad one fails on its dimension and on no other.
2. Every dimension has a bad fixture that fails on it: proof that the dimension can fail. One that the rubric leaves out
   needs none, and is reported as left out, with its reason.
3. Nothing in it names a field that the entity type's schema does not have.

Pure.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from goldloop.artifact_evals.drift import SchemaDrift, find_drift
from goldloop.artifact_evals.loops import KnowledgeLoopDefinition
from goldloop.artifact_evals.model import Adapter, KnowledgeArtifact, KnowledgeDimension, KnowledgeResult
from goldloop.artifact_evals.rubric import KnowledgeRubric, PlannedDimension
from goldloop.artifact_evals.scoring import score_knowledge_artifact
from goldloop.artifact_evals.values import describe_error, named, numbered, shown


class KnowledgeEntityType(msgspec.Struct, frozen=True, kw_only=True):
    """A type as `POST /api/entity-types` takes it."""

    slug: str
    name: str
    json_schema: dict[str, Any]
    field_configs: dict[str, Any] = {}


class KnowledgeFixture(msgspec.Struct, frozen=True, kw_only=True):
    """A record and what must become of it: it passes, or it fails on `fails_dimension` alone."""

    name: str
    record: Any
    fails_dimension: KnowledgeDimension | None = None


def good(name: str, record: Any) -> KnowledgeFixture:
    return KnowledgeFixture(name=name, record=record)


def bad(name: str, record: Any, fails: KnowledgeDimension | str) -> KnowledgeFixture:
    return KnowledgeFixture(name=name, record=record, fails_dimension=KnowledgeDimension(fails))


def vary(
    record: Mapping[str, Any], /, *without: str, tenant: str | None = None, **content: Any
) -> dict[str, Any]:
    """The record with other content, and without some fields: a bad fixture is a good record with one thing wrong."""
    kept = {name: value for name, value in record["content"].items() if name not in without}
    return {**record, "content": {**kept, **content}, **({} if tenant is None else {"tenant": tenant})}


def promoted(
    record: Mapping[str, Any], /, field: str = "status", *, by: str, by_kind: str = "user", at: str = ""
) -> dict[str, Any]:
    """The record with a field whose value was promoted, as Goldloop's own history would say it."""
    source = {"kind": "promotion", "by": by, "by_kind": by_kind, "at": at}
    return {**record, "provenance": {**record.get("provenance", {}), field: source}}


class KnowledgeEvalSuite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about judging one type of record. Without an `entity_type` there is no drift to be found; `loop` is
    the loop that produces the records."""

    name: str
    title: str
    adapter: Adapter
    rubric: KnowledgeRubric
    fixtures: tuple[KnowledgeFixture, ...]
    entity_type: KnowledgeEntityType | None = None
    loop: KnowledgeLoopDefinition | None = None

    def __post_init__(self) -> None:
        if not _is_name(self.name):
            raise ValueError(f"{shown(self.name)} cannot be the name of a suite")
        if not isinstance(self.rubric, KnowledgeRubric) or not callable(self.adapter):
            raise TypeError(
                f"the suite {self.name} needs a KnowledgeRubric and an adapter that can be called"
            )
        if odd := [each for each in self.fixtures if not isinstance(each, KnowledgeFixture)]:
            raise TypeError(
                f"the suite {self.name} has {shown(odd[0])} among its fixtures: make it good() or bad()"
            )
        names = [fixture.name for fixture in self.fixtures]
        if unnamed := [name for name in names if not _is_name(name)]:
            raise ValueError(
                f"the suite {self.name} has a fixture called {shown(unnamed[0])}: say what it is"
            )
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"the suite {self.name} has two fixtures called {named(sorted(twice))}")


def _is_name(name: object) -> bool:
    """One line that can be printed, for it stands in tables, addresses and names of tests."""
    return isinstance(name, str) and bool(name.strip()) and name.isprintable()


class OutOfTime(BaseException):
    """Raised by a limit. No Exception, so that a suite which lets nothing stop it does not stop this."""


Limit = Callable[[], AbstractContextManager[object]]  # what each call of a suite's own code is made within


class FixtureReport(msgspec.Struct, frozen=True, kw_only=True):
    """`why` says what is not as labelled, and is empty when all is; `result` is None when the adapter failed."""

    name: str
    fails_dimension: KnowledgeDimension | None
    held: bool
    why: str
    result: KnowledgeResult | None


class DimensionCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How many bad fixtures are aimed at a dimension, and how many of them it catches. `left_out` is why the rubric
    leaves it out, None where it counts."""

    dimension: KnowledgeDimension
    targeted: int
    caught: int
    left_out: str | None = None


class SuiteReport(msgspec.Struct, frozen=True, kw_only=True):
    """`problems` has a sentence for everything that breaks a contract beyond single fixtures."""

    suite: str
    title: str
    passed: bool
    fixtures: tuple[FixtureReport, ...]
    coverage: tuple[DimensionCoverage, ...]
    drift: tuple[SchemaDrift, ...]
    problems: tuple[str, ...]


def run_knowledge_eval_suite(suite: KnowledgeEvalSuite, limit: Limit = nullcontext) -> SuiteReport:
    """The contracts, each fixture judged within `limit`. The first that is out of time is the last that is judged: what
    hangs once would hang again, and is reported sooner."""
    fixtures, hung = _run_fixtures(suite, limit)
    coverage = tuple(_cover(planned, fixtures) for planned in suite.rubric.plan)
    drift: tuple[SchemaDrift, ...] = ()
    if suite.entity_type and not hung:
        good_ones = [fixture.record for fixture in suite.fixtures if fixture.fails_dimension is None]
        bad_ones = [fixture.record for fixture in suite.fixtures if fixture.fails_dimension is not None]
        drift = find_drift(suite.entity_type.json_schema, suite.rubric, suite.adapter, good_ones, bad_ones)
    problems = tuple(_problems(suite, coverage, drift))
    return SuiteReport(
        suite=suite.name,
        title=suite.title,
        passed=not problems and all(fixture.held for fixture in fixtures),
        fixtures=fixtures,
        coverage=coverage,
        drift=drift,
        problems=problems,
    )


def _run_fixtures(suite: KnowledgeEvalSuite, limit: Limit) -> tuple[tuple[FixtureReport, ...], bool]:
    """Every fixture, and whether one hung."""
    reports: list[FixtureReport] = []
    hung: str | None = None
    for fixture in suite.fixtures:
        if hung is not None:
            reports.append(_report(fixture, None, f"not judged, because {shown(hung)} gave no answer"))
            continue
        try:
            reports.append(_run_fixture(suite, fixture, limit))
        except OutOfTime as error:
            hung = fixture.name
            reports.append(
                _report(fixture, None, f"gave no answer {error}: the adapter or a check hangs on it")
            )
    return tuple(reports), hung is not None


def _run_fixture(suite: KnowledgeEvalSuite, fixture: KnowledgeFixture, limit: Limit) -> FixtureReport:
    """A crashing adapter is a failed fixture, not an aborted run."""
    try:
        with limit():
            artifact = suite.adapter(fixture.record)
            if not isinstance(artifact, KnowledgeArtifact):
                raise TypeError(f"it returned {shown(artifact)}, not a KnowledgeArtifact")
            result = score_knowledge_artifact(artifact, suite.rubric)
    except (Exception, SystemExit) as error:
        return _report(fixture, None, f"the adapter crashed: {describe_error(error)}")
    return _report(fixture, result, _why(fixture, result))


def _report(fixture: KnowledgeFixture, result: KnowledgeResult | None, why: str) -> FixtureReport:
    return FixtureReport(
        name=fixture.name, fails_dimension=fixture.fails_dimension, held=not why, why=why, result=result
    )


def _why(fixture: KnowledgeFixture, result: KnowledgeResult) -> str:
    target, failed = fixture.fails_dimension, result.failed
    if target is None:
        return f"should pass, but fails on {named(failed)}" if failed else ""
    if target not in failed:
        instead = f" and fails on {named(failed)} instead" if failed else " and passes"
        return f"should fail on `{target}`, but does not{instead}"
    others = [dimension for dimension in failed if dimension != target]
    return f"should fail on `{target}` alone, but also fails on {named(others)}" if others else ""


def _cover(planned: PlannedDimension, fixtures: tuple[FixtureReport, ...]) -> DimensionCoverage:
    dimension = planned.dimension
    targeted = [fixture for fixture in fixtures if fixture.fails_dimension == dimension]
    caught = sum(fixture.result is not None and dimension in fixture.result.failed for fixture in targeted)
    return DimensionCoverage(
        dimension=dimension, targeted=len(targeted), caught=caught, left_out=planned.left_out
    )


def _problems(
    suite: KnowledgeEvalSuite, coverage: tuple[DimensionCoverage, ...], drift: tuple[SchemaDrift, ...]
) -> Iterator[str]:
    if all(fixture.fails_dimension for fixture in suite.fixtures):
        yield "no good fixture: a rubric that fails everything would satisfy this suite"
    for covered in coverage:
        if not covered.caught and covered.left_out is None:
            aimed = numbered(covered.targeted, "bad fixture")
            yield f"nothing proves that `{covered.dimension}` can fail: {aimed} aimed at it, none caught"
    for found in drift:
        yield f"the schema has no field `{found.field}`, which {found.used_by} uses"
