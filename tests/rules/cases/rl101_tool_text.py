# Text that a tool produced is cut on its way to the model and the rest is kept nowhere.
import subprocess

import httpx

LIMIT = 8000


def cut_in_message(command: list[str]) -> dict:
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return {"role": "tool", "content": output[:LIMIT]}  # expect: RL101, RL201


def cut_when_long(url: str, messages: list[dict]) -> None:
    page = httpx.get(url).text
    if len(page) > LIMIT:
        page = page[:LIMIT]  # expect: RL101, RL201
    messages.append({"role": "tool", "content": page})


def cut_by_expression(url: str) -> dict:
    page = httpx.get(url).text
    content = page if len(page) <= LIMIT else page[:LIMIT]  # expect: RL101, RL201
    return {"role": "tool", "content": content}


def cut_in_f_string(url: str, messages: list[dict]) -> None:
    page = httpx.get(url).text
    messages.append({"role": "tool", "content": f"Content of {url}:\n{page[:LIMIT]}"})  # expect: RL101, RL201


def cut_by_lines(command: list[str]) -> dict:
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return {"role": "tool", "content": "\n".join(output.splitlines()[:100])}  # expect: RL101, RL201


def cut_in_the_middle(command: list[str]) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        output = output[: LIMIT // 2] + "\n[... middle removed, not retained ...]\n" + output[-LIMIT // 2 :]  # expect: RL101
    return {"role": "tool", "content": output}


def cut_with_true_notice(command: list[str]) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        output = output[:LIMIT] + "\n[truncated: full output not retained]"  # expect: RL101
    return {"role": "tool", "content": output}


def cut_by_helper(command: list[str]) -> dict:
    output = subprocess.check_output(command, text=True)
    return {"role": "tool", "content": shorten(output)}


def shorten(output: str) -> str:
    if len(output) <= LIMIT:
        return output
    return output[:LIMIT] + "\n[truncated: full output not retained]"  # expect: RL101


def whole(command: list[str]) -> dict:
    output = subprocess.check_output(command, text=True)
    return {"role": "tool", "content": output}


def preview_beside_whole(command: list[str]) -> dict:
    output = subprocess.check_output(command, text=True)
    return {"role": "tool", "content": output, "preview": output[:80]}
