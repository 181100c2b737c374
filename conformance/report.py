"""What was seen of each clause: it holds, it does not, or it was not tried."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.clauses import Clause

Verdict = Literal["holds", "does not hold", "not tried", "by hand"]
VERDICTS: tuple[Verdict, ...] = ("holds", "does not hold", "not tried", "by hand")
_MOST_CHARACTERS = 300


@dataclass(slots=True)
class Finding:
    """The verdict on one clause, and what it rests on."""

    clause: Clause
    verdict: Verdict
    evidence: str


@dataclass(slots=True)
class Report:
    """The verdicts of one trial. What was once seen broken stays broken."""

    clauses: dict[str, Clause]
    findings: dict[str, Finding] = field(default_factory=dict)

    def check(self, id_: str, holds: object, evidence: str = "") -> bool:
        """Whether a clause holds, and what was seen."""
        before = self.findings.get(id_)
        if before is None or before.verdict != "does not hold":
            verdict: Verdict = "holds" if holds else "does not hold"
            text = textwrap.shorten(evidence, _MOST_CHARACTERS, placeholder=" ...")
            if not (before and before.verdict == verdict):
                self.findings[id_] = Finding(self.clauses[id_], verdict, text)
        return bool(holds)

    def skip(self, ids: str, why: str) -> None:
        """Say why clauses (ids between spaces) were not tried, unless they were."""
        for id_ in ids.split():
            self.findings.setdefault(id_, Finding(self.clauses[id_], "not tried", why))
            if self.findings[id_].verdict == "not tried":
                self.findings[id_].evidence = why

    def of(self, id_: str) -> Finding:
        """The finding; what nothing was seen of is for people, or was not tried."""
        clause = self.clauses[id_]
        rest: Verdict = "not tried" if clause.kit else "by hand"
        return self.findings.get(id_) or Finding(
            clause, rest, clause.hand if rest == "by hand" else "the trial did not get there"
        )

    def ids(self, verdict: Verdict) -> list[str]:
        """The clauses with this verdict."""
        return [id_ for id_ in self.clauses if self.of(id_).verdict == verdict]

    @property
    def exit_code(self) -> int:
        """0: nothing is broken; 1: something is; 2: nothing was seen at all."""
        if self.ids("does not hold"):
            return 1
        return 0 if self.ids("holds") else 2

    def lines(self) -> list[str]:
        """The table for people, and a summary."""
        rows = []
        for id_, clause in self.clauses.items():
            finding = self.of(id_)
            mark = {"holds": " ", "does not hold": "!"}.get(finding.verdict, "-")
            rows.append(f"{mark} {id_}  {finding.verdict:<13}  {clause.text}")
            if finding.evidence and finding.verdict != "holds":
                rows.append(f"{'':23}{finding.evidence}")
        counts = ", ".join(f"{len(self.ids(verdict))} {verdict}" for verdict in VERDICTS)
        broken, untried = self.ids("does not hold"), self.ids("not tried")
        rest = [f"Does not hold: {' '.join(broken)}"] if broken else []
        rest += [f"Not tried: {' '.join(untried)}"] if untried else []
        return [*rows, "", f"{len(self.clauses)} clauses: {counts}.", *rest]

    def as_json(self) -> str:
        """The same for machines."""
        findings = [self.of(id_) for id_ in self.clauses]
        document: dict[str, Any] = {
            "ok": self.exit_code == 0,
            "counts": {verdict: len(self.ids(verdict)) for verdict in VERDICTS},
            "clauses": [
                {
                    "id": finding.clause.id,
                    "binds": finding.clause.binds,
                    "text": finding.clause.text,
                    "verdict": finding.verdict,
                    "evidence": finding.evidence,
                }
                for finding in findings
            ],
        }
        return json.dumps(document, indent=2, ensure_ascii=False)
