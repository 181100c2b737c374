"""What stands behind decisions, as a few records: each sentence that is said of them, whole."""

import datetime as dt
import json
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import decision
from verifier.database.people_records import Action, Proposal, Recorded, Ruling
from verifier.database.report import Report, Scope
from verifier.fold.folding import Decision
from verifier.people.authorisation import behind, two_people

AT = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
LATER = dt.timedelta(seconds=1.5)


def by(each: Decision, first: str | None = "mere", second: str | None = "david") -> Decision:
    """The same by these people, its command as it was queued."""
    text = json.dumps(each.body)
    entry = each.entry._replace(first=first, second=second, command_text=text)
    return Decision(entry, each.body, each.outcome)


def verdict(*decisions: Decision, records: Recorded | None = None) -> tuple[list[str], list[str]]:
    report = Report()
    behind(Scope(report, "main"), list(decisions), records or Recorded())
    assert {kind for kind, _ in report.findings} <= {"people"}
    return [each.removeprefix("system main, ") for _, each in report.findings], report.remarks


# --- how many people ----------------------------------------------------------------------


def test_who_is_named() -> None:
    report = Report()
    decisions = [
        by(decision(1, "pay", {}), "mere", None),
        by(decision(2, "put_terms", {})),
        by(decision(3, "put_terms", {}), "mere", "mere"),
        by(decision(4, "put_terms", {}), "mere", ""),
        by(decision(5, "put_terms", {}), None, "david"),
        by(decision(6, "missed_rounds", {}), "mere", None),
        by(decision(7, "bless", {})),
    ]
    two_people(Scope(report, "main"), decisions)
    alone = "put_terms names one person alone"
    assert [sentence for _, sentence in report.findings] == [
        *(f"system main, entry {seq}: {alone}" for seq in (3, 4, 5)),
        "system main, entry 7: this verifier knows nobody behind bless: take a newer one",
    ]


# --- proposals ----------------------------------------------------------------------------


def proposal(**changes: Any) -> Proposal:
    """mere proposed command 7, david agreed to it."""
    fields: dict[str, Any] = {
        "id": 50, "kind": "adjust_pool", "body": '{"amount": 5, "tier": "royal"}',
        "proposer": "mere", "proposed_at": AT, "agreed": True, "command": 7, "agreer": "david",
        "agreed_at": AT, "command_kind": "adjust_pool",
    }  # fmt: skip
    return Proposal(**fields | changes)


def adjusted(*proposals: Proposal, kind: str = "adjust_pool") -> tuple[list[str], list[str]]:
    records = Recorded()
    if proposals:
        records.proposals[7] = list(proposals)
    return verdict(by(decision(7, kind, {}, tier="royal", amount=5)), records=records)


WITHOUT = "entry 7: adjust_pool without a proposal by mere that david agreed to"


def test_exactly_this_was_proposed() -> None:
    assert adjusted(proposal()) == ([], [])
    assert adjusted() == ([WITHOUT], [])
    assert adjusted(proposal(agreed=False)) == ([WITHOUT], [])
    assert adjusted(proposal(), proposal()) == (
        ["entry 7: adjust_pool stands on 2 decisions on proposals"], [],
    )  # fmt: skip
    assert adjusted(proposal(kind="close_tier", command_kind="close_tier")) == ([WITHOUT], [])
    assert adjusted(proposal(body='{"amount": 6, "tier": "royal"}')) == (
        ["entry 7: adjust_pool is not what mere proposed"], [],
    )  # fmt: skip
    for changes, people in (({"proposer": "sione"}, "sione proposed it, david agreed"),
                            ({"agreer": "sione"}, "mere proposed it, sione agreed")):  # fmt: skip
        sentence = f"entry 7: adjust_pool names mere and david: {people}"
        assert adjusted(proposal(**changes)) == ([sentence], [])


def test_a_proposal_is_agreed_to_by_its_own_command() -> None:
    assert adjusted(proposal(command_kind="pay"))[0] == [
        "proposal 50 (adjust_pool): it was agreed to by command 7, which is another one"
    ]
    assert adjusted(proposal(command_kind="pay", agreed=False))[0] == [WITHOUT]


def test_a_clock_that_was_set_back_is_a_remark() -> None:
    late = proposal(proposed_at=AT + LATER)
    assert adjusted(late) == ([], [
        "system main: entry 7, adjust_pool: the agreement bears a time 1.5 s before its proposal:"
        " the database's clock was set back"
    ])  # fmt: skip


def test_the_owner_puts_the_first_terms() -> None:
    first = by(decision(3, "put_terms", {}))
    without = "entry 3: put_terms without a proposal by mere that david agreed to"
    remark = (
        "system main: the owner put the first terms (entry 3), before any table had said anything"
        " and without a proposal"
    )
    assert verdict(first, records=Recorded(opened=4)) == ([], [remark])
    assert verdict(first, records=Recorded()) == ([], [remark])
    assert verdict(first, records=Recorded(opened=3)) == ([without], [])
    again = by(decision(2, "put_terms", {}))
    assert verdict(again, first)[1] == [remark.replace("entry 3", "entry 2, 3")]


# --- actions on a claim -------------------------------------------------------------------


def act(kind: str, person: str, command: int | None = None, report: int = 9, **body: Any) -> Action:
    return Action(1, kind, person, report, command, json.dumps(body), AT, None)


def of_claim(kind: str, *actions: Action, people: tuple[Any, Any] = ("mere", None),
             **body: Any) -> list[str]:  # fmt: skip
    records = Recorded()
    records.actions[1] = list(actions)
    findings, _ = verdict(by(decision(7, kind, {"hit": 1}, **body), *people), records=records)
    return [each.removeprefix(f"entry 7: {kind} ") for each in findings]


def test_an_amendment_is_what_was_typed() -> None:
    typed = act("amend", "mere", 7)._replace(body='{"report": {"a": 1}}')
    assert of_claim("amend_hand", typed, report={"a": 1}) == []
    assert of_claim("amend_hand", typed, report={"a": 2}) == ["is not the report that mere typed"]
    without = ["without the action of mere that it names"]
    assert of_claim("amend_hand", report={"a": 1}) == without
    assert of_claim("amend_hand", typed._replace(person="sione"), report={"a": 1}) == without
    assert of_claim("amend_hand", typed._replace(command=6), report={"a": 1}) == without
    assert of_claim("amend_hand", typed, typed, report={"a": 1}) == ["stands on 2 actions"]


def test_a_confirmation_is_what_two_people_said() -> None:
    both = ("mere", "david")
    body: dict[str, Any] = {"amount": 5, "report_entry": 9}
    verified, confirmed = act("verify", "mere"), act("confirm", "david", 7, amount=5)

    def of(*actions: Action) -> list[str]:
        return of_claim("confirm_claim", *actions, people=both, **body)

    assert of(verified, confirmed) == []
    unverified = ["without a verification of that report by mere"]
    assert of(confirmed) == of(confirmed, verified) == unverified  # afterwards is too late
    assert of(act("verify", "mere", report=8), confirmed) == unverified
    assert of(act("verify", "sione"), confirmed) == unverified
    assert of(act("note", "mere"), confirmed) == unverified
    assert of(verified) == ["without the action of david that it names"]
    wrong = ["is not what david confirmed"]
    assert of(verified, act("confirm", "david", 7, amount=6)) == wrong
    assert of(verified, act("confirm", "david", 7, report=8, amount=5)) == wrong


def test_a_rejection_is_the_newest_proposal() -> None:
    both = ("mere", "david")
    body: dict[str, Any] = {"hit": 1, "report_entry": 9, "reason": "R", "affected": True}
    proposed = act("propose_rejection", "mere", reason="R", affected=True)
    second, withdrawn = act("second_rejection", "david", 7), act("withdraw_rejection", "mere")

    def of(*actions: Action) -> list[str]:
        return of_claim("reject_claim", *actions, people=both, **body)

    assert of(proposed, second) == of(withdrawn, proposed, act("note", "x"), second) == []
    assert of(second) == of(second, proposed) == ["without a proposal by mere"]
    assert of(proposed._replace(person="sione"), second) == ["without a proposal by mere"]
    assert of(proposed) == ["without the action of david that it names"]
    spent = ["though the proposal by mere was withdrawn or spent, or another one followed"]
    assert of(proposed, withdrawn, second) == spent
    assert of(proposed, act("second_rejection", "david", 6), second) == spent
    assert of(proposed, proposed._replace(person="sione"), second) == spent
    wrong = ["is not what mere proposed"]
    assert of(act("propose_rejection", "mere", reason="S", affected=True), second) == wrong
    assert of(proposed._replace(report_entry=8), second) == wrong


def test_the_times_of_a_rejection() -> None:
    records = Recorded()
    late = AT + LATER
    proposed = act("propose_rejection", "mere", reason="R")
    records.actions[1] = [
        proposed._replace(at=late + LATER), proposed._replace(at=late),
        act("second_rejection", "david", 7),
    ]  # fmt: skip
    rejected = by(decision(7, "reject_claim", {"hit": 1}, hit=1, report_entry=9, reason="R"))
    assert verdict(rejected, records=records) == ([], [
        "system main: entry 7, reject_claim: the agreement bears a time 1.5 s before its proposal:"
        " the database's clock was set back"
    ])  # fmt: skip


def test_a_payment_is_what_was_paid() -> None:
    body: dict[str, Any] = {"line": 2, "parts": {"cash": 5, "tax": 1}}

    def of(**wording: Any) -> list[str]:
        return of_claim("pay", act("pay", "mere", 7, **wording), **body)

    assert of(**body) == of(line=2, parts={"cash": 5, "tax": 1, "chips": 0}) == []
    wrong = ["is not what mere paid"]
    assert of(line=1, parts=body["parts"]) == of(line=2) == wrong
    for method in ("chips", "cash", "equivalent", "tax"):
        assert of(line=2, parts={"cash": 5, "tax": 1} | {method: 9}) == wrong
    assert of_claim("pay", **body) == ["without the action of mere that it names"]


@pytest.mark.parametrize(
    ("kind", "body", "noted"),
    [
        ("dispute", {"reason": "R"}, {"note": "R"}),
        ("hold_claim", {"reason": "R"}, {"note": "R"}),
        ("withhold", {"reason": "R", "line": 2}, {"note": "R", "line": 2}),
        ("release", {"reason": "R", "line": 2}, {"note": "R", "line": 2}),
        ("unclaimed", {"reason": "R", "line": 2}, {"note": "R", "line": 2}),
        ("name_round", {"note": "N", "round": 3}, {"note": "N", "round": 3}),
        ("separate_hand", {"note": "N"}, {"note": "N"}),
        ("unpair_hand", {"note": "N"}, {"note": "N"}),
        ("unpair_hand", {}, {"note": ""}),
    ],
)
def test_what_one_person_said(kind: str, body: dict[str, Any], noted: dict[str, Any]) -> None:
    assert of_claim(kind, act(kind, "mere", 7, **noted), **body) == []
    for name in noted:
        other = noted | {name: "x"}
        assert of_claim(kind, act(kind, "mere", 7, **other), **body) == ["is not what mere said"]
    assert of_claim(kind, **body) == ["without the action of mere that it names"]


# --- rulings ------------------------------------------------------------------------------


def ruled(kind: str = "void_round", second: str | None = None, body: dict[str, Any] | None = None,
          times: int = 1, **changes: Any) -> list[str]:  # fmt: skip
    fields: dict[str, Any] = {
        "command": 7, "kind": kind, "person": "mere", "table": "t3", "round": 5, "rounds": 0,
        "reason": "R", "note": "N", "misdeal": "", "signed": None,
    }  # fmt: skip
    records = Recorded()
    records.rulings[7] = [Ruling(**fields | changes)] * times
    content = {"table": "t3", "round": 5, "reason": "R", "note": "N"} if body is None else body
    findings, _ = verdict(by(decision(7, kind, {}, **content), "mere", second), records=records)
    return [each.removeprefix(f"entry 7: {kind} ") for each in findings]


def test_a_ruling_says_exactly_this() -> None:
    assert ruled() == []
    without = ["without the ruling behind it"]
    for name, value in (("person", "david"), ("table", "t7"), ("round", 6), ("rounds", 1),
                        ("reason", "S"), ("note", "M"), ("misdeal", "x")):  # fmt: skip
        changed: dict[str, Any] = {name: value}
        assert ruled(**changed) == without, name
    assert ruled(times=2) == ruled(times=0) == ruled(second="david") == without
    completion = {"table": "t3", "rounds": [5], "evidence": "N", "completion": True, "misdeal": "x"}
    assert ruled(body=completion, reason="completion", misdeal="x") == []
    several = {"table": "t3", "rounds": [5, 6], "note": "N", "count": 2}
    assert ruled("accept_rounds", body=several, round=None, rounds=2, reason="") == []
    assert ruled("missed_rounds") == []
    assert ruled("missed_rounds", second="david") == [
        "without a proposal by mere that david agreed to"
    ]


def test_a_hand_that_was_entered_is_signed() -> None:
    assert ruled("enter_hand") == []
    assert ruled("enter_hand", second="david", signed="david") == []
    assert ruled("enter_hand", second="david") == ["without the signature of david"]
    assert ruled("enter_hand", signed="david") == ["without the signature of None"]
    assert ruled("enter_hand", person="sione") == ["without the ruling behind it"]


def test_nobody_s_decision_is_the_console_s() -> None:
    sealed = decision(7, "seal_records", {})
    assert verdict(by(sealed, "console", None)) == ([], [])
    own = ["entry 7: seal_records is not the console's own"]
    assert verdict(by(sealed, "mere", None))[0] == verdict(by(sealed, "console", "mere"))[0] == own
    assert verdict(by(decision(7, "suspend", {}), "mere", None)) == ([], [])
    assert verdict(by(decision(7, "count_drop", {}), "mere", None)) == ([], [])
    assert verdict(by(decision(7, "bless", {}), "mere", None)) == ([], [])
