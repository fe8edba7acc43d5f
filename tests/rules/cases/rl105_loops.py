# The capture sits in a loop, a comprehension or a generator.
from collections.abc import Iterable

from myapp.recording import Recorder


class Loops:
    def __init__(self, recorders: list[Recorder], recorder: Recorder) -> None:
        self.recorders = recorders
        self.recorder = recorder
        self.transcript: list[dict] = []

    def over_recorders(self) -> None:
        for recorder in self.recorders:
            recorder.record(self.transcript)
        self.transcript = self.transcript[-10:]  # expect: RL105

    def over_recorders_in_comprehension(self) -> None:
        _ = [recorder.record(self.transcript) for recorder in self.recorders]
        self.transcript = self.transcript[-10:]  # expect: RL105

    def while_connected(self, connected) -> None:
        while connected():
            self.recorder.record(self.transcript)
        self.transcript = self.transcript[-10:]  # expect: RL105

    def cut_in_else(self) -> None:
        for recorder in self.recorders:
            if recorder.ready:
                recorder.record(self.transcript)
                break
        else:
            self.transcript = self.transcript[-10:]  # expect: RL101|RL105

    def skipped_elements(self) -> None:
        for message in self.transcript:
            if message["role"] == "user":
                self.recorder.record(message)
        self.transcript = self.transcript[-10:]  # expect: RL105|RL106

    def skipped_by_continue(self) -> None:
        for message in self.transcript:
            if not message["content"]:
                continue
            self.recorder.record(message)
        self.transcript.clear()  # expect: RL105|RL106

    def stopped_early(self) -> None:
        for number, message in enumerate(self.transcript):
            if number > 5:
                break
            self.recorder.record(message)
        self.transcript.clear()  # expect: RL105|RL106

    def generator_nobody_runs(self) -> None:
        _ = (self.recorder.record(message) for message in self.transcript)
        self.transcript.clear()  # expect: RL101|RL105

    def every_element(self) -> None:
        for message in self.transcript:
            self.recorder.record(message)
        self.transcript = self.transcript[-10:]

    def every_dropped_element(self) -> None:
        for message in self.transcript[:-10]:
            self.recorder.record(message)
        self.transcript = self.transcript[-10:]

    def every_element_numbered(self) -> None:
        for number, message in enumerate(self.transcript):
            self.recorder.record({"number": number, **message})
        self.transcript.clear()

    def every_element_in_comprehension(self) -> None:
        [self.recorder.record(message) for message in self.transcript]
        self.transcript.clear()

    def generator_run(self) -> None:
        list(self.recorder.record(message) for message in self.transcript)
        self.transcript.clear()

    def one_and_all(self) -> None:
        while True:
            self.recorder.record(self.transcript)
            break
        self.transcript.clear()

    def cut_inside_loop(self, events: Iterable[str]) -> None:
        for event in events:
            if event == "rotate":
                self.recorder.record(self.transcript)
                self.transcript = self.transcript[-10:]

    def captured_once_cut_often(self, events: Iterable[str]) -> None:
        self.recorder.record(self.transcript)
        for event in events:
            self.transcript.append({"role": "user", "content": event})
            self.transcript = self.transcript[-10:]  # MISSING: RL101|RL105

    def oldest_until_it_fits(self, limit: int) -> None:
        while len(self.transcript) > limit:
            self.recorder.record(self.transcript[0])
            del self.transcript[0]
