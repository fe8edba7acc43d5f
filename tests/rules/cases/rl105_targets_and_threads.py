# A capture that some object of the same role does not make, and captures handed to threads and executors.
import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class FileSink:
    def __init__(self, path: Path) -> None:
        self.path = path

    def save(self, turns: list[dict]) -> None:
        self.path.write_text(json.dumps(turns))


class LineSink:
    def __init__(self, path: Path) -> None:
        self.path = path

    def save(self, turns: list[dict]) -> None:
        with self.path.open("a") as fh:
            fh.writelines(json.dumps(turn) + "\n" for turn in turns)


class NullSink:
    def save(self, turns: list[dict]) -> None:
        pass


class AnySink:
    def __init__(self, sink: FileSink | NullSink) -> None:
        self.sink = sink
        self.turns: list[dict] = []

    def rotate(self) -> None:
        self.sink.save(self.turns)
        self.turns = self.turns[-10:]  # expect: RL105


class RealSink:
    def __init__(self, sink: FileSink | LineSink) -> None:
        self.sink = sink
        self.turns: list[dict] = []

    def rotate(self) -> None:
        self.sink.save(self.turns)
        self.turns = self.turns[-10:]


class Hooked:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def on_drop(self) -> None:
        """Subclasses may keep what is dropped."""

    def rotate(self) -> None:
        self.on_drop()
        self.messages = self.messages[-10:]  # expect: RL101|RL105


class Threaded:
    def __init__(self, sink: FileSink) -> None:
        self.sink = sink
        self.pool = ThreadPoolExecutor(1)
        self.messages: list[dict] = []

    def started(self) -> None:
        threading.Thread(target=self.sink.save, args=(list(self.messages),)).start()
        self.messages = self.messages[-10:]  # expect: RL105

    def joined(self) -> None:
        thread = threading.Thread(target=self.sink.save, args=(list(self.messages),))
        thread.start()
        thread.join()
        self.messages = self.messages[-10:]

    def submitted(self) -> None:
        self.pool.submit(self.sink.save, list(self.messages))
        self.messages = self.messages[-10:]  # expect: RL105

    def submitted_and_waited_for(self) -> None:
        future = self.pool.submit(self.sink.save, list(self.messages))
        future.result()
        self.messages = self.messages[-10:]

    async def in_a_thread(self) -> None:
        await asyncio.to_thread(self.sink.save, self.messages)
        self.messages = self.messages[-10:]


class Gathered:
    def __init__(self, sidecar: "AsyncSidecar") -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []

    async def errors_returned(self) -> None:
        await asyncio.gather(self.sidecar.capture(self.messages), asyncio.sleep(0), return_exceptions=True)
        self.messages = self.messages[-10:]  # expect: RL105

    async def errors_raised(self) -> None:
        await asyncio.gather(self.sidecar.capture(self.messages), asyncio.sleep(0))
        self.messages = self.messages[-10:]


class AsyncSidecar:
    def __init__(self, path: Path) -> None:
        self.path = path

    async def capture(self, value: object) -> None:
        await asyncio.to_thread(self.path.write_text, json.dumps(value))
