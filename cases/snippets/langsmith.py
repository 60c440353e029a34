from langsmith import Client, traceable
from langsmith.wrappers import wrap_openai
from openai import OpenAI

client = Client()


@traceable(name="my-agent", client=client)
def answer(text):
    said = [{"role": "user", "content": text}]
    model = wrap_openai(OpenAI())
    return model.chat.completions.create(model="gpt-5-mini", messages=said).choices[0].message.content


answer("Hello", langsmith_extra={"metadata": {"session_id": "conversation-1", "user_id": "user-1"}})
client.flush()
