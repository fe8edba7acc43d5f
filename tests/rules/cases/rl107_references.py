# The capture keeps the very object that is changed afterwards.
import copy
import json
from pathlib import Path


class Recorder:
    """Keeps what it is given and writes it when it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[object] = []

    def record(self, value: object) -> None:
        self.records.append(value)

    def flush(self) -> None:
        self.path.write_text(json.dumps(self.records))


class SnapshotRecorder:
    """Keeps a copy of what it is given."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[object] = []

    def record(self, value: object) -> None:
        self.records.append(copy.deepcopy(value))
        self.path.write_text(json.dumps(self.records))


class Referring:
    def __init__(self, recorder: Recorder, snapshots: SnapshotRecorder) -> None:
        self.recorder = recorder
        self.snapshots = snapshots
        self.messages: list[dict] = []

    def cleared(self) -> None:
        self.recorder.record(self.messages)
        self.messages.clear()  # expect: RL107
        self.recorder.flush()

    def deleted(self) -> None:
        self.recorder.record(self.messages)
        del self.messages[:-10]  # expect: RL107
        self.recorder.flush()

    def slice_assigned(self) -> None:
        self.recorder.record(self.messages)
        self.messages[:] = self.messages[-10:]  # expect: RL107
        self.recorder.flush()

    def inside_a_dict(self) -> None:
        self.recorder.record({"messages": self.messages})
        self.messages.clear()  # expect: RL107
        self.recorder.flush()

    def by_alias(self) -> None:
        turns = self.messages
        self.recorder.record(turns)
        self.messages.clear()  # expect: RL107
        self.recorder.flush()

    def shallow_copy_of_changed_element(self) -> None:
        self.recorder.record(list(self.messages))
        self.messages[0]["content"] = self.messages[0]["content"][:500] + " [truncated]"  # expect: RL107
        self.recorder.flush()

    def copied(self) -> None:
        self.recorder.record(list(self.messages))
        self.recorder.flush()
        self.messages.clear()

    def deep_copied(self) -> None:
        self.recorder.record(copy.deepcopy(self.messages))
        self.recorder.flush()
        self.messages[0]["content"] = self.messages[0]["content"][:500] + " [truncated]"

    def rendered(self) -> None:
        self.recorder.record(json.dumps(self.messages))
        self.recorder.flush()
        self.messages.clear()

    def rebound(self) -> None:
        self.recorder.record(self.messages)
        self.recorder.flush()
        self.messages = self.messages[-10:]

    def copied_inside(self) -> None:
        self.snapshots.record(self.messages)
        self.messages.clear()


class Archive:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.episodes: list[list[dict]] = []

    def flush(self) -> None:
        self.path.write_text(json.dumps(self.episodes))


class Episodes:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.transcript: list[dict] = []

    def next_episode(self) -> None:
        self.archive.episodes.append(self.transcript)
        self.transcript.clear()  # expect: RL107
        self.archive.flush()

    def next_episode_popping(self) -> None:
        self.archive.episodes.append(self.transcript)
        while self.transcript:
            self.transcript.pop()  # MISSING: RL107
        self.archive.flush()

    def next_episode_copied(self) -> None:
        self.archive.episodes.append(self.transcript[:])
        self.archive.flush()
        self.transcript.clear()
