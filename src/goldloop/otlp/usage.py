"""The model, the tokens and the ending of a request to a model. Pure."""

from collections.abc import Mapping
from typing import Any

from goldloop.otlp.spans import Attributes, Span, StatusCode
from goldloop.otlp.values import given_id, read_json, read_structure
from goldloop.sessions.payloads import MOST_COUNTED

_MODELS = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "langfuse.observation.model.name",
    "ai.response.model",
    "ai.model.id",
    "llm.response.model",
    "llm.request.model",
)
_INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
    "llm.usage.prompt_tokens",
)
_OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
    "llm.usage.completion_tokens",
)
_CACHED = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
    "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens",
)
_REASONING = (
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.reasoning_tokens",
    "gen_ai.usage.details.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
    "ai.usage.reasoningTokens",
)
_COSTS = ("gen_ai.usage.cost", "operation.cost", "llm.cost.total")
_FINISH = (
    "gen_ai.response.finish_reasons",
    "llm.finish_reason",
    "ai.response.finishReason",
    "gen_ai.response.finish_reason",
)
_DETAILS = (
    "langfuse.observation.usage_details",
    "mlflow.chat.tokenUsage",
    "langsmith.metadata.usage_metadata",
)


def model_of(span: Span) -> str:
    return next((name for key in _MODELS if (name := given_id(span.attributes.get(key)))), "unknown")


def usage_of(span: Span) -> dict[str, int | float]:
    """What is told of it: `input_tokens`, `output_tokens`, and of these the cached and those of reasoning; `cost`."""
    attributes = span.attributes
    found = {
        "input_tokens": _first(attributes, _INPUT),
        "output_tokens": _first(attributes, _OUTPUT),
        "cached_tokens": _first(attributes, _CACHED),
        "reasoning_tokens": _first(attributes, _REASONING),
    }
    for key in _DETAILS:
        if isinstance(details := read_structure(attributes.get(key)), dict):
            for name, value in _details(details).items():
                found[name] = value if found[name] is None else found[name]
    usage: dict[str, int | float] = {name: value for name, value in found.items() if value is not None}
    if (cost := _cost(attributes)) is not None:
        usage["cost"] = cost
    return usage


def _details(details: Mapping[str, Any]) -> dict[str, int | None]:
    return {
        "input_tokens": _total(details, "prompt", "input"),
        "output_tokens": _total(details, "completion", "output"),
    }


def _total(details: Mapping[str, Any], old: str, new: str) -> int | None:
    """A total where there is one; Langfuse takes the parts (`input`, `input_cache_read`) out of each other."""
    for key in (f"{old}_tokens", f"{new}_tokens"):
        if (value := _count(details.get(key))) is not None:
            return value
    parts = [_count(value) for key, value in details.items() if key == new or key.startswith(f"{new}_")]
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def _first(attributes: Attributes, keys: tuple[str, ...]) -> int | None:
    return next((value for key in keys if (value := _count(attributes.get(key))) is not None), None)


def _count(value: Any) -> int | None:
    value = read_json(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_COUNTED:
        return None
    return int(value)


def _cost(attributes: Attributes) -> float | None:
    details = read_structure(attributes.get("langfuse.observation.cost_details"))
    values = [attributes.get(key) for key in _COSTS]
    values += [details.get("total")] if isinstance(details, dict) else []
    for value in values:
        number = read_json(value)
        if isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= MOST_COUNTED:
            return float(number)
    return None


def finish_of(span: Span) -> list[str]:
    for key in _FINISH:
        value = read_json(span.attributes.get(key))
        if isinstance(value, str) and value:
            return [value]
        if isinstance(value, list) and value:
            return [str(each) for each in value[:10]]
    return []


def error_of(span: Span) -> str | None:
    """Why a span failed, in the words of what was raised; None where it did not."""
    attributes = span.attributes
    status = str(attributes.get("gen_ai.tool.status") or attributes.get("gen_ai.task.status") or "").lower()
    level = str(attributes.get("langfuse.observation.level") or "").upper()
    has_failed = (
        span.status is StatusCode.ERROR or level == "ERROR" or status in ("error", "failure", "failed")
    )
    if not has_failed:
        return None
    raised = next((event for event in span.events if event.name == "exception"), None)
    message = raised.attributes.get("exception.message") if raised else None
    why = (
        message
        or span.status_message
        or attributes.get("langfuse.observation.status_message")
        or attributes.get("error.type")
    )
    return str(why or "It failed, and nobody told why")[:4000]
