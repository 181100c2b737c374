"""What the verifier found, as sentences that name the place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

MOST_SHOWN = 20  # of a kind: one fault may be in a million rows


class CannotLook(Exception):
    """The verifier could not look; the message says why and what to do."""


@dataclass
class Report:
    """Findings by kind, remarks that are no fault, and how much was looked at.

    `counts`: systems, entries, transfers, blocks, events, journalled.
    """

    findings: list[tuple[str, str]] = field(default_factory=list)  # (kind, sentence)
    remarks: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    counts_by_kind: Counter[str] = field(default_factory=Counter)  # how many of each kind in all

    @property
    def ok(self) -> bool:
        """Whether every promise that was looked at holds."""
        return not self.counts_by_kind

    def add(self, kind: str, sentence: str) -> None:
        """A promise is broken here. The first twenty of a kind are kept, the others counted."""
        self.counts_by_kind[kind] += 1
        if self.counts_by_kind[kind] <= MOST_SHOWN:
            self.findings.append((kind, sentence))

    def take_over(self, other: Report) -> None:
        """What another process found."""
        for kind, sentence in other.findings:
            self.add(kind, sentence)
        for kind, number in other.counts_by_kind.items():
            self.counts_by_kind[kind] += max(0, number - MOST_SHOWN)
        self.remarks += other.remarks
        self.counts += other.counts

    def lines(self) -> list[str]:
        """All of it for people, findings first."""
        sentences = []
        for kind, number in self.counts_by_kind.items():
            sentences += [f"{kind}: {sentence}" for of, sentence in self.findings if of == kind]
            if number > MOST_SHOWN:
                sentences.append(f"{kind}: and {number - MOST_SHOWN:,} more of this kind")
        sentences += [f"remark: {remark}" for remark in self.remarks]
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        rate = self.counts["entries"] / self.seconds if self.seconds else 0
        sentences.append(f"looked at {counts} in {self.seconds:.1f} s ({rate:,.0f} entries/s)")
        sentences.append(
            "all promises hold" if self.ok else f"{self.counts_by_kind.total():,} findings"
        )
        return sentences

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "ok": self.ok,
            "found": dict(self.counts_by_kind),
            "findings": [{"kind": kind, "says": says} for kind, says in self.findings],
            "remarks": self.remarks,
            "counts": dict(self.counts),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Scope:
    """Where a check reports: every sentence begins with the system."""

    report: Report
    system: str

    def add(self, kind: str, place: str, sentence: str) -> None:
        """`place` is for instance "entry 1234"."""
        self.report.add(kind, f"system {self.system}, {place}: {sentence}")
