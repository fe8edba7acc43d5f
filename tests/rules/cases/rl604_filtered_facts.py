# A phase that cannot ask again gets all facts; one with a recall protocol needs the ids of what it does not get.
import heapq
import re


# reduction-lint: selector(phase=interpretation)
def by_keyword(context, words, audit_out):
    audit_out.append("facts")
    facts = [fact for fact in context["facts"] if any(word in fact["text"] for word in words)]  # expect: RL604
    return {**context, "facts": facts}


# reduction-lint: selector(phase=interpretation)
def by_keyword_in_a_loop(context, audit_out):
    kept = []
    for fact in context["facts"]:
        if "disk" in fact["text"] or "cpu" in fact["text"]:  # expect: RL604
            kept.append(fact)
        else:
            audit_out.append(f"facts/{fact['id']}")
    return {**context, "facts": kept}


# reduction-lint: selector(phase=interpretation)
def by_pattern(context, audit_out):
    audit_out.append("facts")
    view = context.copy()
    view["facts"] = list(filter(lambda fact: re.search("disk", fact["text"]), context["facts"]))  # expect: RL604
    return view


# reduction-lint: selector(phase=interpretation)
def by_rank(context, audit_out):
    audit_out.append("facts")
    top = heapq.nlargest(5, context["facts"], key=lambda fact: fact["score"])  # expect: RL604
    return context | {"facts": top}


# reduction-lint: selector(phase=interpretation)
def by_age(context, audit_out):
    audit_out.append("facts")
    recent = sorted(context["facts"], key=lambda fact: fact["time"])[-5:]  # expect: RL604
    return {**context, "facts": recent}


# reduction-lint: selector(phase=interpretation)
def by_number(context, audit_out):
    audit_out.append("facts")
    kept = []
    for fact in context["facts"]:
        if len(kept) >= 10:  # expect: RL604
            break
        kept.append(fact)
    return {**context, "facts": kept}


# reduction-lint: selector(phase=interpretation)
def facts_that_no_policy_mentions(context, audit_out):
    audit_out.append("attachments")
    return {**context, "attachments": context["attachments"][:3]}  # expect: RL604


# reduction-lint: selector(phase=diagnosis)
def drops_negative_results(context, audit_out):
    audit_out.append("evidence")
    return {**context, "evidence": [item for item in context["evidence"] if item["rows"]]}  # expect: RL604


# reduction-lint: selector(phase=interpretation)
def entries_of_the_catalog(context, audit_out):
    audit_out.append("catalog")
    return {**context, "catalog": context["catalog"][:20]}


# reduction-lint: selector(phase=hypotheses)
def all_facts_in_another_form(context, audit_out):
    audit_out.append("navigation")
    return {"facts": [{"id": fact["id"], "text": fact["text"]} for fact in context["facts"]]}


# Today's investigation keeps everything; the older policy holds where the stored marker names it.
# reduction-lint: selector(phase=investigation)
def window_without_a_marker(context, audit_out):
    audit_out.append("notes")
    return {**context, "notes": context["notes"][-1:]}  # expect: RL604


# reduction-lint: selector(phase=investigation)
def window_under_the_stored_marker(context, audit_out):
    audit_out.append("notes")
    if context["context_selection"] == "investigation_project_v9":
        return {**context, "notes": context["notes"][-1:]}
    return context


# A phase with recall that no policy describes further.
# reduction-lint: selector(phase=investigation)
def window_and_index_cut_alike(context, audit_out):
    if context["context_selection"] == "investigation_project_v9":
        window = context["evidence"][-3:]  # expect: RL604
        audit_out.append("evidence")
        return {"evidence": window, "index": [item["id"] for item in window]}
    return context


# reduction-lint: selector(phase=investigation)
def window_with_a_full_index(context, audit_out):
    if context["context_selection"] == "investigation_project_v9":
        audit_out.append("evidence")
        return {"evidence": context["evidence"][-3:], "index": [item["id"] for item in context["evidence"]]}
    return context
