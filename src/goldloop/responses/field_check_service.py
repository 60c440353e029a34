"""Checks proposed values by the schema of the fields that they lead to, so that no reviewer fails by what nobody could
accept. Rules between fields are checked when the values are promoted: only then is it known what stands beside them."""

from collections.abc import Iterator, Mapping
from typing import Any

from goldloop.criteria.model import CriteriaSet
from goldloop.entities.field_schema import fields_schema
from goldloop.entities.model import EntityType
from goldloop.entities.validation.service import check_content
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Faults
from goldloop.kit.json_pointer import pointer
from goldloop.responses.promotable import Proposed
from goldloop.responses.shapes import shape_of


async def check_fields(
    tx: Tx, values: Mapping[str, Any], criteria_set: CriteriaSet, entity_type: EntityType, *, known: Faults
) -> Faults:
    """What the schema of a field refuses, at the value that leads to it; a value with a `known` fault has enough."""
    faulty = {fault.path for fault in known}
    dimensions = [each for each in criteria_set.dimensions if _at(each.key) not in faulty]
    found = Faults()
    schema = None
    for fields in shape_of(criteria_set.scope).proposed(values, dimensions, entity_type.json_schema):
        schema = schema or fields_schema(entity_type.json_schema)
        if schema is None:
            break
        content = {field: proposed.value for field, proposed in fields.items()}
        found += _in_values(await check_content(tx.actor.tenant_id, schema, content), fields)
    return found


def _in_values(faults: list[Fault], fields: Mapping[str, Proposed]) -> Iterator[Fault]:
    """Faults of content, at the values of the response that it was made of."""
    places = {pointer("content", field): _at(proposed.key) for field, proposed in fields.items()}
    for fault in faults:
        head = "/".join(fault.path.split("/")[:3])  # /content/<field>
        at = places[head] + fault.path[len(head) :] if head in places else "/values"
        yield Fault(path=at, code=fault.code, message=fault.message)


def _at(key: str) -> str:
    return pointer("values", key)
