"""What lists of knowledge under keys, as an older table kept them, are as rows. Pure."""

import hashlib
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.knowledge.model import CONTENT_CHARACTERS, CONTEXT_CHARACTERS, KnowledgeType

_TYPES = {str(kind): kind for kind in KnowledgeType} | {f"{kind}s": kind for kind in KnowledgeType}
_TYPES["routings"] = _TYPES["routes"] = KnowledgeType.ROUTING
_CONTENT = ("content", "text", "rule")
_CONTEXT = ("context", "when")
_DATE = ("createdAt", "created_at", "date")
_AGENT = ("agentId", "agent_id")
_ENTITY_TYPE = ("entityTypeId", "entity_type_id")
_KNOWN = {*_CONTENT, *_CONTEXT, *_DATE, *_AGENT, *_ENTITY_TYPE}


class LegacyItem(NamedTuple):
    """`key` is what it is known by, so that the same item again is the same row. `agent_id` and `entity_type_id` are as they
    were kept: whether there is such a one is not known here."""

    key: str
    type: KnowledgeType
    content: str
    context: str | None
    created_at: datetime | None
    agent_id: str | None
    entity_type_id: str | None
    legacy: dict[str, Any]


class LegacyRow(NamedTuple):
    key: str
    items: list[LegacyItem]


def read(row: dict[str, Any]) -> LegacyRow:
    """Raises ValueError with why a row is none of these."""
    key = row.get("key")
    if not isinstance(key, str) or key.strip().lower() not in _TYPES:
        raise ValueError("key is corrections, lessons, routing, insights or guidelines")
    value = row.get("value")
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ValueError("value is no JSON") from None
    if not isinstance(value, list):
        raise ValueError("value is a list")
    kind = _TYPES[key.strip().lower()]
    return LegacyRow(key, [_item(kind, key, place, item) for place, item in enumerate(value)])


def _item(kind: KnowledgeType, key: str, place: int, item: Any) -> LegacyItem:
    if isinstance(item, str):
        item = {"content": item}
    if not isinstance(item, dict):
        raise ValueError(f"item {place} is neither a text nor an object")
    content = _first(item, _CONTENT)
    if not isinstance(content, str) or not content.strip():
        raise ValueError(f"item {place} has no content")
    content = content.strip()
    if len(content) > CONTENT_CHARACTERS:
        raise ValueError(f"item {place} has more than {CONTENT_CHARACTERS:,} characters")
    context = _first(item, _CONTEXT)
    context = context.strip()[:CONTEXT_CHARACTERS] or None if isinstance(context, str) else None
    rest = {name: value for name, value in item.items() if name not in _KNOWN}
    scope = [_text(_first(item, names)) for names in (_AGENT, _ENTITY_TYPE)]
    named = [str(kind), content, context, *(scope if any(scope) else [])]
    digest = hashlib.sha256(msgspec.json.encode(named)).hexdigest()
    return LegacyItem(
        key=f"shared-context:{digest}",
        type=kind,
        content=content,
        context=context,
        created_at=_moment(_first(item, _DATE)),
        agent_id=scope[0],
        entity_type_id=scope[1],
        legacy={"key": key, "position": place, **rest},
    )


def _first(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    return msgspec.json.encode(value).decode()
