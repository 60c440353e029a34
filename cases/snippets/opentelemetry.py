import json

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("my-agent")

with tracer.start_as_current_span("invoke_agent my-agent") as agent:
    agent.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "my-agent"})
    agent.set_attributes({"session.id": "conversation-1", "user.id": "user-1"})
    with tracer.start_as_current_span("chat gpt-5-mini") as request:
        request.set_attributes({"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5-mini"})
        said = [{"role": "user", "parts": [{"type": "text", "content": "Hello"}]}]
        answered = [{"role": "assistant", "parts": [{"type": "text", "content": "Good morning"}]}]
        request.set_attribute("gen_ai.input.messages", json.dumps(said))
        request.set_attribute("gen_ai.output.messages", json.dumps(answered))
provider.shutdown()
