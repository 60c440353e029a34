"""Does a suite still speak of the fields that its entity type has? Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from goldloop.artifact_evals.model import Adapter
from goldloop.artifact_evals.rubric import KnowledgeRubric
from goldloop.artifact_evals.values import split_path


class SchemaDrift(msgspec.Struct, frozen=True, kw_only=True):
    field: str
    used_by: str


class _Watched(dict[str, Any]):
    """Content that remembers which of its fields were asked for."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__(content)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)


def find_drift(
    json_schema: Mapping[str, Any], rubric: KnowledgeRubric, adapter: Adapter, records: Iterable[Any]
) -> tuple[SchemaDrift, ...]:
    """Fields that the rubric reads, the adapter asks for or a good record has, and the schema does not declare."""
    used: dict[str, str] = {}
    for _, check in rubric.checks:
        for field in check.fields:
            used.setdefault(field, f"the check {check.name}")
    for record in records:
        for field in _fields_read(adapter, record):
            used.setdefault(field, "the adapter")
        for field in _content(record):
            used.setdefault(field, "a good fixture")
    return tuple(
        SchemaDrift(field=field, used_by=used[field])
        for field in sorted(used)
        if not _declares(json_schema, json_schema, field, split_path(field) or (field,))
    )


def _content(record: Any) -> Mapping[str, Any]:
    content = record.get("content") if isinstance(record, Mapping) else None
    return content if isinstance(content, Mapping) else {}


def _fields_read(adapter: Adapter, record: Any) -> Iterator[str]:
    """What an adapter asks of a record's content; one that crashes is reported as a fixture that fails."""
    watched = _Watched(_content(record))
    if isinstance(record, Mapping) and "content" in record:
        try:
            adapter({**record, "content": watched})
        except Exception:
            return
    yield from sorted(watched.asked)


def _declares(root: Mapping[str, Any], node: Any, name: str, path: tuple[str, ...]) -> bool:
    """Whether a schema has a property, also within objects and behind references inside the document."""
    node = _resolve(root, node)
    properties = node.get("properties") if isinstance(node, Mapping) else None
    if not isinstance(properties, Mapping):
        return False
    if name in properties:
        return True
    first, *rest = path
    return (
        bool(rest) and first in properties and _declares(root, properties[first], ".".join(rest), tuple(rest))
    )


def _resolve(root: Mapping[str, Any], node: Any) -> Any:
    reference = node.get("$ref") if isinstance(node, Mapping) else None
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return node
    found: Any = root
    for part in reference[2:].split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
