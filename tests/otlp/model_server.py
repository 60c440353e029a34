"""A server that speaks as OpenAI's does and says what a script has: it calls a tool for each city, then answers; a message
with ERR400 is refused. Its Responses API only answers."""

import json
import re
from itertools import count
from typing import Any

_ids = count(1)
_CITY = re.compile(r"\b(Paris|Rome)\b")


async def app(scope: Any, receive: Any, send: Any) -> None:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    if scope["path"].endswith("/responses"):
        status, answer = 200, _response()
    else:
        status, answer = _answer(json.loads(body or b"{}"))
    content = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _answer(request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    messages = request.get("messages", [])
    asked = next((m for m in reversed(messages) if m["role"] == "user"), {"content": ""})
    text = json.dumps(asked["content"])
    if "ERR400" in text:
        return 400, {
            "error": {"message": "bad request on purpose", "type": "invalid_request_error", "code": "x"}
        }
    city = _CITY.search(text)
    number = next(_ids)
    if messages[-1]["role"] == "tool" or city is None:
        said: dict[str, Any] = {"content": f"Here is the weather for {city[0] if city else 'you'}."}
        finish = "stop"
    else:
        call = {"name": "get_weather", "arguments": json.dumps({"city": city[0]})}
        said = {
            "content": None,
            "tool_calls": [{"id": f"call_{number}", "type": "function", "function": call}],
        }
        finish = "tool_calls"
    return 200, {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1,
        "model": "fake-1-2026",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **said}}],
        "usage": {"prompt_tokens": 42, "completion_tokens": 7, "total_tokens": 49},
    }


def _response() -> dict[str, Any]:
    number = next(_ids)
    said = {"type": "output_text", "text": "Here is the weather for you.", "annotations": []}
    message = {
        "type": "message",
        "id": f"msg_{number}",
        "status": "completed",
        "role": "assistant",
        "content": [said],
    }
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "fake-1-2026",
        "output": [message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 42,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 7,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 49,
        },
    }
