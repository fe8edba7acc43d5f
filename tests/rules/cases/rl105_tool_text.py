# Tool output that is cut with a sidecar at hand: on every path, on some, or with the truth told where there is none.
import subprocess

from myapp.recording import Sidecar

LIMIT = 10_000


def captured(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        record = sidecar.capture(output)
        output = output[:LIMIT] + f"\n[truncated: full output in session sidecar, record {record}]"
    return {"role": "tool", "content": output}


def captured_at_once(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture({"command": command, "output": output})
    if len(output) > LIMIT:
        output = output[:LIMIT] + "\n[truncated: full output in session sidecar]"
    return {"role": "tool", "content": output}


def captured_sometimes(command: list[str], sidecar: Sidecar, verbose: bool) -> dict:
    output = subprocess.check_output(command, text=True)
    if verbose:
        sidecar.capture(output)
    if len(output) > LIMIT:
        output = output[:LIMIT] + "\n[truncated]"  # expect: RL105
    return {"role": "tool", "content": output}


def captured_when_it_works(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        try:
            sidecar.capture(output)
        except OSError:
            pass
        output = output[:LIMIT] + "\n[truncated]"  # expect: RL105
    return {"role": "tool", "content": output}


def honest_on_both_branches(command: list[str], sidecar: Sidecar | None = None) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        if sidecar is not None:
            record = sidecar.capture(output)
            output = output[:LIMIT] + f"\n[truncated: full output in session sidecar, record {record}]"
        else:
            output = output[:LIMIT] + "\n[truncated: full output not retained]"
    return {"role": "tool", "content": output}


def honest_in_one_expression(command: list[str], sidecar: Sidecar | None = None) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        if sidecar is not None:
            sidecar.capture(output)
        where = "full output in session sidecar" if sidecar is not None else "full output not retained"
        output = output[:LIMIT] + f"\n[truncated: {where}]"
    return {"role": "tool", "content": output}


def silent_without_sidecar(command: list[str], sidecar: Sidecar | None = None) -> dict:
    output = subprocess.check_output(command, text=True)
    if len(output) > LIMIT:
        if sidecar is not None:
            record = sidecar.capture(output)
            output = output[:LIMIT] + f"\n[truncated: full output in session sidecar, record {record}]"
        else:
            output = output[:LIMIT]  # expect: RL101|RL105, RL201
    return {"role": "tool", "content": output}
