"""Does a suite still speak of the fields that its entity type has? Pure."""

from collections.abc import Collection, Iterator, Mapping
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
    json_schema: Mapping[str, Any],
    rubric: KnowledgeRubric,
    adapter: Adapter,
    records: Collection[Any],
    bad_records: Collection[Any] = (),
) -> tuple[SchemaDrift, ...]:
    """Fields that the rubric reads, the adapter asks for or a good record has, and the schema does not declare.

    Fields within fields are looked at where the schema says what is there, in bad records as well: what makes one bad is
    often in there, and with the old name it would be so no more."""
    used: dict[str, str] = {}
    for _, check in rubric.checks:
        for field in check.fields:
            used.setdefault(field, f"the check {check.name}")
    for record in records:
        for field in _fields_read(adapter, record):
            used.setdefault(field, "the adapter")
        for field in _content(record):
            used.setdefault(field, "a good fixture")
    gone = {
        field: user
        for field, user in used.items()
        if not _declares(json_schema, json_schema, field, split_path(field) or (field,))
    }
    for record in (*records, *bad_records):
        for field in _undeclared_within(json_schema, _content(record)):
            gone.setdefault(field, "a fixture")
    return tuple(SchemaDrift(field=field, used_by=gone[field]) for field in sorted(gone))


def _content(record: Any) -> Mapping[str, Any]:
    content = record.get("content") if isinstance(record, Mapping) else None
    return content if isinstance(content, Mapping) else {}


def _fields_read(adapter: Adapter, record: Any) -> Iterator[str]:
    """What an adapter asks of a record's content; one that crashes is reported as a fixture that fails."""
    watched = _Watched(_content(record))
    if isinstance(record, Mapping) and "content" in record:
        try:
            adapter({**record, "content": watched})
        except (Exception, SystemExit):
            return
    yield from sorted(watched.asked)


def _declares(root: Mapping[str, Any], node: Any, name: str, path: tuple[str, ...]) -> bool:
    """Whether a schema has a property, also within objects and behind references inside the document."""
    first, *rest = path
    for part in _alternatives(root, node):
        properties = _properties(part)
        if name in properties:
            return True
        if rest and first in properties and _declares(root, properties[first], ".".join(rest), tuple(rest)):
            return True
    return False


def _undeclared_within(root: Mapping[str, Any], content: Mapping[str, Any]) -> Iterator[str]:
    """Fields of objects and lists in a record (`steps[].owner`) that the schema there does not have. Walked with a list of
    its own, so that no nesting exhausts the stack."""
    todo: list[tuple[str, Any, Any]] = [("", root, content)]
    while todo:
        path, node, value = todo.pop()
        parts = _alternatives(root, node)
        if isinstance(value, list):
            items = [part["items"] for part in parts if "items" in part]
            todo += [(f"{path}[]", {"anyOf": items}, each) for each in value if items]
        elif isinstance(value, Mapping) and any("properties" in part for part in parts):
            for name, inner in value.items():
                declared = [_properties(part)[name] for part in parts if name in _properties(part)]
                if declared:
                    todo.append((f"{path}.{name}" if path else str(name), {"anyOf": declared}, inner))
                elif path:
                    yield f"{path}.{name}"


def _properties(node: Mapping[str, Any]) -> Mapping[str, Any]:
    found = node.get("properties")
    return found if isinstance(found, Mapping) else {}


MOST_PARTS = 200  # of one schema: those that refer to themselves end


def _alternatives(root: Mapping[str, Any], node: Any) -> list[Mapping[str, Any]]:
    """A schema with all that it is put together of."""
    found: list[Mapping[str, Any]] = []
    todo = [node]
    while todo and len(found) < MOST_PARTS:
        part = todo.pop(0)
        if not isinstance(part, Mapping):
            continue
        found.append(part)
        if "$ref" in part:
            todo.append(_resolve(root, part))
        for word in ("allOf", "anyOf", "oneOf"):
            inner = part.get(word)
            todo += inner if isinstance(inner, list) else []
        todo += [part[word] for word in ("then", "else") if word in part]
    return found


def _resolve(root: Mapping[str, Any], node: Any) -> Any:
    reference = node.get("$ref") if isinstance(node, Mapping) else None
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: Any = root
    for part in reference[2:].split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
