"""The SDK of Langfuse, whose host is all that was changed."""

import os
from typing import Any

from tests.otlp.programs.weather import GOLDLOOP_URL, KEY, MODEL_URL, talk, turn, weather

os.environ |= {"LANGFUSE_HOST": GOLDLOOP_URL, "LANGFUSE_PUBLIC_KEY": "pk-lf-any", "LANGFUSE_SECRET_KEY": KEY}

from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import openai  # type: ignore[attr-defined]

client = openai.OpenAI(base_url=MODEL_URL, api_key="x", max_retries=0)
history: list[Any] = [{"role": "system", "content": "You are a weather bot."}]


@observe(as_type="tool")
def get_weather(city: str) -> str:
    return weather(city)


@observe(as_type="agent")
def weather_agent(text: str) -> str:
    return turn(client, history, text, get_weather)


with propagate_attributes(session_id="conv-1234", user_id="user-77"):
    talk(weather_agent)
get_client().shutdown()
