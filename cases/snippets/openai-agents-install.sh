pip install openinference-instrumentation-openai-agents openai-agents opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
