from langchain.agents import create_agent
from openinference.instrumentation import using_attributes
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=provider)

agent = create_agent("openai:gpt-5-mini", name="my-agent")
with using_attributes(session_id="conversation-1", user_id="user-1"):
    agent.invoke({"messages": [{"role": "user", "content": "Hello"}]})
provider.shutdown()
