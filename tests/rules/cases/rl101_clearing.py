# Emptying a conversation: by itself on a limit, a stall or an error, or because a person asked for it.
import cmd


class Automatic:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.stalled = 0

    def on_limit(self) -> None:
        if len(self.messages) > 200:
            self.messages.clear()  # expect: RL101

    def on_stall(self) -> None:
        self.stalled += 1
        if self.stalled > 3:
            self.messages = []  # expect: RL101
            self.stalled = 0

    def on_error(self, client) -> str:
        try:
            return client.chat.completions.create(model="gpt-4o", messages=self.messages).choices[0].message.content
        except ValueError:
            self.messages = self.messages[:1]  # expect: RL101
            raise


class Console(cmd.Cmd):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[dict] = []

    def do_clear(self, arg: str) -> None:
        """Forget the conversation."""
        self.messages.clear()

    def do_undo(self, arg: str) -> None:
        """Take back the last message."""
        if self.messages:
            self.messages.pop()


class SlashCommands:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.pending_calls: list[str] = []

    def handle(self, line: str) -> bool:
        if line == "/clear":
            self.messages.clear()
            return True
        return False

    def done(self) -> None:
        self.pending_calls.clear()
