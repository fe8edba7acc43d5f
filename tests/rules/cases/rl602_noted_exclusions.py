# What a view leaves out is noted by its path, on every path, and without its contents.
DROP = frozenset({"catalog"}) | {"navigation"}
KEEP = ("facts", "observations", "source_refs")


# reduction-lint: selector(phase=interpretation)
def notes_in_the_loop(context, audit_out):
    view = {}
    for key, value in context.items():
        if key in DROP:
            audit_out.append(key)
            continue
        view[key] = value
    return view


# reduction-lint: selector(phase=interpretation)
def forgets_in_the_loop(context, audit_out):
    view = {}
    for key, value in context.items():
        if key in DROP:  # expect: RL602
            continue
        view[key] = value
    return view


# reduction-lint: selector(phase=interpretation)
def notes_on_one_branch(context, audit_out, verbose):
    if verbose:
        audit_out.append("catalog")
    return {key: value for key, value in context.items() if key != "catalog"}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def goes_on_when_noting_failed(context, audit_out):
    try:
        audit_out.append("catalog")
    except OSError:
        pass
    return {key: value for key, value in context.items() if key != "catalog"}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def notes_something_else(context, audit_out):
    audit_out.append("navigation")
    return {key: value for key, value in context.items() if key != "catalog"}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def notes_one_of_two(context, audit_out):
    audit_out.append("catalog")
    return {key: value for key, value in context.items() if key not in ("catalog", "navigation")}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def allow_list_is_noted(context, audit_out):
    audit_out.extend(key for key in context if key not in KEEP)
    return {key: context[key] for key in KEEP}


# reduction-lint: selector(phase=interpretation)
def allow_list_is_not_noted(context, audit_out):
    return {key: context[key] for key in KEEP}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def display_is_not_noted(context, audit_out):
    return {"facts": context["facts"], "observations": context["observations"]}  # expect: RL602


def without_navigation(source):
    return {key: value for key, value in source.items() if key != "navigation"}


def without_identity(source):
    return {key: value for key, value in source.items() if key != "identity"}  # expect: RL602


# reduction-lint: selector(phase=interpretation)
def helper_leaves_out_and_it_is_noted(context, audit_out):
    audit_out.append("sources/*/navigation")
    return {**context, "sources": [without_navigation(source) for source in context["sources"]]}


# reduction-lint: selector(phase=interpretation)
def helper_leaves_out(context, audit_out):
    return {**context, "sources": [without_identity(source) for source in context["sources"]]}


# reduction-lint: selector(phase=interpretation)
def copies_contents(context, audit_out):
    audit_out.append(context["catalog"])  # expect: RL602
    return {key: value for key, value in context.items() if key != "catalog"}


# reduction-lint: selector(phase=interpretation)
def copies_contents_beside_the_path(context, audit_out):
    audit_out.append({"path": "catalog", "was": context["catalog"]})  # expect: RL602
    return {key: value for key, value in context.items() if key != "catalog"}


# reduction-lint: selector(phase=interpretation)
def notes_ids_and_counts(context, audit_out):
    audit_out.extend(f"catalog/{entry['id']}" for entry in context["catalog"])
    audit_out.append({"path": "catalog", "count": len(context["catalog"])})
    return {**context, "catalog": {"count": len(context["catalog"])}}


# By its shape alone: it takes a context and an audit, and its name says that it selects.
def select_small(context, excluded_paths):
    return {key: value for key, value in context.items() if key != "catalog"}  # expect: RL602


def select_columns(table, names):
    return {key: value for key, value in table.items() if key in names}
