# Verification, scoring and judging: in the transcript, or beside it?
import json
from pathlib import Path

from openai import OpenAI

client = OpenAI()
VERIFY = "Check the last answer against the tool results. Reply PASS or FAIL with a reason."


def ask(messages: list[dict]) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


class Agent:
    def __init__(self, sidecar, judge) -> None:
        self.messages: list[dict] = []
        self.judge_messages: list[dict] = []
        self.sidecar = sidecar
        self.judge = judge
        self.scores: list[str] = []

    def add(self, role: str, content: str) -> None:
        self.messages.append({"role": role, "content": content})

    def prompt_and_answer(self) -> bool:
        self.messages.append({"role": "user", "content": VERIFY})  # expect: RL501
        verdict = ask(self.messages)
        self.messages.append({"role": "assistant", "content": verdict})  # expect: RL501
        return verdict.startswith("PASS")

    def through_a_method(self) -> bool:
        self.add("user", "Rate the answer above from 1 to 5.")  # expect: RL501
        return int(ask(self.messages)) > 3

    def answer_of_a_scorer(self, answer: str) -> None:
        note = self.judge(answer)
        self.messages.append({"role": "assistant", "content": note})  # expect: RL501

    def answer_to_a_probe(self, answer: str) -> None:
        result = ask([{"role": "user", "content": f"Evaluate this response: {answer}"}])
        self.messages.append({"role": "assistant", "content": result})  # expect: RL501

    def list_made_anew(self) -> None:
        self.messages = [*self.messages, {"role": "user", "content": "Judge whether the answer is correct."}]  # expect: RL501

    def extended(self) -> None:
        self.messages += [{"role": "system", "content": "You are a strict grader of the answer."}]  # expect: RL501

    def in_the_record(self, question: str, answer: str) -> None:
        prompt = f"Score this answer from 1 to 5.\nQ: {question}\nA: {answer}"
        self.sidecar.record_turn(role="user", content=prompt)  # expect: RL501

    def own_copy(self) -> bool:
        probe = [*self.messages, {"role": "user", "content": VERIFY}]
        return ask(probe).startswith("PASS")

    def own_list(self) -> None:
        self.judge_messages.append({"role": "user", "content": VERIFY})
        self.scores.append(ask(self.judge_messages))

    def grown_copy(self) -> bool:
        context = list(self.messages)
        context.append({"role": "user", "content": VERIFY})
        return ask(context).startswith("PASS")

    def taken_out_again(self) -> bool:
        self.messages.append({"role": "user", "content": VERIFY})
        try:
            return ask(self.messages).startswith("PASS")
        finally:
            self.messages.pop()

    def put_back(self) -> bool:
        saved = self.messages
        self.messages = [*self.messages, {"role": "user", "content": "Thanks."}]
        verdict = ask([*saved, {"role": "user", "content": VERIFY}])
        return verdict.startswith("PASS")

    def told_apart_in_the_record(self, answer: str) -> None:
        verdict = ask([{"role": "user", "content": f"Evaluate this response: {answer}"}])
        self.sidecar.record_turn(role="assistant", content=verdict, kind="probe")

    def score_kept_as_a_number(self, answer: str, path: Path) -> None:
        verdict = ask([{"role": "user", "content": f"Score this answer from 1 to 5: {answer}"}])
        path.write_text(json.dumps({"score": int(verdict)}))

    def new_instruction_with_feedback(self, answer: str) -> None:
        critique = ask([{"role": "user", "content": f"Evaluate this response: {answer}"}])
        self.messages.append({"role": "user", "content": f"Please revise the text with this advice in mind: {critique}"})

    def tool_that_verifies(self, call: dict, result: str) -> None:
        self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    def plain_turn(self, text: str) -> str:
        self.messages.append({"role": "user", "content": text})
        reply = ask(self.messages)
        self.messages.append({"role": "assistant", "content": reply})
        return reply


class Judge:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def rate(self, answer: str) -> str:
        self.messages.append({"role": "user", "content": f"Rate the answer from 1 to 5: {answer}"})
        return ask(self.messages)


def verify(messages: list[dict], facts: str) -> str:
    messages.append({"role": "user", "content": f"Say PASS when all of this holds, else FAIL: {facts}"})  # expect: RL501
    return ask(messages)


def verify_aside(messages: list[dict], facts: str) -> str:
    return ask([*messages, {"role": "user", "content": f"Say PASS when all of this holds, else FAIL: {facts}"}])
