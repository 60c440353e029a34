"""Response types, frozen. Fields that a newer server adds are ignored.

Words from a fixed list (a status, a role, a kind) are plain text here, so that a new one does not break a program
that never meets it. Generated from the OpenAPI document by `make generate`: tools/client_types.py has the names.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.client.errors import Fault
from goldloop.client.sent import Dimension, Object, Row


class Party(Row, frozen=True):
    """Who did something: a user, an agent or the system."""

    id: UUID | None
    kind: str
    name: str | None


class Workspace(Row, frozen=True):
    """The key's workspace, with what the key may do in it."""

    id: UUID
    created_at: datetime
    name: str
    permissions: list[str]
    role: str
    slug: str


class RoleGrants(Row, frozen=True):
    grants: list[str]
    role: str


class Scope(Row, frozen=True):
    description: str
    scope: str


class Member(Row, frozen=True):
    created_at: datetime
    email: str
    name: str
    role: str
    status: str
    user_id: UUID


class EntityCount(Row, frozen=True):
    """How many records there are; with `more` there are more than were counted."""

    count: int
    more: bool


class DimensionRollup(Row, frozen=True):
    """`value` is what the strategy asked for; `spread` is the deviation between respondents."""

    count: int
    frequencies: dict[str, int] | None
    key: str
    label: str
    max: float | None
    mean: float | None
    median: float | None
    min: float | None
    respondents: int
    spread: float | None
    stddev: float | None
    type: str
    value: float | None


class ProgressPoint(Row, frozen=True):
    at: datetime
    count: int
    max: float
    min: float
    score: float


class DimensionAggregate(Row, frozen=True):
    count: int
    value: float | None


class Agreement(Row, frozen=True):
    """Krippendorff's alpha of one dimension; where there is none, `reason` says why."""

    alpha: float | None
    key: str
    label: str
    level: str | None
    raters: int
    reason: str | None
    units: int
    values: int


class FieldPreview(Row, frozen=True):
    changes: bool
    dimension: str
    field: str
    present_before: bool
    value: Any
    value_before: Any


class Tool(Row, frozen=True):
    description: str
    input_schema: Object
    name: str
    permission: str


class JobError(Row, frozen=True):
    at: datetime
    message: str
    type: str


class JobFailure(Row, frozen=True):
    at: datetime
    attempt: int
    detail: str
    message: str
    type: str


class Mark(Row, frozen=True):
    id: UUID
    attempts: int
    due_at: datetime
    key: str
    kind: str
    last_error: str | None
    marked_at: datetime


class RecordLink(Row, frozen=True):
    id: UUID
    title: str
    type: str


class ClaimSettings(Row, frozen=True):
    criteria_set: str = ""
    relation_field: str = ""
    source_type: str = ""


class ClaimSource(Row, frozen=True):
    """`quality` is the mean of `ratings`, those of the newest response with promoted values; None without
    one."""

    id: UUID
    quality: float | None
    ratings: Object
    response_id: UUID | None
    title: str
    type: str


class SupportedClaim(Row, frozen=True):
    """A claim with the numbers that it carries; None until it is counted, and while no source is rated."""

    id: UUID
    source_count: int | None
    source_quality_avg: float | None
    title: str
    type: str


class DimensionSummary(Row, frozen=True):
    """How many records pass a dimension; `mean` is None where none has a score."""

    dimension: str
    failed: int
    mean: float | None
    passed: int


class ArtifactEvalGap(Row, frozen=True):
    """Something to fix; without a `dimension` nothing could be judged."""

    check: str
    dimension: str | None
    fields: list[str]
    importance: float
    reason: str
    score: float | None


class LoopStep(Row, frozen=True):
    importance: float
    passed: bool
    reason: str
    score: float
    step: str


class Intake(Row, frozen=True):
    """`existing` were there already, with the same content."""

    added: list[str]
    conversation_id: str
    existing: list[str]
    project: str


class ReactionContent(Row, frozen=True):
    confidence: float
    origin: str
    reaction: str
    text: str | None
    ts: datetime
    turn_id: str | None


class ReactionMeta(Row, frozen=True):
    kind: str
    rn: str
    track_id: str | None
    turn_id: str | None
    user_type: str | None


class ReactionToken(Row, frozen=True):
    expires_at: datetime
    token: str
    user_id: str | None


class ReactionCounts(Row, frozen=True):
    machine: int = 0
    neutral: int = 0
    not_ok: int = 0
    ok: int = 0
    total: int = 0
    user: int = 0


class ReactionSummary(Row, frozen=True):
    confidence: float
    origin: str
    reaction: str
    rn: str
    text: str | None
    ts: datetime
    turn_id: str


class PeriodWindow(Row, frozen=True):
    end: datetime
    start: datetime


class TurnMessage(Row, frozen=True):
    text: str
    ts: datetime


class TurnLog(Row, frozen=True):
    hosted_uri: str | None
    turn_log: Object


class Satisfaction(Row, frozen=True):
    """`rate` is ok / (ok + not_ok + neutral), between `low` and `high` with 95 %; None where nothing was
    counted."""

    bucket: datetime | None
    group: str | None
    high: float | None
    low: float | None
    neutral: int
    not_ok: int
    ok: int
    rate: float | None
    total: int


class CandidateTurn(Row, frozen=True):
    assistant: str | None
    conversation_id: str
    recency: float
    score: float
    similarity: float
    ts: datetime | None
    turn_id: str
    user: str | None


class Permissions(Row, frozen=True):
    roles: list[RoleGrants]
    scopes: list[Scope]


class Agent(Row, frozen=True):
    id: UUID
    active: bool
    created_at: datetime
    created_by: Party
    description: str
    name: str
    slug: str


class ApiKey(Row, frozen=True):
    id: UUID
    created_at: datetime
    created_by: Party
    expires_at: datetime | None
    holder: Party
    last_used_at: datetime | None
    name: str
    prefix: str
    revoked_at: datetime | None
    role: str
    scopes: list[str] | None
    status: str


class CreatedApiKey(Row, frozen=True):
    """`key` is the secret; it is shown this once."""

    id: UUID
    created_at: datetime
    created_by: Party
    expires_at: datetime | None
    holder: Party
    key: str | None
    last_used_at: datetime | None
    name: str
    prefix: str
    revoked_at: datetime | None
    role: str
    scopes: list[str] | None
    status: str


class EntityType(Row, frozen=True):
    id: UUID
    config: Object
    created_at: datetime
    created_by: Party
    field_configs: Object
    json_schema: Object
    name: str
    slug: str
    updated_at: datetime
    version: int


class Entity(Row, frozen=True):
    """A record. `score` is 0 to 100, None where there is none."""

    id: UUID
    content: Object
    created_at: datetime
    created_by: Party
    metadata: Object
    score: float | None
    title: str
    type: str
    updated_at: datetime
    version: int


class Relation(Row, frozen=True):
    id: UUID
    created_at: datetime
    created_by: Party
    field_key: str
    metadata: Object
    source_id: UUID
    source_title: str
    source_type: str
    target_id: UUID
    target_title: str
    target_type: str


class FieldChange(Row, frozen=True):
    """One entry of a field's history; `present` tells a missing value from null."""

    id: UUID
    actor: Party
    created_at: datetime
    current: bool
    dimension_key: str | None
    entity_version: int
    field: str
    kind: str
    present: bool
    present_before: bool
    response_id: UUID | None
    undoes_id: UUID | None
    value: Any
    value_before: Any


class CriteriaSet(Row, frozen=True):
    id: UUID
    archived_at: datetime | None
    created_at: datetime
    created_by: Party
    dimensions: list[Dimension]
    entity_type_version: int | None
    is_default: bool
    kind: str
    name: str
    slug: str
    updated_at: datetime
    version: int
    description: str | None = None
    display_config: Object | None = None
    display_type: str | None = None
    entity_type_slugs: list[str] | None = None
    scope: Object | None = None
    temporal_key: str | None = None


class Response(Row, frozen=True):
    """One submission. Scores are None where nothing could be scored: that is not 0."""

    id: UUID
    created_at: datetime
    criteria_set_id: UUID
    criteria_snapshot: list[Dimension]
    entity_id: UUID
    field_meta: Object
    normalized_score: float | None
    notes: str | None
    parent_response_id: UUID | None
    promotable_fields: list[str]
    promoted_fields: list[str]
    review_notes: str | None
    reviewed_at: datetime | None
    reviewed_by: UUID | None
    reviewer: Party | None
    scope: Object | None
    source: str
    status: str
    submitted_by: Party
    submitted_by_agent: UUID | None
    submitted_by_user: UUID | None
    temporal_value: str | None
    values: Object
    weighted_score: float | None
    withdrawn_at: datetime | None


class ConnectionAggregate(Row, frozen=True):
    """What the responses say about one connection. `title` is None for a record that is gone."""

    count: int
    dimensions: dict[str, DimensionAggregate]
    normalized_score: float | None
    title: str | None
    weighted_score: float | None


class PromotionPreview(Row, frozen=True):
    """What a promotion would do; with `errors` it would be refused."""

    entity_id: UUID
    errors: list[Fault]
    fields: list[FieldPreview]
    response_id: UUID
    status_after: str
    version: int


class View(Row, frozen=True):
    id: UUID
    blocks: list[Object]
    created_at: datetime
    created_by: Party
    entity_type: str | None
    name: str
    slug: str
    updated_at: datetime
    version: int


class Job(Row, frozen=True):
    id: UUID
    actor: Party
    args: Object
    attempts: int
    error: JobError | None
    finished_at: datetime | None
    max_attempts: int
    name: str
    queued_at: datetime | None
    scheduled_at: datetime | None
    started_at: datetime | None
    status: str


class JobDetail(Row, frozen=True):
    id: UUID
    actor: Party
    args: Object
    attempts: int
    error: JobError | None
    failures: list[JobFailure]
    finished_at: datetime | None
    max_attempts: int
    name: str
    queued_at: datetime | None
    scheduled_at: datetime | None
    started_at: datetime | None
    status: str


class RankedConnection(Row, frozen=True):
    """`score` is 0 to 100, None where nobody rated the connection."""

    relation_id: UUID
    score: float | None
    scores: Object | None
    target: RecordLink


class Outcome(Row, frozen=True):
    """How a record did with the one that was asked about."""

    count: int
    entity: RecordLink
    normalized_score: float | None
    weighted_score: float | None


class ArtifactEvalRun(Row, frozen=True):
    """Scoring every record of a suite's type; `done` of `total` are scored so far."""

    id: UUID
    created_at: datetime
    created_by: Party
    dimensions: list[DimensionSummary]
    done: int
    entity_type: str
    error: str | None
    finished_at: datetime | None
    mean: float | None
    passed: int
    results_kept: bool
    rubric_version: str
    started_at: datetime | None
    status: str
    suite: str
    total: int


class ArtifactEvalResult(Row, frozen=True):
    """What a run found about a record; `gaps` are the most important first."""

    entity_id: UUID
    gaps: list[ArtifactEvalGap]
    overall: float | None
    passed: bool
    scores: dict[str, float | None]
    title: str


class LoopReport(Row, frozen=True):
    closed: bool
    loop: str
    score: float
    steps: list[LoopStep]
    title: str


class ReactionPayload(Row, frozen=True):
    """`gate` is set for a machine's reaction."""

    bundle_id: str | None
    conversation_id: str
    meta: ReactionMeta
    reaction: ReactionContent
    gate: Object | None = None


class TurnReactions(Row, frozen=True):
    feedbacks: list[ReactionSummary]
    ts: datetime
    turn_id: str


class Conversation(Row, frozen=True):
    id: str
    agent: str | None
    agent_id: UUID | None
    feedback_counts: ReactionCounts
    last_activity_at: datetime
    project: str
    started_at: datetime
    title: str
    turns: int
    user_id: str | None


class SatisfactionReport(Row, frozen=True):
    bucket: str
    by: str | None
    data: list[Satisfaction]
    end: datetime
    overall: list[Satisfaction]
    start: datetime


class UnsettledReaction(Row, frozen=True):
    id: UUID
    candidates: list[CandidateTurn]
    confidence: float
    conversation_id: str
    detector: str
    evidence: str
    message: str | None
    project: str
    reaction: str
    ts: datetime
    turn_id: str | None
    user_id: str | None


class Aggregation(Row, frozen=True):
    """`by_connection` where connections were rated; `matrix` holds every number, in columns, where asked for.
    Of very much both hold a part: the best connections, by the newest responses; `…_omitted` says how many
    are missing."""

    count: int
    criteria_set_id: UUID
    dimensions: list[DimensionRollup]
    entity_id: UUID
    progression: list[ProgressPoint]
    respondents: int
    score: float | None
    strategy: str
    by_connection: dict[str, ConnectionAggregate] | None = msgspec.field(default=None, name="byConnection")
    connections_omitted: int = 0
    matrix: Object | None = None
    responses_omitted: int = 0


class ArtifactEvalSuite(Row, frozen=True):
    """A suite of the server and what the workspace has for it."""

    criteria_set_id: UUID | None
    entity_type: str
    entity_type_exists: bool
    loop: str | None
    newest_run: ArtifactEvalRun | None
    records: int
    slug: str
    title: str


class ReactionResult(Row, frozen=True):
    """`outcome` is added, replaced, cleared or unchanged."""

    artifact: ReactionPayload | None
    outcome: str
    replaced_rn: str | None


class ConversationReactions(Row, frozen=True):
    conversation_id: str
    feedback_counts: ReactionCounts
    last_activity_at: datetime
    started_at: datetime | None
    turns: list[TurnReactions]


class ReactionRow(Row, frozen=True):
    id: UUID
    hosted_uri: str | None
    payload: ReactionPayload
    role: str
    source_conversation_id: str | None
    source_turn_id: str | None
    state: str
    tags: list[str]
    text: str
    ts: datetime
    turn_id: str | None
    user_id: str | None
    user_name: str | None


class ConversationsInPeriod(Row, frozen=True):
    items: list[ConversationReactions]
    next_cursor: str | None
    project: str
    tenant: str
    window: PeriodWindow


class TurnWithReactions(Row, frozen=True):
    assistant: TurnMessage | None
    feedbacks: list[ReactionSummary]
    reactions: list[ReactionRow]
    turn_id: str
    turn_log: Object | None
    user: TurnMessage | None


class TranscriptTurn(Row, frozen=True):
    agent: str | None
    agent_id: UUID | None
    assistant: str | None
    bundle_id: str | None
    has_log: bool
    hosted_uri: str | None
    reactions: list[ReactionRow]
    session_id: str | None
    track_id: str | None
    ts: datetime
    turn_id: str
    unsettled: list[ReactionRow]
    user: str | None
    user_id: str | None


class TurnsWithReactions(Row, frozen=True):
    conversation_id: str
    turns: list[TurnWithReactions]
    user_id: str | None
    next_cursor: str = ""


class Transcript(Row, frozen=True):
    conversation: Conversation
    next_cursor: str | None
    previous_cursor: str | None
    turns: list[TranscriptTurn]
