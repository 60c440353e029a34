"""pydantic-ai's own instrumentation, configured by nothing but the exporter."""

from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tests.otlp.programs.weather import GOLDLOOP_URL, KEY, MODEL_URL, talk, weather

provider = TracerProvider(resource=Resource.create({"service.name": "weather-bot"}))
exporter = OTLPSpanExporter(f"{GOLDLOOP_URL}/v1/traces", headers={"x-api-key": KEY})
provider.add_span_processor(BatchSpanProcessor(exporter))
agent = Agent(
    OpenAIChatModel("fake-1", provider=OpenAIProvider(base_url=MODEL_URL, api_key="x")),
    name="weather_agent",
    instructions="You are a weather bot.",
)
Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))


@agent.tool_plain
def get_weather(city: str) -> str:
    return weather(city)


history: list[Any] = []


def one(text: str) -> None:
    found = agent.run_sync(text, message_history=history, conversation_id="conv-1234")
    history.extend(found.new_messages())


talk(one)
provider.shutdown()
