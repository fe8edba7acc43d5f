# A key that is scaffolding at the top is a value in a row: it is stripped at known places, not wherever its name occurs.
NOISE = ("path", "sha256")


def strips_everywhere(node):
    if isinstance(node, dict):
        return {key: strips_everywhere(value) for key, value in node.items() if key not in ("path", "sha256")}  # expect: RL607
    if isinstance(node, list):
        return [strips_everywhere(item) for item in node]
    return node


def strips_in_a_loop(node):
    if isinstance(node, list):
        return [strips_in_a_loop(item) for item in node]
    if not isinstance(node, dict):
        return node
    cleaned = {}
    for key, value in node.items():
        if key == "sha256":  # expect: RL607
            continue
        cleaned[key] = strips_in_a_loop(value)
    return cleaned


def deletes_in_place(node):
    if isinstance(node, dict):
        node.pop("path", None)  # expect: RL607
        for value in node.values():
            deletes_in_place(value)
    elif isinstance(node, list):
        for item in node:
            deletes_in_place(item)


def strips_what_it_is_told(node, names):
    if isinstance(node, dict):
        return {key: strips_what_it_is_told(value, names) for key, value in node.items() if key not in names}  # expect: RL607
    return node


def clean_context(context):
    return strips_what_it_is_told(context, NOISE)


def one_of_two(node):
    if isinstance(node, dict):
        return {key: other_of_two(value) for key, value in node.items() if key != "path"}  # expect: RL607
    return other_of_two(node)


def other_of_two(node):
    return [one_of_two(item) for item in node] if isinstance(node, list) else node


def leaves_rows_alone(node):
    if isinstance(node, dict):
        return {
            key: value if key in ("rows", "value") else leaves_rows_alone(value)
            for key, value in node.items()
            if key not in NOISE
        }
    if isinstance(node, list):
        return [leaves_rows_alone(item) for item in node]
    return node


def strips_at_known_places(context):
    sources = [{key: value for key, value in source.items() if key != "sha256"} for source in context["sources"]]
    return {**context, "sources": sources}


def strips_titles_of_a_schema(schema):
    if isinstance(schema, dict):
        return {key: strips_titles_of_a_schema(value) for key, value in schema.items() if key not in ("title", "default")}
    return schema
