# Output caps below what the answer needs, wherever the cap is written.
import anthropic
import ollama
from google import genai
from google.genai import types
from openai import OpenAI

client = OpenAI()
claude = anthropic.Anthropic()
gemini = genai.Client()
SMALL = 300
ROOMY = 8192
WINDOW = 128_000


class CutShort(RuntimeError):
    """The answer hit the cap."""


def literal(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=256).choices[0]  # expect: RL401
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def by_constant(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_completion_tokens=SMALL).choices[0]  # expect: RL401
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def by_default(messages: list[dict], limit: int = 400) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=limit).choices[0]  # expect: RL401
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def by_local_name(messages: list[dict]) -> str:
    limit = 200
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=limit).choices[0]  # expect: RL401
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def shrinking(messages: list[dict], used: int) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=WINDOW - used).choices[0]  # expect: RL401
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def longer_asked(topic: str) -> str:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=2000, messages=[{"role": "user", "content": f"Write an essay of 5,000 words about {topic}."}])  # expect: RL401
    if reply.stop_reason == "max_tokens":
        raise CutShort
    return reply.content[0].text


def nested_option(messages: list[dict]) -> str:
    reply = ollama.chat(model="llama3.1", messages=messages, options={"num_predict": 128})  # expect: RL401
    if reply["done_reason"] == "length":
        raise CutShort
    return reply["message"]["content"]


def settings_object(prompt: str) -> str:
    reply = gemini.models.generate_content(model="gemini-2.5-flash", contents=prompt, config=types.GenerateContentConfig(max_output_tokens=200))  # expect: RL401
    if reply.candidates[0].finish_reason == types.FinishReason.MAX_TOKENS:
        raise CutShort
    return reply.text


def roomy(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=ROOMY).choices[0]
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def no_cap(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


def explicit_none(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=None).choices[0].message.content


def with_floor(messages: list[dict], used: int) -> str:
    room = max(2048, WINDOW - used)
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=room).choices[0]
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def shorter_asked(topic: str) -> str:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=2000, messages=[{"role": "user", "content": f"Write 200 words about {topic}."}])
    if reply.stop_reason == "max_tokens":
        raise CutShort
    return reply.content[0].text


def roomy_settings_object(prompt: str) -> str:
    config = types.GenerateContentConfig(max_output_tokens=8192)
    reply = gemini.models.generate_content(model="gemini-2.5-flash", contents=prompt, config=config)
    if reply.candidates[0].finish_reason == types.FinishReason.MAX_TOKENS:
        raise CutShort
    return reply.text


def thread_title(first: str) -> str:
    prompt = f"Give a short title for this conversation:\n{first}"
    reply = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}], max_tokens=20)
    return reply.choices[0].message.content.strip()


def is_question(text: str) -> bool:
    prompt = f"Is this a question? Answer yes or no.\n{text}"
    reply = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}], max_tokens=1)
    return reply.choices[0].message.content.lower().startswith("yes")


def classify(text: str) -> str:
    prompt = f"Classify this ticket as bug, question or wish. Answer with one word.\n{text}"
    reply = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}], max_tokens=5)
    return reply.choices[0].message.content.strip()


def score(answer: str) -> int:
    prompt = f"Score this answer from 1 to 10. Reply with the number only.\n{answer}"
    reply = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}], max_tokens=3)
    return int(reply.choices[0].message.content)


def ping() -> None:
    client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": "ping"}], max_tokens=1)
