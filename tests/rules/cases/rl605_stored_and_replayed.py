# A selected context carries the version of the policy that made it, and a replay asks for that version.
import json
from dataclasses import dataclass
from pathlib import Path

POLICY = "phase_selection_v1"


# reduction-lint: selector(phase=interpretation)
def select_for_interpretation(context, audit_out):
    audit_out.append("catalog")
    return {key: value for key, value in context.items() if key != "catalog"}


# reduction-lint: selector(phase=interpretation)
def select_with_its_version(context, audit_out):
    audit_out.append("catalog")
    view = {key: value for key, value in context.items() if key != "catalog"}
    view["context_selection"] = POLICY
    return view


@dataclass
class Request:
    context: dict
    context_selection: str = ""


def stores_without_version(path: Path, context: dict) -> None:
    view = select_for_interpretation(context, [])
    path.write_text(json.dumps({"context": view}))  # expect: RL605


def write(path: Path, value: dict) -> None:
    with open(path, "w") as stream:
        json.dump(value, stream)  # expect: RL605


def stores_through_a_helper(path: Path, context: dict) -> None:
    write(path, {"request": select_for_interpretation(context, [])})


def stores_without_version_in_a_table(connection, context: dict) -> None:
    view = select_for_interpretation(context, [])
    connection.execute("INSERT INTO requests(body) VALUES (?)", (json.dumps(view),))  # expect: RL605


def stores_with_version(path: Path, context: dict) -> None:
    view = select_for_interpretation(context, [])
    path.write_text(json.dumps({"context": view, "context_selection": POLICY}))


def stores_what_carries_it(path: Path, context: dict) -> None:
    path.write_text(json.dumps(select_with_its_version(context, [])))


def stores_an_object(path: Path, context: dict) -> None:
    request = Request(context=select_for_interpretation(context, []), context_selection=POLICY)
    path.write_text(json.dumps(request))


def stores_the_whole_context(path: Path, context: dict) -> None:
    path.write_text(json.dumps(context))
    select_for_interpretation(context, [])


def replay_with_todays_policy(path: Path) -> dict:
    saved = json.loads(path.read_text())
    return select_for_interpretation(saved["context"], [])  # expect: RL605


def recover_after_a_crash(record: dict) -> dict:
    if record["context_selection"] != POLICY:
        return select_for_interpretation(record["context"], [])  # expect: RL605
    return record["context"]


def replay_by_the_marker(path: Path) -> dict:
    saved = json.loads(path.read_text())
    if saved.get("context_selection") == POLICY:
        return select_for_interpretation(saved["context"], [])
    return saved["context"]


SELECTORS = {POLICY: select_for_interpretation}


def retry_through_a_table(record: dict) -> dict:
    selector = SELECTORS[record["context_selection"]]
    return selector(record["context"], [])
