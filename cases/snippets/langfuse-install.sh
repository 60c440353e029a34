pip install langfuse openai
