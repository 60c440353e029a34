"""What a replay is asked and told, and what answers its calls, from the snapshot of its golden. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.evals.model import ToolShape
from goldloop.evals.replay.schemas import shape_of
from goldloop.evals.replay.tape import Mode, ReplayTool, Tape, tape_of
from goldloop.kit.tools import Tool
from goldloop.knowledge.printing import with_memories
from goldloop.runtimes.model import Brief, ForeignTool, Prompt, Spoken


def brief_of(snapshot: Mapping[str, Any], own_tools: frozenset[str]) -> Brief:
    """Tools that were recorded and are not ours are offered as they were."""
    asked = snapshot.get("brief") or {}
    return Brief(
        message=asked.get("message") or snapshot.get("message") or "",
        instructions=asked.get("instructions") or "",
        output_schema=asked.get("outputSchema"),
        context=asked.get("context") or {},
        spoken=tuple(
            Spoken(role=each["role"], content=each["content"]) for each in snapshot.get("messages") or ()
        ),
        foreign_tools=tuple(
            ForeignTool(
                name=name,
                description=tool.get("description") or "",
                writes=tool.get("writes") is not False,
                parameters=tool.get("parameters") or {"type": "object"},
            )
            for name, tool in (snapshot.get("tools") or {}).items()
            if tool.get("foreign") and name not in own_tools
        ),
    )


def prompt_of(snapshot: Mapping[str, Any], private: Mapping[str, Any]) -> Prompt:
    """What had been learnt when the session became golden, to the letter. A person's memories are in it where they were."""
    knowledge = snapshot.get("knowledge") or {}
    text = knowledge.get("text") or ""
    return Prompt(
        text=private.get("text") or text,
        manifest=knowledge.get("manifest"),
        private=private.get("memories") or "",
        public=text,
    )


def drawn_prompt(body: str, manifest: str | None, private: Mapping[str, Any]) -> Prompt:
    """A part of what is known now, with the memories that the golden had."""
    memories = private.get("memories") or ""
    return Prompt(text=with_memories(body, memories), manifest=manifest, private=memories, public=body)


def shapes_of(snapshot: Mapping[str, Any]) -> dict[str, ToolShape]:
    """Of all tools that the golden had, with what they declare."""
    return {
        name: shape_of(tool.get("parameters"), writes=tool.get("writes"))
        for name, tool in (snapshot.get("tools") or {}).items()
    }


def make_tape(
    golden: Mapping[str, Any],
    siblings: Sequence[Mapping[str, Any]],
    snapshot: Mapping[str, Any],
    own: Sequence[Tool],
    schemas: Mapping[str, Any],
    mode: Mode,
) -> Tape:
    """`own` are the tools that the replay's agent has here; what nobody can run dry or wait for is never run."""
    foreign = {
        name: ReplayTool(shape=shape, foreign=True, absent=True)
        for name, shape in shapes_of(snapshot).items()
        if snapshot["tools"][name].get("foreign")
    }
    ours = {
        tool.name: ReplayTool(shape=shape_of(schemas[tool.name], writes=tool.writes), unsafe=tool.waits)
        for tool in own
    }
    return tape_of(golden, tools={**foreign, **ours}, siblings=siblings, mode=mode)


def as_golden(
    session: Mapping[str, Any],
    alternatives: Sequence[Mapping[str, Any]],
    *,
    snapshot: Mapping[str, Any],
    effects: str,
    facts: Sequence[str],
    criteria: Any,
    own: Mapping[str, ToolShape] | None = None,
) -> dict[str, Any]:
    """As `compare` takes it. `own` are our tools, of which the golden may not have had all: what they are is known anyway."""
    tools = {**(own or {}), **shapes_of(snapshot)}
    return {
        **session,
        "tools": tools,
        "effects": effects,
        "facts": list(facts),
        "criteria": criteria,
        "alternatives": [{**each, "tools": tools} for each in alternatives],
    }
