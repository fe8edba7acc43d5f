# A request builder that copies the list and then writes into its messages changes the caller's messages.
import copy


def shortens_the_last(messages):
    outgoing = list(messages)
    outgoing[-1]["content"] = outgoing[-1]["content"].strip()  # expect: RL601
    return outgoing


def renames_roles(messages):
    prepared = messages[:]
    for message in prepared:
        if message["role"] == "developer":
            message["role"] = "system"  # expect: RL601
    return prepared


def drops_a_key(messages):
    prepared = messages.copy()
    for message in prepared:
        message.pop("name", None)  # expect: RL601
    return prepared


def writes_into_nested_parts(messages):
    prepared = [dict(message) for message in messages]
    for message in prepared:
        message["content"][0]["text"] = message["content"][0]["text"].strip()  # expect: RL601
    return prepared


class Client:
    def __init__(self):
        self.messages = []

    def request(self, system):
        messages = [*self.messages]
        messages[0]["content"] = system  # expect: RL601
        return {"messages": messages}


def copies_the_message_it_changes(messages):
    outgoing = list(messages)
    outgoing[-1] = {**outgoing[-1], "content": outgoing[-1]["content"].strip()}
    return outgoing


def copies_every_message(messages):
    prepared = [dict(message) for message in messages]
    for message in prepared:
        message["role"] = "user"
    return prepared


def copies_deeply(messages):
    prepared = copy.deepcopy(messages)
    prepared[-1]["content"] = "…"
    return prepared


def changes_only_the_list(messages, reminder):
    outgoing = list(messages)
    outgoing.append({"role": "user", "content": reminder})
    outgoing[0] = {"role": "system", "content": "…"}
    return outgoing


def edits_what_it_owns(messages):
    for message in messages:
        message["content"] = message["content"].strip()
    return messages
