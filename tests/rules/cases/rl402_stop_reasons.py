# Capped answers that are stored, returned or parsed: was the reason for the stop looked at on every path there?
import json
import logging
from pathlib import Path

import anthropic
import litellm
from openai import AsyncOpenAI, OpenAI

client = OpenAI()
async_client = AsyncOpenAI()
claude = anthropic.Anthropic()
log = logging.getLogger(__name__)


class CutShort(RuntimeError):
    """The answer hit the cap."""


def returned(messages: list[dict]) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)  # expect: RL402
    return reply.choices[0].message.content


def parsed(messages: list[dict]) -> dict:
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)  # expect: RL402
    return json.loads(reply.choices[0].message.content)


def stored(messages: list[dict]) -> None:
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)  # expect: RL402
    messages.append({"role": "assistant", "content": reply.choices[0].message.content})


def written(messages: list[dict], path: Path) -> None:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=4096, messages=messages)  # expect: RL402
    path.write_text(reply.content[0].text)


async def awaited(messages: list[dict]) -> str:
    reply = await async_client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)  # expect: RL402
    return reply.choices[0].message.content


def looked_at_when_debugging(messages: list[dict], debug: bool) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
    if debug and choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def looked_at_too_late(messages: list[dict]) -> None:
    choice = litellm.completion(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
    messages.append({"role": "assistant", "content": choice.message.content})
    if choice.finish_reason == "length":
        raise CutShort


def other_field_looked_at(messages: list[dict]) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)  # expect: RL402
    if not reply.choices:
        raise RuntimeError("no answer")
    return reply.choices[0].message.content


class Wrapped:
    def __init__(self) -> None:
        self.last = ""

    def ask(self, messages: list[dict]) -> None:
        reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=4096, messages=messages)  # expect: RL402
        self.last = "".join(block.text for block in reply.content if block.type == "text")


def raised(messages: list[dict]) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)
    if reply.choices[0].finish_reason == "length":
        raise CutShort
    return reply.choices[0].message.content


def anything_but_stop(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason != "stop":
        raise CutShort(choice.finish_reason)
    return choice.message.content


def matched(messages: list[dict]) -> str:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=4096, messages=messages)
    match reply.stop_reason:
        case "end_turn":
            return reply.content[0].text
        case reason:
            raise CutShort(reason)


def whole(choice) -> str:
    if choice.finish_reason == "length":
        raise CutShort
    return choice.message.content


def by_helper(messages: list[dict]) -> str:
    return whole(client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0])


def handed_on(messages: list[dict]) -> dict:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    return {"text": choice.message.content, "finish_reason": choice.finish_reason}


def whole_reply_handed_on(messages: list[dict]):
    return client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)


def continued(messages: list[dict]) -> str:
    text = ""
    while True:
        choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
        text += choice.message.content
        if choice.finish_reason != "length":
            return text
        messages = [*messages, {"role": "assistant", "content": text}]


async def awaited_and_checked(messages: list[dict]) -> str:
    reply = await async_client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)
    if reply.choices[0].finish_reason == "length":
        raise CutShort
    return reply.choices[0].message.content


def answer_discarded(messages: list[dict]) -> None:
    client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096)


def no_cap(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


ENDS = {"stop": "end", "tool_calls": "tool"}
ENDS_WITH_CUT = {"stop": "end", "tool_calls": "tool", "length": "cut"}


def read_but_not_used(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
    reason = choice.finish_reason
    return choice.message.content


def only_logged(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
    log.info("finished: %s", choice.finish_reason)
    return choice.message.content


def table_that_knows_no_cut(messages: list[dict]) -> dict:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
    return {"text": choice.message.content, "end": ENDS.get(choice.finish_reason, "end")}


def table_that_knows_the_cut(messages: list[dict]) -> dict:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    return {"text": choice.message.content, "end": ENDS_WITH_CUT.get(choice.finish_reason, "end")}


def as_openai_reply(message) -> dict:
    return {"content": message.content[0].text, "finish_reason": "stop"}


def rebuilt_with_invented_reason(messages: list[dict]) -> dict:
    message = claude.messages.create(model="claude-sonnet-4-5", max_tokens=4096, messages=messages)  # expect: RL402
    return as_openai_reply(message)


def rebuilt_with_its_reason(messages: list[dict]) -> dict:
    message = claude.messages.create(model="claude-sonnet-4-5", max_tokens=4096, messages=messages)
    return {"content": message.content[0].text, "finish_reason": message.stop_reason}


def written_to_a_cache(messages: list[dict], cache: dict) -> str:
    key = json.dumps(messages)
    if key not in cache:
        choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
        cache[key] = choice.message.content
    return cache[key]


def cut_taken_for_bad_format(messages: list[dict]) -> dict:
    for _ in range(3):
        choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]  # expect: RL402
        try:
            return json.loads(choice.message.content)
        except ValueError:
            continue
    raise CutShort
