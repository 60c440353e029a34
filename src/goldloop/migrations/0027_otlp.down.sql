DELETE FROM marks WHERE kind LIKE 'otlp.%';
DROP TABLE otel_sources, otel_traces, otel_trace_batches, otel_batches;
