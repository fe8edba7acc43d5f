"""JUnit XML: a suite for each file, a failure for each finding."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TextIO
from xml.etree import ElementTree

from reduction_lint.findings import Finding, Report
from reduction_lint.report.base import Context, one_line, place

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write one document; a run without findings has one test that passed."""
    findings = [finding for finding in report.findings if finding.suppressed is None]
    root = ElementTree.Element("testsuites", name="reduction-lint")
    for path, group in groupby(findings, key=lambda finding: finding.path):
        _suite(root, path, [_case(finding) for finding in group])
    if report.errors:
        _suite(root, "errors", [_error(error.path, error.message) for error in report.errors])
    if not findings and not report.errors:
        _suite(
            root, "reduction-lint", [ElementTree.Element("testcase", name="no findings", classname="reduction-lint")]
        )
    for count, tag in (("failures", "failure"), ("errors", "error"), ("tests", "testcase")):
        root.set(count, str(len(root.findall(f".//{tag}"))))
    ElementTree.indent(root, " ")
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(ElementTree.tostring(root, encoding="unicode") + "\n")


def _suite(root: ElementTree.Element, name: str, cases: list[ElementTree.Element]) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=_plain(name), tests=str(len(cases)))
    suite.extend(cases)
    for count, tag in (("failures", "failure"), ("errors", "error")):
        suite.set(count, str(sum(case.find(tag) is not None for case in cases)))


def _case(finding: Finding) -> ElementTree.Element:
    start = finding.range.start
    case = ElementTree.Element(
        "testcase",
        name=_plain(f"{finding.code} {finding.name} at {place(finding)}"),
        classname=_plain(finding.path.removesuffix(".py").replace("/", ".")),
        file=_plain(finding.path),
        line=str(start.line),
    )
    failure = ElementTree.SubElement(case, "failure", type=finding.severity.value, message=_plain(finding.message))
    steps = [f"{place(step)}: {one_line(step.message)}" for step in finding.trace]
    failure.text = _plain("\n".join([*steps, finding.help_uri]))
    return case


def _error(path: str, message: str) -> ElementTree.Element:
    case = ElementTree.Element("testcase", name=_plain(path), classname="reduction-lint")
    ElementTree.SubElement(case, "error", type="error", message=_plain(message))
    return case


def _plain(text: str) -> str:
    """Only characters that XML can hold."""
    return _FORBIDDEN.sub("\ufffd", text)
