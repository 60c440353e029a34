from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import OpenAI


@observe(as_type="agent", name="my-agent")
def answer(text):
    said = [{"role": "user", "content": text}]
    return OpenAI().chat.completions.create(model="gpt-5-mini", messages=said).choices[0].message.content


with propagate_attributes(session_id="conversation-1", user_id="user-1"):
    answer("Hello")
get_client().shutdown()
