"""Rules that fail on some hands, as they once did on nine cards of one suit."""

from typing import Any

import pytest

from rules.report import HandReport
from rules.verdict import Verdict, judge


class FailingRules:
    """They fail on every report with the seven of diamonds on its first board, until fixed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_repaired = False
        monkeypatch.setattr("jackpot.domain.state.verdicts.judge", self)

    def __call__(self, report: HandReport, *rest: Any) -> Verdict:
        if not self.is_repaired and "7d" in report.boards[0]:
            raise ZeroDivisionError(f"at {id(self):#x}")
        return judge(report, *rest)
