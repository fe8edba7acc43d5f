# An asynchronous capture that has not finished, or not even begun, when the cut is made.
import asyncio
import json

import aiofiles

from myapp.recording import AsyncSidecar


class Recording:
    def __init__(self, sidecar: AsyncSidecar, path: str) -> None:
        self.sidecar = sidecar
        self.path = path
        self.messages: list[dict] = []

    async def _save(self) -> None:
        async with aiofiles.open(self.path, "a") as fh:
            await fh.write(json.dumps(self.messages))

    async def bare_call(self) -> None:
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL108

    async def bare_call_of_method(self) -> None:
        self._save()
        self.messages = self.messages[-10:]  # expect: RL108

    async def task_not_joined(self) -> None:
        asyncio.create_task(self.sidecar.capture(self.messages))
        self.messages = self.messages[-10:]  # expect: RL108

    async def task_kept_not_joined(self) -> None:
        task = asyncio.create_task(self._save())
        self.messages.clear()  # expect: RL108
        print(task)

    async def future_not_joined(self) -> None:
        asyncio.ensure_future(self.sidecar.capture(self.messages))
        del self.messages[:-10]  # expect: RL108

    async def joined_too_late(self) -> None:
        task = asyncio.create_task(self.sidecar.capture(self.messages))
        self.messages.clear()  # expect: RL108
        await task

    async def coroutine_left_over(self) -> None:
        coroutine = self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL108
        print(coroutine)

    async def joined_on_one_branch(self, wait: bool) -> None:
        task = asyncio.create_task(self.sidecar.capture(self.messages))
        if wait:
            await task
        self.messages.clear()  # expect: RL105|RL108

    def from_synchronous_code(self) -> None:
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL108

    async def write_not_awaited(self) -> None:
        async with aiofiles.open(self.path, "a") as fh:
            fh.write(json.dumps(self.messages))
        self.messages = self.messages[-10:]  # expect: RL108

    async def awaited(self) -> None:
        await self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]

    async def method_awaited(self) -> None:
        await self._save()
        self.messages = self.messages[-10:]

    async def coroutine_awaited(self) -> None:
        coroutine = self.sidecar.capture(self.messages)
        await coroutine
        self.messages = self.messages[-10:]

    async def task_joined(self) -> None:
        task = asyncio.create_task(self.sidecar.capture(self.messages))
        await task
        self.messages.clear()

    async def task_gathered(self) -> None:
        tasks = [asyncio.create_task(self.sidecar.capture(self.messages))]
        await asyncio.gather(*tasks)
        self.messages.clear()

    async def in_task_group(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self.sidecar.capture(self.messages))
        self.messages.clear()

    async def with_timeout(self) -> None:
        await asyncio.wait_for(self.sidecar.capture(self.messages), 5)
        self.messages = self.messages[-10:]

    async def shielded(self) -> None:
        await asyncio.shield(self.sidecar.capture(self.messages))
        self.messages = self.messages[-10:]

    async def each_awaited(self) -> None:
        for message in self.messages:
            await self.sidecar.capture(message)
        self.messages.clear()

    def run(self) -> None:
        asyncio.run(self.sidecar.capture(self.messages))
        self.messages = self.messages[-10:]

    def run_on_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_until_complete(self._save())
        self.messages = self.messages[-10:]
