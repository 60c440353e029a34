"""Whose spans these are: the session, the person and the agent, as whoever sent them says. Pure.

Each is looked up over the spans of a trace from the top down, and over the names that conventions give it in an order:
what people set comes before what frameworks invent.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from goldloop.otlp.kinds import Kind
from goldloop.otlp.spans import Span
from goldloop.otlp.tree import Node
from goldloop.otlp.values import given_id, read_structure

TRACE_PREFIX = "trace:"  # of the session of a trace that names none


class Found(NamedTuple):
    """An id, and the attribute that it came from."""

    value: str
    key: str


_SESSION = (
    ("goldloop.session.id",),
    ("langfuse.session.id", "session.id"),
    ("gen_ai.conversation.id",),
    ("gcp.vertex.agent.session_id",),
    tuple(
        f"traceloop.association.properties.{key}" for key in ("session_id", "thread_id", "conversation_id")
    ),
    tuple(f"ai.telemetry.metadata.{key}" for key in ("sessionId", "threadId", "conversationId")),
    tuple(f"langsmith.metadata.{key}" for key in ("session_id", "thread_id", "conversation_id")),
    ("langfuse.observation.metadata.langfuse_session_id", "langfuse.trace.metadata.langfuse_session_id"),
    ("mlflow.trace.session",),
)
_SESSION_KEYS = ("session_id", "thread_id", "conversation_id")  # plain, or within `metadata`
_USER = (
    ("goldloop.user.id",),
    ("langfuse.user.id", "user.id", "enduser.id"),
    ("traceloop.association.properties.user_id",),
    ("ai.telemetry.metadata.userId",),
    ("langsmith.metadata.user_id",),
    ("langfuse.observation.metadata.langfuse_user_id", "langfuse.trace.metadata.langfuse_user_id"),
    ("mlflow.trace.user",),
)
_USER_KEYS = ("user_id", "user")
_AGENT = (
    "goldloop.agent",
    "gen_ai.agent.name",
    "agent.name",
    "ai.telemetry.functionId",
    "langsmith.metadata.lc_agent_name",
    "langfuse.trace.metadata.lc_agent_name",
    "traceloop.association.properties.lc_agent_name",
)
_AGENT_KEYS = ("lc_agent_name",)
_VERBS = ("invoke_agent ", "invoke_workflow ", "agent run ")  # before the name in a span's name
_SUFFIXES = (".agent", ".workflow", ".run")
_UNKNOWN_SERVICE = "unknown_service"  # what an SDK says whose program has no name


def find_session(nodes: Sequence[Node]) -> Found | None:
    """The topmost span that names one decides. `nodes` are ordered by depth and start."""
    return _first(nodes, _SESSION, _SESSION_KEYS)


def find_user(nodes: Sequence[Node]) -> Found | None:
    return _first(nodes, _USER, _USER_KEYS)


def _first(nodes: Sequence[Node], named: Sequence[Sequence[str]], plain: Sequence[str]) -> Found | None:
    """First by convention over all spans of the same depth, then deeper: a child never speaks before its parent."""
    at = 0
    while at < len(nodes):
        level = nodes[at].depth
        end = at
        while end < len(nodes) and nodes[end].depth == level:
            end += 1
        for keys in named:
            for node in nodes[at:end]:
                for key in keys:
                    if (value := given_id(node.span.attributes.get(key))) is not None:
                        return Found(value, key)
        for node in nodes[at:end]:
            if found := _in_metadata(node.span.attributes, plain):
                return found
        at = end
    return None


def _in_metadata(attributes: Any, plain: Sequence[str]) -> Found | None:
    metadata = read_structure(attributes.get("metadata"))
    for key in plain:
        if isinstance(metadata, dict) and (value := given_id(metadata.get(key))) is not None:
            return Found(value, f"metadata.{key}")
        if (value := given_id(attributes.get(key))) is not None:
            return Found(value, key)
    return None


def find_agent(nodes: Sequence[Node]) -> str | None:
    """As an attribute names it, from the top down; else the topmost agent span's name, else the program's. LangSmith
    calls the program of everybody by its own name, and an agent's span a chain."""
    for node in nodes:
        if (name := agent_named(node.span)) is not None:
            return name
    for node in nodes:
        is_agent = node.kind is Kind.AGENT or (
            node.depth == 0 and "langsmith.span.kind" in node.span.attributes
        )
        if is_agent and (name := given_id(bare_name(node.span.name))) is not None:
            return name
    return next((service for node in nodes if (service := find_service(node.span))), None)


def agent_named(span: Span) -> str | None:
    for key in _AGENT:
        if (name := given_id(span.attributes.get(key))) is not None:
            return name
    metadata = read_structure(span.attributes.get("metadata"))
    if isinstance(metadata, dict):
        return next((name for key in _AGENT_KEYS if (name := given_id(metadata.get(key)))), None)
    return None


def name_of(node: Node) -> str | None:
    """The name of the agent that a span belongs to."""
    if node.agent is None:
        return agent_named(node.span)
    return agent_named(node.agent.span) or given_id(bare_name(node.agent.span.name))


def bare_name(name: str) -> str:
    for verb in _VERBS:
        name = name.removeprefix(verb)
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def find_service(span: Span) -> str | None:
    service = span.source.service
    return None if not service or service.startswith(_UNKNOWN_SERVICE) else service
