"""What spans tell, by convention and by rule: one table where the rows differ in form alone."""

import json
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from goldloop.otlp import json_decoding
from goldloop.otlp.mapper import tell
from goldloop.otlp.spans import LogRecord, Source, Span, SpanEvent, StatusCode
from tests.otlp.stories import calls, results, stories, story, texts, told
from tests.otlp.turns import turn
from tests.otlp.wire import BEGAN, MILLISECOND, as_json, request, span

CHAT: dict[str, Any] = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}
AGENT: dict[str, Any] = {"gen_ai__operation__name": "invoke_agent"}
QUESTION, ANSWER = "What is the weather in Paris?", "It is sunny."


def asked(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**CHAT, "gen_ai__input__messages": json.dumps(messages), **more}


def answer(text: str | None = None, *asking: tuple[str, str, Any]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "content": text}] if text else []
    parts += [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, n, a in asking]
    return {"gen_ai__output__messages": json.dumps([{"role": "assistant", "parts": parts}])}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


# Of each convention the attributes and events of a request: what was said before, a tool call, its result; and the answer.
WHOLE: dict[str, tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]] = {
    "vercel": (
        {
            "ai__operationId": "ai.generateText.doGenerate",
            "ai__prompt__messages": json.dumps(
                [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
                    {
                        "role": "assistant",
                        "content": [
                            {
                                "type": "tool-call",
                                "toolCallId": "c1",
                                "toolName": "w",
                                "input": {"city": "Paris"},
                            }
                        ],
                    },
                    {
                        "role": "tool",
                        "content": [
                            {
                                "type": "tool-result",
                                "toolCallId": "c1",
                                "toolName": "w",
                                "output": {"type": "text", "value": "22"},
                            }
                        ],
                    },
                ]
            ),
            "ai__response__text": ANSWER,
            "ai__model__id": "m",
            "ai__usage__promptTokens": 5,
            "ai__usage__completionTokens": 2,
        },
        [],
    ),
    "strands": (
        {
            "gen_ai__operation__name": "chat",
            "gen_ai__request__model": "m",
            "gen_ai__usage__input_tokens": 5,
            "gen_ai__usage__output_tokens": 2,
        },
        [
            ("gen_ai.user.message", {"content": json.dumps([{"text": QUESTION}])}),
            (
                "gen_ai.assistant.message",
                {
                    "content": json.dumps(
                        [{"toolUse": {"toolUseId": "c1", "name": "w", "input": {"city": "Paris"}}}]
                    )
                },
            ),
            (
                "gen_ai.tool.message",
                {
                    "content": json.dumps(
                        [
                            {
                                "toolResult": {
                                    "toolUseId": "c1",
                                    "status": "success",
                                    "content": [{"text": "22"}],
                                }
                            }
                        ]
                    )
                },
            ),
            ("gen_ai.choice", {"message": json.dumps([{"text": ANSWER}]), "finish_reason": "end_turn"}),
        ],
    ),
    "strands, latest": (
        {
            "gen_ai__operation__name": "chat",
            "gen_ai__request__model": "m",
            "gen_ai__usage__input_tokens": 5,
            "gen_ai__usage__output_tokens": 2,
        },
        [
            (
                "gen_ai.client.inference.operation.details",
                {
                    "gen_ai.input.messages": json.dumps(
                        [
                            user(QUESTION),
                            {
                                "role": "assistant",
                                "parts": [
                                    {
                                        "type": "tool_call",
                                        "id": "c1",
                                        "name": "w",
                                        "arguments": {"city": "Paris"},
                                    }
                                ],
                            },
                            {
                                "role": "tool",
                                "parts": [{"type": "tool_call_response", "id": "c1", "response": "22"}],
                            },
                        ]
                    )
                },
            ),
            (
                "gen_ai.client.inference.operation.details",
                {
                    "gen_ai.output.messages": json.dumps(
                        [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]
                    )
                },
            ),
        ],
    ),
    "openinference, anthropic": (
        {
            "openinference__span__kind": "LLM",
            "llm__model_name": "m",
            "llm__token_count__prompt": 5,
            "llm__token_count__completion": 2,
            "llm__input_messages__0__message__role": "user",
            "llm__input_messages__0__message__contents__0__message_content__type": "text",
            "llm__input_messages__0__message__contents__0__message_content__text": QUESTION,
            "llm__input_messages__1__message__role": "assistant",
            "llm__input_messages__1__message__tool_calls__0__tool_call__id": "c1",
            "llm__input_messages__1__message__tool_calls__0__tool_call__function__name": "w",
            "llm__input_messages__1__message__tool_calls__0__tool_call__function__arguments": '{"city": "Paris"}',
            "llm__input_messages__2__message__role": "user",
            "llm__input_messages__2__message__tool_call_id": "c1",
            "llm__input_messages__2__message__content": "22",
            "llm__output_messages__0__message__role": "assistant",
            "llm__output_messages__0__message__contents__0__message_content__text": ANSWER,
        },
        [],
    ),
    "anthropic, raw": (
        {
            "langfuse__observation__type": "generation",
            "langfuse__observation__model__name": "m",
            "langfuse__observation__usage_details": '{"input": 4, "input_cached_tokens": 1, "output": 2}',
            "langfuse__observation__input": json.dumps(
                {
                    "system": "Be brief.",
                    "messages": [
                        {"role": "user", "content": QUESTION},
                        {
                            "role": "assistant",
                            "content": [
                                {"type": "tool_use", "id": "c1", "name": "w", "input": {"city": "Paris"}}
                            ],
                        },
                        {
                            "role": "user",
                            "content": [
                                {
                                    "type": "tool_result",
                                    "tool_use_id": "c1",
                                    "content": [{"type": "text", "text": "22"}],
                                }
                            ],
                        },
                    ],
                }
            ),
            "langfuse__observation__output": json.dumps(
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": ANSWER}],
                }
            ),
        },
        [],
    ),
    "openllmetry, older": (
        {
            "llm__request__type": "chat",
            "gen_ai__response__model": "m",
            "gen_ai__usage__prompt_tokens": 5,
            "gen_ai__usage__completion_tokens": 2,
            "gen_ai__prompt__0__role": "user",
            "gen_ai__prompt__0__content": QUESTION,
            "gen_ai__prompt__1__role": "assistant",
            "gen_ai__prompt__1__tool_calls__0__id": "c1",
            "gen_ai__prompt__1__tool_calls__0__name": "w",
            "gen_ai__prompt__1__tool_calls__0__arguments": '{"city": "Paris"}',
            "gen_ai__prompt__2__role": "tool",
            "gen_ai__prompt__2__tool_call_id": "c1",
            "gen_ai__prompt__2__content": "22",
            "gen_ai__completion__0__role": "assistant",
            "gen_ai__completion__0__content": ANSWER,
        },
        [],
    ),
    "langsmith, langchain": (
        {
            "langsmith__span__kind": "llm",
            "gen_ai__request__model": "m",
            "gen_ai__usage__input_tokens": 5,
            "gen_ai__usage__output_tokens": 2,
            "gen_ai__prompt": json.dumps(
                {
                    "messages": [
                        [
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "SystemMessage"],
                                "kwargs": {"content": "Be brief.", "type": "system"},
                            },
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "HumanMessage"],
                                "kwargs": {"content": QUESTION, "type": "human"},
                            },
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "AIMessage"],
                                "kwargs": {
                                    "content": "",
                                    "type": "ai",
                                    "tool_calls": [
                                        {
                                            "name": "w",
                                            "args": {"city": "Paris"},
                                            "id": "c1",
                                            "type": "tool_call",
                                        }
                                    ],
                                },
                            },
                            {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["langchain", "schema", "messages", "ToolMessage"],
                                "kwargs": {
                                    "content": "22",
                                    "type": "tool",
                                    "tool_call_id": "c1",
                                    "status": "success",
                                },
                            },
                        ]
                    ]
                }
            ),
            "gen_ai__completion": json.dumps(
                {
                    "generations": [
                        [
                            {
                                "text": ANSWER,
                                "type": "ChatGeneration",
                                "message": {
                                    "lc": 1,
                                    "type": "constructor",
                                    "id": ["langchain", "schema", "messages", "AIMessage"],
                                    "kwargs": {"content": ANSWER, "type": "ai"},
                                },
                            }
                        ]
                    ]
                }
            ),
        },
        [],
    ),
    "responses": (
        {
            "langfuse__observation__type": "generation",
            "langfuse__observation__model__name": "m",
            "langfuse__observation__usage_details": '{"input_tokens": 5, "output_tokens": 2}',
            "langfuse__observation__input": json.dumps(
                {
                    "instructions": "Be brief.",
                    "input": [
                        {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]},
                        {"type": "reasoning", "summary": []},
                        {
                            "type": "function_call",
                            "call_id": "c1",
                            "id": "fc_1",
                            "name": "w",
                            "arguments": '{"city": "Paris"}',
                        },
                        {"type": "function_call_output", "call_id": "c1", "output": "22"},
                    ],
                }
            ),
            "langfuse__observation__output": json.dumps(
                {
                    "output": [
                        {"type": "reasoning", "summary": []},
                        {
                            "type": "message",
                            "role": "assistant",
                            "content": [{"type": "output_text", "text": ANSWER}],
                        },
                    ]
                }
            ),
        },
        [],
    ),
    "gemini": (
        {
            "openinference__span__kind": "LLM",
            "llm__model_name": "m",
            "llm__token_count__prompt": 5,
            "llm__token_count__completion": 2,
            "input__value": json.dumps(
                {
                    "contents": [
                        {"role": "user", "parts": [{"text": QUESTION}]},
                        {
                            "role": "model",
                            "parts": [
                                {"function_call": {"id": "c1", "name": "w", "args": {"city": "Paris"}}}
                            ],
                        },
                        {
                            "role": "user",
                            "parts": [{"function_response": {"id": "c1", "name": "w", "response": "22"}}],
                        },
                    ]
                }
            ),
            "output__value": json.dumps(
                {"candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}}]}
            ),
        },
        [],
    ),
    "adk, 1.x": (
        {
            "gen_ai__system": "gcp.vertex.agent",
            "gen_ai__request__model": "m",
            "gen_ai__usage__input_tokens": 5,
            "gen_ai__usage__output_tokens": 2,
            "gcp__vertex__agent__llm_request": json.dumps(
                {
                    "model": "m",
                    "config": {"system_instruction": "Be brief."},
                    "contents": [
                        {"role": "user", "parts": [{"text": QUESTION}]},
                        {
                            "role": "model",
                            "parts": [
                                {"function_call": {"id": "c1", "name": "w", "args": {"city": "Paris"}}}
                            ],
                        },
                        {
                            "role": "user",
                            "parts": [{"function_response": {"id": "c1", "name": "w", "response": "22"}}],
                        },
                    ],
                }
            ),
            "gcp__vertex__agent__llm_response": json.dumps(
                {"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finish_reason": "STOP"}
            ),
        },
        [],
    ),
    "azure": (
        {**CHAT, "gen_ai__usage__input_tokens": 5, "gen_ai__usage__output_tokens": 2},
        [
            (
                kind,
                {"gen_ai.system": "az.ai.inference", "gen_ai.event.content": json.dumps(content)},
            )
            for kind, content in (
                ("gen_ai.user.message", {"role": "user", "content": QUESTION}),
                (
                    "gen_ai.assistant.message",
                    {
                        "role": "assistant",
                        "tool_calls": [
                            {
                                "id": "c1",
                                "type": "function",
                                "function": {"name": "w", "arguments": '{"city": "Paris"}'},
                            }
                        ],
                    },
                ),
                ("gen_ai.tool.message", {"role": "tool", "tool_call_id": "c1", "content": "22"}),
                ("gen_ai.choice", {"message": {"content": ANSWER}, "finish_reason": "stop", "index": 0}),
            )
        ],
    ),
    "azure, agents": (
        {**CHAT, "gen_ai__usage__input_tokens": 5, "gen_ai__usage__output_tokens": 2},
        [
            (kind, {"gen_ai.event.content": json.dumps(content)})
            for kind, content in (
                ("gen_ai.user.message", {"content": QUESTION, "role": "user"}),
                (
                    "gen_ai.assistant.message",
                    {"tool_calls": [{"id": "c1", "function": {"name": "w", "arguments": {"city": "Paris"}}}]},
                ),
                ("gen_ai.tool.message", {"id": "c1", "content": "22"}),
                ("gen_ai.choice", {"message": {"content": {"text": {"value": ANSWER}}}}),
            )
        ],
    ),
    "pydantic-ai, events in an attribute": (
        {
            **CHAT,
            "gen_ai__usage__input_tokens": 5,
            "gen_ai__usage__output_tokens": 2,
            "events": json.dumps(
                [
                    {"event.name": "gen_ai.user.message", "role": "user", "content": QUESTION},
                    {
                        "event.name": "gen_ai.assistant.message",
                        "role": "assistant",
                        "tool_calls": [
                            {
                                "id": "c1",
                                "type": "function",
                                "function": {"name": "w", "arguments": '{"city":"Paris"}'},
                            }
                        ],
                    },
                    {"event.name": "gen_ai.tool.message", "role": "tool", "id": "c1", "content": "22"},
                    {
                        "event.name": "gen_ai.choice",
                        "index": 0,
                        "message": {"role": "assistant", "content": ANSWER},
                    },
                ]
            ),
        },
        [],
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_request_tells_the_same_in_every_convention(name: str) -> None:
    attributes, events = WHOLE[name]
    found = story(span(1, with_events=events, **attributes))
    assert texts(found, "agent.message") == [ANSWER]
    assert results(found) in (["22"], [22])
    (result,) = told(found, "tool.result")
    assert (result["id"], result["name"]) == ("c1", "w")
    (model,) = told(found, "model.request")
    assert (model["model"], model["input_tokens"], model["output_tokens"]) == ("m", 5, 2)
    assert texts(found, "user.message") == [], "it was said before the last answer, in another request"
    assert found.exchange is not None
    assert (found.exchange.user, found.exchange.assistant) == (QUESTION, ANSWER)


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_new_in_a_request_is_what_the_user_said(name: str) -> None:
    """The same conventions, cut before the model's first answer."""
    attributes, events = WHOLE[name]
    cut = {
        key: _cut(key, value)
        for key, value in attributes.items()
        if not key.startswith(
            ("llm__input_messages__1", "llm__input_messages__2", "gen_ai__prompt__1", "gen_ai__prompt__2")
        )
    }
    shortened = [
        (kind, {key: _cut(key, value) for key, value in said.items()})
        for kind, said in events
        if kind not in ("gen_ai.assistant.message", "gen_ai.tool.message")
    ]
    found = story(span(1, with_events=shortened, **cut))
    assert texts(found, "user.message") == [QUESTION]


def _cut(key: str, value: Any) -> Any:
    """Messages up to that of the user."""
    if (
        not isinstance(value, str)
        or "output" in key
        or "completion" in key
        or QUESTION not in value
        or value[:1] not in "[{"
    ):
        return value
    whole = json.loads(value)
    return json.dumps(_until_question(whole))


def _until_question(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _until_question(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    at = next((n for n, each in enumerate(value) if QUESTION in json.dumps(each)), None)
    if at is None:
        return value
    rest = [
        each
        for each in value[at + 1 :]
        if isinstance(each, dict) and each.get("event.name") == "gen_ai.choice"
    ]
    return [_until_question(each) for each in value[: at + 1]] + rest


def test_one_call_that_two_spans_report_is_counted_once() -> None:
    outer = span(1, start=0, end=9, **asked(user(QUESTION)), gen_ai__usage__input_tokens=5)
    inner = span(2, 1, start=1, end=8, name="raw", **CHAT, **answer(ANSWER), gen_ai__usage__input_tokens=5)
    between = span(3, 1, start=1, end=8, name="POST")
    deeper = span(4, 3, start=2, end=7, **CHAT, gen_ai__usage__input_tokens=5)
    found = story(outer, inner, between, deeper)
    (model,) = told(found, "model.request")
    assert model["input_tokens"] == 5
    assert texts(found, "agent.message") == [ANSWER], "the outer has none: that of the inner"


def test_one_call_that_two_instrumentations_report_beside_each_other_is_counted_once() -> None:
    def report(number: int, scope: str, start: int, response: str, **more: Any) -> Span:
        about = {"gen_ai__response__id": response, "gen_ai__usage__input_tokens": 5}
        made = _made(number, 1, start, **CHAT, **about, **more)
        return made._replace(end=start + 10, source=Source("s", scope, "k"))

    root = _made(1, None, 0, **AGENT)._replace(end=90)
    one = report(2, "a", 1, "r1", **answer(ANSWER))
    for other, number in (
        (report(3, "b", 2, "r1"), 1),
        (report(3, "b", 2, "r2"), 2),
        (report(3, "b", 20, "r1"), 2),
        (report(3, "a", 2, "r1"), 2),
    ):
        found = tell([root, one, other])
        assert len(told(found, "model.request")) == number
        assert texts(found, "agent.message") == [ANSWER]
    late = report(3, "b", 0, "r1")
    assert texts(tell([root, one, late]), "agent.message") == [ANSWER], (
        "what the first does not tell, the other does"
    )


def test_a_request_that_only_holds_several_is_none_itself() -> None:
    outer = span(1, end=90, **CHAT)
    between = span(2, 1, end=90, **CHAT)
    inner = [
        span(
            n, 2, start=n, end=n + 1, **asked(user(f"{n}")), **answer(f"a{n}"), gen_ai__usage__input_tokens=n
        )
        for n in (3, 5)
    ]
    found = story(outer, between, *inner)
    assert [each["input_tokens"] for each in told(found, "model.request")] == [3, 5]
    assert texts(found, "agent.message") == ["a3", "a5"]
    counted = span(2, 1, end=90, **CHAT, gen_ai__usage__input_tokens=8)
    assert [each["input_tokens"] for each in told(story(outer, counted, *inner), "model.request")] == [8]


def test_a_tool_that_a_tool_calls_is_a_call_of_its_own() -> None:
    """Of another name and id; a second span of the same call has one of them in common."""

    def tool(number: int, parent: int, name: str, call: str) -> WireSpan:
        about: dict[str, Any] = {"gen_ai__tool__name": name, "gen_ai__tool__call__id": call}
        return span(number, parent, start=number, end=90 - number, **TOOL, **about)

    found = story(span(1, end=90, **AGENT), tool(2, 1, "plan", "c1"), tool(3, 2, "w", "c2"))
    assert [(each["name"], each["id"], each.get("parent_call_id")) for each in told(found, "tool.call")] == [
        ("plan", "c1", None),
        ("w", "c2", "c1"),
    ]
    again = story(
        span(1, end=90, **AGENT), tool(2, 1, "w", "c1"), tool(3, 2, "w", "c2"), tool(4, 3, "v", "c1")
    )
    assert len(told(again, "tool.call")) == 1


def test_sums_on_agents_and_steps_are_never_added() -> None:
    root = span(
        1, end=9, **AGENT, gen_ai__usage__input_tokens=100, gen_ai__aggregated_usage__input_tokens=100
    )
    step = span(2, 1, end=9, openinference__span__kind="CHAIN", llm__token_count__prompt=100)
    found = story(root, step, *(span(n, 2, start=n, gen_ai__usage__input_tokens=50, **CHAT) for n in (3, 4)))
    assert [each["input_tokens"] for each in told(found, "model.request")] == [50, 50]


def test_a_tool_without_an_id_is_joined_to_the_call_with_its_arguments_then_to_that_of_its_name() -> None:
    root = span(1, end=90, **AGENT)
    asks = span(
        2,
        1,
        start=1,
        end=2,
        **asked(user("both")),
        **answer(None, ("a", "w", {"city": "Rome"}), ("b", "w", {"city": "Paris"}), ("c", "v", {})),
    )
    paris = span(
        3,
        1,
        start=3,
        end=4,
        gen_ai__tool__name="w",
        gen_ai__tool__call__arguments='{"city": "Paris"}',
        gen_ai__tool__call__result="sun",
    )
    rome = span(
        4,
        1,
        start=4,
        end=5,
        openinference__span__kind="TOOL",
        tool__name="w",
        input__value="Rome",
        output__value="rain",
    )
    found = story(root, asks, paris, rome)
    assert [(each["id"], each.get("result")) for each in told(found, "tool.result")] == [
        ("b", "sun"),
        ("a", "rain"),
    ]
    assert sorted((each["id"], json.dumps(each["arguments"])) for each in told(found, "tool.call")) == [
        ("a", '{"city": "Rome"}'),
        ("b", '{"city": "Paris"}'),
        ("c", "{}"),
    ], "the model's arguments win, and a call that nobody answered is one too"


def test_calls_without_ids_have_those_that_the_next_request_gives_them() -> None:
    """By name and in order, and never those of calls that were made before."""

    def asking(*ids: str | None) -> dict[str, Any]:
        parts = [{"type": "tool_call", "id": i, "name": "w", "arguments": {"n": i and i[-1]}} for i in ids]
        return {"role": "assistant", "parts": parts}

    def returned(i: str) -> dict[str, Any]:
        return {"role": "tool", "parts": [{"type": "tool_call_response", "id": i, "response": f"of {i}"}]}

    earlier = (
        user("first"),
        asking("c0"),
        returned("c0"),
        {"role": "assistant", "content": "ok"},
        user("now"),
    )
    spans = [
        span(1, end=90, **AGENT),
        span(
            2,
            1,
            start=1,
            end=2,
            **asked(*earlier),
            gen_ai__output__messages=json.dumps([asking(None, None)]),
        ),
        span(
            3,
            1,
            start=5,
            end=6,
            **asked(*earlier, asking("c1", "c2"), returned("c1"), returned("c2")),
            **answer("done"),
        ),
    ]
    found = story(*spans)
    assert [each["id"] for each in told(found, "tool.call")] == ["c1", "c2"]
    assert [(each["id"], each["result"]) for each in told(found, "tool.result")] == [
        ("c1", "of c1"),
        ("c2", "of c2"),
    ]


@pytest.mark.parametrize(
    ("attributes", "arguments", "result"),
    [
        (
            {
                "langfuse__observation__type": "tool",
                "langfuse__observation__input": '{"args": [], "kwargs": {"city": "Paris"}}',
                "langfuse__observation__output": "22",
            },
            {"city": "Paris"},
            "22",
        ),
        (
            {
                "traceloop__span__kind": "tool",
                "traceloop__entity__input": '{"args": ["Paris"], "kwargs": {}}',
                "traceloop__entity__output": '"22"',
            },
            {"args": ["Paris"]},
            "22",
        ),
        (
            {
                "gen_ai__operation__name": "execute_tool",
                "gen_ai__tool__call__arguments": '{"input_str": "{\'city\': \'Paris\'}", "tags": []}',
            },
            {"city": "Paris"},
            None,
        ),
        (
            {
                "ai__operationId": "ai.toolCall",
                "ai__toolCall__name": "w",
                "ai__toolCall__args": '{"city":"Paris"}',
                "ai__toolCall__result": '{"degrees":22}',
            },
            {"city": "Paris"},
            {"degrees": 22},
        ),
        (
            {
                "langsmith__span__kind": "tool",
                "gen_ai__prompt": '{"city":"Paris"}',
                "gen_ai__completion": '{"output":"22"}',
            },
            {"city": "Paris"},
            "22",
        ),
        (
            {
                "openinference__span__kind": "TOOL",
                "tool__name": "w",
                "input__value": '{"args": [], "sanitize_inputs_outputs": true, "kwargs": {"city": "Paris"}}',
                "output__value": "22",
            },
            {"city": "Paris"},
            "22",
        ),
        (
            {
                "gen_ai__operation__name": "execute_tool",
                "gen_ai__tool__name": "w",
                "gcp__vertex__agent__tool_call_args": '{"city": "Paris"}',
                "gcp__vertex__agent__tool_response": '{"result": "22"}',
                "gcp__vertex__agent__llm_request": "{}",
            },
            {"city": "Paris"},
            {"result": "22"},
        ),
        ({"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "w"}, {}, None),
    ],
)
def test_a_tools_own_span_tells_its_arguments_and_result(
    attributes: dict[str, Any], arguments: Any, result: Any
) -> None:
    found = story(span(1, name="execute_tool w", **attributes))
    assert calls(found) == [("w", arguments)]
    assert [each["result"] for each in told(found, "tool.result")] == [result]


def test_log_records_of_one_time_are_in_the_order_of_their_request() -> None:
    """Some emitters give all messages of a request the same time, and what was said last would come first."""

    def logged(place: int, kind: str, content: Any) -> LogRecord:
        return LogRecord("t", f"{1:016x}", SpanEvent(kind, 5, {}, content), SOURCE, place)

    records = [
        logged(0, "gen_ai.user.message", {"content": "zebra"}),
        logged(1, "gen_ai.assistant.message", {"content": "ok"}),
        logged(2, "gen_ai.user.message", {"content": "ape"}),
    ]
    for given_in in (records, records[::-1], [*records, *records]):
        found = tell([_made(1, None, 0, **CHAT)], given_in)
        assert texts(found, "user.message") == ["ape"]


def test_a_tools_span_may_tell_it_in_events_alone() -> None:
    """As Strands does: what it was asked when it begins, what it returned when it ends."""
    details = "gen_ai.client.inference.operation.details"
    asking = {"type": "tool_call", "name": "w", "id": "c1", "arguments": {"city": "Paris"}}
    returned = {"type": "tool_call_response", "id": "c1", "response": [{"text": "22"}]}
    found = story(
        span(
            1,
            gen_ai__operation__name="execute_tool",
            gen_ai__tool__name="w",
            gen_ai__tool__call__id="c1",
            with_events=[
                (details, {"gen_ai.input.messages": json.dumps([{"role": "tool", "parts": [asking]}])}),
                (details, {"gen_ai.output.messages": json.dumps([{"role": "tool", "parts": [returned]}])}),
            ],
        )
    )
    assert calls(found) == [("w", {"city": "Paris"})]
    assert results(found) == ["22"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"error": "boom"},
        {"langfuse__observation__level": "ERROR", "langfuse__observation__status_message": "boom"},
        {"gen_ai__tool__status": "error", "gen_ai__tool__call__result": "boom", "error__type": "boom"},
        {
            "error": "other words",
            "with_events": [("exception", {"exception.type": "E", "exception.message": "boom"})],
        },
        {
            "gen_ai__tool__call__result": json.dumps(
                {"lc": 1, "kwargs": {"content": "boom", "tool_call_id": "c", "status": "error"}}
            )
        },
    ],
)
def test_a_tool_that_failed_has_an_error_and_no_result(attributes: dict[str, Any]) -> None:
    found = story(span(1, name="execute_tool w", gen_ai__operation__name="execute_tool", **attributes))
    (result,) = told(found, "tool.result")
    assert (result["error"], "result" in result) == ("boom", False)


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        (
            {
                "gen_ai__operation__name": "invoke_agent",
                "pydantic_ai__all_messages": json.dumps(
                    [
                        user("before"),
                        {"role": "assistant", "parts": [{"type": "text", "content": "ok"}]},
                        user("now"),
                    ]
                ),
                "pydantic_ai__new_message_index": 2,
            },
            "now",
        ),
        (
            {
                "openinference__span__kind": "AGENT",
                "input__value": json.dumps({"task": "now", "max_steps": 3}),
            },
            "now",
        ),
        (
            {
                "langfuse__observation__type": "agent",
                "langfuse__observation__input": json.dumps({"args": ["now"], "kwargs": {}}),
            },
            "now",
        ),
        (
            {
                "langfuse__observation__type": "agent",
                "langfuse__observation__input": json.dumps(
                    {"messages": [{"role": "user", "content": "now"}]}
                ),
            },
            "now",
        ),
        ({"openinference__span__kind": "AGENT", "input__value": "now"}, "now"),
        ({"langsmith__span__kind": "chain", "gen_ai__prompt": '{"t": "now"}'}, "now"),
    ],
)
def test_where_no_request_tells_it_the_agents_input_is_what_was_said(
    attributes: dict[str, Any], text: str
) -> None:
    failed = span(2, 1, error="400", **CHAT)
    found = story(span(1, end=9, **attributes), failed)
    assert texts(found, "user.message") == [text]


def test_definitions_of_tools_and_thoughts_are_no_messages() -> None:
    definition = {
        "role": "tool",
        "content": {"type": "function", "function": {"name": "w", "parameters": {}}},
    }
    found = story(
        span(
            1,
            langfuse__observation__type="generation",
            langfuse__observation__input=json.dumps([{"role": "user", "content": "hi"}, definition]),
            langfuse__observation__output=json.dumps(
                {"role": "assistant", "content": [{"type": "reasoning", "content": "secret"}]}
            ),
        )
    )
    assert texts(found, "user.message") == ["hi"]
    assert told(found, "tool.result") == []
    assert texts(found, "agent.message") == []


def test_a_call_after_a_thought_is_a_call() -> None:
    """As Strands has both in one answer, of which only one part is known."""
    parts = [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
        {"toolUse": {"toolUseId": "c1", "name": "w", "input": {"city": "Paris"}}},
    ]
    found = story(span(1, **CHAT, with_events=[("gen_ai.choice", {"message": json.dumps(parts)})]))
    assert calls(found) == [("w", {"city": "Paris"})]
    assert texts(found, "agent.message") == []


def test_what_a_sub_agent_says_is_told_apart_from_the_conversation() -> None:
    """An agent that asks a model itself, and calls another through a tool."""
    spans = [
        span(1, end=90, **AGENT, gen_ai__agent__name="chief"),
        span(
            2,
            1,
            start=1,
            end=2,
            **asked(user("Plan a trip")),
            **answer(None, ("c1", "ask_expert", {"q": "where"})),
        ),
        span(
            3,
            1,
            start=3,
            end=40,
            name="execute_tool ask_expert",
            gen_ai__operation__name="execute_tool",
            gen_ai__tool__call__id="c1",
        ),
        span(4, 3, start=4, end=39, **AGENT, gen_ai__agent__name="expert"),
        span(5, 4, start=5, end=38, **asked(user("where")), **answer("To Rome.")),
        span(
            6,
            1,
            start=50,
            end=60,
            **asked(user("Plan a trip"), {"role": "assistant", "content": "…"}),
            **answer("Go to Rome."),
        ),
    ]
    found = story(*spans)
    assert texts(found, "user.message") == ["Plan a trip"]
    assert texts(found, "agent.message") == ["Go to Rome."]
    aside = told(found, "subagent.message")
    assert [
        (each["role"], each["text"], each["agent"], each["depth"], each["parent_call_id"]) for each in aside
    ] == [
        ("user", "where", "expert", 1, "c1"),
        ("assistant", "To Rome.", "expert", 1, "c1"),
    ]
    assert found.agent == "chief"


def test_agents_that_only_wrap_are_no_runs_of_their_own() -> None:
    found = story(
        span(1, end=90, **AGENT, name="workflow"),
        span(2, 1, end=90, **AGENT, gen_ai__agent__name="bot"),
        span(3, 2, end=90, openinference__span__kind="AGENT", name="bot.run"),
        span(4, 3, start=1, **asked(user("hi")), **answer("hello")),
    )
    assert texts(found, "agent.message") == ["hello"]
    assert told(found, "subagent.message") == []


def test_an_agent_below_one_that_asks_a_model_itself_is_a_sub_agent() -> None:
    found = story(
        span(1, end=90, **AGENT, gen_ai__agent__name="chief"),
        span(2, 1, start=1, **asked(user("hi")), **answer("hello")),
        span(3, 1, start=5, end=80, **AGENT, gen_ai__agent__name="helper"),
        span(4, 3, start=6, **asked(user("do it")), **answer("done")),
    )
    assert texts(found, "agent.message") == ["hello"]
    assert [each["depth"] for each in told(found, "subagent.message")] == [1, 1]


SESSION = [
    ({"goldloop__session__id": "a", "session__id": "b"}, "a"),
    ({"session__id": "b", "gen_ai__conversation__id": "c"}, "b"),
    ({"gen_ai__conversation__id": "c", "traceloop__association__properties__session_id": "d"}, "c"),
    ({"traceloop__association__properties__thread_id": "d"}, "d"),
    ({"gcp__vertex__agent__session_id": "k", "gen_ai__conversation__id": "c"}, "c"),
    ({"gcp__vertex__agent__session_id": "k", "gcp__vertex__agent__invocation_id": "y"}, "k"),
    ({"ai__telemetry__metadata__sessionId": "e"}, "e"),
    ({"langsmith__metadata__thread_id": "f", "langsmith__trace__session_name": "project"}, "f"),
    ({"langfuse__trace__metadata__langfuse_session_id": '"g"'}, "g"),
    ({"metadata": '{"thread_id": "h"}'}, "h"),
    ({"conversation_id": "i"}, "i"),
    ({"session__id": 12}, "12"),
    ({"session__id": "[Scrubbed due to 'session']", "gen_ai__conversation__id": "j"}, "j"),
    ({"langsmith__trace__session_name": "project"}, None),
    (
        {
            "service__instance__id": "x",
            "gcp__vertex__agent__invocation_id": "y",
            "gen_ai__agent__call__id": "z",
        },
        None,
    ),
    *(
        ({"session__id": value}, None)
        for value in ("", "null", "None", "undefined", "unknown", "<not specified>", "x" * 201)
    ),
]


@pytest.mark.parametrize(("attributes", "wanted"), SESSION)
def test_a_session_is_named_by_the_first_of_many_that_says_something(
    attributes: dict[str, Any], wanted: str | None
) -> None:
    found = story(span(1, **CHAT, **attributes))
    assert (found.session and found.session.value) == wanted


def test_the_topmost_span_that_names_a_session_decides() -> None:
    found = story(
        span(1, end=9, **AGENT),
        span(2, 1, start=1, session__id="child"),
        span(3, 2, **CHAT, goldloop__session__id="grandchild"),
    )
    assert found.session is not None
    assert (found.session.value, found.session.key) == ("child", "session.id")


def test_a_root_that_says_all_is_well_is_not_believed_and_one_that_fails_is() -> None:
    root = span(1, end=90, name="workflow", openinference__span__kind="AGENT")
    root.status.code = 1  # type: ignore[assignment]
    failed = span(2, 1, start=5, end=80, error="400", **CHAT)
    assert story(root, failed).error == "400"
    early = span(2, 1, start=5, end=6, error="400", **CHAT)
    again = span(3, 1, start=7, end=8, **asked(user("hi")), **answer("hello"))
    assert story(root, early, again).error is None, "it was tried again and answered"
    tool = span(4, 1, start=9, end=10, error="x", gen_ai__tool__name="w")
    assert story(root, again, tool).error is None, "a tool may fail"
    bad = span(1, end=90, error="root", **AGENT)
    assert story(bad, again).error == "root"


def test_a_trace_has_ended_when_its_local_root_is_there() -> None:
    inner = span(2, 1, **CHAT)
    assert story(inner).ended_at is None
    assert story(span(2, 1, flags=0x300, **CHAT)).ended_at is not None, "its parent is in another process"
    assert story(span(1, **AGENT), inner).ended_at is not None
    for kind, has_ended in ((2, True), (5, True), (1, False), (3, False)):
        called = span(2, 1, kind=kind, **CHAT)
        assert (story(called).ended_at is not None) is has_ended, (
            "another process called a server or a consumer"
        )
        (as_text,) = json_decoding.read_spans(
            json_decoding.parse_traces(json.dumps(as_json(request(called))).encode())[0], called.trace_id
        )
        assert as_text.is_entry is has_ended
    apart = span(1, kind=3, end=9), span(2, 1, kind=2, start=1, end=5, **CHAT)
    assert story(*apart).ended_at == BEGAN + 9 * MILLISECOND, (
        "where the caller tells too, that one is the root"
    )
    zeros = span(2, **CHAT)
    zeros.parent_span_id = bytes(8)
    assert story(zeros).ended_at is not None


def test_pending_spans_and_the_making_of_agents_say_nothing() -> None:
    assert not story(span(1, gen_ai__operation__name="create_agent")).makes_session
    merged: dict[str, Any] = {
        "gen_ai__operation__name": "execute_tool",
        "gen_ai__tool__name": "(merged tools)",
    }
    assert not story(span(1, **merged)).makes_session
    pending = span(1, logfire__span_type="pending_span", **CHAT)
    assert not story(pending).makes_session
    (found,) = stories([request(pending, span(1, end=5, logfire__span_type="span", **CHAT))])
    assert len(told(found, "model.request")) == 1


@pytest.mark.parametrize(
    "attributes",
    [
        *({"gen_ai__operation__name": name} for name in ("embeddings", "retrieval", "rerank")),
        *({"ai__operationId": f"ai.{name}"} for name in ("embed", "embedMany.doEmbed", "rerank.doRerank")),
        *({"openinference__span__kind": name} for name in ("EMBEDDING", "RERANKER", "RETRIEVER")),
        {"llm__request__type": "embedding"},
    ],
)
def test_what_is_looked_up_is_no_conversation(attributes: dict[str, Any]) -> None:
    about = {**attributes, "gen_ai__request__model": "e", "gen_ai__usage__input_tokens": 7}
    assert not story(span(1, **about)).makes_session
    found = story(span(1, end=9, **AGENT), span(2, 1, **about), span(3, 1, **CHAT))
    assert [each["model"] for each in told(found, "model.request")] == ["m"]


def test_nothing_is_told_of_nothing() -> None:
    found = tell([])
    assert (found.makes_session, found.drafts, found.ended_at) == (False, [], None)


def _steps(spans: list[Span]) -> int:
    """Lines that are run to tell what spans say: a measure of work that is the same on every machine."""
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        tell(spans)
    finally:
        sys.settrace(before)
    return count


def _made(number: int, parent: int | None, start: int, **attributes: Any) -> Span:
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    parent_id = None if parent is None else f"{parent:016x}"
    return Span(
        "t", f"{number:016x}", parent_id, False, "", start, start + 1, StatusCode.UNSET, "", named, (), SOURCE
    )


SOURCE = Source("s", "c", "k")
TOOL: dict[str, Any] = {"gen_ai__operation__name": "execute_tool"}


def _nested_tools(size: int) -> list[Span]:
    return [_made(n + 1, n or None, n, **TOOL, gen_ai__tool__name="w") for n in range(size)]


def _nested_tools_and_a_request_in_each(size: int) -> list[Span]:
    asks = [_made(size + n + 1, n + 1, n, **asked(user(f"{n}"))) for n in range(size)]
    return [*_nested_tools(size), *asks]


def _calls_and_tools_that_do_not_meet(size: int) -> list[Span]:
    many = [(f"c{n}", "w", {"n": n}) for n in range(size)]
    ask = _made(1, None, 0, **asked(user("hi")), **answer(None, *many))
    tools = [
        _made(n + 2, 1, n + 1, **TOOL, gen_ai__tool__name="v", gen_ai__tool__call__id=f"d{n}")
        for n in range(size)
    ]
    return [ask, *tools]


@pytest.mark.parametrize(
    "made",
    [_nested_tools, _nested_tools_and_a_request_in_each, _calls_and_tools_that_do_not_meet],
)
def test_twice_the_spans_are_twice_the_work(made: Any) -> None:
    tell(made(2))  # what is done once
    assert _steps(made(400)) < 2.5 * _steps(made(200))


def test_a_trace_without_end_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldloop.otlp.mapper.MOST_SPANS", 10)
    whole, more = tell(_nested_tools(10)), tell(_nested_tools(12))
    assert told(whole, "trace.cut") == []
    assert told(more, "trace.cut") == [{"trace_id": "t", "spans_read": 10}]
    assert len(more.nodes) == 10


def test_arguments_that_python_printed_may_have_any_keys() -> None:
    found = story(span(1, **asked(user("hi")), **answer(None, ("c1", "w", "{1: 2, 'a': 3}"))))
    assert calls(found) == [("w", "{1: 2, 'a': 3}")]


KEYS = st.sampled_from(
    [
        "gen_ai.operation.name",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "session.id",
        "user.id",
        "openinference.span.kind",
        "input.value",
        "output.value",
        "llm.input_messages.0.message.role",
        "llm.input_messages.0.message.content",
        "llm.input_messages.x",
        "llm.input_messages.0",
        "langfuse.observation.type",
        "langfuse.observation.input",
        "langfuse.observation.output",
        "langfuse.observation.usage_details",
        "ai.operationId",
        "ai.response.toolCalls",
        "ai.prompt.messages",
        "metadata",
        "pydantic_ai.all_messages",
        "pydantic_ai.new_message_index",
        "gen_ai.usage.input_tokens",
        "traceloop.entity.input",
        "events",
        "gen_ai.prompt.0.content",
        "gen_ai.evaluation.name",
        "gen_ai.response.finish_reasons",
        "gen_ai.prompt",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "chat",
            "execute_tool",
            "invoke_agent",
            "LLM",
            "TOOL",
            "AGENT",
            "generation",
            "tool",
            "assistant",
            "user",
            "text",
            "tool_call",
        ]
    )
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "parts",
                    "type",
                    "text",
                    "tool_calls",
                    "id",
                    "name",
                    "arguments",
                    "messages",
                    "kwargs",
                    "lc",
                    "data",
                    "message",
                    "choices",
                    "output",
                    "function",
                    "tool_call_id",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
VALUES = NESTED | NESTED.map(lambda value: json.dumps(value))
SPANS = st.builds(
    Span,
    trace_id=st.just("t"),
    span_id=st.sampled_from("abcde"),
    parent_id=st.none() | st.sampled_from("abcdef"),
    has_remote_parent=st.booleans(),
    name=st.text(max_size=5),
    start=st.integers(0, 50),
    end=st.integers(0, 50),
    status=st.sampled_from(StatusCode),
    status_message=st.text(max_size=3),
    attributes=st.dictionaries(KEYS, VALUES, max_size=7),
    events=st.lists(
        st.builds(
            SpanEvent,
            name=st.sampled_from(
                [
                    "exception",
                    "gen_ai.choice",
                    "gen_ai.user.message",
                    "gen_ai.tool.message",
                    "gen_ai.evaluation.result",
                    "gen_ai.client.inference.operation.details",
                ]
            ),
            at=st.integers(0, 50),
            attributes=st.dictionaries(
                st.sampled_from(["content", "message", "id", "gen_ai.input.messages", "exception.message"]),
                VALUES,
                max_size=3,
            ),
            body=VALUES,
        ),
        max_size=2,
    ).map(tuple),
    source=st.just(Source("s", "c", "k")),
)


@given(st.lists(SPANS, max_size=8), st.randoms())
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_whatever_spans_hold_something_is_told_and_their_order_and_number_do_not_matter(
    spans: list[Span], chance: Any
) -> None:
    once = tell(spans)._replace(nodes=[], requests=[])
    again = [*spans, *(span for span in spans if chance.random() < 0.5)]
    chance.shuffle(again)
    assert repr(tell(again)._replace(nodes=[], requests=[])) == repr(once)
    json.dumps([draft.payload for draft in once.drafts])
    keys = [draft.keys[0] for draft in once.drafts]
    assert len(keys) == len(set(keys)), "no event is told twice"


def test_spans_of_the_wire_are_what_the_tests_mean() -> None:
    assert isinstance(span(1), WireSpan)


@pytest.mark.parametrize("flags", [0x100, 0x300], ids=["entry", "remote"])
@pytest.mark.parametrize("has_caller", [True, False], ids=["caller there", "caller missing"])
def test_a_service_that_is_called_from_within_neither_ends_nor_fails_a_trace(
    flags: int, has_caller: bool
) -> None:
    ask, root = turn(1, "Hello", "Hi.")
    caller = span(3, 1, trace=1, start=1100, end=1200, kind=3, name="GET /weather")
    called = span(4, 3, trace=1, start=1110, end=9000, kind=2, flags=flags, error="it broke", name="GET")
    found = story(ask, root, called, *([caller] if has_caller else []))
    assert (found.error, found.ended_at) == (None, root.end_time_unix_nano)
    assert story(ask, called, caller).ended_at is None, (
        "who called is in this trace, and its root is still to come"
    )
