"""Requests to models: one for each call, from the span that counts and what inner reports of it add. Pure."""

from typing import Any, NamedTuple

from goldloop.otlp.conventions import input_of, output_of
from goldloop.otlp.drafts import Draft, Rank
from goldloop.otlp.identity import name_of
from goldloop.otlp.messages import Message, first_answer
from goldloop.otlp.spans import Span
from goldloop.otlp.tool_spans import call_id, read_tool
from goldloop.otlp.tree import Node
from goldloop.otlp.usage import error_of, finish_of, model_of, usage_of


class Request(NamedTuple):
    """A request to a model, from the span that counts, and what an inner span adds to it."""

    node: Node
    input: list[Message]
    answer: Message | None

    @property
    def key(self) -> str:
        return key_of(self.node.span)

    def keys(self, part: str) -> tuple[str, ...]:
        """The names of a part of it, by each span that reports the request."""
        return tuple(f"{key_of(each.span)}:{part}" for each in (self.node, *self.node.inner))


def read_request(node: Node) -> Request:
    spans = [node.span, *(inner.span for inner in node.inner)]
    asked = next((messages for span in spans if (messages := input_of(span))), [])
    answer = next((message for span in spans if (message := first_answer(output_of(span)))), None)
    return Request(node, asked, answer)


def model_request(request: Request) -> Draft:
    node = request.node
    spans = [node.span, *(inner.span for inner in node.inner)]
    payload: dict[str, Any] = {
        "model": next((name for span in spans if (name := model_of(span)) != "unknown"), "unknown"),
        **next((usage for span in spans if (usage := usage_of(span))), {}),
        "duration_ms": milliseconds(node.span),
        **origin_of(node),
    }
    if finish := next((found for span in spans if (found := finish_of(span))), None):
        payload["finish_reasons"] = finish
    if why := next((error for span in spans if (error := error_of(span))), None):
        payload["error"] = why
    return Draft("model.request", node.span.start, Rank.MODEL, node.run_depth, payload, request.keys("model"))


def key_of(span: Span) -> str:
    return f"{span.trace_id}:{span.span_id}"


def origin_of(node: Node) -> dict[str, Any]:
    """Where an event comes from, and whose it is where that is not the agent that a person talks to."""
    about: dict[str, Any] = {"trace_id": node.span.trace_id, "span_id": node.span.span_id}
    if node.span.parent_id:
        about["parent_span_id"] = node.span.parent_id
    if name := name_of(node):
        about["agent"] = name
    if node.run_depth:
        about["depth"] = node.run_depth
    if node.call is not None:
        about["parent_call_id"] = node.call.called or call_id(read_tool(node.call))
    return about


def milliseconds(span: Span) -> int:
    return max(0, span.end - span.start) // 1_000_000
