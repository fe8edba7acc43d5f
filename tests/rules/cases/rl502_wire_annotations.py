# Annotations for the wire: on stored messages, or on copies that go deep enough?
import copy
import json

import anthropic

client = anthropic.Anthropic()
EPHEMERAL = {"type": "ephemeral"}


class Chat:
    def __init__(self, history: list[dict]) -> None:
        self.messages: list[dict] = []
        self.history = history

    def on_stored_block(self) -> None:
        self.messages[-1]["content"][-1]["cache_control"] = EPHEMERAL  # expect: RL502

    def on_stored_message(self) -> None:
        last = self.messages[-1]
        last["cache_control"] = EPHEMERAL  # expect: RL502

    def on_every_message(self) -> None:
        for message in self.messages:
            message.update(cache_control=EPHEMERAL)  # expect: RL502

    def by_setdefault(self) -> None:
        self.history[0].setdefault("cache_control", EPHEMERAL)  # expect: RL502

    def through_an_alias(self):
        wire = self.messages
        wire[-1]["cache_control"] = EPHEMERAL  # expect: RL502
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def through_a_shallow_copy(self):
        wire = self.messages.copy()
        wire[-1]["cache_control"] = EPHEMERAL  # expect: RL502
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def through_copied_dicts(self):
        wire = [dict(message) for message in self.messages]
        wire[-1]["content"].append({"cachePoint": {"type": "default"}})  # expect: RL502
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def block_put_into_message(self) -> None:
        text = self.messages[-1]["content"]
        self.messages[-1]["content"] = [{"type": "text", "text": text, "cache_control": EPHEMERAL}]  # expect: RL502

    def appended_with_the_mark(self, text: str) -> None:
        self.messages.append({"role": "user", "content": [{"type": "text", "text": text, "cache_control": EPHEMERAL}]})  # expect: RL502

    def copy_stored_after_all(self) -> None:
        wire = copy.deepcopy(self.messages)
        wire[-1]["content"][-1]["cache_control"] = EPHEMERAL
        self.messages = wire  # expect: RL502

    def by_helper(self) -> None:
        mark_last(self.messages)

    def deep_copy(self):
        wire = copy.deepcopy(self.messages)
        wire[-1]["content"][-1]["cache_control"] = EPHEMERAL
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def copied_by_json(self):
        wire = json.loads(json.dumps(self.messages))
        wire[-1]["content"][-1]["cache_control"] = EPHEMERAL
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def copied_as_deep_as_it_is_written(self):
        wire = [dict(message) for message in self.messages]
        wire[-1]["cache_control"] = EPHEMERAL
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def rebuilt_on_the_way(self):
        *earlier, last = self.messages
        marked = {**last, "content": [{"type": "text", "text": last["content"], "cache_control": EPHEMERAL}]}
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=[*earlier, marked])

    def replaced_in_a_shallow_copy(self):
        wire = list(self.messages)
        wire[-1] = {**wire[-1], "cache_control": EPHEMERAL}
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def by_helper_on_a_copy(self):
        wire = copy.deepcopy(self.messages)
        mark_first(wire)
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)

    def as_an_argument_of_the_request(self):
        return client.messages.create(
            model="claude-sonnet-4-5", max_tokens=8192, messages=self.messages, cache_control=EPHEMERAL
        )

    def on_tools_and_system(self, tools: list[dict]):
        system = [{"type": "text", "text": "You help.", "cache_control": EPHEMERAL}]
        tools[-1]["cache_control"] = EPHEMERAL
        return client.messages.create(
            model="claude-sonnet-4-5", max_tokens=8192, system=system, tools=tools, messages=self.messages
        )

    def taken_off_again(self) -> None:
        for message in self.messages:
            message.pop("cache_control", None)


def mark_last(messages: list[dict]) -> None:
    messages[-1]["cache_control"] = EPHEMERAL  # expect: RL502


def mark_first(messages: list[dict]) -> None:
    messages[0]["cache_control"] = EPHEMERAL


def payload_of(payload: dict) -> dict:
    payload["messages"][-1]["cache_control"] = EPHEMERAL
    return payload


class Bedrock:
    def __init__(self, history: list[dict]) -> None:
        self.history = history

    def ask_with_a_shared_message(self):
        wire = list(self.history)
        wire[-1]["content"].append({"cachePoint": {"type": "default"}})  # expect: RL502
        return client.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=wire)
