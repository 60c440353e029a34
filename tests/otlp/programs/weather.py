"""What the programs have in common: what people say, the tool, and an agent that is a plain loop around a client."""

import contextlib
import json
import os
from collections.abc import Callable
from typing import Any

MODEL_URL = os.environ["MODEL_URL"]
GOLDLOOP_URL = os.environ["GOLDLOOP_URL"]
KEY = os.environ["GOLDLOOP_KEY"]
SAID = ("What is the weather in Paris?", "And in Rome, please?", "Now ERR400 please")
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Weather of a city",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
]


def weather(city: str) -> str:
    if city == "Rome":
        raise ValueError("weather service down for Rome")
    return f"22 degrees and sunny in {city}"


def turn(client: Any, history: list[Any], text: str, tool: Callable[..., str] = weather) -> str:
    """One exchange; what the tool raises is told to the model."""
    history.append({"role": "user", "content": text})
    while True:
        answer = (
            client.chat.completions.create(model="fake-1", messages=history, tools=TOOLS).choices[0].message
        )
        if not answer.tool_calls:
            history.append({"role": "assistant", "content": answer.content})
            return str(answer.content)
        calls = [call.model_dump() for call in answer.tool_calls]
        history.append({"role": "assistant", "content": answer.content, "tool_calls": calls})
        for call in answer.tool_calls:
            try:
                result = tool(**json.loads(call.function.arguments))
            except ValueError as error:
                result = f"error: {error}"
            history.append({"role": "tool", "tool_call_id": call.id, "content": result})


def talk(one: Callable[[str], Any]) -> None:
    for text in SAID:
        with contextlib.suppress(Exception):
            one(text)
