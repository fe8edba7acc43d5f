# What a model was not shown can be looked up only where the whole context and the request are archived.
import json
from pathlib import Path

from openai import OpenAI

client = OpenAI()


# reduction-lint: selector(phase=handoff)
def select_for_handoff(context, audit_out):
    audit_out.append("storage_hashes")
    return {key: value for key, value in context.items() if key != "storage_hashes"}


def sends_without_a_trace(context: dict) -> str:
    messages = [{"role": "user", "content": json.dumps(select_for_handoff(context, []))}]
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)  # expect: RL608
    return reply.choices[0].message.content


def archives_the_request_alone(context: dict, archive: Path) -> str:
    messages = [{"role": "user", "content": json.dumps(select_for_handoff(context, []))}]
    archive.write_text(json.dumps({"request": messages, "context_selection": "v6"}))
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)  # expect: RL608
    return reply.choices[0].message.content


def archives_the_context_alone(context: dict, archive: Path) -> str:
    archive.write_text(json.dumps(context))
    messages = [{"role": "user", "content": json.dumps(select_for_handoff(context, []))}]
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)  # expect: RL608
    return reply.choices[0].message.content


def archives_both(context: dict, archive: Path) -> str:
    messages = [{"role": "user", "content": json.dumps(select_for_handoff(context, []))}]
    archive.write_text(json.dumps({"context": context, "request": messages, "context_selection": "v6"}))
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)
    return reply.choices[0].message.content


def sends_the_whole_context(context: dict) -> str:
    messages = [{"role": "user", "content": json.dumps(context)}]
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)
    return reply.choices[0].message.content
