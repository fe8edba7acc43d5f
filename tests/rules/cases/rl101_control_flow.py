# The same loss inside the statements of the language.
import asyncio

from openai import AsyncOpenAI

client = AsyncOpenAI()


class Shapes:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.lock = asyncio.Lock()

    def walrus(self) -> None:
        if (surplus := len(self.messages) - 50) > 0:
            del self.messages[:surplus]  # expect: RL101

    def matched(self, event: str) -> None:
        match event:
            case "overflow":
                self.messages = self.messages[-10:]  # expect: RL101
            case "idle":
                pass
            case _:
                print(event)

    def conditional(self, short: bool) -> None:
        self.messages = self.messages[-10:] if short else self.messages  # expect: RL101

    def cleanup(self, run) -> None:
        try:
            run(self.messages)
        finally:
            del self.messages[:-10]  # expect: RL101

    async def locked(self) -> None:
        async with self.lock:
            self.messages = self.messages[-10:]  # expect: RL101

    async def streamed(self, stream) -> None:
        async for event in stream:
            self.messages.append({"role": "assistant", "content": event})
        else:
            self.messages = self.messages[-10:]  # expect: RL101

    def nested(self) -> None:
        def drop() -> None:
            self.messages.pop(0)  # expect: RL101

        if len(self.messages) > 100:
            drop()

    async def request_window(self) -> str:
        window = self.messages[-10:]
        reply = await client.chat.completions.create(model="gpt-4o", messages=window)
        return reply.choices[0].message.content or ""

    async def request_window_inline(self) -> str:
        reply = await client.chat.completions.create(model="gpt-4o", messages=[self.messages[0], *self.messages[-10:]])
        return reply.choices[0].message.content or ""

    def generated(self):
        yield from self.messages[-10:]

    def never_stored(self) -> int:
        short = self.messages[-10:]
        return sum(len(m["content"]) for m in short)
