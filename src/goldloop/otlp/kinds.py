"""What a span is: a request to a model, a tool call, an agent, a step around them, or something else. Pure.

The conventions are asked in an order, and the first that says something decides: a span may carry several of them.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

from goldloop.otlp.spans import Attributes, Span


class Kind(StrEnum):
    MODEL = "model"
    TOOL = "tool"
    AGENT = "agent"
    CHAIN = "chain"  # a step around the others: it may fail, but makes no session by itself
    SKIP = "skip"  # says nothing of what happened: made before the fact, or at configuration
    OTHER = "other"


_LANGFUSE = {
    "generation": Kind.MODEL,
    "tool": Kind.TOOL,
    "agent": Kind.AGENT,
    "chain": Kind.CHAIN,
    "span": None,
}
_OPENINFERENCE = {
    "LLM": Kind.MODEL,
    "TOOL": Kind.TOOL,
    "AGENT": Kind.AGENT,
    "CHAIN": Kind.CHAIN,
    "UNKNOWN": None,
}
_LANGSMITH = {
    "llm": Kind.MODEL,
    "tool": Kind.TOOL,
    "agent": Kind.AGENT,
    "chain": Kind.CHAIN,
    "prompt": Kind.CHAIN,
}
_OPERATIONS = {
    "chat": Kind.MODEL,
    "text_completion": Kind.MODEL,
    "generate_content": Kind.MODEL,
    "execute_tool": Kind.TOOL,
    "invoke_agent": Kind.AGENT,
    "invoke_workflow": Kind.AGENT,
    "create_agent": Kind.SKIP,
    **dict.fromkeys(
        ("embeddings", "embedding", "embed", "retrieval", "retrieve", "rerank", "reranking"), Kind.OTHER
    ),
}
_TRACELOOP = {"tool": Kind.TOOL, "agent": Kind.AGENT, "workflow": Kind.CHAIN, "task": Kind.CHAIN}
_MLFLOW = {
    "CHAT_MODEL": Kind.MODEL,
    "LLM": Kind.MODEL,
    "TOOL": Kind.TOOL,
    "AGENT": Kind.AGENT,
    "CHAIN": Kind.CHAIN,
}


def _named(key: str, table: Mapping[str, Kind | None]) -> Callable[[Attributes], Kind | None]:
    def read(attributes: Attributes) -> Kind | None:
        value = attributes.get(key)
        if not isinstance(value, str):
            return None
        name = value.strip('"')
        return table.get(name, Kind.OTHER if name else None)

    return read


def _operation(attributes: Attributes) -> Kind | None:
    """Only operations that are known decide: others are words of a framework (`chain`, `task`)."""
    return _OPERATIONS.get(str(attributes.get("gen_ai.operation.name") or ""))


def _vercel(attributes: Attributes) -> Kind | None:
    operation = attributes.get("ai.operationId")
    if not isinstance(operation, str):
        return None
    if operation.startswith(("ai.embed", "ai.rerank")):
        return Kind.OTHER
    if operation.endswith((".doGenerate", ".doStream")):
        return Kind.MODEL
    return Kind.TOOL if operation == "ai.toolCall" else Kind.AGENT


def _by_what_it_has(attributes: Attributes) -> Kind | None:
    if attributes.get("llm.request.type") in ("embedding", "rerank"):
        return Kind.OTHER
    if attributes.get("gen_ai.tool.name"):
        return Kind.TOOL
    has_model = attributes.get("gen_ai.request.model") or attributes.get("llm.request.type") in (
        "chat",
        "completion",
    )
    return Kind.MODEL if has_model else None


_READERS: tuple[Callable[[Attributes], Kind | None], ...] = (
    _named("langfuse.observation.type", _LANGFUSE),
    _named("openinference.span.kind", _OPENINFERENCE),
    _vercel,
    _named("langsmith.span.kind", _LANGSMITH),
    _operation,
    _named("traceloop.span.kind", _TRACELOOP),
    _named("mlflow.spanType", _MLFLOW),
    _by_what_it_has,
)


_MERGED_TOOLS = "(merged tools)"  # a span of Google's ADK about several calls that have spans of their own


def kind_of(span: Span) -> Kind:
    if span.attributes.get("logfire.span_type") == "pending_span":
        return Kind.SKIP
    if span.attributes.get("gen_ai.tool.name") == _MERGED_TOOLS:
        return Kind.SKIP
    for read in _READERS:
        if (kind := read(span.attributes)) is not None:
            return kind
    return Kind.OTHER
