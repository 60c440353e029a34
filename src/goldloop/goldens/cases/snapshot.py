"""What is frozen of a session when it is promoted, from what was read of it. Pure.

What the session itself recorded counts before what is there now: the record as it was read, tools as they were defined.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.arguments import leaves
from goldloop.evals.tool_names import looks_writing
from goldloop.goldens.cases.model import (
    GoldenSnapshot,
    SnapshotAgent,
    SnapshotBrief,
    SnapshotCriteria,
    SnapshotEntity,
    SnapshotKnowledge,
    SnapshotTool,
    SnapshotType,
)
from goldloop.kit.tools import Tool
from goldloop.runtimes.model import Spoken
from goldloop.sessions.model import Session, SessionEvent

MOST_TYPES = 50  # whose schemas are frozen
MOST_NAMED = 500  # records that calls name and whose types are looked for
LONGEST_SLUG = 63
WHOLE = ("user.message", "tool.call", "tool.result")  # events that are needed with all of their payload
_TYPE_KEYS = {"type", "types", "entityType", "entity_type", "typeSlug", "type_slug", "slug"}
_CHANGES = ("entity.updated", "entity.deleted")
_DEEPEST = 4  # levels of a result in which a record is looked for


class SnapshotSource(NamedTuple):
    """What a snapshot is made of. `config` is that of the agent's version, `entity` the record as it is now."""

    session: Session
    events: Sequence[SessionEvent]
    config: dict[str, Any] | None
    registry: Mapping[str, Tool]
    brief: SnapshotBrief
    spoken: Sequence[Spoken]
    entity: SnapshotEntity | None
    types: Sequence[SnapshotType]
    knowledge: SnapshotKnowledge | None
    criteria: SnapshotCriteria | None


def make_snapshot(source: SnapshotSource) -> GoldenSnapshot:
    session = source.session
    groups = list((source.config or {}).get("tool_groups", []))
    tools, guessed = frozen_tools(source.events, groups, source.registry)
    return GoldenSnapshot(
        agent=SnapshotAgent(
            id=session.agent_id, slug=session.agent, version=session.agent_version, config=source.config
        ),
        message=first_message(session, source.events),
        messages=list(source.spoken),
        brief=_about(source.brief, source.entity),
        purpose=session.purpose,
        type=str(session.type),
        entity=source.entity,
        view_context=session.metadata.get("view_context"),
        tool_groups=groups,
        tools=tools,
        entity_types=list(source.types),
        knowledge=source.knowledge,
        guessed=guessed,
        criteria=source.criteria,
    )


def first_message(session: Session, events: Iterable[SessionEvent]) -> str:
    """What a user said first; of one that has not come to its first event what it was started with."""
    texts = (event.payload.get("text") for event in events if event.type == "user.message")
    first = next((text for text in texts if isinstance(text, str)), None)
    message = session.input.get("message")
    return first if first is not None else message if isinstance(message, str) else ""


def _about(brief: SnapshotBrief, entity: SnapshotEntity | None) -> SnapshotBrief:
    """An agent is told of the record that it is about, as runs do it."""
    if entity is None or "entity" in brief.context:
        return brief
    record = {
        "id": str(entity.id),
        "type": entity.type,
        "title": entity.title,
        "content": entity.content,
    }
    return msgspec.structs.replace(brief, context={**brief.context, "entity": record})


def recorded_entity(session: Session, events: Iterable[SessionEvent]) -> SnapshotEntity | None:
    """The record that the session is about, as it read it before it changed it. None where it did not read it."""
    if session.entity_id is None:
        return None
    wanted = str(session.entity_id)
    if (found := _find_entity(session.input, wanted, _DEEPEST)) is not None:
        return found
    for event in events:
        if event.type in _CHANGES and event.payload.get("entity_id") == wanted:
            return None
        result = event.payload.get("result") if event.type == "tool.result" else None
        if (found := _find_entity(result, wanted, _DEEPEST)) is not None:
            return found
    return None


def _find_entity(value: Any, wanted: str, levels: int) -> SnapshotEntity | None:
    if isinstance(value, Mapping):
        match value:
            case {"id": str(own), "type": str(kind), "title": str(title), "content": dict(content)}:
                if own == wanted:
                    return SnapshotEntity(
                        id=UUID(own), type=kind, title=title, content=content, recorded=True
                    )
        parts: Iterable[Any] = value.values()
    else:
        parts = value if isinstance(value, list) else ()
    if not levels:
        return None
    found = (_find_entity(part, wanted, levels - 1) for part in parts)
    return next((entity for entity in found if entity is not None), None)


class Named(NamedTuple):
    """What the calls of a session name: types by their slugs, and records."""

    slugs: list[str]
    entity_ids: list[UUID]


def named_by(events: Iterable[SessionEvent]) -> Named:
    slugs: dict[str, None] = {}
    ids: dict[UUID, None] = {}
    for event in events:
        if event.type.startswith("entity."):
            arguments: Any = event.payload
        else:
            arguments = event.payload.get("arguments") if event.type == "tool.call" else None
        for path, value in leaves(arguments) if isinstance(arguments, Mapping) else ():
            if not isinstance(value, str) or len(value) > LONGEST_SLUG:
                continue
            if path.rsplit(".", 1)[-1].partition("[")[0] in _TYPE_KEYS:
                slugs[value] = None
            elif (entity_id := _as_id(value)) is not None:
                ids[entity_id] = None
    return Named(list(slugs)[:MOST_NAMED], list(ids)[:MOST_NAMED])


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def frozen_tools(
    events: Sequence[SessionEvent], groups: Sequence[str], registry: Mapping[str, Tool]
) -> tuple[dict[str, SnapshotTool], list[str]]:
    """Ours of the agent's groups, and all that were called; then those of which only the name says whether they write."""
    defined = dict(_definitions(events))
    called = _argument_names(events)
    tools = {name: _ours(tool) for name, tool in registry.items() if tool.group in groups or name in called}
    guessed = []
    for name in (*called, *(name for name in defined if name not in called)):
        if name in tools:
            continue
        definition = defined.get(name, {})
        writes = _writes(definition)
        if writes is None:
            guessed.append(name)
        tools[name] = SnapshotTool(
            description=_text(definition.get("description")),
            parameters=_parameters(definition) or _loose(called.get(name, ())),
            writes=looks_writing(name) if writes is None else writes,
            foreign=True,
        )
    return tools, sorted(guessed)


def _ours(tool: Tool) -> SnapshotTool:
    return SnapshotTool(
        description=tool.description,
        parameters=msgspec.json.schema(tool.arguments),
        writes=tool.writes,
        foreign=False,
    )


def _argument_names(events: Iterable[SessionEvent]) -> dict[str, dict[str, None]]:
    """The names of what each called tool was called with, in the order in which they came."""
    called: dict[str, dict[str, None]] = {}
    for event in events:
        if event.type == "tool.call" and isinstance(name := event.payload.get("name"), str):
            names = called.setdefault(name, {})
            arguments = event.payload.get("arguments")
            if isinstance(arguments, Mapping):
                names |= dict.fromkeys(arguments)
    return called


def _loose(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {} for name in names}}


def _definitions(events: Iterable[SessionEvent]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Tools that a request to a model offered, in the shapes that providers and MCP have."""
    for event in events:
        offered = event.payload.get("tools") if event.type == "model.request" else None
        for each in offered if isinstance(offered, list) else ():
            inner = each.get("function", each) if isinstance(each, Mapping) else None
            if isinstance(inner, Mapping) and isinstance(name := inner.get("name"), str):
                yield name, inner


def _parameters(definition: Mapping[str, Any]) -> dict[str, Any] | None:
    for key in ("parameters", "input_schema", "inputSchema", "parameters_json_schema"):
        if isinstance(found := definition.get(key), dict):
            return found
    return None


def _writes(definition: Mapping[str, Any]) -> bool | None:
    annotations = definition.get("annotations")
    hint = annotations.get("readOnlyHint") if isinstance(annotations, Mapping) else None
    return not hint if isinstance(hint, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
