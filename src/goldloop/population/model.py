"""Types of field population: what a session is asked to fill in, and from what."""

from typing import Annotated
from uuid import UUID

import msgspec

from goldloop.criteria.model import MAX_DIMENSIONS, Key
from goldloop.kit.errors import Fault, Faults
from goldloop.responses.model import SetSlug, TemporalValue

POPULATE = "populate"  # the purpose of a session that fills in one record
POPULATE_MANY = "populate_many"  # of one whose children do
POPULATOR = "field-populator"  # the agent that does it where no other is named

MOST_CHARACTERS = 400_000  # of all that is given to read: what a model can take in at once
MOST_OF_A_TEXT = 200_000  # a hundred pages
MOST_DOCUMENTS = 20
MOST_IDS = 200  # records that are named one by one

GivenText = Annotated[str, msgspec.Meta(max_length=MOST_OF_A_TEXT)]
Instructions = Annotated[str, msgspec.Meta(max_length=20_000)]


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    text: GivenText


class Material(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What to fill in and what to read for it. Without `dimensions` all of the criteria set's, without a set the default
    set of the record's type. `instructions` are what whoever asks wants to be kept to."""

    criteria_set_id: UUID | None = None
    criteria_set_slug: SetSlug | None = None
    dimensions: Annotated[list[Key], msgspec.Meta(min_length=1, max_length=MAX_DIMENSIONS)] | None = None
    temporal_value: TemporalValue | None = None
    text: GivenText | None = None
    documents: Annotated[list[Document], msgspec.Meta(max_length=MOST_DOCUMENTS)] = []
    instructions: Instructions | None = None


class Asked(Material, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The input of a session that fills in one record. `parent_response_id` is the response that it tries again."""

    message: str
    parent_response_id: UUID | None = None


class PopulateMany(Material, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Filling in many records of a type: those of `ids`, or those that a list of records with the same filter has. Also
    the configuration of a task that does it."""

    type: Annotated[str, msgspec.Meta(min_length=1, max_length=63)]
    ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_IDS)] | None = None
    q: Annotated[str, msgspec.Meta(max_length=500)] | None = None
    min_score: Annotated[float, msgspec.Meta(ge=0, le=100)] | None = None
    waits: bool = False


class AskedOfMany(PopulateMany, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The input of a session whose children fill in many records."""

    message: str


def find_faults(material: Material) -> Faults:
    """What a type cannot say."""
    faults = Faults()
    length = len(material.text or "") + sum(len(document.text) for document in material.documents)
    if length > MOST_CHARACTERS:
        message = f"Text and documents have at most {MOST_CHARACTERS:,} characters together"
        faults.append(Fault(path="/documents", code="too_long", message=message))
    if isinstance(material, PopulateMany) and material.ids is not None:
        for name in ("q", "min_score", "waits"):
            if getattr(material, name):
                message = "Records are named by ids or found by a filter"
                faults.append(Fault(path=f"/{name}", code="ids_or_filter", message=message))
    return faults
