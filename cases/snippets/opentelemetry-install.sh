pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
