# Windows and trimming functions of libraries: stored, or a view of what stays whole.
from langchain_core.messages import BaseMessage, trim_messages
from langchain_openai import ChatOpenAI
from llama_index.core.memory import ChatMemoryBuffer

model = ChatOpenAI(model="gpt-4o")


class Stored:
    def __init__(self) -> None:
        self.messages: list[BaseMessage] = []

    def trim(self) -> None:
        self.messages = trim_messages(self.messages, max_tokens=4000, strategy="last", token_counter=model)  # expect: RL101


class Viewed:
    def __init__(self) -> None:
        self.messages: list[BaseMessage] = []

    def ask(self) -> str:
        window = trim_messages(self.messages, max_tokens=4000, strategy="last", token_counter=model)
        return str(model.invoke(window).content)


def buffered() -> ChatMemoryBuffer:
    return ChatMemoryBuffer.from_defaults(token_limit=3000)
