"""The detector that asks a language model; no request leaves the process."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from pydantic_ai import models
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from goldloop.conversations.gate import llm
from goldloop.conversations.gate.embedded import NAME
from goldloop.conversations.gate.llm import CERTAINTY, LlmDetector


@pytest_asyncio.fixture(autouse=True)
async def no_real_requests() -> AsyncIterator[None]:
    with models.override_allow_model_requests(False):
        yield


def answers(
    reaction: str, certainty: str = "sure", evidence: str = "", seen: list[str] | None = None
) -> FunctionModel:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if seen is not None:
            seen.append(str(messages[-1].parts[-1].content))  # type: ignore[union-attr]
        verdict = {"reaction": reaction, "certainty": certainty, "evidence": evidence}
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, verdict)])

    return FunctionModel(answer, model_name="scripted")


@pytest.mark.parametrize(
    ("reaction", "certainty", "evidence", "expected", "fires"),
    [
        ("not_ok", "sure", "I asked for 2023", "not_ok", True),
        ("not_ok", "likely", "I ASKED for 2023", "not_ok", True),
        ("not_ok", "unsure", "I asked for 2023", "not_ok", False),
        ("neutral", "sure", "I asked", "neutral", True),
        ("ok", "sure", "works like a charm", "ok", False),  # nobody said that
        ("ok", "sure", "", "ok", False),
        ("none", "sure", "", None, False),
    ],
)
async def test_a_verdict_becomes_a_detection(
    reaction: str, certainty: str, evidence: str, expected: str | None, fires: bool
) -> None:
    found = await LlmDetector(answers(reaction, certainty, evidence)).detect("Hm, I asked for 2023.")
    assert (found.reaction, found.fires, found.detector, found.note) == (
        expected,
        fires,
        "llm:scripted",
        None,
    )
    assert found.confidence in CERTAINTY.values()


async def test_evidence_that_the_user_only_quotes_does_not_fire() -> None:
    detector = LlmDetector(answers("not_ok", "sure", "the service is useless"))
    assert not (await detector.detect('Translate: "the service is useless"')).fires


async def test_an_emoji_is_evidence() -> None:
    assert (await LlmDetector(answers("ok", "sure", "👍")).detect("👍")).fires


async def test_the_model_sees_the_message_as_data_with_what_came_before() -> None:
    seen: list[str] = []
    await LlmDetector(answers("none", seen=seen)).detect(
        'wrong\ud800 "x"', previous_assistant="It is 4.", previous_user="2+2?"
    )
    assert json.loads(seen[0]) == {
        "earlier_user_message": "2+2?",
        "assistant_answer": "It is 4.",
        "message": 'wrong  "x"',
    }


async def test_a_message_without_own_words_is_not_sent() -> None:
    seen: list[str] = []
    found = await LlmDetector(answers("ok", seen=seen)).detect("```\nperfect\n```")
    assert (found.reaction, seen) == (None, [])


def broken(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise ConnectionError("no route to the model")


def talkative(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, {"reaction": "maybe"})])


@pytest.mark.parametrize(
    ("model", "reason"), [(broken, "no route to the model"), (talkative, "UnexpectedModelBehavior")]
)
async def test_when_the_model_fails_the_embedded_detector_judges_and_says_so(
    model: Callable[[list[ModelMessage], AgentInfo], ModelResponse], reason: str
) -> None:
    found = await LlmDetector(FunctionModel(model)).detect("Perfect, exactly what I needed!")
    assert (found.reaction, found.detector) == ("ok", NAME)
    assert found.note is not None
    assert reason in found.note


@pytest.mark.parametrize(("model", "asked"), [(broken, 1), (talkative, 4)])
async def test_a_model_that_is_away_is_left_alone_for_a_while(
    model: Callable[[list[ModelMessage], AgentInfo], ModelResponse],
    asked: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []

    def counted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls.append(1)
        return model(messages, info)

    detector = LlmDetector(FunctionModel(counted))
    notes = [(await detector.detect("That is wrong.")).note for _ in range(2)]
    assert notes[0] == notes[1] is not None
    assert len(calls) == asked  # one that answers nonsense is asked twice for each message
    monkeypatch.setattr(llm, "AWAY_SECONDS", 0.0)
    detector = LlmDetector(FunctionModel(counted))
    calls.clear()
    for _ in range(2):
        await detector.detect("That is wrong.")
    assert len(calls) == max(2, asked)


async def test_a_model_that_hangs_is_given_up() -> None:
    async def hang(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await asyncio.sleep(60)
        raise AssertionError

    found = await LlmDetector(FunctionModel(hang), timeout=0.05).detect("That is wrong.")
    assert found.note is not None
    assert "TimeoutError" in found.note


async def test_a_name_that_no_provider_knows_falls_back() -> None:
    found = await LlmDetector("nobody:nothing").detect("That is wrong.")
    assert (found.detector, found.note is not None) == (NAME, True)


async def test_a_real_request_is_forbidden_here_and_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not a key")
    found = await LlmDetector("openai:gpt-5-mini").detect("That is wrong.")
    assert (found.detector, found.note is not None) == (NAME, True)


async def test_any_output_of_the_right_shape_is_taken() -> None:
    assert (await LlmDetector(TestModel()).detect("hello there")).detector == "llm:test"
