"""Response types, frozen. Fields that a newer server adds are ignored.

Words from a fixed list (a status, a role, a kind) are plain text here, so that a new one does not break a program
that never meets it.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.client.errors import Fault

Number = int | float
Object = dict[str, Any]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    pass


class Party(Row, frozen=True):
    """Who did something: a user, an agent or the system."""

    kind: str
    id: UUID | None = None
    name: str | None = None


class Workspace(Row, frozen=True):
    """The key's workspace, with what the key may do in it."""

    id: UUID
    slug: str
    name: str
    created_at: datetime
    role: str
    permissions: list[str]


class RoleGrants(Row, frozen=True):
    role: str
    grants: list[str]


class Scope(Row, frozen=True):
    scope: str
    description: str


class Permissions(Row, frozen=True):
    roles: list[RoleGrants]
    scopes: list[Scope]


class Member(Row, frozen=True):
    user_id: UUID
    email: str
    name: str
    role: str
    status: str
    created_at: datetime


class Agent(Row, frozen=True):
    id: UUID
    slug: str
    name: str
    description: str
    active: bool
    created_at: datetime
    created_by: Party


class ApiKey(Row, frozen=True):
    id: UUID
    name: str
    prefix: str
    role: str
    scopes: list[str] | None
    holder: Party
    created_at: datetime
    created_by: Party
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    status: str


class CreatedApiKey(ApiKey, frozen=True):
    """`key` is the secret; it is shown this once."""

    key: str | None


class EntityCount(Row, frozen=True):
    count: int
    more: bool


class EntityType(Row, frozen=True):
    id: UUID
    slug: str
    name: str
    json_schema: Object
    field_configs: Object
    config: Object
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: Party


class Entity(Row, frozen=True):
    """A record. `score` is 0 to 100, None where there is none."""

    id: UUID
    type: str
    title: str
    content: Object
    metadata: Object
    version: int
    score: float | None
    created_at: datetime
    updated_at: datetime
    created_by: Party


class Relation(Row, frozen=True):
    id: UUID
    source_id: UUID
    source_title: str
    source_type: str
    field_key: str
    target_id: UUID
    target_title: str
    target_type: str
    metadata: Object
    created_at: datetime
    created_by: Party


class FieldChange(Row, frozen=True):
    """One entry of a field's history; `present` tells a missing value from null."""

    id: UUID
    field: str
    kind: str
    value: Any
    present: bool
    value_before: Any
    present_before: bool
    response_id: UUID | None
    dimension_key: str | None
    undoes_id: UUID | None
    current: bool
    entity_version: int
    actor: Party
    created_at: datetime


class Extraction(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    requires_approval: bool = False


class Dimension(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One thing to be filled in; the same type is sent when a criteria set is defined."""

    key: str
    label: str
    type: str
    scale: tuple[Number, Number] | None = None
    step: Number | None = None
    options: list[str] | None = None
    weight: Number | None = None
    description: str | None = None
    field_name: str | None = None
    required: bool = False
    extraction: Extraction | None = None


class CriteriaSet(Row, frozen=True):
    id: UUID
    slug: str
    name: str
    kind: str
    dimensions: list[Dimension]
    description: str | None
    entity_type_slugs: list[str] | None
    temporal_key: str | None
    display_type: str | None
    display_config: Object | None
    scope: Object | None
    is_default: bool
    version: int
    entity_type_version: int | None
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    created_by: Party


class Response(Row, frozen=True):
    """One submission. Scores are None where nothing could be scored: that is not 0."""

    id: UUID
    entity_id: UUID
    criteria_set_id: UUID
    criteria_snapshot: list[Dimension]
    scope: Object | None
    submitted_by_user: UUID | None
    submitted_by_agent: UUID | None
    submitted_by: Party
    source: str
    values: Object
    field_meta: Object
    weighted_score: float | None
    normalized_score: float | None
    status: str
    promoted_fields: list[str]
    promotable_fields: list[str]
    reviewed_by: UUID | None
    reviewer: Party | None
    reviewed_at: datetime | None
    review_notes: str | None
    parent_response_id: UUID | None
    temporal_value: str | None
    notes: str | None
    created_at: datetime
    withdrawn_at: datetime | None


class DimensionRollup(Row, frozen=True):
    """`value` is what the strategy asked for; `spread` is the deviation between respondents."""

    key: str
    label: str
    type: str
    count: int
    respondents: int
    value: float | None
    mean: float | None
    median: float | None
    min: float | None
    max: float | None
    stddev: float | None
    spread: float | None
    frequencies: dict[str, int] | None


class ProgressPoint(Row, frozen=True):
    at: datetime
    score: float
    min: float
    max: float
    count: int


class DimensionAggregate(Row, frozen=True):
    value: float | None
    count: int


class ConnectionAggregate(Row, frozen=True):
    """What the responses say about one connection. `title` is None for a record that is gone."""

    title: str | None
    count: int
    dimensions: dict[str, DimensionAggregate]
    weighted_score: float | None
    normalized_score: float | None


class Aggregation(Row, frozen=True):
    """`by_connection` where connections were rated; `matrix` holds every number, in columns, where asked for.
    Of very much both hold a part: the best connections, by the newest responses; `…_omitted` says how many are missing."""

    entity_id: UUID
    criteria_set_id: UUID
    strategy: str
    count: int
    respondents: int
    score: float | None
    dimensions: list[DimensionRollup]
    progression: list[ProgressPoint]
    by_connection: dict[str, ConnectionAggregate] | None = msgspec.field(default=None, name="byConnection")
    connections_omitted: int = 0
    responses_omitted: int = 0
    matrix: Object | None = None


class Agreement(Row, frozen=True):
    """Krippendorff's alpha of one dimension; where there is none, `reason` says why."""

    key: str
    label: str
    alpha: float | None
    reason: str | None
    level: str | None
    units: int
    raters: int
    values: int


class FieldPreview(Row, frozen=True):
    dimension: str
    field: str
    value: Any
    value_before: Any
    present_before: bool
    changes: bool


class PromotionPreview(Row, frozen=True):
    """What a promotion would do; with `errors` it would be refused."""

    entity_id: UUID
    response_id: UUID
    version: int
    fields: list[FieldPreview]
    status_after: str
    errors: list[Fault]


class View(Row, frozen=True):
    id: UUID
    slug: str
    name: str
    entity_type: str | None
    blocks: list[Object]
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: Party


class Tool(Row, frozen=True):
    name: str
    description: str
    permission: str
    input_schema: Object


class Submitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the tool `submitResponse` answers."""

    response_id: UUID
    status: str
    weighted_score: float | None = None
    normalized_score: float | None = None
    promotion_deferred: bool = False
    pending_promotion_fields: list[str] = []


class JobError(Row, frozen=True):
    type: str
    message: str
    at: datetime


class JobFailure(Row, frozen=True):
    attempt: int
    at: datetime
    type: str
    message: str
    detail: str


class Job(Row, frozen=True):
    id: UUID
    name: str
    status: str
    args: Object
    attempts: int
    max_attempts: int
    queued_at: datetime | None
    scheduled_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    error: JobError | None
    actor: Party


class JobDetail(Job, frozen=True):
    failures: list[JobFailure]


class Mark(Row, frozen=True):
    id: UUID
    kind: str
    key: str
    marked_at: datetime
    due_at: datetime
    attempts: int
    last_error: str | None
