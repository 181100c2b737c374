"""Whoever forges what two people agreed to is found: proposal, evidence, people, times."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest

from jackpot.domain.command_handlers import COMMANDS
from jackpot.models.commands import TWO_PEOPLE
from settlement.models import Proposal
from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found
from verifier.database.people_records import Action, Recorded
from verifier.database.people_records import Proposal as ProposalRow
from verifier.database.report import Report, Scope
from verifier.fold.entries import commands
from verifier.people import authorisation

# Those that the evening has; of `put_terms` those behind the first, which are the owner's.
AGREED = (
    *("put_terms", "adjust_pool", "reverse_claim", "reverse_rejection", "forfeit"),
    *("resolve_dispute", "lift_hold"),
)
NOTES = {
    "put_terms": "force",
    "resolve_dispute": "finding",
    "lift_hold": "finding",
    "forfeit": "reason",
}
NOBODY = "(SELECT id FROM auth_user WHERE username = 'tane')"
OUTSIDE = (
    "receive_table",
    "attach_file",
    *("count_drop", "enter_balance", "remit_tax", "reverse_remittance"),
)  # other promises: `verifier.order.table_transfers`, `verifier.people.files` and others
# One person's word at once, or the console's own: the command is all there is.
ALONE = ("suspend", "resume", "seal_records")


def of(kind: str) -> str:
    return f"proposal_id IN (SELECT id FROM settlement_proposal WHERE kind = '{kind}')"


def proposals_of(kind: str) -> Tampered:
    """What is done to the proposals of a kind, and to their decisions."""
    decision, proposal = "UPDATE settlement_proposaldecision SET", "UPDATE settlement_proposal SET"
    note = NOTES.get(kind, "evidence")
    return {
        "deleted": (
            [
                f"DELETE FROM settlement_proposaldecision WHERE {of(kind)}",
                f"DELETE FROM settlement_proposal WHERE kind = '{kind}'",
            ],
            [f"{kind} without a proposal by"],
        ),
        "not agreed to": (
            [f"DELETE FROM settlement_proposaldecision WHERE {of(kind)}"],
            [f"{kind} without a proposal by"],
        ),
        "withdrawn": (
            [
                "ALTER TABLE settlement_proposaldecision DROP CONSTRAINT agreed_by_a_command",
                f"{decision} agreed = false WHERE {of(kind)}",
            ],
            [f"{kind} without a proposal by"],
        ),
        "of another kind": (
            [f"{proposal} kind = 'close_tier' WHERE kind = '{kind}'"],
            [f"{kind} without a proposal by", "which is another one"],
        ),
        "of another proposer": (
            [f"{proposal} person_id = {NOBODY} WHERE kind = '{kind}'"],
            [f"{kind} names ", ": tane proposed it, "],
        ),
        "of another who agreed": (
            [f"{decision} person_id = {NOBODY} WHERE {of(kind)}"],
            [f"{kind} names ", " proposed it, tane agreed"],
        ),
        "of other evidence": (
            [f"{proposal} body = body || '{{\"{note}\": \"another\"}}' WHERE kind = '{kind}'"],
            [f"{kind} is not what "],
        ),
        "later than its agreement": (
            [f"{proposal} at = at + interval '1 hour' WHERE kind = '{kind}'"],
            ["its at is not what was recorded"],
        ),
        "agreed to by another command": (
            [f"{decision} command = command - 1 WHERE {of(kind)}"],
            [f"{kind} without a proposal by"],
        ),
    }


TAMPERED: Tampered = {
    f"a proposal to {kind} is {how}": what
    for kind in AGREED
    for how, what in proposals_of(kind).items()
}
TAMPERED |= {
    "a proposal is decided twice": (
        [
            "ALTER TABLE settlement_proposaldecision"
            " DROP CONSTRAINT settlement_proposaldecision_proposal_id_key",
            "INSERT INTO settlement_proposaldecision"
            " (proposal_id, agreed, command, note, person_id, at)"
            " SELECT proposal_id, agreed, command, note, person_id, at"
            " FROM settlement_proposaldecision",
        ],
        ["adjust_pool stands on 2 decisions on proposals"],
    ),
    "one command for two proposals": (
        [
            f"UPDATE settlement_proposaldecision SET command = (SELECT min(command) FROM"
            f" settlement_proposaldecision WHERE agreed AND {of('adjust_pool')})"
            f" WHERE agreed AND {of('adjust_pool')}"
        ],
        ["adjust_pool stands on ", "adjust_pool without a proposal by"],
    ),
    "the evidence of a rejection is changed": (
        [
            'UPDATE settlement_action SET body = body || \'{"evidence": "none"}\''
            " WHERE kind = 'propose_rejection'"
        ],
        ["reject_claim is not what anahera proposed"],
    ),
    "a rejection was withdrawn before": (
        [
            "INSERT INTO settlement_action (id, claim_id, kind, person_id, at, report_entry, body,"
            " key) SELECT -id, claim_id, 'withdraw_rejection', person_id, at, report_entry, '{}',"
            " gen_random_uuid() FROM settlement_action WHERE kind = 'propose_rejection'",
            "UPDATE settlement_action SET id = -1000 - id WHERE kind = 'propose_rejection'",
        ],
        ["though the proposal by anahera was withdrawn"],
    ),
    "a rejection is proposed after it was agreed to": (
        [
            "UPDATE settlement_action SET at = at + interval '1 hour'"
            " WHERE kind = 'propose_rejection'"
        ],
        ["its at is not what was recorded"],
    ),
    "another amount was confirmed": (
        ["UPDATE settlement_action SET body = body || '{\"amount\": 1}' WHERE kind = 'confirm'"],
        ["confirm_claim is not what david confirmed"],
    ),
    "a claim was verified after its confirmation": (
        ["UPDATE settlement_action SET id = id + 100000 WHERE kind = 'verify'"],
        ["confirm_claim without a verification of that report by sione"],
    ),
    "another report was typed": (
        ["UPDATE settlement_action SET body = '{\"report\": {}}' WHERE kind = 'amend'"],
        ["amend_hand is not the report that anahera typed"],
    ),
    "another part was paid": (
        [
            "UPDATE settlement_action SET body = jsonb_set(body, '{parts,cash}', '1')"
            " WHERE kind = 'pay'"
        ],
        ["pay is not what aroha paid"],
    ),
    **{
        f"a note behind {kind} is changed": (
            [
                'UPDATE settlement_action SET body = body || \'{"note": "x"}\''
                f" WHERE kind = '{kind}'"
            ],
            [f"{kind} is not what {who} said"],
        )
        for kind, who in (("dispute", "sione"), ("hold_claim", "ines"), ("withhold", "mere"))
    },
    "what was set aside was proposed later": (
        [
            "DELETE FROM settlement_record WHERE source = 'settlement_asideproposal'",
            "INSERT INTO settlement_record (system_id, source, row, said) SELECT system_id,"
            " 'settlement_asideproposal', id, to_jsonb(p)::text FROM settlement_asideproposal p",
        ],
        ["it was set aside without a proposal by mere before"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_agreements_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])


def test_each_kind_of_command_has_its_rule() -> None:
    """A new kind says here, too, whom it names and what stands behind it."""
    assert set(authorisation.RULES) == set(COMMANDS) == set(commands.COMMANDS)
    two = {kind for kind, rule in authorisation.RULES.items() if rule.people == 2}
    assert two == set(TWO_PEOPLE)
    assert two | {"missed_rounds", "refuse_rounds"} >= set(Proposal.Kind.values)


def decision(kind: str, **body: Any) -> Any:
    outcome = {"hit": 1}
    defaults = {"hit": 1, "line": 1, "table": "t3", "report": {}, "report_entry": 1, "parts": {}}
    entry = SimpleNamespace(
        seq=9, type=kind, command=1, command_text="{}", first="mere", second="david"
    )
    return SimpleNamespace(entry=entry, body=defaults | {"amount": 1} | body, outcome=outcome)


@pytest.mark.parametrize("kind", sorted(COMMANDS.keys() - {*OUTSIDE, *ALONE}))
def test_no_kind_stands_on_nothing(kind: str) -> None:
    """Where nobody recorded anything, each rule says what is missing."""
    nothing = Recorded(opened=1)
    missing = authorisation.RULES[kind].stands(decision(kind), nothing)
    assert missing is not None
    assert missing.startswith(("without ", "stands on "))


def test_a_kind_that_nobody_knows_is_a_finding(hands: Hands, monkeypatch: Any) -> None:
    monkeypatch.delitem(authorisation.RULES, "adjust_pool")
    assert "nobody behind adjust_pool: take a newer one" in "\n".join(hands.look().lines())


def test_a_clock_that_was_set_back_is_a_remark_and_no_fault() -> None:
    """The agreement names its proposal, whatever the clock said: nothing can ever mend a finding
    about an hour that a machine was put back."""
    noon = dt.datetime(2026, 11, 26, 12, tzinfo=dt.UTC)
    earlier = noon - dt.timedelta(seconds=3575)
    settled = ProposalRow(
        5, "settle_order", "{}", "mere", noon, True, 1, "david", earlier, "settle_order"
    )
    steps = [
        Action(1, "propose_rejection", "mere", 3, None, "{}", noon, 1),
        Action(1, "second_rejection", "david", 3, 2, "{}", earlier, 3),
    ]
    records = Recorded(opened=1)
    records.proposals[1].append(settled)
    records.actions[1].extend(steps)
    report = Report()
    body = {"report_entry": 3, "hit": 1}
    rejected = decision("reject_claim")
    rejected.entry.command = 2
    rejected.body = body
    authorisation.behind(Scope(report, "main"), [decision("settle_order"), rejected], records)
    assert not report.findings
    kinds = ("settle_order", "reject_claim")
    for kind, remark in zip(kinds, report.remarks, strict=True):
        assert f"{kind}: the agreement bears a time 3575.0 s before its proposal" in remark
