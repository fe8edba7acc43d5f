# A selector builds a view; it leaves the context it was given as it is.
import copy
import json


# reduction-lint: selector(phase=interpretation)
def deletes_from_its_input(context, audit_out):
    audit_out.append("catalog")
    del context["catalog"]  # expect: RL601
    return context


# reduction-lint: selector(phase=interpretation)
def works_on_an_alias(context, audit_out):
    first = context["sources"][0]
    first["title"] = "shortened"  # expect: RL601
    context["sources"].append({})  # expect: RL601
    context.update(done=True)  # expect: RL601
    return context


# reduction-lint: selector(phase=interpretation)
def works_through_a_shallow_copy(context, audit_out):
    view = dict(context)
    view.pop("catalog", None)
    audit_out.append("catalog")
    for source in view["sources"]:
        source.pop("navigation", None)  # expect: RL601
        audit_out.append("sources/navigation")
    return view


def drop(view, key):
    del view[key]  # expect: RL601


# reduction-lint: selector(phase=interpretation)
def lets_a_helper_do_it(context, audit_out):
    audit_out.append("catalog")
    drop(context, "catalog")
    return context


class Selecting:
    # reduction-lint: selector(phase=interpretation)
    def select(self, case, audit_out):
        audit_out.append("catalog")
        self._clean(case)
        return case

    def _clean(self, case):
        case["catalog"] = []  # expect: RL601


# reduction-lint: selector(phase=interpretation)
def sets_an_attribute(context, audit_out):
    audit_out.append("catalog")
    context.catalog = None  # expect: RL601
    return context


# reduction-lint: selector(phase=interpretation)
def copies_each_level(context, audit_out):
    view = context.copy()
    view.pop("catalog")
    audit_out += ["catalog"]
    view["sources"] = [dict(source) for source in view["sources"]]
    for source in view["sources"]:
        source.pop("navigation", None)
    audit_out.append("sources/*/navigation")
    return view


# reduction-lint: selector(phase=interpretation)
def copies_deeply(context, audit_out):
    view = copy.deepcopy(context)
    del view["sources"]["navigation"]
    audit_out.append("sources/navigation")
    return view


def remove_noted(view, key, audit):
    del view[key]
    audit.append(key)


# reduction-lint: selector(phase=interpretation)
def copies_by_a_round_trip(context, audit_out):
    view = json.loads(json.dumps(context))
    remove_noted(view, "catalog", audit_out)
    return view


# reduction-lint: selector(phase=interpretation)
def copies_a_model(context, audit_out):
    audit_out.append("catalog")
    return context.model_dump(exclude={"catalog"})
