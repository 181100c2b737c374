"""Which database role may do what: the least that its process needs. The one home of grants.

The owner makes and changes tables and is none of the running processes. Each process logs in
under a role of its own: what the web process does not write, nobody writes through it. Nothing
here lets a role create, alter, truncate or own a table, so none can take a guard off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from settlement.database_roles import limits as role_limits
from settlement.database_roles import passwords as role_passwords
from settlement.database_roles import server_functions
from settlement.database_roles.calls import CALLS
from settlement.database_roles.hidden_columns import HIDDEN
from settlement.database_roles.new_roles import GrantsError, make

PREFIX = "jackpot_"  # role "web" is the database's jackpot_web

# What each role reads: tables by the beginning of their names. As imports point down only,
# so does reading: the intake knows nothing of money, the poster nothing of people.
READS: dict[str, tuple[str, ...]] = {
    "intake": ("tables_", "django_migrations"),
    "poster": ("tables_", "jackpot_", "django_migrations"),
    "worker": (
        *("tables_", "jackpot_", "settlement_", "auth_user", "auth_group", "django_migrations"),
    ),
    "web": (
        *("tables_", "jackpot_", "settlement_", "auth_", "axes_", "console_session"),
        *("django_content_type", "django_migrations"),
    ),
    "reporting": ("tables_", "jackpot_", "settlement_", "auth_", "django_content_type"),
}
ROLES = tuple(READS)

# Tables that a floor has for one process alone.
READ_BY = {"tables_unitkey": ("intake",)}

_TABLE = "INSERT, UPDATE (in_service, moved_to_id, moved_entry)"
_STREAM = "INSERT, UPDATE (committed_seq, last_seq, settled)"
_HEAD = (
    "seq, transfer_number, hit_number, terms_number, block_number, block_hash, epoch, writer,"
    " lease_until, halted_at, halted_on, halted_event, halted_command"
)
# SELECT ... FOR UPDATE asks for the right to UPDATE some column: "locked" names such a column.
# Django writes a hit's "at" again, as it stands.
_HIT = (
    "at, acts_at, moved_fed, tier_id, state, held, confirmed, before_pool, before_reserve,"
    " before_overflow, before_rolled, report, report_entry, corrected, strength, closing, payees,"
    " stops, pairing, clock, round"
)

_ROUND = (
    "game, deck, dealt, started, completed, void, pot, hit, cancelled, priced, uncalled,"
    " commission, taken, differs, pace, accepted, flop, counted"
)

# Every table, and who may write it how, beyond reading. A table without a line fails a test.
WRITES: dict[str, dict[str, str]] = {
    # --- tables: the floor
    "tables_casino": {},
    "tables_jackpotsystem": {"worker": "UPDATE (name)", "web": "UPDATE (name)"},  # locked
    "tables_gamingtable": {"worker": _TABLE, "web": _TABLE},  # guarded: a move by the order
    "tables_unitkey": {},  # the owner's, and at a move a trigger's
    "tables_devicecredential": {},  # by functions of set-up alone
    "tables_deviceend": {},
    "tables_intakepulse": {"intake": "INSERT, UPDATE (heard_at, release, username)"},
    "tables_brokeraccounts": {"worker": "INSERT, UPDATE (digest, written_at, taken_at, fault)"},
    "tables_stream": {
        "intake": _STREAM,
        "web": "UPDATE (committed_seq)",  # guarded: over a gap that a person closed
        "poster": "INSERT, UPDATE (settled, discarded)",  # guarded: by the order
    },
    "tables_tableevent": {"intake": "INSERT"},
    "tables_quarantine": {"intake": "INSERT"},
    "tables_quarantineday": {"intake": "INSERT, UPDATE (rows, kept_bytes, dropped, digest)"},
    "tables_closedgap": {"intake": "INSERT", "web": "INSERT"},
    "tables_erabegun": {},
    "tables_repeatedevent": {"intake": "INSERT", "poster": "UPDATE (seq), DELETE"},  # locked
    "tables_straggler": {"intake": "INSERT", "poster": "DELETE"},
    "tables_unitpresence": {"intake": "INSERT, UPDATE"},
    "tables_displayreading": {"intake": "INSERT", "web": "INSERT"},
    "tables_outboxmessage": {
        "intake": "INSERT, UPDATE (retain), DELETE",  # locked
        "poster": "INSERT",
        "worker": "INSERT",
    },
    "tables_alarm": dict.fromkeys(("intake", "poster", "worker", "web"), "INSERT"),
    "tables_alarmclearing": {"web": "INSERT"},
    "tables_tracerequest": {},  # the owner's
    # --- jackpot: order and money
    "jackpot_head": {"poster": f"INSERT, UPDATE ({_HEAD})"},
    "jackpot_writer": {"poster": "INSERT, UPDATE (until, fold_version, rules_version), DELETE"},
    "jackpot_entry": {"poster": "INSERT"},
    "jackpot_transfer": {"poster": "INSERT"},
    "jackpot_block": {"poster": "INSERT"},
    "jackpot_terms": {"poster": "INSERT"},
    "jackpot_tier": {
        "poster": "INSERT, UPDATE (fed_pool, fed_reserve, fed_overflow, period_from, rolled)"
    },
    "jackpot_periodcall": {"worker": "INSERT, UPDATE (ends)"},
    "jackpot_tierstep": {"poster": "INSERT"},
    "jackpot_account": {"poster": "INSERT, UPDATE (balance, moved_through)"},
    "jackpot_cursor": {"poster": "INSERT, UPDATE (through)"},
    "jackpot_gap": {"poster": "INSERT, UPDATE (arrived)"},
    "jackpot_roundstate": {"poster": f"INSERT, UPDATE ({_ROUND})"},
    "jackpot_tablestate": {"poster": "INSERT, UPDATE (session, boot, seq, presses)"},
    "jackpot_hit": {"poster": f"INSERT, UPDATE ({_HIT})"},
    # The worker's are guarded: it tells an order that a table came, and decides nothing.
    "jackpot_command": {"worker": "INSERT", "web": "INSERT"},
    "jackpot_setaside": {"web": "INSERT"},
    "jackpot_commandqueue": {
        "poster": "UPDATE (taken)",
        "worker": "INSERT, UPDATE (last_number)",
        "web": "INSERT, UPDATE (last_number)",
    },
    "jackpot_displaymessage": {"worker": "INSERT"},
    "jackpot_displaypulse": {"worker": "INSERT, UPDATE (at)"},
    "jackpot_displaysilence": {"worker": "INSERT, UPDATE (since, until)"},
    "jackpot_darkcall": {"worker": "INSERT", "poster": "UPDATE (entry)"},
    "jackpot_screen": {},  # by functions of set-up, like the next two
    "jackpot_slide": {},
    "jackpot_houselook": {},
    "jackpot_screenrequest": {"web": "INSERT, DELETE"},
    "jackpot_screenreport": {"web": "INSERT, UPDATE (at, body)"},
    "jackpot_checkpoint": {"worker": "INSERT"},
    "jackpot_treetile": {"worker": "INSERT"},
    "jackpot_witnessanswer": {"worker": "INSERT"},
    "jackpot_witnesscontact": {
        "worker": "INSERT, UPDATE (size, asked_at, claimed_until, failures, failing_since, fault)"
    },
    # --- settlement: people and payment
    "settlement_accessnote": {"web": "INSERT (what, username, address, detail)"},
    "settlement_claim": {"worker": "INSERT", "web": "INSERT, UPDATE (opened_at)"},  # locked
    # Without `id`: the numbers of these three come from the database alone.
    "settlement_action": {
        "web": "INSERT (claim_id, kind, person_id, at, report_entry, command, body, key)"
    },
    "settlement_record": {},  # by triggers of those tables alone
    "settlement_asideproposal": {"web": "INSERT"},
    "settlement_proposal": {"web": "INSERT"},
    "settlement_proposaldecision": {"web": "INSERT"},
    "settlement_proposalapproval": {"web": "INSERT"},
    "settlement_retypedfigures": {"web": "INSERT"},
    "settlement_checkanswer": {"web": "INSERT"},
    "settlement_staffplay": {"web": "INSERT"},
    "settlement_staffplayend": {"web": "INSERT"},
    "settlement_staffplayword": {"web": "INSERT"},
    "settlement_rolechange": {},  # by the owner, like the groups behind it
    "settlement_rolepermissions": {},
    "settlement_setupchange": {},  # by triggers, and by functions of set-up
    "settlement_setupcode": {},  # the owner's
    # by functions of set-up alone
    **{f"settlement_{each}": {} for each in ("invitation", "setupproposal", "setupdecision")},
    **{f"settlement_{each}limit": {} for each in ("secondmanager", "missedrounds")},
    "settlement_signingkey": {  # guarded: a passkey of who is there
        "web": "INSERT (person_id, factor, name, credential_id, algorithm, public_key, origin,"
        " is_first, at)"
    },
    "settlement_signature": {  # guarded: the database computes it
        "web": "INSERT (source, row, system_id, person_id, key_id, statement, authenticator_data,"
        " client_data, signature, at)"
    },
    **{
        f"settlement_{each}": {}
        for each in (
            *("termsfactor", "idlelimit", "escalationpolicy", "jurisdictionchoice"),
            *("pin", "badge", "sharedtablet", "program", "enrolmentcode", "passwordcode"),
            *("providerlink", "passwordlogin", "countingrule"),
            *("signaturepolicy", "signingkeyend", "ownerendorsement"),
        )
    },
    **{
        f"settlement_{each}": {"web": "INSERT"}
        for each in ("decktick", "footage", "note", "attachment", "filingfile")
    },
    **{f"settlement_{each}": {"web": "INSERT"} for each in ("identification", "sharer")},
    "settlement_identificationlook": {},  # by look_at_identification alone
    **{f"settlement_{each}": {"web": "INSERT"} for each in ("slipprint", "formfiling")},
    "settlement_exclusion": {},
    "settlement_exclusionend": {"web": "INSERT"},
    # by functions that take lists in, by triggers, by a look
    **{f"settlement_exclusion{x}": {} for x in ("import", "file", "line", "match", "look", "stop")},
    "settlement_accesstoken": {
        "web": "INSERT, UPDATE (revoked_at, used_at, ended_by_id, expires_at)"
    },
    # guarded: by who is there, reset by somebody else, a code once
    "settlement_secondfactor": {
        "web": "INSERT, UPDATE (count, wrong, used_at, ended_at, ended_by_id)"
    },
    "settlement_passwordlink": {  # guarded: each draws its half of the secret
        "web": "INSERT (person_id, digest, sealed)",
        "worker": "UPDATE (mailed_digest)",
    },
    "settlement_mailchange": {  # guarded: of who is there, each draws its half of the secret
        "web": "INSERT (person_id, email, digest, sealed, proof)",
        "worker": "UPDATE (mailed_digest)",
    },
    "settlement_addressnotice": {"worker": "UPDATE (next_at, mailed_at)"},  # made by a trigger
    "settlement_loginprovider": {"worker": "INSERT, UPDATE (sealed, at, fault, not_before)"},
    "settlement_providerlogin": {  # answered and taken by functions alone
        "web": "INSERT (digest, purpose, address, sealed)",
        "worker": "UPDATE (claimed_at), DELETE",
    },
    "settlement_recoverycode": {"web": "INSERT, UPDATE (used_at, ended_at)"},
    "settlement_factordemand": {"web": "INSERT"},  # guarded: by who may say it
    "settlement_preference": {"web": "INSERT, UPDATE (theme, text_size, language, tour)"},
    "settlement_savedview": {"web": "INSERT, UPDATE (name, query, is_default), DELETE"},
    "settlement_backuprun": {"worker": "INSERT"},
    "settlement_bundleexport": {"web": "INSERT"},
    "settlement_filekey": {},  # by the owner's file_key and grant_roles
    "settlement_reportexport": {
        "worker": "INSERT, UPDATE (state, attempts, alive_at, ended_at, rows_total, rows_done,"
        " fault, manifest, source, refusal, delivered_at, deliver_at, deliveries)",
        "web": "INSERT, UPDATE (cancel_at)",
    },
    "settlement_reportschedule": {"web": "INSERT, UPDATE (ended_at, ended_by_id)"},
    "settlement_handover": {"web": "INSERT"},
    **{f"settlement_{each}": {"web": "INSERT"} for each in ("ruling", "countersignature")},
    "settlement_incident": {"worker": "INSERT", "web": "INSERT"},
    "settlement_incidentend": {"web": "INSERT"},
    "settlement_moneycount": {"web": "INSERT"},
    "settlement_taxremittance": {"web": "INSERT"},
    "settlement_finding": {"web": "INSERT"},
    "settlement_findingstep": {"web": "INSERT"},
    "settlement_variancelimit": {},  # by the owner
    "settlement_closedday": {"worker": "INSERT"},
    "settlement_daymovement": {"worker": "INSERT"},
    "settlement_closeddaycheck": {"worker": "INSERT"},
    "settlement_displayday": {
        "worker": "INSERT, UPDATE (readings, exact, apart, unknown, largest, slowest_ms)"
    },
    "settlement_readingsmark": {"worker": "INSERT, UPDATE (through)"},
    "settlement_tableday": {"worker": "INSERT, UPDATE (contributed)"},
    "settlement_tabledaysmark": {"worker": "INSERT, UPDATE (through)"},
    "settlement_payout": {"worker": "INSERT", "web": "INSERT"},
    "settlement_reconciliation": {"worker": "INSERT", "web": "INSERT"},
    "settlement_checkpoint": {
        "worker": "INSERT, UPDATE (reconciliation_id, books)",
        "web": "INSERT, UPDATE (reconciliation_id, books)",
    },
    "settlement_webhookendpoint": {  # made and ended by functions of set-up
        "worker": "UPDATE (last_number, failures, not_before, claimed_until)"
    },
    "settlement_webhookevent": {"worker": "INSERT, DELETE"},
    "settlement_webhookdelivery": {
        "worker": "INSERT, UPDATE (state, attempts, next_at, ended_at, status, fault), DELETE"
    },
    "settlement_eventmark": {"worker": "INSERT, UPDATE (through, handled, newest, horizon)"},
    "settlement_occasion": {"worker": "INSERT"},
    "settlement_notification": {
        "worker": "INSERT, UPDATE (read_at), DELETE",  # locked
        "web": "UPDATE (read_at)",
    },
    "settlement_notificationdelivery": {
        "worker": "INSERT, UPDATE (state, attempts, next_at, ended_at, fault, held_until), DELETE"
    },
    "settlement_notificationchoice": {
        "web": "INSERT, UPDATE (ways, quiet_from, quiet_until, urgent_breaks)"
    },
    "settlement_pushsubscription": {
        "worker": "UPDATE (ended_at)",
        "web": "INSERT, UPDATE (person_id, public_key, secret, device, ended_at)",
    },
    # --- Django: people who log in are made by the owner
    "auth_user": {"web": "UPDATE (last_login)"},
    **{f"auth_{each}": {} for each in ("group", "permission", "group_permissions")},
    **{f"auth_user_{each}": {} for each in ("groups", "user_permissions")},
    **{f"django_{each}": {} for each in ("content_type", "migrations")},
    "django_session": {},  # of the version before
    "console_session": {  # guarded: nobody's, or of who shows the proof of the password
        "web": "INSERT, UPDATE (session_data, expire_date, person_id, proof, locked_at), DELETE"
    },
    "settlement_securityevent": {},  # by triggers alone
    "settlement_rolemark": {},  # by grant_roles
    "axes_accessattempt": {"web": "INSERT, UPDATE, DELETE"},
    "axes_accessattemptexpiration": {"web": "INSERT, UPDATE, DELETE"},
    "axes_accesslog": {"web": "INSERT, UPDATE (logout_time)"},
    "axes_accessfailurelog": {"web": "INSERT"},
}


def password_variable(role: str) -> str:
    """The environment's variable with the password of a role that is to be made."""
    return f"JACKPOT_{role.upper()}_PASSWORD"


def apply(passwords: Mapping[str, str], *, ours: bool = False) -> list[str]:
    """Make the roles that are missing and give each exactly its rights; safe to run again.

    `passwords` by role; a role that is made without one cannot log in by password. Run by the
    owner after `migrate`. Returns what only the server's administrator can put right, and roles
    that were changed, unless the change is `ours`. GrantsError where a table of the database has
    no line in WRITES.
    """
    left: list[str | None] = []
    new_roles: list[str] = []
    with transaction.atomic(), connection.cursor() as cursor:
        columns = columns_of_tables(cursor)
        unknown = sorted(columns.keys() - WRITES.keys())
        if unknown:
            raise GrantsError(
                f"Nobody has said who may write {', '.join(unknown)}:"
                " add a line to settlement/database_roles/grants.py."
            )
        for role in ROLES:
            if make(cursor, PREFIX + role, role_limits.LIMITS[role], passwords.get(role)):
                new_roles.append(PREFIX + role)
            left.append(role_limits.enforce(cursor, role, PREFIX + role))
            for statement in statements(role, columns):
                cursor.execute(statement)
        left.append(server_functions.enforce(cursor, PREFIX))
        left += role_passwords.note(cursor, new_roles, ours=ours)
        # A temporary table may bear the name of any other, and is looked at first.
        cursor.execute(
            sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC, {}").format(
                sql.Identifier(connection.settings_dict["NAME"]),
                sql.SQL(", ").join(sql.Identifier(PREFIX + role) for role in ROLES),
            )
        )
    return [each for each in left if each]


def columns_of_tables(cursor: Any) -> dict[str, list[str]]:
    """The columns of every table of the database."""
    cursor.execute(
        "SELECT c.relname, array_agg(a.attname ORDER BY a.attnum)"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')"
        " AND a.attnum > 0 AND NOT a.attisdropped GROUP BY c.relname"
    )
    return dict(cursor.fetchall())


def statements(role: str, columns: Mapping[str, list[str]]) -> list[sql.Composed]:
    name = sql.Identifier(PREFIX + role)
    statements = [
        sql.SQL(text).format(name)
        for text in (
            "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}",
            "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}",
            "REVOKE CREATE ON SCHEMA public FROM {}",
            "GRANT USAGE ON SCHEMA public TO {}",
        )
    ]
    for table, names in sorted(columns.items()):
        rights = WRITES[table].get(role, "")
        if table.startswith(READS[role]) and role in READ_BY.get(table, ROLES):
            hidden = HIDDEN.get((role, table), ())
            read = ", ".join(column for column in names if column not in hidden)
            rights = f"SELECT ({read}), {rights}" if hidden else f"SELECT, {rights}"
        if rights:
            statements.append(
                sql.SQL("GRANT {} ON {} TO {}").format(
                    sql.SQL(rights.rstrip(", ")), sql.Identifier(table), name
                )
            )
    for function, callers in CALLS.items():
        statements.append(
            sql.SQL("REVOKE ALL ON FUNCTION {} FROM PUBLIC").format(sql.SQL(function))
        )
        statement = "GRANT EXECUTE ON FUNCTION {} TO {}" if role in callers else _NO_CALL
        statements.append(sql.SQL(statement).format(sql.SQL(function), name))
    return statements


_NO_CALL = "REVOKE ALL ON FUNCTION {} FROM {}"
