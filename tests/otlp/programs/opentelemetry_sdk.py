"""The SDK and exporter of OpenTelemetry, with spans of one's own by the conventions for generative AI."""

import json
from typing import Any

import openai
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from tests.otlp.programs.weather import GOLDLOOP_URL, KEY, MODEL_URL, SAID, TOOLS, talk, weather

provider = TracerProvider(resource=Resource.create({"service.name": "weather-bot"}))
exporter = OTLPSpanExporter(
    f"{GOLDLOOP_URL}/v1/traces", headers={"x-api-key": KEY}, compression=Compression.Gzip
)
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer("my-app")
client = openai.OpenAI(base_url=MODEL_URL, api_key="x", max_retries=0)
history: list[Any] = []


def one(text: str) -> None:
    about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "weather_agent"}
    with tracer.start_as_current_span(
        "invoke_agent weather_agent", attributes={**about, "session.id": "conv-1234", "user.id": "user-77"}
    ):
        history.append({"role": "user", "content": text})
        while calls := ask():
            for call in calls:
                use(call)


def ask() -> list[Any]:
    asked = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "fake-1",
        "gen_ai.input.messages": json.dumps(history),
    }
    with tracer.start_as_current_span("chat fake-1", attributes=asked) as span:
        found = client.chat.completions.create(model="fake-1", messages=history, tools=TOOLS)
        message = found.choices[0].message.model_dump(exclude_none=True)
        span.set_attribute("gen_ai.output.messages", json.dumps([message]))
        assert found.usage is not None
        span.set_attribute("gen_ai.usage.input_tokens", found.usage.prompt_tokens)
        span.set_attribute("gen_ai.usage.output_tokens", found.usage.completion_tokens)
        history.append(message)
        return found.choices[0].message.tool_calls or []


def use(call: Any) -> None:
    used = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.function.name,
        "gen_ai.tool.call.id": call.id,
    }
    try:
        with tracer.start_as_current_span("execute_tool get_weather", attributes=used) as span:
            result = weather(**json.loads(call.function.arguments))
            span.set_attribute("gen_ai.tool.call.result", result)
    except ValueError as error:
        result = f"error: {error}"
    history.append({"role": "tool", "tool_call_id": call.id, "content": result})


assert SAID
talk(one)
provider.shutdown()
