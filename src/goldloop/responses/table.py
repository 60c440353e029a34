"""Responses as a table: one row each, with a column for each dimension where all are of one criteria set. Pure."""

from collections.abc import Sequence

from goldloop.kit.csv_table import Cell, as_cell
from goldloop.responses.model import ListedResponse

_HEAD = [
    "id", "record_id", "record_type", "record", "criteria_set", "status", "source", "submitted_by", "submitted_by_kind",
    "score", "promoted_fields", "reviewed_by", "reviewed_at", "review_notes", "notes", "temporal_value", "created_at",
]  # fmt: skip


def head(dimensions: Sequence[str] | None) -> list[Cell]:
    return [*_HEAD, *(["values"] if dimensions is None else dimensions)]


def row(response: ListedResponse, dimensions: Sequence[str] | None) -> list[Cell]:
    values = response.values
    return [
        str(response.id),
        str(response.entity.id),
        response.entity.type,
        response.entity.title,
        response.criteria_set_name,
        response.status,
        response.source,
        response.submitted_by.name,
        response.submitted_by.kind,
        as_cell(response.normalized_score),
        as_cell(response.promoted_fields),
        response.reviewer.name if response.reviewer else None,
        as_cell(response.reviewed_at),
        response.review_notes,
        response.notes,
        response.temporal_value,
        as_cell(response.created_at),
        *(map(as_cell, [values] if dimensions is None else [values.get(each) for each in dimensions])),
    ]
