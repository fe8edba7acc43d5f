# Cut text that has been captured: does it say that it was cut?
import subprocess
import textwrap

from myapp.recording import Sidecar

LIMIT = 8000
NOTICE = "\n[truncated; the full output is in the session sidecar]"


def silent(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT]}  # expect: RL201


def silent_lines(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    lines = output.splitlines()
    return {"role": "tool", "content": "\n".join(lines[:200])}  # expect: RL201


def silent_tail(command: list[str], sidecar: Sidecar, messages: list[dict]) -> None:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    messages.append({"role": "tool", "content": output[-LIMIT:]})  # expect: RL201


def ellipsis(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT] + "..."}  # expect: RL201


def said_on_one_path(command: list[str], sidecar: Sidecar, verbose: bool) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    content = output[:LIMIT]  # expect: RL201
    if verbose:
        content += NOTICE
    return {"role": "tool", "content": content}


def by_default_placeholder(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": textwrap.shorten(output, LIMIT)}  # expect: RL201


def by_own_placeholder(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": textwrap.shorten(output, LIMIT, placeholder=" [truncated]")}


def added(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT] + NOTICE}


def in_f_string(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": f"{output[:LIMIT]}\n(cut after {LIMIT} of {len(output)} characters)"}


def formatted(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": "{}\n[output truncated to {} characters]".format(output[:LIMIT], LIMIT)}


def added_later(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    content = output
    if len(output) > LIMIT:
        content = output[:LIMIT]
        content += NOTICE
    return {"role": "tool", "content": content}


def in_front(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    parts = [f"Output was truncated, {len(output) - LIMIT} characters omitted:", output[:LIMIT]]
    return {"role": "tool", "content": "\n".join(parts)}


def beside(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT], "truncated": len(output) > LIMIT}


def by_helper(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": labelled(output)}


def labelled(text: str) -> str:
    return text if len(text) <= LIMIT else text[:LIMIT] + NOTICE


def messages_need_none(sidecar: Sidecar, history: list[dict]) -> None:
    sidecar.capture(history)
    del history[:-10]
