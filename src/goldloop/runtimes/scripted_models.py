"""Language models that follow a script, `scripted:name`: the demo workspace and the starter sets of goldens run agents on them
where there is no other. Infrastructure.

A script is asked like a model and says the next step. What it says depends on what it is told alone, so that a run goes on
after a crash as on any model; a replay is told besides which repeat it is, so that a script can do now this, now that
(design/scripted-agents.md).
"""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

PROVIDER = "scripted"


class Told(NamedTuple):
    """What a script is told: the message of the session, what its tool calls gave back so far, its instructions, and which
    repeat of a replay it is; 0 where it is none."""

    message: str
    results: list[Any]
    instructions: str = ""
    repeat: int = 0

    def draw(self) -> float:
        """A number from 0 up to 1: the same for the same message and repeat, and unlike those of others."""
        drawn = hashlib.sha256(f"{self.repeat} {self.message}".encode()).digest()
        return int.from_bytes(drawn[:6], "big") / 2**48


class Call(NamedTuple):
    tool: str
    arguments: dict[str, Any]


Say = str | Call | dict[str, Any]  # a text, a tool call, or the object that is wanted as a result
Script = Callable[[Told], Say]

SCRIPTS: dict[str, Script] = {}


def script(name: str) -> Callable[[Script], Script]:
    def register(say: Script) -> Script:
        SCRIPTS[name] = say
        return say

    return register


def scripted_model(name: str) -> Any:
    """None where there is no such script."""
    from pydantic_ai.messages import (
        ModelMessage,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    say = SCRIPTS.get(name)
    if say is None:
        return None

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = [part for message in messages for part in message.parts]
        prompts = [part.content for part in parts if isinstance(part, UserPromptPart)]
        results = [part.content for part in parts if isinstance(part, ToolReturnPart)]
        repeat = (info.model_settings or {}).get("seed", 0)
        answer = say(Told(str(prompts[-1]) if prompts else "", results, info.instructions or "", repeat))
        if isinstance(answer, str):
            return ModelResponse(parts=[TextPart(answer)])
        if isinstance(answer, Call):
            call_id = f"call_{len(results) + 1}"
            return ModelResponse(parts=[ToolCallPart(answer.tool, answer.arguments, tool_call_id=call_id)])
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, answer, tool_call_id="result")])

    return FunctionModel(respond, model_name=f"{PROVIDER}:{name}")
