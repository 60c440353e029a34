"""Types of criteria sets and their dimensions, with the field names of the API."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from goldloop.kit.numbers import Number
from goldloop.tenants.model import Party

MAX_SLUG = 120  # room for `default-` before the slug of a type
MAX_NAME = 200
MAX_SET_DESCRIPTION = 5000
MAX_DIMENSIONS = 200  # as many as a type may have fields
MAX_TYPES = 100
MAX_ANCHOR = 100  # a column heading
MAX_KEY = 100
MAX_LABEL = 200  # one line above an input
MAX_DESCRIPTION = 2000  # a help text, not a document
MAX_FIELD_NAME = 200
MAX_OPTIONS = 500  # a list of countries fits
MAX_OPTION = 200  # one line of a list

Scale = tuple[Number, Number]
Key = Annotated[str, msgspec.Meta(max_length=MAX_KEY)]
FieldName = Annotated[str, msgspec.Meta(max_length=MAX_FIELD_NAME)]
Option = Annotated[str, msgspec.Meta(max_length=MAX_OPTION)]
Anchor = Annotated[str, msgspec.Meta(max_length=MAX_ANCHOR)]


class Kind(StrEnum):
    RECORD = "record"  # captures the fields of a record
    ASSESSMENT = "assessment"  # scores and evaluates
    TEMPORAL = "temporal"  # repeated snapshots, told apart by the value of `temporal_key`


class DimensionType(StrEnum):
    NUMBER = "number"
    TEXT = "text"
    RATING = "rating"
    SELECT = "select"
    RICHTEXT = "richtext"


LIKERT_MATRIX = "likert-matrix"


class Extraction(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    requires_approval: bool = False  # an agent's value waits for a reviewer, whatever the agent may do


class Dimension(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """One thing to be filled in. Unknown keys are refused: a misspelt `weight` would silently cost a score."""

    key: Key
    label: Annotated[str, msgspec.Meta(max_length=MAX_LABEL)]
    type: DimensionType
    scale: Scale | None = None
    step: Number | None = None
    options: Annotated[list[Option], msgspec.Meta(max_length=MAX_OPTIONS)] | None = None
    weight: Number | None = None
    description: Annotated[str, msgspec.Meta(max_length=MAX_DESCRIPTION)] | None = None
    field_name: FieldName | None = None
    required: bool = False
    extraction: Extraction | None = None

    @property
    def requires_approval(self) -> bool:
        return self.extraction is not None and self.extraction.requires_approval


class AnchorLabels(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    min: Anchor
    max: Anchor
    mid: Anchor | None = None


class DisplayConfig(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    scale: Scale | None = None
    step: Number | None = None
    anchor_labels: AnchorLabels | None = None


class Scope(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """What is rated: each connection through a relation field. `{type: "entity"}` says the same as no scope."""

    type: Literal["entity", "relation"]
    field_key: FieldName | None = None


class CriteriaSetDefinition(msgspec.Struct, frozen=True, kw_only=True):
    slug: str
    name: str
    kind: Kind
    dimensions: list[Dimension]
    description: str | None = None
    entity_type_slugs: list[str] | None = None
    temporal_key: str | None = None
    display_type: str | None = None
    display_config: DisplayConfig | None = None
    scope: Scope | None = None

    @property
    def is_relation_scoped(self) -> bool:
        return self.scope is not None and self.scope.type == "relation"

    @property
    def relation_scope(self) -> Scope | None:
        """What is rated, if not the record itself."""
        return self.scope if self.is_relation_scoped else None

    @property
    def rated_field(self) -> str | None:
        """The relation field whose connections are rated; None where records themselves are."""
        return self.scope.field_key if self.scope and self.is_relation_scoped else None


class CriteriaSet(CriteriaSetDefinition, frozen=True, kw_only=True):
    """A definition as it is stored."""

    id: UUID
    is_default: bool
    version: int
    entity_type_version: int | None
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    created_by: Party
