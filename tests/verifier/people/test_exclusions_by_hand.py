"""Excluded persons as a few rows: whom a payment had to stop for, and whom it just had not."""

import datetime as dt
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.people import exclusions as checked
from verifier.people import same_player

SYSTEM = System(7, "main", 2, era=1)  # a gaming day begins at six
HIT = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
PAID = HIT + dt.timedelta(days=1)
DAY, ONE = PAID.date(), dt.timedelta(days=1)
MATCH: dict[str, Any] = {
    "id": 50, "hit": 1, "seat": 3, "exclusion": 60, "since": DAY - 9 * ONE, "until": None,
    "hit_at": HIT, "command": 4,
}  # fmt: skip
PAY = decision(5, "pay", {"hit": 1, "seat": 3})
FINDING = [
    "entry 5: it paid seat 3, whose player is on a list of excluded persons (match 50), and nobody"
    " released it"
]


def verdict(
    *decisions: Any, matches: list[dict[str, Any]] | None = None,
    ends: list[tuple[Any, ...]] | None = None, paid: dt.datetime = PAID,
    may_read: bool = False, more: dict[str, Any] | None = None,
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Findings and remarks."""
    on_list = [MATCH] if matches is None else matches
    connection = rows({
        checked._MAY_READ: [(may_read,)],
        checked._MATCHES: [tuple(each.values()) for each in on_list],
        checked._ENDS: ends or [],
        checked._ISSUED: [(5, paid)],
        **(more or {}),
    })  # fmt: skip
    report = Report()
    checked.exclusions(connection, Scope(report, "main"), SYSTEM, list(decisions or [PAY]))
    assert {kind for kind, _ in report.findings} <= {"people"}
    findings = [sentence.removeprefix("system main, ") for _, sentence in report.findings]
    return findings, report.remarks


def of(**changes: Any) -> list[str]:
    return verdict(matches=[MATCH | changes])[0]


def test_who_is_on_the_list_is_not_paid() -> None:
    assert verdict() == (FINDING, [])
    assert verdict(matches=[]) == ([], [])


@pytest.mark.parametrize(
    ("changes", "finds"),
    [
        ({"hit": 2}, False),
        ({"seat": 4}, False),
        ({"command": None}, False),  # under no command yet
        ({"command": 5}, True),
        ({"command": 6}, False),  # known later
        ({"since": DAY}, True),
        ({"since": DAY + ONE}, False),  # excluded after the payment
        ({"until": DAY - ONE}, True),  # the day of the hand
        ({"until": DAY - 2 * ONE}, False),  # over before it
        ({"since": DAY, "until": DAY - ONE}, False),
        ({"since": DAY, "until": DAY}, True),
    ],
)
def test_days_and_commands(changes: dict[str, Any], *, finds: bool) -> None:
    assert of(**changes) == (FINDING if finds else [])


def test_an_end_that_was_known() -> None:
    over, hand = DAY - 2 * ONE, DAY - ONE
    assert verdict(ends=[(60, over, 4)])[0] == []
    assert verdict(ends=[(60, over, 5)])[0] == []
    for end in ((60, over, 6), (60, over, None), (61, over, 4), (60, hand, 4)):
        assert verdict(ends=[end])[0] == FINDING
    early = MATCH | {"until": over}
    assert verdict(matches=[early], ends=[(60, DAY, 4)])[0] == []  # the earlier of both


def test_two_people_release_a_match() -> None:
    def released(hit: int = 1, seat: int = 3, match: int = 50, seq: int = 4) -> list[str]:
        release = decision(seq, "release_excluded", {"hit": hit, "seat": seat}, matches=[match])
        return verdict(*sorted([release, PAY], key=lambda each: each.entry.seq))[0]

    assert released() == []
    assert released(hit=2) == released(seat=4) == released(match=51) == FINDING
    assert released(seq=6) == FINDING  # too late


def test_a_payment_is_of_the_gaming_day_of_its_command() -> None:
    six = PAID.replace(hour=6)
    new = MATCH | {"since": DAY}
    for seconds, finds in ((-1, []), (-0.001, []), (0, FINDING), (1, FINDING)):
        paid = six + dt.timedelta(seconds=seconds)
        assert verdict(matches=[new], paid=paid)[0] == finds, seconds


def test_only_payments_of_the_queue() -> None:
    assert verdict(decision(5, "withhold", {"hit": 1, "seat": 3}))[0] == []
    assert verdict(decision(6, "pay", {"hit": 1, "seat": 3}))[0] == []


def test_other_numbers_of_a_player() -> None:
    ago = PAID - ONE
    born = dt.date(1970, 1, 1)
    more = {
        same_player._STATED: [(ago, 1, 2, True)],
        same_player._IDENTIFIED: [
            (1, 7, 1, 3, ago, "passport", "1", born, False, 9),
            (2, 7, 2, 4, ago, "passport", "2", born, False, 9),
        ],
        same_player._MATCHES: [(50, 2, ago)],
        checked._ALL_MATCHES: [(50, 60, DAY - 9 * ONE, None)],
        checked._HITS: [(1, HIT), (2, HIT)],
    }
    assert verdict(matches=[], may_read=True, more=more)[0] == FINDING
    assert verdict(matches=[], may_read=False, more=more)[0] == []
    later = more | {checked._ALL_MATCHES: [(50, 60, DAY + ONE, None)]}
    assert verdict(matches=[], may_read=True, more=later)[0] == []


# --- the matches, made again --------------------------------------------------------------

BORN = dt.date(1970, 1, 1)


def remade(
    players: list[tuple[Any, ...]], entries: list[tuple[Any, ...]], *stored: tuple[int, int, str],
    may_read: bool = True,
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Of people: id, name, born, document, number."""
    more = {
        checked._PLAYERS: players, checked._ENTRIES: entries, checked._STORED_ROWS: stored,
    }  # fmt: skip
    return verdict(matches=[], may_read=may_read, more=more)


def test_every_match_that_the_lists_make_is_there() -> None:
    player, entry = (1, "Ana Li", BORN, "passport", "A 1"), (9, "Li, Ana", BORN, "", "")
    missing = "identification 1: it is entry 9 of the excluded persons by {}, and no match says so"
    assert remade([player], [entry]) == ([missing.format("name")], [])
    assert remade([player], [entry], (1, 9, "name")) == ([], [])
    wrong = "identification 1: a match says that it is excluded entry 9 by document, and it is not"
    assert remade([player], [entry], (1, 9, "document")) == ([missing.format("name"), wrong], [])
    by_number = (9, "Somebody", BORN + ONE, "passport", "a-1")
    assert remade([player], [by_number]) == ([missing.format("document")], [])
    assert remade([player], [(*by_number[:3], "", "A1")]) == ([missing.format("document")], [])
    for other in ((*by_number[:3], "licence", "A1"), (*by_number[:3], "passport", "A2"),
                  (9, "Ana Li", BORN + ONE, "", ""), (9, "Bo Li", BORN, "", "")):  # fmt: skip
        assert remade([player], [other]) == ([], [])
    both = (9, "Ana Li", BORN, "passport", "A1")  # by the document alone
    assert remade([player], [both], (1, 9, "document")) == ([], [])


def test_who_may_not_read_says_so() -> None:
    remark = (
        "system main: this role may not read who is excluded; as owner of a restored copy the"
        " verifier makes the matches again"
    )
    assert remade([], [], (1, 9, "name"), may_read=False) == ([], [remark])
    assert remade([], [], may_read=False) == ([], [])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ana Li", "LI ANA", True),
        ("Ana Li", "Ana", False),
        ("Ana Maria Li", "Ana Li", True),
        ("Ana Li", "Ana Maria Li", True),
        ("Ana Maria Li", "Ana Bo", False),
        ("José", "jose", True),
        ("Müller Jo", "Mueller Jo", True),
        ("Goethe", "Göthe", True),
        ("Aaron", "Aron", True),
        ("Bœuf", "Boeuf", True),
        ("Ægir", "agir", True),
        ("Strauß", "Strauss", True),
        ("Þor", "thor", True),
        ("Łukasz Øre", "lukasz ore", True),
        ("O'Neil", "O’Neil", True),
        ("O'Neil", "Oneil", True),
        ("Anne-Marie", "anne marie", True),
        ("Ναός", "ναοσ", True),
        ("Жуков", "жуков", True),
        ("Lia", "Ali", True),  # the same letters
        ("", "", True),
        ("Ana", "", False),
    ],
)
def test_names_that_may_be_one_person_s(one: str, other: str, *, same: bool) -> None:
    assert checked.same_name(one, other) is same
    assert checked.same_name(other, one) is same
