# The cap stands on a client object that is made once, the answer is used elsewhere.
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

QUESTION = "Describe the deployment."


def unchecked() -> str:
    model = ChatOpenAI(model="gpt-4o", max_tokens=4096)  # expect: RL402
    return model.invoke(QUESTION).content  # or: RL402


def small_and_checked() -> str:
    model = ChatAnthropic(model="claude-sonnet-4-5", max_tokens=200)  # expect: RL401
    reply = model.invoke(QUESTION)
    if reply.response_metadata["stop_reason"] == "max_tokens":
        raise RuntimeError("cut")
    return reply.content


def checked() -> str:
    model = ChatOpenAI(model="gpt-4o", max_tokens=4096)
    reply = model.invoke(QUESTION)
    if reply.response_metadata["finish_reason"] == "length":
        raise RuntimeError("cut")
    return reply.content


def uncapped() -> str:
    model = ChatOpenAI(model="gpt-4o")
    return model.invoke(QUESTION).content
