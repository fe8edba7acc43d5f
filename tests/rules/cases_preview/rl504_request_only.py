# Reminders, clocks and nudges for one request: in the transcript, or in what goes out?
import datetime
import time

from openai import OpenAI

client = OpenAI()


def ask(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


class Agent:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def clock(self) -> str:
        self.messages.append({"role": "system", "content": f"It is now {datetime.datetime.now().isoformat()}."})  # expect: RL504
        return ask(self.messages)

    def bare_time(self) -> str:
        self.messages.append({"role": "system", "content": time.ctime()})  # expect: RL504
        return ask(self.messages)

    def reminder(self) -> str:
        self.messages.append({"role": "user", "content": "<system-reminder>Use the tools.</system-reminder>"})  # expect: RL504
        return ask(self.messages)

    def nudged(self, tool: str) -> str:
        nudge = f"You seem to be stuck with {tool}: call another tool or finish."
        self.messages.append({"role": "user", "content": nudge})  # expect: RL504
        return ask(self.messages)

    def extended(self) -> str:
        self.messages += [{"role": "system", "content": "Reminder: answer in English."}]  # expect: RL504
        return ask(self.messages)

    def rebuilt(self) -> str:
        self.messages = [*self.messages, {"role": "system", "content": "Remember to cite your sources."}]  # expect: RL504
        return ask(self.messages)

    def in_the_request_only(self) -> str:
        return ask([*self.messages, {"role": "system", "content": f"It is now {time.ctime()}."}])

    def in_a_copy(self) -> str:
        wire = list(self.messages)
        wire.append({"role": "user", "content": "<system-reminder>Use the tools.</system-reminder>"})
        return ask(wire)

    def taken_out_again(self) -> str:
        self.messages.append({"role": "system", "content": "Reminder: answer in English."})
        reply = ask(self.messages)
        self.messages.pop()
        return reply

    def time_beside_the_text(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text, "timestamp": time.time()})

    def what_a_person_wrote(self, text: str) -> None:
        self.messages.append({"role": "user", "content": f"{time.ctime()}: {text}"})

    def plain_instruction(self) -> None:
        self.messages.append({"role": "system", "content": "You help people to plan their garden."})


def prepare(messages: list[dict]) -> list[dict]:
    messages.append({"role": "system", "content": f"The time is {time.ctime()}."})  # expect: RL504
    return messages


def prepare_a_copy(messages: list[dict]) -> list[dict]:
    return [*messages, {"role": "system", "content": f"The time is {time.ctime()}."}]
