"""Feedback as a table: one row each. Pure."""

from goldloop.feedback.model import Feedback
from goldloop.kit.csv_table import Cell, as_cell

HEAD: list[Cell] = [
    "id", "source_type", "rating", "comment", "status", "author", "author_kind", "end_user", "agent_id", "session_id",
    "entity_id", "entity_type", "group_id", "reviewer", "reviewed_at", "review_notes", "created_at", "context",
]  # fmt: skip


def row(feedback: Feedback) -> list[Cell]:
    return [
        str(feedback.id),
        feedback.source_type,
        feedback.rating,
        feedback.comment,
        feedback.status,
        feedback.author.name,
        feedback.author.kind,
        feedback.end_user,
        as_cell(feedback.agent_id),
        as_cell(feedback.session_id),
        as_cell(feedback.entity_id),
        feedback.entity_type,
        as_cell(feedback.group_id),
        feedback.reviewer.name if feedback.reviewer else None,
        as_cell(feedback.reviewed_at),
        feedback.review_notes,
        as_cell(feedback.created_at),
        as_cell(feedback.context),
    ]
