"""Whoever acts beyond their role is found and named, though the guard was past."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found, forged
from tests.support.suite.sql_files import permissions
from verifier.people import permissions as permitted
from verifier.people.decision_basis import SOURCES


def in_the_name(source: str, who: str, where: str = "true") -> str:
    """What was recorded says that somebody else did it."""
    return f"""
        UPDATE settlement_record SET said = jsonb_set(said::jsonb, '{{person_id}}', (
            SELECT to_jsonb(id) FROM auth_user WHERE username = '{who}'))::text
        WHERE source = '{source}' AND {where}"""


def action(kind: str) -> str:
    return f"said::jsonb ->> 'kind' = '{kind}'"


TAMPERED: Tampered = {
    "a cashier verifies": (
        [in_the_name("settlement_action", "aroha", action("verify"))],
        ["(verify): aroha was not permitted it (verify_claim)"],
    ),
    "a supervisor confirms": (
        [in_the_name("settlement_action", "sione", action("confirm"))],
        ["(confirm): sione was not permitted it (confirm_claim)"],
    ),
    "a manager pays": (
        [in_the_name("settlement_action", "mere", action("pay"))],
        ["(pay): mere was not permitted it (pay_claim)"],
    ),
    "somebody whom nobody knows answers the checklist": (
        [
            "UPDATE settlement_record SET said = jsonb_set(said::jsonb, '{person_id}', '0')::text"
            " WHERE source = 'settlement_checkanswer'"
        ],
        ["person 0 was not permitted it (verify_claim)"],
    ),
    "a cashier proposes to adjust": (
        [in_the_name("settlement_proposal", "aroha", action("adjust_pool"))],
        ["(adjust_pool): aroha was not permitted it (propose_adjustment)"],
    ),
    "a supervisor agrees": (
        [in_the_name("settlement_proposaldecision", "sione", "said::jsonb ->> 'agreed' = 'true'")],
        ["agreed): sione was not permitted it (second_"],
    ),
    "a role was never given": (
        [
            """UPDATE settlement_record SET said = (said::jsonb || '{"granted": false}')::text
            WHERE source = 'settlement_rolechange' AND said::jsonb -> 'person_id' = (
                SELECT to_jsonb(id) FROM auth_user WHERE username = 'sione')"""
        ],
        ["sione was not permitted it (", "more of this kind"],
    ),
    "somebody could not log in any more": (
        [
            """UPDATE settlement_record SET said = (
                said::jsonb || '{"granted": false, "role_id": null}')::text
            WHERE source = 'settlement_rolechange' AND said::jsonb -> 'person_id' = (
                SELECT to_jsonb(id) FROM auth_user WHERE username = 'david')"""
        ],
        ["(confirm): david was not permitted it (confirm_claim)"],
    ),
    "a role did not allow it": (
        [
            """UPDATE settlement_record SET said = jsonb_set(said::jsonb, '{permissions}',
                (said::jsonb -> 'permissions') - 'pay_claim')::text
            WHERE source = 'settlement_rolepermissions'"""
        ],
        ["(pay): aroha was not permitted it (pay_claim)"],
    ),
    "a cashier suspends": (
        [
            *forged("suspend", "{}"),
            "UPDATE jackpot_command SET first = 'aroha' WHERE kind = 'suspend'",
        ],
        ["(suspend): aroha was not permitted it (suspend_jackpot)"],
    ),
    "an action of a kind that nobody knows": (
        [
            'UPDATE settlement_record SET said = (said::jsonb || \'{"kind": "bless"}\')::text'
            " WHERE source = 'settlement_action'"
        ],
        ["(bless): this verifier knows nobody who may"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_acting_beyond_a_role_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])


def test_an_act_that_the_owner_wrote_past_the_guard_is_named(guarded_hands: Hands) -> None:
    """Everything else is as it should be: the row is recorded, and nothing was changed since."""
    guarded_hands.connection.execute("""
        INSERT INTO settlement_note (claim_id, text, person_id, at, key)
        SELECT k.id, 'All well.', u.id, now(), gen_random_uuid()
        FROM settlement_claim k JOIN auth_user u ON u.username = 'ines' ORDER BY k.id LIMIT 1""")
    report = guarded_hands.look()
    assert set(report.counts_by_kind) == {permitted.KIND}
    ((_, sentence),) = report.findings
    assert sentence.endswith("ines was not permitted it (add_note)")


def test_every_table_of_records_has_its_line() -> None:
    of_nobody = {
        *("settlement_claim", "settlement_payout", "settlement_rolechange"),
        *("settlement_rolepermissions", "settlement_secondmanagerlimit"),
        *("settlement_missedroundslimit", "settlement_termsfactor", "tables_erabegun"),
        *("settlement_finding", "settlement_variancelimit", "settlement_signaturepolicy"),
        *("settlement_signingkey", "settlement_signingkeyend", "settlement_signature"),
        *("settlement_exclusion", "settlement_exclusionmatch"),
        *("settlement_setupchange", "settlement_ownerendorsement"),
        *("settlement_jurisdictionchoice", "settlement_countingrule"),
    }
    assert permitted.REQUIRED_PERMISSIONS.keys() | of_nobody == SOURCES.keys()


def test_verifier_and_guard_were_written_apart_and_say_the_same() -> None:
    guard = permissions()
    for source, columns in permitted.REQUIRED_PERMISSIONS.items():
        assert set(guard[source]) == set(columns), source
        for column, permissions_by_kind in columns.items():
            others = guard[source][column]
            if isinstance(others, dict):
                words = {", agreed": " true", ", withdrawn": " false"}
                by_kind = {
                    _worded(kind, words): list(each) for kind, each in permissions_by_kind.items()
                }
                assert by_kind == {kind: [each] for kind, each in others.items()}
            else:
                assert list(permissions_by_kind[""]) == (
                    [others] if isinstance(others, str) else others
                )


def _worded(kind: str, words: dict[str, str]) -> str:
    for here, there in words.items():
        kind = kind.replace(here, there)
    return kind
