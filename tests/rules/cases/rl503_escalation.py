# The escalation marker is session content: stored and exported as it came, hidden only from a person's eye.
import json
import re
from pathlib import Path

from openai import OpenAI

client = OpenAI()
MARKER = "<<escalate>>"
ESCALATE_RE = re.compile(r"\s*<<escalate>>\s*")


def ask(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


def without_marker(text: str) -> str:
    return text.replace(MARKER, "").strip()  # expect: RL503


class Session:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.last_reply = ""
        self.display_text = ""

    def replaced(self) -> None:
        reply = ask(self.messages).replace(MARKER, "")  # expect: RL503
        self.messages.append({"role": "assistant", "content": reply})

    def substituted(self) -> None:
        reply = re.sub(r"<<escalate>>", "", ask(self.messages))  # expect: RL503
        self.messages.append({"role": "assistant", "content": reply})

    def by_compiled_pattern(self) -> None:
        reply = ESCALATE_RE.sub(" ", ask(self.messages))  # expect: RL503
        self.messages.append({"role": "assistant", "content": reply})

    def split_off(self) -> None:
        reply = ask(self.messages)
        head = reply.split(MARKER)[0]  # expect: RL503
        self.messages.append({"role": "assistant", "content": head})

    def suffix_removed(self) -> None:
        reply = ask(self.messages)
        if reply.endswith(MARKER):
            reply = reply.removesuffix(MARKER)  # expect: RL503
        self.last_reply = reply

    def by_helper(self) -> None:
        self.messages.append({"role": "assistant", "content": without_marker(ask(self.messages))})

    def swapped_for_other_text(self) -> None:
        reply = ask(self.messages)
        self.messages.append({"role": "assistant", "content": reply.replace(MARKER, "[asking a larger model]")})  # expect: RL503

    def stored_as_it_came(self) -> bool:
        reply = ask(self.messages)
        self.messages.append({"role": "assistant", "content": reply})
        return MARKER in reply

    def hidden_on_screen(self) -> None:
        reply = ask(self.messages)
        self.messages.append({"role": "assistant", "content": reply})
        print(reply.replace(MARKER, ""))

    def shown_without(self) -> str:
        reply = ask(self.messages)
        self.messages.append({"role": "assistant", "content": reply})
        self.display_text = reply.replace(MARKER, "")
        return reply.removesuffix(MARKER)

    def text_around_the_marker_is_looked_at(self) -> bool:
        reply = ask(self.messages)
        before, found, _ = reply.partition(MARKER)
        self.messages.append({"role": "assistant", "content": reply})
        return bool(found) and len(before) < 20

    def other_text_replaced(self) -> None:
        reply = ask(self.messages).replace("```", "")
        self.messages.append({"role": "assistant", "content": reply})

    def marker_put_in(self) -> None:
        reply = ask(self.messages).replace("ESCALATE", MARKER)
        self.messages.append({"role": "assistant", "content": reply})


def exported(messages: list[dict], path: Path) -> None:
    path.write_text(json.dumps([m["content"].replace(MARKER, "") for m in messages]))  # expect: RL503


def exported_as_it_is(messages: list[dict], path: Path) -> None:
    path.write_text(json.dumps(messages))
