# The stop reason says "cut": what becomes of the part on that branch?
import json
import logging
from pathlib import Path

import anthropic
import litellm
import ollama
from google import genai
from google.genai import types
from openai import OpenAI

client = OpenAI()
claude = anthropic.Anthropic()
gemini = genai.Client()
log = logging.getLogger(__name__)


class CutShort(RuntimeError):
    """The answer hit the cap."""


def only_logged(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        log.warning("the answer was cut")
    return choice.message.content  # expect: RL403


def turned_round(messages: list[dict]) -> str:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=messages)
    if reply.stop_reason != "max_tokens":
        return reply.content[0].text
    return reply.content[0].text.strip()  # expect: RL403


def stored_in_history(messages: list[dict]) -> None:
    reply = ollama.chat(model="llama3.1", messages=messages, options={"num_predict": 4096})
    if reply["done_reason"] == "length":
        log.info("hit the cap")
    messages.append({"role": "assistant", "content": reply["message"]["content"]})  # expect: RL403


def member_of_enumeration(prompt: str) -> str:
    config = types.GenerateContentConfig(max_output_tokens=4096)
    reply = gemini.models.generate_content(model="gemini-2.5-flash", contents=prompt, config=config)
    if reply.candidates[0].finish_reason == types.FinishReason.MAX_TOKENS:
        return reply.text  # expect: RL403
    return reply.text


def one_of_several(messages: list[dict], path: Path) -> None:
    choice = litellm.completion(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason in ("length", "content_filter"):
        print("not complete")
    path.write_text(choice.message.content)  # expect: RL403


def details_present(prompt: str) -> str:
    reply = client.responses.create(model="gpt-4.1", input=prompt, max_output_tokens=4096)
    if reply.incomplete_details:
        log.warning("incomplete: %s", reply.incomplete_details.reason)
    return reply.output_text  # expect: RL403


def matched(messages: list[dict]) -> str:
    reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=messages)
    match reply.stop_reason:
        case "refusal":
            raise CutShort
        case "max_tokens" | "model_context_window_exceeded":
            return reply.content[0].text  # expect: RL403
        case _:
            return reply.content[0].text


def claimed_whole(messages: list[dict]) -> dict:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        return {"text": choice.message.content, "finish_reason": "stop"}  # expect: RL403
    return {"text": choice.message.content, "finish_reason": choice.finish_reason}


CUT = frozenset({"length", "max_tokens"})


def one_of_a_constant(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason in CUT:
        log.warning("cut")
    return choice.message.content  # expect: RL403


def is_cut(choice) -> bool:
    return choice.finish_reason == "length"


def told_by_helper(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if is_cut(choice):
        log.warning("cut")
    return choice.message.content  # expect: RL403


def gathered_from_stream(messages: list[dict]) -> str:
    text = ""
    for chunk in client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096, stream=True):
        text += chunk.choices[0].delta.content or ""
        if chunk.choices[0].finish_reason == "length":
            log.warning("cut")
    return text  # expect: RL403


def any_end_but_the_natural_one(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason != "stop":
        log.warning("stopped early: %s", choice.finish_reason)
    return choice.message.content  # expect: RL403


def labelled_by_key(messages: list[dict]) -> dict:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        return {"text": choice.message.content, "truncated": True}
    return {"text": choice.message.content, "truncated": False}


def labelled_by_flag(messages: list[dict]) -> tuple[str, bool]:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        return choice.message.content, False
    return choice.message.content, True


def labelled_in_text(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    text = choice.message.content
    if choice.finish_reason == "length":
        text += "\n[truncated at the output cap]"
    return text


class Session:
    def __init__(self) -> None:
        self.truncated = False
        self.messages: list[dict] = []

    def labelled_by_attribute(self) -> str:
        reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=self.messages)
        if reply.stop_reason == "max_tokens":
            self.truncated = True
        return reply.content[0].text

    def retried(self) -> str:
        reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=self.messages)
        if reply.stop_reason == "max_tokens":
            return self.asked_with_more_room()
        return reply.content[0].text

    def asked_with_more_room(self) -> str:
        reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=32768, messages=self.messages)
        if reply.stop_reason == "max_tokens":
            raise CutShort
        return reply.content[0].text


def continued(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    text = choice.message.content
    while choice.finish_reason == "length":
        follow = [*messages, {"role": "assistant", "content": text}]
        choice = client.chat.completions.create(model="gpt-4o", messages=follow, max_tokens=4096).choices[0]
        text += choice.message.content
    return text


def reason_handed_on(messages: list[dict], path: Path) -> None:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        log.warning("cut")
    path.write_text(json.dumps({"text": choice.message.content, "finish_reason": choice.finish_reason}))


def tool_calls_are_another_end(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        raise CutShort
    if choice.finish_reason != "stop" and choice.message.tool_calls:
        messages.append({"role": "assistant", "tool_calls": choice.message.tool_calls})
    return choice.message.content


def placeholder_instead(messages: list[dict]) -> str:
    choice = client.chat.completions.create(model="gpt-4o", messages=messages, max_tokens=4096).choices[0]
    if choice.finish_reason == "length":
        return "The answer was too long. Please narrow the question."
    return choice.message.content


def title(first: str) -> str:
    prompt = f"Give a short title for this conversation:\n{first}"
    choice = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}], max_tokens=20).choices[0]
    if choice.finish_reason == "length":
        log.info("long title")
    return choice.message.content
