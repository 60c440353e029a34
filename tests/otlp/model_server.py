"""A server that speaks as OpenAI's does and says what a script has: it calls a tool for each city, then answers; a message
with ERR400 is refused."""

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
