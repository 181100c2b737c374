"""Recorded hands are judged as they were: the fold replays old entries (RULES_VERSION 2)."""

import hashlib
import random
from pathlib import Path

from rules import RULES_VERSION
from rules.games import JACKPOT_GAMES
from rules.report import HandReport
from rules.verdict import Verdict, judge
from tests.support.play.rules.random_reports import TIERS, random_report

RECORDED = Path(__file__).with_name("judgements_2.txt").read_text().split()


def text_of(report: HandReport, verdict: Verdict) -> str:
    """All that the judgement says, as it was written when the file was made.

    Hands of games that carry no jackpot are left out: they were not ranked then.
    """
    seats = [
        (
            seat.seat,
            seat.label if report.game in JACKPOT_GAMES else "",
            [str(card) for card in seat.hand.cards + seat.hand.hole_used]
            if seat.hand and report.game in JACKPOT_GAMES
            else [],
            seat.tiers,
            seat.pending,
        )
        for seat in verdict.seats
    ]
    reasons = [(r.rule, r.text, r.against, r.seat, r.tier, r.code) for r in verdict.reasons]
    return repr((verdict.faults, seats, reasons))


def test_the_rules_version_is_the_one_whose_judgements_are_recorded():
    assert RULES_VERSION == 2


def test_four_thousand_reports_are_judged_as_before():
    assert len(RECORDED) == 4000
    changed = []
    for seed, recorded in enumerate(RECORDED):
        report = random_report(random.Random(seed))
        text = text_of(report, judge(report, TIERS))
        if hashlib.sha256(text.encode()).hexdigest()[:8] != recorded:
            changed.append((seed, report, text))
    assert not changed, f"{len(changed)} judgements changed, the first: {changed[0]}"
