# What a project says about its own functions in comments.
from myapp.plumbing import push, squeeze


# reduction-lint: captures(turns)
def remember(turns: list[dict]) -> None:
    push(turns)


def hand_over(turns: list[dict]) -> None:
    push(turns)


# reduction-lint: reduces(turns)
def tidy(turns: list[dict]) -> None:
    squeeze(turns)


class Chat:
    def __init__(self) -> None:
        self.turns: list[dict] = []
        self.outbox: list[dict] = []  # reduction-lint: transcript

    def remembered(self) -> None:
        remember(self.turns)
        self.turns = self.turns[-10:]

    def handed_over(self) -> None:
        hand_over(self.turns)
        self.turns = self.turns[-10:]  # expect: RL101

    def tidied(self) -> None:
        tidy(self.turns)  # expect: RL101

    def remembered_and_tidied(self) -> None:
        remember(self.turns)
        tidy(self.turns)

    def outbox_cut(self) -> None:
        self.outbox = self.outbox[-10:]  # expect: RL101

    def view(self) -> None:
        self.turns = self.turns[-10:]  # reduction-lint: view
