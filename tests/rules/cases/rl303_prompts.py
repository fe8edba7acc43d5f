"""Orders to hold back on content that matters, wherever the prompt is written; and answers that may be short."""

import textwrap

import anthropic
import dspy
from langchain_core.messages import SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from openai import OpenAI

client = OpenAI()
claude = anthropic.Anthropic()
REVIEWER_PROMPT = "You review patches. Keep your answers short and do not explain what is obvious."  # expect: RL303
REVIEWER_PROMPT_IN_FULL = "You review patches. Say for each remark why it matters and what could go wrong."
COMMIT_PROMPT = "Describe the change. Be concise, 72 characters at most."
GERMAN_PROMPT = "Du bist ein Analyst. Fasse dich kurz."  # expect: RL303
CHINESE_PROMPT = "你是一名分析师。请保持简洁。"  # expect: RL303


def ask(messages):
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)
    return reply.choices[0].message.content


def inline(incident: str) -> str:
    return ask(
        [
            {"role": "system", "content": "Find the root cause. Answer in at most 30 words."},  # expect: RL303
            {"role": "user", "content": incident},
        ]
    )


def by_constant(patch: str):
    reply = client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": REVIEWER_PROMPT}, {"role": "user", "content": patch}]
    )
    return reply.choices[0].message.content


def by_local_name(question: str):
    asked = f"Explain to a new colleague, as briefly as possible: {question}"  # expect: RL303
    return claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=[{"role": "user", "content": asked}])


def by_builder(topic: str):
    return client.responses.create(model="gpt-5", input=research_task(topic))


def research_task(topic: str) -> str:
    wish = "Research this topic and report what you found. Responses must be concise. "  # expect: RL303
    return textwrap.dedent(wish) + topic


def by_template(question: str):
    prompt = ChatPromptTemplate.from_messages([
        ("system", "You answer questions on contracts. No preamble, no explanations."),  # expect: RL303
        ("human", "{question}"),
    ])
    return prompt.invoke({"question": question})


def by_message_class():
    return SystemMessage(content="You are a physician's assistant. Always be terse.")  # expect: RL303


class Diagnosis(dspy.Signature):
    """Diagnose the outage from its log. Answer briefly."""  # expect: RL303

    log: str = dspy.InputField()
    cause: str = dspy.OutputField()


def bad_title_or_not(chat: str) -> str:
    title = ask([{"role": "user", "content": f"A title for this chat, be concise, five words at most: {chat}"}])
    return title


def is_refund(mail: str) -> bool:
    verdict = ask([{"role": "user", "content": f"Does this mail ask for a refund? Be brief. {mail}"}])
    return "yes" in verdict.lower()


def as_json(text: str):
    return ask([{"role": "user", "content": f"Extract all names as JSON. No explanations, only the JSON. {text}"}])


def long_answer(text: str):
    return ask([{"role": "user", "content": f"Write a report within 3000 words on: {text}"}])


def notes_between(task: str):
    system = "You are a coding agent. Keep progress updates short. Explain every change in full at the end."
    return ask([{"role": "system", "content": system}, {"role": "user", "content": task}])


def declared_here(task: str):
    hint = "Be concise. A hint for the loading screen."  # reduction-lint: disposable
    return ask([{"role": "user", "content": hint + task}])


def declared_at_the_call(task: str):
    filler = "Tell the user to be patient. Be brief."
    # reduction-lint: disposable
    reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": filler}])
    return reply.choices[0].message.content


def help_text(parser):
    """Be brief: this docstring is for people."""
    parser.add_argument("--style", help="Be concise. One line at most.")
    print("Keep your answers short, please.")
