# What happens when the capture fails: the path goes on, or it does not.
import contextlib
import json
import logging
from pathlib import Path

log = logging.getLogger(__name__)


class Failing:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.history: list[dict] = []

    def swallowed(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError:
            pass
        self.history.clear()  # expect: RL105

    def logged(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except Exception:
            log.exception("not archived")
        self.history = self.history[-10:]  # expect: RL105

    def suppressed(self) -> None:
        with contextlib.suppress(OSError):
            self.path.write_text(json.dumps(self.history))
        self.history.clear()  # expect: RL105

    def in_finally(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        finally:
            self.history.clear()  # expect: RL105

    def something_else_first(self, check) -> None:
        try:
            check(self.history)
            self.path.write_text(json.dumps(self.history))
        except ValueError:
            log.warning("history looks odd")
        self.history.clear()  # expect: RL105

    def cut_in_handler(self, check) -> None:
        try:
            check(self.history)
            self.path.write_text(json.dumps(self.history))
        except ValueError:
            self.history.clear()  # expect: RL101|RL105

    def retried(self) -> None:
        attempts = 0
        while attempts < 3:
            try:
                self.path.write_text(json.dumps(self.history))
                break
            except OSError:
                attempts += 1
        self.history.clear()  # expect: RL105

    def raised_again(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError:
            log.error("not archived")
            raise
        self.history.clear()

    def raised_as_other(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError as error:
            raise RuntimeError("not archived") from error
        self.history.clear()

    def handler_returns(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError:
            log.warning("not archived, keeping the history")
            return
        self.history.clear()

    def cut_in_try(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
            self.history.clear()
        except OSError:
            log.warning("not archived, keeping the history")

    def cut_in_else(self) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError:
            log.warning("not archived, keeping the history")
        else:
            self.history.clear()

    def second_place(self, spare: Path) -> None:
        try:
            self.path.write_text(json.dumps(self.history))
        except OSError:
            spare.write_text(json.dumps(self.history))
        self.history.clear()

    def captured_in_finally(self, check) -> None:
        try:
            check(self.history)
        finally:
            self.path.write_text(json.dumps(self.history))
        self.history.clear()

    def retried_or_raised(self) -> None:
        for _ in range(3):
            try:
                self.path.write_text(json.dumps(self.history))
                break
            except OSError:
                log.warning("again")
        else:
            raise RuntimeError("not archived")
        self.history.clear()

    def all_inside_suppress(self) -> None:
        with contextlib.suppress(OSError):
            self.path.write_text(json.dumps(self.history))
            self.history.clear()
