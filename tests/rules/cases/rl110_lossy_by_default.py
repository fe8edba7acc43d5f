# Automatic compaction in code that knows an optional sidecar or a switch for lossy operation.
from dataclasses import dataclass, field

from myapp.models import summarise
from myapp.recording import Sidecar


class NoSwitch:
    def __init__(self, sidecar: Sidecar | None = None, compact_after_messages: int = 40) -> None:
        self.sidecar = sidecar
        self.compact_after_messages = compact_after_messages
        self.messages: list[dict] = []

    def maybe_compact(self) -> bool:
        if len(self.messages) < self.compact_after_messages:
            return False
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]  # expect: RL110
        return True

    def maybe_trim(self) -> None:
        if self.sidecar:
            self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL105|RL110


class OnUnlessToldOtherwise:
    def __init__(self, sidecar: Sidecar | None = None, allow_lossy: bool = True) -> None:
        self.sidecar = sidecar
        self.allow_lossy = allow_lossy
        self.messages: list[dict] = []

    def maybe_compact(self) -> None:
        if self.sidecar is None and not self.allow_lossy:
            return
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]  # expect: RL110


class TestedTheWrongWay:
    def __init__(self, sidecar: Sidecar | None = None, allow_lossy: bool = False) -> None:
        self.sidecar = sidecar
        self.allow_lossy = allow_lossy
        self.messages: list[dict] = []

    def maybe_compact(self) -> None:
        if self.sidecar is None and self.allow_lossy:
            return
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]  # expect: RL110


@dataclass
class SwitchWithoutSidecar:
    compact_allow_discard: bool = True
    messages: list[dict] = field(default_factory=list)

    def maybe_compact(self) -> None:
        if self.compact_allow_discard:
            self.messages = [{"role": "system", "content": summarise(self.messages)}]  # expect: RL110


@dataclass
class FieldSidecar:
    sidecar: Sidecar | None = None
    messages: list[dict] = field(default_factory=list)

    def maybe_compact(self) -> None:
        if self.sidecar:
            self.sidecar.capture(self.messages)
        summary = summarise(self.messages)  # or: RL110
        self.messages = [{"role": "system", "content": summary}]  # expect: RL110


def compact_parameter(messages: list[dict], sidecar: Sidecar | None = None) -> None:
    if sidecar is not None:
        sidecar.capture(messages)
    messages[:] = [{"role": "system", "content": summarise(messages)}]  # expect: RL110


class OffUnlessAskedFor:
    def __init__(self, sidecar: Sidecar | None = None, allow_lossy: bool = False) -> None:
        self.sidecar = sidecar
        self.allow_lossy = allow_lossy
        self.messages: list[dict] = []

    def maybe_compact(self) -> None:
        if self.sidecar is None and not self.allow_lossy:
            return
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]

    def in_two_branches(self) -> None:
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        elif not self.allow_lossy:
            return
        self.messages = self.messages[-10:]

    def by_one_name(self) -> None:
        may_compact = self.sidecar is not None or self.allow_lossy
        if not may_compact:
            return
        if self.sidecar is not None:
            self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]


@dataclass
class OffInDataclass:
    lossy: bool = False
    messages: list[dict] = field(default_factory=list)

    def maybe_trim(self) -> None:
        if self.lossy:
            self.messages = self.messages[-10:]


class InertWithoutSidecar:
    def __init__(self, sidecar: Sidecar | None = None) -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []

    def maybe_compact(self) -> bool:
        if self.sidecar is None:
            return False
        self.sidecar.capture(self.messages)
        self.messages = [{"role": "system", "content": summarise(self.messages)}]
        return True

    def inside_the_test(self) -> None:
        if self.sidecar is not None and len(self.messages) > 40:
            self.sidecar.capture(self.messages)
            self.messages = [{"role": "system", "content": summarise(self.messages)}]

    def required(self) -> None:
        if self.sidecar is None:
            raise RuntimeError("attach a sidecar first")
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]
