# The policy of a phase names what it cannot judge without.
import copy
from typing import TypedDict

FEW = {"facts", "entities"}


class Case(TypedDict):
    facts: list
    observations: list
    catalog: list


# reduction-lint: selector(phase=interpretation)
def by_deny_list(context, audit_out):
    audit_out.append("observations")
    return {key: value for key, value in context.items() if key != "observations"}  # expect: RL603


# reduction-lint: selector(phase=interpretation)
def by_allow_list(case: Case, audit_out):
    audit_out.extend(key for key in case if key not in FEW)
    return {key: case[key] for key in FEW}  # expect: RL603


# reduction-lint: selector(phase=interpretation)
def by_allow_list_that_keeps_all(case: Case, audit_out):
    audit_out.append("catalog")
    return {"facts": case["facts"], "observations": case["observations"]}


# reduction-lint: selector(phase=interpretation)
def by_delete(context, audit_out):
    view = copy.deepcopy(context)
    del view["observations"]  # expect: RL603
    audit_out.append("observations")
    return view


# reduction-lint: selector(phase=interpretation)
def by_pop_from_a_copy(context, audit_out):
    view = {**context}
    view.pop("quality_warnings", None)  # expect: RL603
    audit_out.append("quality_warnings")
    return view


# reduction-lint: selector(phase=interpretation)
def by_filtered_loop(context, audit_out):
    view = {}
    for key in context:
        if key == "entities":  # expect: RL603
            audit_out.append(key)
            continue
        view[key] = context[key]
    return view


# reduction-lint: selector(phase=interpretation)
def by_dict_union(context, audit_out):
    audit_out.append("facts")
    return context | {"facts": len(context["facts"])}  # expect: RL603


# reduction-lint: selector(phase=interpretation)
def by_model_dump(context, audit_out):
    audit_out.append("assumptions")
    return context.model_dump(exclude={"assumptions"})  # expect: RL603


# reduction-lint: selector(phase=diagnosis)
def deep_inside(context, audit_out):
    audit_out.append("cases/*/evidence")
    return {"cases": [{k: v for k, v in case.items() if k != "evidence"} for case in context["cases"]]}  # expect: RL603


# Other phases protect other things.
# reduction-lint: selector(phase=handoff)
def drops_what_handoff_may_drop(context, audit_out):
    audit_out.append("storage_hashes")
    return {key: value for key, value in context.items() if key != "storage_hashes"}


def select_for_handoff(context):
    return {key: value for key, value in context.items() if key != "diagnosis"}  # expect: RL603
