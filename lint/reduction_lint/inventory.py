"""Which of all judged places are the reductions that an inventory lists, and with what status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reduction_lint.findings import SITE_STATUSES, Finding, Range, Site, TraceStep

REDUCTIONS = ("truncation", "compaction", "hard-compression", "soft-compression")
"""The techniques that reduce context."""

_STATUS = {"kept": "view", "unknown": "excused"}
_DISCIPLINE = (*(f"RL10{digit}" for digit in range(1, 9)), "RL110", "RL112")
"""Codes that judge a reduction as such; all others judge how it is done."""


def chosen_sites(sites: Iterable[Site], reported: Iterable[Finding]) -> list[Site]:
    """One site for each reducing expression and value.

    ``sites`` are all judged places of one file and ``reported`` its findings after selection and suppression. The worst
    verdict on a place holds; one that settings do not report counts only if it is about capture itself.
    """
    known = {(f.code, f.path, f.cell, f.range): f for f in reported}
    places: dict[tuple[str, int | None, Range, str], list[Site]] = {}
    for site in sites:
        finding = site.finding
        key = (finding.code, finding.path, finding.cell, finding.range)
        if finding.technique in REDUCTIONS and (finding.code in _DISCIPLINE or key in known):
            judged = _judged(site, known.get(key))
            places.setdefault((finding.path, finding.cell, finding.range, finding.value), []).append(judged)
    return [_worst(found) for found in places.values()]


def _judged(site: Site, reported: Finding | None) -> Site:
    """The site in the words of an inventory; a comment that silences its finding excuses it."""
    if site.status == "violation" and reported is not None and reported.suppressed is not None:
        reason = f": {reported.suppressed}" if reported.suppressed else ""
        comment = TraceStep(reported.path, reported.range, f"suppressed by a comment{reason}")
        return replace(site, status="excused", finding=reported, covered_by=comment)
    finding = reported if site.status == "violation" and reported is not None else site.finding
    return replace(site, status=_STATUS.get(site.status, site.status), finding=finding)


def _worst(sites: Sequence[Site]) -> Site:
    return min(sites, key=lambda site: (SITE_STATUSES.index(site.status), site.finding.code))
