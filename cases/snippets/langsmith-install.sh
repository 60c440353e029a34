pip install "langsmith[otel]" openai
