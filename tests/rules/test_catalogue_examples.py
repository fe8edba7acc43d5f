"""The examples of the catalogue are what the rules say they are.

Every rule that the analysis checks is reported in its bad example; its good example is clean.
"""

from __future__ import annotations

import pytest
from reduction_lint import check_source
from reduction_lint.findings import Finding, Severity
from reduction_lint.knowledge.catalogue import Rule, rules
from reduction_lint.settings import Settings

CHECKED = [rule for rule in rules().values() if rule.checked]


def findings_in(example: str, rule: Rule) -> list[Finding]:
    """What is reported in an example, under the profile that the rule needs."""
    settings = Settings(profile="strict" if rule.strict_only else "default", preview=rule.preview)
    return check_source(example, "example.py", settings=settings).findings


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.code)
def test_bad_example_is_reported(rule: Rule) -> None:
    """The bad example shows what the rule reports."""
    assert rule.code in {finding.code for finding in findings_in(rule.bad, rule)}


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.code)
def test_good_example_is_clean(rule: Rule) -> None:
    """The good example has no finding of the rule and none at warning or above."""
    findings = findings_in(rule.good, rule)
    assert [
        f"{finding.code} line {finding.range.start.line}: {finding.message}"
        for finding in findings
        if finding.code == rule.code or finding.severity is not Severity.INFO
    ] == []
