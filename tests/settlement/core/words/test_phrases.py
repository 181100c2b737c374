"""Phrases of the rule book and of posted terms: another language says each whole (decision 94)."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import gettext_noop

from jackpot.domain.payout.division import UndividedError
from jackpot.terms import commission
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules import requirements, tiers
from rules.cards import CardError
from rules.hands import Category
from rules.phrases import Phrase, PhrasedError
from rules.report import HandReport, ReportedSeat
from rules.verdict import judge
from rules.weakest import TermsError
from settlement.core.words.translation import Labels, rule_in_words, translated
from settlement.management.commands.makemessages import PHRASES
from tests.support.cases.hands.bad_beats import bad_beat as bad_beat_terms
from tests.support.pages.pseudo_locale import outside, pseudo_locale
from tests.support.play.books import royal_terms
from tests.support.play.high_hands import high_terms

FLOORS = Path(__file__).parents[4]
WORDLESS = ("NZD", "royal", "Royal Flush", "Bad Beat", "High Hand")  # names, codes, the currency
ERRORS: list[type[PhrasedError]] = [PhrasedError, *PhrasedError.__subclasses__()]
BOARD = ("As", "Ks", "Qs", "2d", "2c")
SEAT = {"exposed": "yes", "folded": False, "participating": True, "won_pot": True}


def _calls() -> Iterator[tuple[Path, ast.Call, str]]:
    for floor in ("rules", "jackpot"):
        for path in sorted((FLOORS / floor).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    yield path, node, ast.unparse(node.func)


def test_every_pattern_is_written_out_where_translators_tools_look() -> None:
    places = {"Phrase": [0], "Phrase.counted": [1, 2]}
    places |= {kind.__name__: [0] for kind in ERRORS}
    for path, call, name in _calls():
        for place in places.get(name, []) if path.name != "phrases.py" else []:
            pattern = call.args[place]
            assert isinstance(pattern, ast.Constant), f"{path}:{call.lineno}"
            assert isinstance(pattern.value, str), f"{path}:{call.lineno}"


def test_the_tools_know_each_name() -> None:
    assert {CardError, TermsError, UndividedError} <= {*ERRORS}
    names = {kind.__name__ for kind in ERRORS}
    assert {*PHRASES} == {"Phrase", "counted:2,3", *names}


def unlooked(phrase: Phrase) -> str:
    """What of a phrase stays as it is in another language, names and figures apart."""
    with pseudo_locale():
        left = outside(translated(phrase))
    for word in WORDLESS:
        left = left.replace(word, "")
    return "".join(letter for letter in left if letter.isalpha())


EVERYTHING = {
    "increments": [
        {"source": "per_round", "amount": MICROS, "players_min": 4},
        {"source": "pot", "basis_points": 100, "cap": MICROS},
        {"source": "commission", "basis_points": 100, "into": "reserve"},
    ],
    "plan": {"winner": 5_000, "table": 5_000},
    "limit": 2_000_000 * MICROS,
    "fed_by": {"games": ["omaha"], "stakes": ["2-5"], "players_min": 4, "flop_dealt": True},
}
AROUND = {
    "funding": "players",
    "games": ["holdem", "omaha"],
    "dark_minutes": 5,
    "presses_a_minute": 6,
    "evidence": {"identity": 500 * MICROS},
    "commission": {"form": "percentage", "basis_points": 500, "cap": 10 * MICROS},
}


@pytest.mark.parametrize(
    "terms",
    [royal_terms(), royal_terms(**EVERYTHING) | AROUND, bad_beat_terms(), high_terms()],
    ids=["plain", "everything", "bad beat", "high hand"],
)
def test_every_line_of_a_notice_is_said_whole_in_another_language(terms: dict[str, Any]) -> None:
    for line in notices(parse(terms), 2, "NZD", 90):
        assert unlooked(line) == "", line


@pytest.mark.parametrize(
    "posted",
    [
        commission.HandFee(amount=MICROS),
        commission.HourlyFee(amount_per_hour=MICROS),
        commission.NoFee(),
        commission.PercentageFee(basis_points=500, of_blinds_only=True),
    ],
)
def test_so_is_a_commission(posted: commission.PostedCommission) -> None:
    assert unlooked(commission.notice(posted, lambda micros: f"NZD {micros}")) == ""


def test_so_is_what_the_rules_say_of_a_hand() -> None:
    royal = tiers.read_terms({"weakest": {"category": "royal_flush"}, "pot_min_minor": 500})
    for holes, boards, seats in (
        (("Js", "Ts"), (BOARD, BOARD), 6),
        (("Js", "As"), (BOARD,), 1),
        (("Js",), (BOARD[:2],), None),
        (("10s", "Ts"), (BOARD[:4],), 12),
    ):
        seat = ReportedSeat(3, holes, **SEAT)  # type: ignore[arg-type]
        for others in ((), (ReportedSeat(3, ("9c", "9d"), **SEAT, dead="joker"),)):  # type: ignore[arg-type]
            report = HandReport("holdem", 52, boards, False, (seat, *others), seats, 100)
            verdict = judge(report, {"royal": royal})
            assert verdict.reasons
            for reason in verdict.reasons:
                left = unlooked(reason.text).translate(str.maketrans("", "", "AKQJTshdc"))
                assert left == "", reason.text


def test_rules_of_a_book_with_a_name_are_said_with_it() -> None:
    assert rule_in_words("19.5") == "19.5"
    with pseudo_locale():
        assert rule_in_words(Phrase("Robert's %(place)s", place=3)) == "⟦Robert's 3⟧"


def test_labels_take_marked_words_and_phrases() -> None:
    both = Labels({"a": gettext_noop("words"), "b": Phrase("full house").with_capital()})
    assert dict(both) == {"a": "words", "b": "Full house"}
    with pseudo_locale():
        assert dict(both) == {"a": "⟦words⟧", "b": "⟦full house⟧"}


def test_what_terms_refuse_is_said_whole() -> None:
    with pytest.raises(TermsError) as refused:
        requirements.require_by_category(
            ((Category.STRAIGHT, requirements.Requirement(pair_in_hole=True)),)
        )
    assert unlooked(refused.value.phrase) == ""
