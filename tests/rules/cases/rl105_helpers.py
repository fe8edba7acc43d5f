# The capture sits in a helper of the same file: a function, a method, a decorator, a context manager, a base class.
import contextlib
import functools
import json
from collections.abc import Iterator
from pathlib import Path

from myapp.recording import Sidecar

ENABLED = True


def write_down(path: Path, messages: list[dict]) -> None:
    path.write_text(json.dumps(messages))


def write_down_if_enabled(path: Path, messages: list[dict]) -> None:
    if not ENABLED:
        return
    path.write_text(json.dumps(messages))


def try_to_write_down(path: Path, messages: list[dict]) -> bool:
    try:
        path.write_text(json.dumps(messages))
    except OSError:
        return False
    return True


def print_only(messages: list[dict]) -> None:
    print(json.dumps(messages))


def captured_first(method):
    @functools.wraps(method)
    def wrapper(self, *args):
        self.sidecar.capture(self.messages)
        return method(self, *args)

    return wrapper


def captured_if_debugging(method):
    @functools.wraps(method)
    def wrapper(self, *args):
        if self.debug:
            self.sidecar.capture(self.messages)
        return method(self, *args)

    return wrapper


class Helped:
    def __init__(self, path: Path, sidecar: Sidecar, debug: bool) -> None:
        self.path = path
        self.sidecar = sidecar
        self.debug = debug
        self.messages: list[dict] = []

    def by_function(self) -> None:
        write_down(self.path, self.messages)
        self.messages = self.messages[-10:]

    def by_function_with_names(self) -> None:
        write_down(messages=self.messages, path=self.path)
        self.messages = self.messages[-10:]

    def by_half_function(self) -> None:
        write_down_if_enabled(self.path, self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def by_trying_function(self) -> None:
        try_to_write_down(self.path, self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def by_printing(self) -> None:
        print_only(self.messages)
        self.messages = self.messages[-10:]  # expect: RL101

    def by_partial(self) -> None:
        save = functools.partial(write_down, self.path)
        save(self.messages)
        self.messages = self.messages[-10:]

    def _save(self) -> None:
        self.sidecar.capture(self.messages)

    def _save_when_debugging(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)

    def by_method(self) -> None:
        self._save()
        self.messages = self.messages[-10:]

    def by_half_method(self) -> None:
        self._save_when_debugging()
        self.messages = self.messages[-10:]  # expect: RL105

    def _before(self) -> None:
        self._save()

    def by_two_steps(self) -> None:
        self._before()
        self.messages = self.messages[-10:]

    @captured_first
    def decorated(self) -> None:
        self.messages = self.messages[-10:]

    @captured_if_debugging
    def half_decorated(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL105

    @contextlib.contextmanager
    def archived(self) -> Iterator[None]:
        self.sidecar.capture(self.messages)
        yield

    @contextlib.contextmanager
    def archived_when_debugging(self) -> Iterator[None]:
        if self.debug:
            self.sidecar.capture(self.messages)
        yield

    def in_context(self) -> None:
        with self.archived():
            self.messages = self.messages[-10:]

    def in_half_context(self) -> None:
        with self.archived_when_debugging():
            self.messages = self.messages[-10:]  # expect: RL105

    def by_nested_function(self) -> None:
        def save() -> None:
            self.sidecar.capture(self.messages)

        save()
        self.messages = self.messages[-10:]

    def nested_function_not_called(self) -> None:
        def save() -> None:
            self.sidecar.capture(self.messages)

        print(save)
        self.messages = self.messages[-10:]  # expect: RL101|RL105

    def by_lambda(self) -> None:
        save = lambda messages: self.sidecar.capture(messages)  # noqa: E731
        save(self.messages)
        self.messages = self.messages[-10:]


class Base:
    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []
        self.debug = False

    def before_cut(self) -> None:
        self.sidecar.capture(self.messages)

    def before_reset(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)

    def compact(self) -> None:
        self.sidecar.capture(self.messages)


class Derived(Base):
    def inherited(self) -> None:
        self.before_cut()
        self.messages = self.messages[-10:]

    def inherited_half(self) -> None:
        self.before_reset()
        self.messages = self.messages[-10:]  # expect: RL105

    def compact(self) -> None:
        super().compact()
        self.messages = self.messages[-10:]


class Callers:
    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.history: list[dict] = []
        self.turns: list[dict] = []

    def _drop(self) -> None:
        self.history = self.history[-10:]

    def rotate(self) -> None:
        self.sidecar.capture(self.history)
        self._drop()

    def _drop_turns(self) -> None:
        self.turns = self.turns[-10:]  # expect: RL105

    def rotate_turns(self) -> None:
        self.sidecar.capture(self.turns)
        self._drop_turns()

    def forget_turns(self) -> None:
        self._drop_turns()
