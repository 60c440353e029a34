export LANGFUSE_BASE_URL=http://127.0.0.1:8400
export LANGFUSE_PUBLIC_KEY=goldloop
export LANGFUSE_SECRET_KEY=gl_…
export OTEL_SERVICE_NAME=my-agent
