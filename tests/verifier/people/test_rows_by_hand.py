"""What people did as a few rows: each sentence that is said of them, whole; and moments that just
count, or just do not."""

import datetime as dt
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.people_records import Action, Recorded
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.people import remittances, role_history, same_player, sharers, two_people

SYSTEM = System(7, "main", 2, era=1)
AT = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
SECOND, MARGIN = dt.timedelta(seconds=1), dt.timedelta(seconds=10)


def sentences_of(report: Report, kind: str) -> list[str]:
    assert {each for each, _ in report.findings} <= {kind}
    return [sentence.removeprefix("system main, ") for _, sentence in report.findings]


# --- remittances --------------------------------------------------------------------------

REMITTED: dict[str, Any] = {
    "id": 5, "command": 1, "kind": "remit_tax", "amount": 60, "reference": "R", "reason": "",
    "person": "mere", "reverses": None, "reversed_command": None, "fits": None,
}  # fmt: skip
REVERSED = REMITTED | {
    "id": 6, "command": 2, "kind": "reverse_remittance", "reference": "", "reason": "slip",
    "reverses": 5, "reversed_command": 1, "fits": True,
}  # fmt: skip


def said_of_remittances(
    *changed: dict[str, Any], commands: tuple[int, ...] = (1, 2), settled: bool = True,
    payments: tuple[tuple[Any, ...], ...] = (),
) -> list[str]:  # fmt: skip
    ordered = [
        decision(1, "remit_tax", {}, amount=60, reference="R"),
        decision(2, "reverse_remittance", {}, amount=60, remittance=1, reason="slip"),
    ]
    for each in ordered:
        object.__setattr__(each, "entry", each.entry._replace(second=None))
    query = "SELECT number FROM jackpot_command WHERE system_id = %s AND kind = ANY(%s)"
    connection = rows({
        remittances._ROWS: [tuple(each.values()) for each in changed],
        remittances._PAYMENTS: payments,
        query: [(each,) for each in commands],
    })  # fmt: skip
    report = Report()
    remittances.remittances(connection, Scope(report, "main"), SYSTEM, ordered, settled=settled)
    assert report.counts["remittances"] == len(changed)
    return sentences_of(report, "remittances")


def test_remittances_as_they_were_entered() -> None:
    assert said_of_remittances(REMITTED, REVERSED) == []
    later = REMITTED | {"id": 7, "command": 3}
    assert said_of_remittances(REMITTED, REVERSED, later, settled=False) == []
    assert said_of_remittances(REMITTED, REVERSED, later, commands=(1, 2, 3)) == []  # refused
    assert said_of_remittances(REMITTED, REVERSED, later) == [
        "remittance 7: it is not what a command of its person took into the order"
    ]


@pytest.mark.parametrize(
    "changes", [{"amount": 61}, {"reference": "x"}, {"person": "david"}, {"kind": "x"}]
)
def test_a_remittance_that_no_command_says(changes: dict[str, Any]) -> None:
    assert said_of_remittances(REMITTED | changes, REVERSED) == [
        "remittance 5: it is not what a command of its person took into the order"
    ]


def test_what_a_reversal_reverses() -> None:
    nothing = "remittance 6: it reverses nothing of that amount that was remitted"
    for fits in (False, None):
        assert said_of_remittances(REMITTED, REVERSED | {"fits": fits}) == [nothing]
    assert said_of_remittances(REMITTED, REVERSED | {"reversed_command": 9}) == [
        "remittance 6: it is not what a command of its person took into the order", nothing,
    ]  # fmt: skip
    assert said_of_remittances(REMITTED, REVERSED, REVERSED | {"id": 7}) == [
        "remittance 7: it is not what a command of its person took into the order",
        "remittance 7: it reverses what was reversed before",
    ]


def test_a_remittance_that_is_gone() -> None:
    loss = "the remittance behind it is gone"
    assert said_of_remittances(REVERSED) == [f"entry 1: {loss}"]
    assert said_of_remittances() == [f"entry 1: {loss}", f"entry 2: {loss}"]


def test_whoever_withheld_something_else_says_why() -> None:
    payments = (
        (2, "5", None, "5"),
        (3, "5", "an order", "4"),
        (4, "5", " ", "4"),
        (5, "5", None, "6"),
    )
    says = "micros were withheld, 5 were asked for: nobody said why"
    assert said_of_remittances(REMITTED, REVERSED, payments=payments) == [
        f"claim 4: 4 {says}", f"claim 5: 6 {says}",
    ]  # fmt: skip


# --- two people ---------------------------------------------------------------------------


def act(kind: str, person: str | None, taken_in: int | None = 7) -> Action:
    return Action(1, kind, person, None, None, "{}", AT, taken_in)


def test_who_did_one_thing_did_not_do_another() -> None:
    roles = ("amend", "verify", "approve", "confirm", "pay")
    records = Recorded()
    records.actions[1] = [act(kind, f"p{place}") for place, kind in enumerate(roles)]
    records.actions[2] = [act(kind, "a") for kind in ("verify", "note", "verify")]
    records.actions[2] += [act("pay", None), act("confirm", None)]
    records.actions[3] = [act("confirm", "a"), act("pay", "b"), act("pay", "a")]
    records.actions[4] = [act("verify", "mere"), act("confirm", "david")]
    report = Report()
    entered = decision(1, "enter_hand", {"hit": 4})
    two_people.different_people(Scope(report, "main"), [entered, decision(2, "pay", {})], records)
    assert sentences_of(report, "people") == [
        "claim 3: a did both: confirm and pay",
        "claim 4: mere did both: amend and verify",
    ]


def test_who_had_part_in_it_does_not_undo_it() -> None:
    records = Recorded()
    records.actions[1] = [act("confirm", "mere"), act("pay", "david", 8),
                          act("pay", "david", None), act("verify", "mere"),
                          act("confirm", "sione")]  # fmt: skip
    report = Report()
    kinds = ("reverse_claim", "reverse_rejection", "pay")
    for kind in kinds:
        undone = decision(7, kind, {"hit": 1})
        two_people.undone_by_others(Scope(report, "main"), [undone], records)
    records.actions[1] = [act("second_rejection", "david"), act("propose_rejection", "mere")]
    for kind in kinds:
        undone = decision(7, kind, {"hit": 1})
        two_people.undone_by_others(Scope(report, "main"), [undone], records)
    assert sentences_of(report, "people") == [
        "entry 7: mere had part in what reverse_claim undoes: confirm",
        "entry 7: david had part in what reverse_rejection undoes: second_rejection",
        "entry 7: mere had part in what reverse_rejection undoes: propose_rejection",
    ]


def test_payouts_are_the_payments_of_the_order() -> None:
    outcome = {"hit": 1, "line": 2, "part": 3, "seat": 4, "paid": 60}
    paid = [decision(seq, "pay", outcome, parts={"cash": 50, "tax": 10}) for seq in (8, 9)]
    good = [1, 2, 3, 4, "mere", 60, 0, 50, 0, 10]

    def verdict(*register: tuple[Any, ...], settled: bool = True) -> list[str]:
        report = Report()
        connection = rows({two_people._PAYOUTS: register})
        two_people.payouts(connection, Scope(report, "main"), SYSTEM, paid, settled)
        return sentences_of(report, "people")

    shows = "it paid, and the register of payouts does not show it"
    place = "payout of claim 1, line 2, part 3"
    assert verdict((8, *good), (9, *good)) == []
    assert verdict() == [f"entry 8: {shows}", f"entry 9: {shows}"]
    assert verdict((8, *good), settled=False) == []
    assert verdict((7, *good), (8, *good), (9, *good)) == [f"{place}: entry 7 paid nothing"]
    assert verdict((8, *good), (8, *good), (9, *good)) == [f"{place}: entry 8 has a payout already"]
    for column in range(3, 10):
        wrong = [*good[:column], "x", *good[column + 1 :]]
        assert verdict((8, *wrong), (9, *good)) == [f"{place}: entry 8 says otherwise: {good}"]


# --- sharers ------------------------------------------------------------------------------


def said_of_sharers(*parts: tuple[Any, ...]) -> list[str]:
    """id, hit, seat, kind, amount, identification, reverses, reason, is_identified."""
    won = decision(1, "confirm_claim", {"hit": 1}, payees=[{"seat": 3, "amount": 60},
                                                          {"seat": 4, "amount": 5}])  # fmt: skip
    more = decision(2, "confirm_claim", {"hit": 1}, payees=[{"seat": 3, "amount": 40}])
    report = Report()
    connection = rows({sharers._ROWS: parts})
    sharers.sharers(connection, Scope(report, "main"), SYSTEM, [won, decision(3, "pay", {}), more])
    assert report.counts["sharers"] == len(parts)
    return sentences_of(report, "sharers")


def test_nobody_shares_more_than_the_seat_won() -> None:
    first = (1, 1, 3, "added", 60, 7, None, "", True)
    second = (2, 1, 3, "added", 40, 8, None, "", True)
    assert said_of_sharers(first, second) == []
    assert said_of_sharers() == []
    above = (3, 1, 3, "added", 1, 9, None, "", True)
    assert said_of_sharers(first, second, above) == [
        "sharer 3: seat 3 of claim 1 won 100, and 101 is shared"
    ]
    other_seat = (3, 1, 4, "added", 6, 9, None, "", True)
    assert said_of_sharers(first, other_seat) == [
        "sharer 3: seat 4 of claim 1 won 5, and 6 is shared"
    ]
    other_claim = (3, 2, 3, "added", 1, 9, None, "", True)
    assert said_of_sharers(first, other_claim) == [
        "sharer 3: seat 3 of claim 2 won 0, and 1 is shared"
    ]
    reversal = (3, 1, 3, "reversed", 60, 7, 1, "slip", True)
    assert said_of_sharers(first, second, reversal, (4, *first[1:])) == []


@pytest.mark.parametrize(
    ("place", "value"), [(1, 2), (2, 4), (4, 59), (5, 8), (6, 2), (6, None), (7, "")]
)
def test_a_reversal_is_of_one_that_stands(place: int, value: Any) -> None:
    first = (1, 1, 3, "added", 60, 7, None, "", True)
    reversal: list[Any] = [3, 1, 3, "reversed", 60, 7, 1, "slip", True]
    assert said_of_sharers(first, tuple(reversal)) == []
    wrong = "sharer 3: it reverses no sharer that stands, in full, with a reason"
    reversal[place] = value
    assert said_of_sharers(first, tuple(reversal)) == [wrong]
    good: tuple[Any, ...] = (3, 1, 3, "reversed", 60, 7, 1, "slip", True)
    assert said_of_sharers(first, good, (4, *good[1:])) == [wrong.replace("3", "4", 1)]


def test_a_sharer_is_identified() -> None:
    assert said_of_sharers((1, 1, 3, "added", 60, 7, None, "", False)) == [
        "sharer 1: nobody is identified as a sharer of seat 3"
    ]


# --- the same player ----------------------------------------------------------------------

PLACE = (7, 1, 3)


def identified(
    number: int, at: dt.datetime, *, id_: int = 0, place: tuple[int, int, int] = PLACE,
    casino: int = 1,
) -> same_player.Identified:  # fmt: skip
    return same_player.Identified(id_ or number, place, at, number, casino)


def stopping(
    *, own: dt.datetime = AT - MARGIN, stated: dt.datetime = AT - MARGIN,
    match: dt.datetime = AT - MARGIN, casino: int = 1,
) -> list[int]:  # fmt: skip
    players = same_player.SamePlayers(
        [(stated, 1, 2, True)],
        [identified(1, own), identified(2, AT - 9 * MARGIN, place=(7, 2, 3), casino=casino)],
        [(50, 2, match), (51, 1, match)],
    )
    return players.stopping(PLACE, AT)


def test_what_was_known_ten_seconds_before_a_payment_stops_it() -> None:
    assert stopping() == [50]
    assert stopping(own=AT - MARGIN + SECOND) == []
    assert stopping(stated=AT - MARGIN + SECOND) == []
    assert stopping(match=AT - MARGIN + SECOND) == []
    assert stopping(casino=2) == []
    assert stopping(own=AT + MARGIN + SECOND) == []


def test_a_statement_of_the_last_seconds_decides_nothing() -> None:
    for taken_back in (AT - SECOND, AT + MARGIN):
        players = same_player.SamePlayers(
            [(AT - 9 * MARGIN, 1, 2, True), (taken_back, 1, 2, False)],
            [identified(1, AT - MARGIN), identified(2, AT - MARGIN, place=(7, 2, 3))],
            [(50, 2, AT - MARGIN)],
        )
        assert players.stopping(PLACE, AT) == []
        assert players.stopping(PLACE, AT - 3 * MARGIN) == []  # nobody was identified yet
    again = same_player.SamePlayers(
        [(AT - 9 * MARGIN, 1, 2, True), (AT + MARGIN + SECOND, 1, 2, False)],
        [identified(1, AT - MARGIN), identified(2, AT - MARGIN, place=(7, 2, 3))],
        [(50, 2, AT - MARGIN), (49, 2, AT - 2 * MARGIN)],
    )
    assert again.stopping(PLACE, AT) == [49, 50]
    assert again.stopping((7, 9, 9), AT) == []


def test_the_newest_identification_counts() -> None:
    players = same_player.SamePlayers(
        [(AT - 9 * MARGIN, 1, 2, True)],
        [identified(1, AT - 5 * MARGIN), identified(3, AT - 4 * MARGIN),
         identified(2, AT - 9 * MARGIN, place=(7, 2, 3))],
        [(50, 2, AT - 5 * MARGIN)],
    )  # fmt: skip
    assert players.stopping(PLACE, AT) == []
    assert players.one_with(1, AT) == {1, 2}
    assert players.one_with(1, AT - 10 * MARGIN) == {1}


def test_numbers_are_those_of_the_first_by_a_document() -> None:
    born = dt.date(1970, 1, 1)
    parts = [
        (1, 7, 1, 3, AT - 9 * MARGIN, "passport", "ab 1", born, False, 1),
        (2, 7, 2, 3, AT - 9 * MARGIN, "passport", "AB-1", born, False, 1),
        (3, 7, 3, 3, AT - 9 * MARGIN, "licence", "ab1", born, False, 1),
        (4, 7, 4, 3, AT - 9 * MARGIN, "passport", "ab1", born, True, 1),
    ]
    stated = [(AT - 9 * MARGIN, 1, 3, True)]
    matches = [(60, 3, AT - 9 * MARGIN), (61, 4, AT - 9 * MARGIN)]
    connection = rows({
        same_player._STATED: stated, same_player._IDENTIFIED: parts, same_player._MATCHES: matches,
    })  # fmt: skip
    players = same_player.same_players(connection)
    assert players is not None
    assert [players.stopping((7, hit, 3), AT) for hit in (1, 2, 3, 4)] == [[60], [60], [], []]
    assert same_player.same_players(rows({})) is None
    assert same_player.document_number(" a.b,c;1:/_()#[]-\t2é") == "ABC12é"


# --- roles --------------------------------------------------------------------------------


def history(
    *changes: tuple[Any, ...], permissions: tuple[tuple[Any, ...], ...] = ()
) -> role_history.RoleHistory:
    """person, role, casino, granted, until, at."""
    allowed = permissions or ((1, ["second_set_up", "x"], AT), (2, ["y"], AT))
    return role_history.RoleHistory(
        rows({role_history._CHANGES: changes, role_history._PERMISSIONS: allowed})
    )


def test_who_held_what_when() -> None:
    later = AT + MARGIN
    roles = history(
        (5, 1, None, True, None, AT),
        (5, 2, 9, True, later, AT),
        (5, 1, None, False, None, later),
        (6, 1, 9, True, None, AT),
        (6, None, None, False, None, later),
    )
    both = {(1, None): frozenset({"second_set_up", "x"}), (2, 9): frozenset({"y"})}
    assert roles.held(5, AT) == both
    assert roles.held(5, AT - SECOND) == {}
    assert roles.held(5, later - SECOND) == both
    assert roles.held(5, later) == {}
    mine = {(1, 9): frozenset({"second_set_up", "x"})}
    assert roles.held(6, later - SECOND) == mine
    assert roles.held(6, later) == {}
    assert roles.held(6, later, is_locked=True) == mine


def test_what_a_role_allowed_then() -> None:
    later = AT + MARGIN
    roles = history(permissions=((1, ["a"], AT), (1, ["b"], later)))
    assert roles.permissions(1, AT - SECOND) == frozenset()
    assert roles.permissions(1, AT) == {"a"}
    assert roles.permissions(1, later) == {"b"}
    assert roles.permissions(2, later) == frozenset()


def test_who_may_endorse() -> None:
    late = AT + 9 * MARGIN

    def may(*changes: tuple[Any, ...], by: int = 5, of: int = 6, at: dt.datetime = late) -> bool:
        return history(*changes).may_endorse(by, of, at)

    own, everywhere, other = (
        (6, 2, 9, True, None, AT), (5, 1, None, True, None, AT), (5, 1, 8, True, None, AT),
    )  # fmt: skip
    assert may(own, everywhere)
    assert may(own, (5, 1, 9, True, None, AT))
    assert not may(own, other)
    assert not may(own, (5, 2, None, True, None, AT))  # another role
    assert not may(everywhere)  # who has no role needs nobody's word
    assert not may(own, (6, 2, 8, True, None, AT), (5, 1, 9, True, None, AT))  # of two casinos
    assert not may(own)
    assert may(own, by=6)
    assert may(own, at=AT - SECOND)  # before anything was written down
    assert may(own, everywhere, (5, 1, None, False, None, late - MARGIN + SECOND))
    assert not may(own, everywhere, (5, 1, None, False, None, late - MARGIN))
