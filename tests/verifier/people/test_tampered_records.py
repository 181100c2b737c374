"""Whoever changes what a decision rests on is found: each table of it, row by row."""

import hashlib

import pytest

from jackpot.domain.state import blocks
from settlement.database_roles.grants import PREFIX
from tests.support.proof.evening_hands import Hands
from tests.support.proof.forger import rehash
from tests.support.proof.tampering import Tampered, assert_found, otherwise, unchecked
from verifier.people.decision_basis import SOURCES

# A column of each that says something; elsewhere it is the time.
SAYS = {
    "settlement_claim": "opened_at",
    "settlement_action": "at",
    "settlement_checkanswer": "answer",
    "settlement_decktick": "card",
    "settlement_footage": "finding",
    "settlement_note": "text",
    "settlement_attachment": "caption",
    "settlement_identification": "seat",
    "settlement_sharer": "amount",
    "settlement_identificationlook": "purpose",
    "settlement_bundleexport": "size",
    "settlement_exclusionmatch": "at",
    "settlement_exclusionimport": "file",
    "settlement_exclusion": "reference",
    "settlement_exclusionend": "last_day",
    "settlement_exclusionlook": "at",
    "settlement_exclusionstop": "kind",
    "settlement_payout": "at",
    "settlement_slipprint": "digest",
    "settlement_formfiling": "reference",
    "settlement_filingfile": "kind",
    "settlement_proposal": "at",
    "settlement_proposaldecision": "at",
    "settlement_proposalapproval": "at",
    "settlement_retypedfigures": "at",
    "settlement_asideproposal": "reason",
    "jackpot_setaside": "at",
    "settlement_ruling": "day",
    "settlement_countersignature": "note",
    "settlement_incident": "happened_at",
    "settlement_incidentend": "note",
    "settlement_staffplay": "since",
    "settlement_staffplayword": "agrees",
    "settlement_staffplayend": "at",
    "settlement_secondmanagerlimit": "amount",
    "settlement_signaturepolicy": "acts",
    "settlement_signingkey": "origin",
    "settlement_signingkeyend": "by",
    "settlement_ownerendorsement": "note",
    "settlement_signature": "statement",
    "settlement_missedroundslimit": "count",
    "settlement_termsfactor": "factor",
    "settlement_jurisdictionchoice": "since",
    "settlement_handover": "remarks",
    "settlement_rolechange": "granted",
    "settlement_rolepermissions": "by",
    "settlement_setupchange": "by",
    "settlement_moneycount": "amount",
    "settlement_taxremittance": "amount",
    "settlement_variancelimit": "amount",
    "settlement_countingrule": "since",
    "settlement_finding": "at",
    "settlement_findingstep": "note",
    "tables_closedgap": "note",
    "tables_erabegun": "reason",
    "tables_alarm": "cleared_note",
}
SHORT = {
    "settlement_checkanswer": "'no'",
    "settlement_decktick": "'2h'",
    "settlement_identificationlook": "'pay'",
}


def changed(hands: Hands, source: str) -> list[str]:
    """A column of the first row that was recorded says something else."""
    column = SAYS[source]
    value = SHORT.get(source) or otherwise(hands, source, column)
    recorded = f"id IN (SELECT row FROM settlement_record WHERE source = '{source}')"
    return [unchecked(source), f"UPDATE {source} SET {column} = {value} WHERE {recorded}"]


def test_each_source_says_something() -> None:
    assert SAYS.keys() == SOURCES.keys()


@pytest.mark.parametrize("source", SOURCES)
def test_a_row_that_was_changed_is_found(hands: Hands, source: str) -> None:
    statements = changed(hands, source)
    assert_found(hands, statements, [f"its {SAYS[source]} is not what was recorded"])


@pytest.mark.parametrize("source", SOURCES)
def test_a_row_that_is_gone_is_found(hands: Hands, source: str) -> None:
    recorded = f"id IN (SELECT row FROM settlement_record WHERE source = '{source}')"
    sentences = [f"records: system main, {source} ", "it is gone"]
    assert_found(hands, [unchecked(source), f"DELETE FROM {source} WHERE {recorded}"], sentences)


@pytest.mark.parametrize("source", SOURCES)
def test_a_row_that_came_past_the_guards_is_found(hands: Hands, source: str) -> None:
    """Its record is taken away, and the order does not say so."""
    sentences = [
        f"records: {source} ",
        "it is there, and was never recorded",
        "does not make its basis",
    ]
    first = f"(SELECT min(id) FROM settlement_record WHERE source = '{source}')"
    assert_found(hands, [f"DELETE FROM settlement_record WHERE id = {first}"], sentences)


PLAYER = "UPDATE settlement_identification SET"
TAMPERED: Tampered = {
    **{
        f"a player's {column} is changed": (
            [f"{PLAYER} {column} = {value}"],
            ["the player is not the one who was recorded"],
        )
        for column, value in (
            ("name", "'B. N.'"),
            ("born", "born + 1"),
            ("document_number", "'N 2'"),
            ("tax_number", "'1'"),
            ("address", "'x'"),
            ("country", "'FR'"),
            ("note", "'x'"),
            ("key", "gen_random_uuid()"),
        )
    },
    **{
        f"an excluded person's {column} is changed": (
            [f"UPDATE settlement_exclusion SET {column} = {value} WHERE reference = 'O-2'"],
            ["the excluded person is not the one who was recorded"],
        )
        for column, value in (("name", "'C. M.'"), ("born", "born + 1"), ("document_number", "'7'"))
    },
    "the time of a command": (
        ["UPDATE jackpot_command SET issued_at = issued_at - interval '1 day' WHERE number = 2"],
        ["command 2: what was recorded before it, or its time, does not make its basis"],
    ),
    "a basis": (
        ["UPDATE jackpot_command SET basis = sha256(basis) WHERE number = 5"],
        ["command 5: what was recorded before it", "the command was changed since it was posted"],
    ),
    "no basis": (
        ["UPDATE jackpot_command SET basis = NULL WHERE number = 5"],
        ["command 5: what was recorded before it", "the command was changed since it was posted"],
    ),
    "a record and its row": (
        [
            "UPDATE settlement_checkanswer SET answer = 'na'",
            "UPDATE settlement_record SET said = replace(said, '\"yes\"', '\"na\"')"
            " WHERE source = 'settlement_checkanswer'",
        ],
        ["does not make its basis"],
    ),
    "a record of another command": (
        ["UPDATE settlement_record SET command = command + 1 WHERE source = 'settlement_footage'"],
        ["does not make its basis"],
    ),
    "a record of no command": (
        ["UPDATE settlement_record SET command = 999 WHERE source = 'settlement_footage'"],
        ["command 999: 2 records name it, and there is no such command", "does not make its basis"],
    ),
    "a record that waits again": (
        ["UPDATE settlement_record SET command = NULL WHERE source = 'settlement_footage'"],
        ["does not make its basis", "3 records since the last command are under no hash yet"],
    ),
    "a record of something unknown": (
        ["UPDATE settlement_record SET source = 'auth_user' WHERE source = 'settlement_footage'"],
        ["this verifier knows no records of auth_user", "does not make its basis"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_records_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])


def test_a_forger_of_bases_and_hashes_changes_the_order(hands: Hands) -> None:
    """Row, record, basis and entry made again: the chain breaks, unless all of it is made again."""
    hands.tamper(
        "UPDATE settlement_note SET text = 'forged'",
        "UPDATE settlement_record SET said = replace(said, 'The player waits in the lounge',"
        " 'forged') WHERE source = 'settlement_note'",
    )
    ask = hands.connection.execute
    ((number, at, kind, body, first, second),) = ask(
        'SELECT c.number, to_char(issued_at, \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\'), kind,'
        " c.body, first, second FROM jackpot_command c"
        " JOIN settlement_record r ON r.command = c.number WHERE source = 'settlement_note'"
    ).fetchall()
    lines = ask(
        "SELECT source || ' ' || said FROM settlement_record WHERE command = %s ORDER BY id",
        [number],
    ).fetchall()
    digests = [hashlib.sha256(line.encode()).hexdigest() for (line,) in lines]
    basis = hashlib.sha256("\n".join([at, *digests]).encode()).digest()
    ask("UPDATE jackpot_command SET basis = %s WHERE number = %s", [basis, number])
    assert set(hands.look().counts_by_kind) == {"hash chain"}
    digest = blocks.body_hash([kind, body, first, second, basis.hex()])
    ask("UPDATE jackpot_entry SET body_hash = %s WHERE command = %s", [digest, number])
    assert set(hands.look().counts_by_kind) == {"hash chain"}
    rehash(hands)
    assert hands.look().ok  # a database that was rewritten as a whole: note the head elsewhere


def test_what_waits_is_a_remark(guarded_hands: Hands) -> None:
    guarded_hands.connection.execute(
        "INSERT INTO settlement_note (claim_id, text, person_id, at, key)"
        " SELECT claim_id, 'later', person_id, now(), gen_random_uuid() FROM settlement_note"
    )
    before = [each for each in guarded_hands.look().remarks if "under no hash yet" in each]
    assert before
    assert guarded_hands.look().ok


def test_a_lesser_role_has_the_players_sealed(hands: Hands) -> None:
    hands.tamper(f"{PLAYER} name = 'B. N.'")
    hands.connection.execute(f"SET ROLE {PREFIX}reporting")
    report = hands.look()
    assert "the player is not the one who was recorded" in "\n".join(report.lines())
    assert any("the database sealed 2 of them" in remark for remark in report.remarks)
