"""Request parameters that make answers terse."""

import anthropic
from agents import Agent, ModelSettings
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, OpenAI

client = OpenAI()
later = AsyncOpenAI()
LEVEL = "low"


def chat(messages):
    return client.chat.completions.create(model="gpt-5", messages=messages, verbosity="low")  # expect: RL303


async def nested_in_text(question: str):
    return await later.responses.create(model="gpt-5", input=question, text={"verbosity": "low"})  # expect: RL303


def by_constant(question: str):
    return client.responses.create(model="gpt-5", input=question, text={"verbosity": LEVEL})  # expect: RL303


def by_options(question: str):
    options = {"model": "gpt-5", "text": {"format": {"type": "text"}, "verbosity": "low"}}
    return client.responses.create(input=question, **options)  # expect: RL303


def by_settings_object():
    return Agent(name="analyst", model_settings=ModelSettings(verbosity="low"))  # expect: RL303


def by_model_object():
    return ChatOpenAI(model="gpt-5", verbosity="low")  # expect: RL303


def low_effort(messages):
    return anthropic.Anthropic().messages.create(  # expect: RL303
        model="claude-opus-4-5", max_tokens=8192, messages=messages, output_config={"effort": "low"}
    )


def full(messages):
    return client.chat.completions.create(model="gpt-5", messages=messages, verbosity="high")


def by_setting(messages, verbosity: str):
    return client.chat.completions.create(model="gpt-5", messages=messages, verbosity=verbosity)


def chat_title(messages):
    return client.chat.completions.create(model="gpt-5", messages=messages, verbosity="low")


def throw_away(messages):
    return client.chat.completions.create(model="gpt-5", messages=messages, verbosity="low")  # reduction-lint: disposable


def less_reasoning(messages):
    return client.chat.completions.create(model="gpt-5", messages=messages, reasoning_effort="low")


def of_a_log(configure):
    configure(level=3, verbosity="low")
