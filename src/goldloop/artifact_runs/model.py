"""Types and errors of runs."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Literal
from uuid import UUID

import msgspec

from goldloop.artifact_evals.closure import StepResult
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.jobs.model import RunStatus
from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party
from goldloop.tenants.settings.model import Section


class SuiteNotFound(NotFound):
    code, title = "artifact_eval_suite_not_found", "There is no such suite on this server"


class LoopNotFound(NotFound):
    code, title = "artifact_eval_loop_not_found", "This suite belongs to no loop"


class RunNotFound(NotFound):
    code, title = "artifact_eval_run_not_found", "There is no such run in this workspace"


class RunExists(Conflict):
    code, title = "artifact_eval_run_exists", "A run with this id exists for another suite"


class RunOpen(Conflict):
    code, title = "artifact_eval_run_open", "A run of this suite waits or runs already"


class RunOver(Conflict):
    code, title = "artifact_eval_run_over", "Only a run that waits or runs can be cancelled"


class TypeMissing(Conflict):
    code, title = "artifact_eval_type_missing", "The workspace has no entity type for this suite"


class ResultFilter(StrEnum):
    FAILED = "failed"
    PASSED = "passed"


LONGEST_SECTION = 100  # characters that the name of a section may have


class SuiteSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace wants of a suite: to see it also without its type, and what of it does not count here, and why."""

    added: bool = False
    left_out: Mapping[KnowledgeDimension, str] = {}


def section_of(suite: str) -> Section[SuiteSettings]:
    """A section for each suite, so that two people who set two of them do not undo each other."""
    name = f"artifact_evals.{suite}"
    if len(name) > LONGEST_SECTION:
        name = f"artifact_evals.{sha256(suite.encode()).hexdigest()}"
    return Section(name, SuiteSettings)


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension that does not count, why, and who says so: the suite itself, or the workspace."""

    dimension: KnowledgeDimension
    reason: str
    declared_by: Literal["suite", "workspace"]


class DimensionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How many records pass a dimension; `mean` is over those that have a score, None where none has. `left_out` is why it
    did not count, None where it did."""

    dimension: KnowledgeDimension
    passed: int
    failed: int
    mean: float | None
    left_out: str | None = None


class ArtifactEvalRun(msgspec.Struct, frozen=True, kw_only=True):
    """`mean` is the mean of the overall scores so far. Results of the newest runs alone are kept."""

    id: UUID
    suite: str
    entity_type: str
    rubric_version: str
    status: RunStatus
    total: int
    done: int
    passed: int
    mean: float | None
    dimensions: list[DimensionSummary]
    results_kept: bool
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    created_by: Party


class SuiteOfWorkspace(msgspec.Struct, frozen=True, kw_only=True):
    """A suite of this server and what the workspace has for it. It is `shown` where the workspace has its type, or has
    `added` it. `loop` is the title of the loop that it belongs to."""

    slug: str
    title: str
    entity_type: str
    entity_type_exists: bool
    shown: bool
    added: bool
    left_out: list[LeftOut]
    records: int
    loop: str | None
    criteria_set_id: UUID | None
    newest_run: ArtifactEvalRun | None


class SuiteList(msgspec.Struct, frozen=True, kw_only=True):
    """`problems` has a sentence for each installed suite that could not be loaded."""

    data: list[SuiteOfWorkspace]
    next_cursor: str | None
    problems: list[str]


class RecordGap(msgspec.Struct, frozen=True, kw_only=True):
    """Something to fix. `dimension` is None where nothing could be judged, as when the adapter crashed."""

    dimension: KnowledgeDimension | None
    check: str
    fields: list[str]
    reason: str
    score: float | None
    importance: float


class RecordResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found about a record; `gaps` are the most important first, `scores` by dimension."""

    entity_id: UUID
    title: str
    passed: bool
    overall: float | None
    scores: dict[str, float | None]
    gaps: list[RecordGap]


class LoopReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a loop closes in this workspace at this moment."""

    loop: str
    title: str
    closed: bool
    score: float
    steps: list[StepResult]
