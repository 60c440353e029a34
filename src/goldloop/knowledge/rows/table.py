"""Knowledge as a table: one row each. Pure."""

from goldloop.kit.csv_table import Cell, as_cell
from goldloop.knowledge.model import SharedContext

HEAD: list[Cell] = [
    "id", "type", "state", "content", "context", "agent_id", "entity_type_id", "pinned", "origins", "confirmations", "rank",
    "flags", "created_by", "created_by_kind", "last_confirmed_at", "created_at", "updated_at", "version",
]  # fmt: skip


def row(found: SharedContext) -> list[Cell]:
    return [
        str(found.id),
        found.type,
        found.state,
        found.content,
        found.context,
        as_cell(found.agent_id),
        as_cell(found.entity_type_id),
        as_cell(found.pinned),
        found.origins,
        found.confirmations,
        found.rank,
        as_cell([str(flag) for flag in found.flags]),
        found.created_by.name,
        found.created_by.kind,
        as_cell(found.last_confirmed_at),
        as_cell(found.created_at),
        as_cell(found.updated_at),
        found.version,
    ]
