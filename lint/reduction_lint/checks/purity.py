"""RL501-RL504: what gets into a transcript that does not belong there, and what is taken out of a text that does."""

from __future__ import annotations

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.scope import Scope
from reduction_lint.findings import Confidence
from reduction_lint.flow.impurity import Impurity

_CODES = {"probe": "RL501", "wire": "RL502", "marker": "RL503", "request-only": "RL504"}
_TECHNIQUES = {"probe": "probe", "wire": "wire-annotation", "marker": "export", "request-only": "wire-annotation"}


def transcript_purity(scope: Scope) -> list[Draft]:
    """The findings about entries that stay in a transcript."""
    return [_draft(impurity) for impurity in scope.solved.impurities if impurity.reported]


def _draft(impurity: Impurity) -> Draft:
    return Draft(
        _CODES[impurity.what],
        impurity.place,
        _message(impurity),
        impurity.label,
        Confidence.HIGH if impurity.kept else Confidence.MEDIUM,
        None,
        _TECHNIQUES[impurity.what],
        tuple(impurity.steps),
    )


def _message(impurity: Impurity) -> str:
    where = f"`{impurity.label}`" if impurity.label else "the record of the conversation"
    if impurity.what == "probe":
        return f"probe traffic is filed as conversation in {where}: {impurity.detail}"
    if impurity.what == "wire":
        return f"a stored message is annotated for the wire in {where}: {impurity.detail}"
    if impurity.what == "marker":
        text = f" out of `{impurity.label}`" if impurity.label else ""
        return f"the escalation marker is taken{text}, and the text is stored without it"
    return f"text made for one request stays in {where}: {impurity.detail}"
