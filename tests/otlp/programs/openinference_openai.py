"""OpenInference's instrumentation of the OpenAI client: each request to the model is a trace."""

from typing import Any

import openai
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from tests.otlp.programs.weather import GOLDLOOP_URL, KEY, MODEL_URL, talk, turn

provider = TracerProvider(resource=Resource.create({"service.name": "weather-bot"}))
exporter = OTLPSpanExporter(f"{GOLDLOOP_URL}/v1/traces", headers={"Authorization": f"Bearer {KEY}"})
provider.add_span_processor(BatchSpanProcessor(exporter))
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = openai.OpenAI(base_url=MODEL_URL, api_key="x", max_retries=0)
history: list[Any] = [{"role": "system", "content": "You are a weather bot."}]
with using_attributes(session_id="conv-1234", user_id="user-77"):
    talk(lambda text: turn(client, history, text))
provider.shutdown()
