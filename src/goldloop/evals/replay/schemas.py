"""What the JSON Schema of a tool's arguments says about its calls: which paths it declares, which have a default, and which
lists have no order. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from goldloop.evals.model import ToolShape

DEEPEST = 12  # levels; a schema that names itself would have no end


def shape_of(schema: Any, *, writes: bool | None = None, volatile: list[str] | None = None) -> ToolShape:
    """A schema without properties declares nothing: then every argument counts."""
    if not isinstance(schema, Mapping) or not _properties(schema, schema):
        return ToolShape(writes=writes, volatile=volatile or [])
    paths: list[str] = []
    defaults: dict[str, Any] = {}
    unordered: list[str] = []
    for path, part in _walk(schema, schema, "", 0):
        if path.endswith("[]"):
            if part.get("uniqueItems") is True:
                unordered.append(path)
        else:
            if "default" in part:
                defaults[path] = part["default"]
        if not _below(part, schema):
            paths.append(path)
    return ToolShape(
        writes=writes,
        arguments=sorted(dict.fromkeys(paths)),
        defaults=defaults,
        unordered=sorted(dict.fromkeys(unordered)),
        volatile=volatile or [],
    )


def _walk(
    part: Mapping[str, Any], root: Mapping[str, Any], path: str, depth: int
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if depth > DEEPEST:
        return
    for name, each in _properties(part, root).items():
        inner = _resolved(each, root)
        below = f"{path}.{name}" if path else name
        if _items(inner, root) is not None:
            yield f"{below}[]", inner
            if "default" in inner:
                yield below, {"default": inner["default"], "properties": {"": {}}}
            yield from _walk(_items(inner, root) or {}, root, f"{below}[]", depth + 1)
        else:
            yield below, inner
            yield from _walk(inner, root, below, depth + 1)


def _below(part: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Whether there are declared names below it, so that it is no leaf itself."""
    items = _items(part, root)
    return bool(_properties(part if items is None else items, root))


def _items(part: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    for each in _alternatives(part, root):
        if each.get("type") == "array" or "items" in each:
            items = each.get("items")
            return _resolved(items, root) if isinstance(items, Mapping) else {}
    return None


def _properties(part: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in _alternatives(part, root):
        properties = each.get("properties")
        if isinstance(properties, Mapping):
            found |= properties
    return found


def _alternatives(part: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield part
    for word in ("allOf", "anyOf", "oneOf"):
        for each in part.get(word) or ():
            if isinstance(each, Mapping):
                yield _resolved(each, root)


def _resolved(part: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Behind references into the schema itself."""
    for _ in range(DEEPEST):
        reference = part.get("$ref") if isinstance(part, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        part = root
        for name in reference[2:].split("/"):
            part = part.get(name, {}) if isinstance(part, Mapping) else {}
    return part if isinstance(part, Mapping) else {}
