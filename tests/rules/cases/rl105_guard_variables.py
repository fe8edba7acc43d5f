# The test is kept in a local variable, or bound by a walrus; it may change between capture and cut.
from myapp.recording import Sidecar


class Guards:
    def __init__(self, sidecars: dict[str, Sidecar], archiving: bool) -> None:
        self.sidecars = sidecars
        self.archiving = archiving
        self.messages: list[dict] = []

    def same_variable(self) -> None:
        archiving = self.archiving and len(self.messages) > 50
        if archiving:
            self.sidecars["main"].capture(self.messages)
        if archiving:
            self.messages = self.messages[-50:]

    def variable_changed(self) -> None:
        archiving = self.archiving
        if archiving:
            self.sidecars["main"].capture(self.messages)
        archiving = len(self.messages) > 50
        if archiving:
            self.messages = self.messages[-50:]  # expect: RL105

    def success_flag(self) -> None:
        captured = False
        if self.archiving:
            self.sidecars["main"].capture(self.messages)
            captured = True
        if captured:
            self.messages = self.messages[-50:]

    def success_flag_not_read(self) -> None:
        captured = False
        if self.archiving:
            self.sidecars["main"].capture(self.messages)
            captured = True
        self.messages = self.messages[-50:]  # expect: RL105
        print(captured)

    def negated_variable(self) -> None:
        idle = not self.archiving
        if not idle:
            self.sidecars["main"].capture(self.messages)
        if idle:
            return
        self.messages = self.messages[-50:]

    def looked_up(self) -> None:
        sidecar = self.sidecars.get("main")
        if sidecar is None:
            raise LookupError("no sidecar")
        sidecar.capture(self.messages)
        self.messages = self.messages[-50:]

    def looked_up_inside(self) -> None:
        if (sidecar := self.sidecars.get("main")) is not None:
            sidecar.capture(self.messages)
            self.messages = self.messages[-50:]

    def looked_up_loosely(self) -> None:
        if (sidecar := self.sidecars.get("main")) is not None:
            sidecar.capture(self.messages)
        self.messages = self.messages[-50:]  # expect: RL105|RL110

    def stronger_test_at_the_cut(self) -> None:
        if self.archiving:
            self.sidecars["main"].capture(self.messages)
        if self.archiving and len(self.messages) > 50:
            self.messages = self.messages[-50:]

    def weaker_test_at_the_cut(self) -> None:
        if self.archiving and len(self.messages) > 50:
            self.sidecars["main"].capture(self.messages)
        if self.archiving:
            self.messages = self.messages[-50:]  # expect: RL105

    def early_exit_of_both(self) -> None:
        if not self.archiving or len(self.messages) <= 50:
            return
        self.sidecars["main"].capture(self.messages)
        self.messages = self.messages[-50:]
