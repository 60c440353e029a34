pip install openinference-instrumentation-openai openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
