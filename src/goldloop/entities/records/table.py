"""Records as a table: a column for each field of their type, or their whole content where they are of several. Pure."""

from collections.abc import Sequence

from goldloop.entities.model import Entity, EntityType
from goldloop.entities.scores import format_score
from goldloop.kit.csv_table import Cell, as_cell

_HEAD = ["id", "type", "title", "score", "created_at", "updated_at"]


def columns_of(entity_type: EntityType | None, chosen: Sequence[str] | None = None) -> list[str] | None:
    """The fields that were chosen, else those of the type in the order of its schema; None for the whole content."""
    if chosen:
        return list(dict.fromkeys(chosen))
    return list(entity_type.json_schema.get("properties", {})) if entity_type else None


def head(fields: Sequence[str] | None) -> list[Cell]:
    return [*_HEAD, *(["content"] if fields is None else fields)]


def row(entity: Entity, fields: Sequence[str] | None) -> list[Cell]:
    times = [moment.isoformat().replace("+00:00", "Z") for moment in (entity.created_at, entity.updated_at)]
    values = [entity.content] if fields is None else [entity.content.get(field) for field in fields]
    score = None if entity.score is None else format_score(entity.score)
    return [str(entity.id), entity.type, entity.title, score, *times, *map(as_cell, values)]
