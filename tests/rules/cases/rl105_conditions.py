# A capture stands behind a condition that the cut is not behind, or behind the very same one.
from myapp.recording import Sidecar


class Conditions:
    def __init__(self, sidecar: Sidecar, debug: bool, mode: str) -> None:
        self.sidecar = sidecar
        self.debug = debug
        self.mode = mode
        self.messages: list[dict] = []

    def only_when_debugging(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def lazy_and(self) -> None:
        self.debug and self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def lazy_or(self) -> None:
        self.debug or self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def conditional_expression(self) -> None:
        self.sidecar.capture(self.messages) if self.debug else None
        self.messages = self.messages[-10:]  # expect: RL105

    def chain_without_else(self) -> None:
        if self.mode == "full":
            self.sidecar.capture(self.messages)
        elif self.mode == "short":
            self.sidecar.capture({"messages": self.messages})
        self.messages = self.messages[-10:]  # expect: RL105

    def chain_with_else(self) -> None:
        if self.mode == "full":
            self.sidecar.capture(self.messages)
        elif self.mode == "short":
            self.sidecar.capture({"messages": self.messages})
        else:
            raise ValueError(self.mode)
        self.messages = self.messages[-10:]

    def unequal_conditions(self) -> None:
        if len(self.messages) > 100:
            self.sidecar.capture(self.messages)
        if len(self.messages) > 50:
            self.messages = self.messages[-50:]  # expect: RL105

    def same_condition(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)
        print("between")
        if self.debug:
            self.messages = self.messages[-10:]

    def opposite_condition(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)
        if not self.debug:
            self.messages = self.messages[-10:]  # expect: RL101|RL105

    def early_return(self) -> None:
        if not self.debug:
            return
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]

    def early_cut(self) -> None:
        if not self.debug:
            self.messages = self.messages[-10:]  # expect: RL101|RL105
            return
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]

    def both_arms(self) -> None:
        if self.debug:
            self.sidecar.capture(self.messages)
        else:
            self.sidecar.store(self.messages)
        self.messages = self.messages[-10:]

    def tested_result(self) -> None:
        if self.sidecar.capture(self.messages):
            self.messages = self.messages[-10:]

    def not_captured_leaves(self) -> None:
        if not self.sidecar.capture(self.messages):
            return
        self.messages = self.messages[-10:]

    def matched(self) -> None:
        match self.mode:
            case "full":
                self.sidecar.capture(self.messages)
            case "short" | "tiny":
                self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # expect: RL105

    def matched_all(self) -> None:
        match self.mode:
            case "full":
                self.sidecar.capture(self.messages)
            case _:
                self.sidecar.store(self.messages)
        self.messages = self.messages[-10:]

    def matched_guard(self) -> None:
        match self.mode:
            case str() if self.debug:
                self.sidecar.capture(self.messages)
            case _:
                pass
        self.messages.clear()  # expect: RL105

    def value_of_condition(self) -> None:
        messages = self.messages
        kept = messages if len(messages) < 10 else (self.sidecar.capture(messages), messages[-10:])[1]
        self.messages = kept
