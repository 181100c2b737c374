"""Promise: what decisions rest on is what was recorded.

The database writes down each such row as it is recorded (`SOURCES`); the next command of the system
takes all that wait into its basis, a SHA-256 under the hash of its entry. Here the rows are held
against what was written down, and that against the basis: SHA-256 of lines joined by a newline, the
command's time, then for each record, in their order, the SHA-256 of its table, a blank and
its text, in small hexadecimal digits.

What was recorded since the last command is under no hash yet, which a remark says. Who may read who
the players are, as the owner of a restored copy may, has that compared as well; for a lesser role
the database computes their seals.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from psycopg import sql

from verifier.database.report import Report, Scope
from verifier.database.rows import Connection, System, ask, stream

KIND = "records"
# Every table on which a decision rests, with the columns that are not written down.
PERSONAL = (
    *("name", "born", "document", "document_number", "tax_number", "address", "country"),
    *("note", "key"),
)
EXCLUDED = ("name", "born", "document", "document_number", "key")
SOURCES: dict[str, tuple[str, ...]] = {
    "settlement_claim": (),
    "settlement_action": (),
    "settlement_checkanswer": (),
    "settlement_decktick": (),
    "settlement_footage": (),
    "settlement_note": (),
    "settlement_attachment": ("content",),  # `verifier.people.files` hashes it
    "settlement_identification": PERSONAL,
    "settlement_sharer": (),
    "settlement_identificationlook": (),
    "settlement_exclusionmatch": (),
    "settlement_exclusionimport": (),
    "settlement_exclusion": EXCLUDED,
    "settlement_exclusionend": (),
    "settlement_exclusionlook": (),
    "settlement_exclusionstop": (),
    "settlement_bundleexport": (),
    "settlement_payout": (),
    "settlement_slipprint": (),
    "settlement_formfiling": (),
    "settlement_filingfile": ("content",),  # likewise
    "settlement_proposal": (),
    "settlement_proposaldecision": (),
    "settlement_proposalapproval": (),
    "settlement_retypedfigures": (),
    "settlement_asideproposal": (),
    "jackpot_setaside": (),
    "settlement_ruling": (),
    "settlement_countersignature": (),
    "settlement_incident": (),
    "settlement_incidentend": (),
    "settlement_staffplay": (),
    "settlement_staffplayword": (),
    "settlement_staffplayend": (),
    "settlement_rolechange": (),
    "settlement_rolepermissions": (),
    "settlement_setupchange": (),
    "settlement_secondmanagerlimit": (),
    "settlement_signaturepolicy": (),
    "settlement_signingkey": (),
    "settlement_signingkeyend": (),
    "settlement_ownerendorsement": (),
    "settlement_signature": (),
    "settlement_missedroundslimit": (),
    "settlement_termsfactor": (),
    "settlement_jurisdictionchoice": (),
    "settlement_moneycount": (),
    "settlement_finding": (),
    "settlement_findingstep": (),
    "settlement_variancelimit": (),
    "settlement_countingrule": (),
    "settlement_taxremittance": (),
    "settlement_handover": (),
    "tables_closedgap": (),
    "tables_erabegun": (),
    "tables_alarm": (),
}
# Which of a table's rows are written down, where that is not all of them.
_OF_CASINO = "EXISTS (SELECT FROM tables_jackpotsystem s WHERE s.casino_id = t.casino_id)"
_ANY_SYSTEM = "EXISTS (SELECT FROM tables_jackpotsystem)"
_WHICH = {
    **dict.fromkeys(
        ("settlement_rolechange", "settlement_setupchange"),
        f"(t.casino_id IS NULL OR {_OF_CASINO})",
    ),
    "settlement_exclusionimport": _OF_CASINO,
    "settlement_exclusion": _OF_CASINO,
    "settlement_exclusionlook": _OF_CASINO,
    "settlement_exclusionstop": _OF_CASINO,
    "settlement_exclusionend": "EXISTS (SELECT FROM settlement_exclusion x"
    " JOIN tables_jackpotsystem s ON s.casino_id = x.casino_id WHERE x.id = t.exclusion_id)",
    **dict.fromkeys(
        ("settlement_signingkey", "settlement_signingkeyend", "settlement_ownerendorsement"),
        _ANY_SYSTEM,
    ),
    "settlement_signature": f"(t.system_id IS NOT NULL OR {_ANY_SYSTEM})",
    "tables_closedgap": "t.closed_by <> 'unit'",
    "tables_alarm": "t.cleared_at IS NOT NULL AND t.system_id IS NOT NULL",
}

_COMMANDS = """
    SELECT number, to_char(issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), basis
    FROM jackpot_command WHERE system_id = %s ORDER BY number
"""
_RECORDS = """
    SELECT command, source, said FROM settlement_record
    WHERE system_id = %s ORDER BY command NULLS LAST, id
"""
_COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = %s::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_PRESENT = """
    SELECT r.row, r.said, to_jsonb(t)::text FROM settlement_record r
    LEFT JOIN (SELECT {columns} FROM {table}) AS t ON t.id = r.row
    WHERE r.system_id = {system} AND r.source = {name} ORDER BY r.id
"""
_UNRECORDED = """
    SELECT t.id FROM {table} t
    WHERE {which} AND NOT EXISTS (
        SELECT FROM settlement_record r WHERE r.source = {name} AND r.row = t.id)
    ORDER BY t.id LIMIT 100
"""
_MAY_READ = "SELECT has_column_privilege(%s, 'name', 'SELECT')"
_PLAYERS = """
    SELECT r.row, r.said, i.key::text, i.seat, i.name, i.born, i.document, i.document_number,
           i.note, CASE WHEN concat(i.tax_number, i.address, i.country) <> ''
               THEN concat_ws(E'\\n', i.tax_number, i.address, nullif(i.country, '')) END
    FROM settlement_record r JOIN settlement_identification i ON i.id = r.row
    WHERE r.system_id = %s AND r.source = 'settlement_identification' ORDER BY r.id
"""
_SEALS = """
    SELECT r.row, r.said, encode(s.seal, 'hex')
    FROM settlement_record r JOIN settlement_identification i ON i.id = r.row
    JOIN LATERAL seals_of_identifications(i.claim_id) AS s ON s.id = i.id
    WHERE r.system_id = %s AND r.source = 'settlement_identification' ORDER BY r.id
"""
_EXCLUDED = """
    SELECT r.row, r.said, x.key::text, x.name, x.born, x.document, x.document_number
    FROM settlement_record r JOIN settlement_exclusion x ON x.id = r.row
    WHERE r.system_id = %s AND r.source = 'settlement_exclusion' ORDER BY r.id
"""
_EXCLUDED_SEALS = """
    SELECT r.row, r.said, s.seal FROM tables_jackpotsystem y
    CROSS JOIN seals_of_exclusions(y.casino_id) AS s
    JOIN settlement_record r ON (r.source, r.row, r.system_id)
        = ('settlement_exclusion', s.id, y.id)
    WHERE y.id = %s ORDER BY r.id
"""
# Whose columns are hidden: the words for one, who it is, and the seals by the database.
_SEALED = {
    "settlement_identification": ("player", _PLAYERS, _SEALS),
    "settlement_exclusion": ("excluded person", _EXCLUDED, _EXCLUDED_SEALS),
}


class _Command(NamedTuple):
    number: int
    issued_at: str
    basis: bytes | None


def records(connection: Connection, scope: Scope, system: System) -> None:
    """What was recorded of one system is what stands there, under the bases of its commands."""
    _bases(connection, scope, system)
    connection.execute("SELECT set_config('TimeZone', 'UTC', true)")  # of times in the texts
    for source, hidden in SOURCES.items():
        for row, content, now in _held(connection, system, source, hidden):
            scope.report.counts["records"] += 1
            what = (
                "it is gone" if now is None else _difference(json.loads(content), json.loads(now))
            )
            if what:
                scope.add(KIND, f"{source} {row}", what)
    for source, (who, _, _) in _SEALED.items():
        for row, content, seal in _seals(connection, scope, system, source):
            if json.loads(content).get("seal") != seal:
                sentence = f"the {who} is not the one who was recorded"
                scope.add(KIND, f"{source} {row}", sentence)


def unrecorded(connection: Connection, report: Report) -> None:
    """Rows that nobody wrote down: they came past the guards."""
    for source in SOURCES:
        query = sql.SQL(_UNRECORDED).format(
            table=sql.Identifier(source),
            which=sql.SQL(_WHICH.get(source, "true")),
            name=source,
        )
        for (row,) in connection.execute(query).fetchall():
            report.add(KIND, f"{source} {row}: it is there, and was never recorded")


def _bases(connection: Connection, scope: Scope, system: System) -> None:
    by_command: dict[int | None, list[str]] = defaultdict(list)
    for command, source, content in stream(connection, _RECORDS, [system.id]):
        by_command[command].append(_digest(f"{source} {content}"))
        if source not in SOURCES:
            scope.add(KIND, f"command {command}", f"this verifier knows no records of {source}")
    is_named, before = False, 0
    for command in map(_Command._make, ask(connection, _COMMANDS, [system.id])):
        if command.number != before + 1:
            scope.add(
                KIND, f"command {command.number}", f"command {before + 1} before it is missing"
            )
        before = command.number
        digests = by_command.pop(command.number, [])
        is_named = is_named or command.basis is not None
        if command.basis is None and not is_named and not digests:
            continue  # from before commands had one
        lines = [command.issued_at, *digests]
        if command.basis is None or _digest("\n".join(lines)) != bytes(command.basis).hex():
            sentence = "what was recorded before it, or its time, does not make its basis"
            scope.add(KIND, f"command {command.number}", sentence)
    waiting = len(by_command.pop(None, []))
    for number, digests in by_command.items():
        sentence = f"{len(digests)} records name it, and there is no such command"
        scope.add(KIND, f"command {number}", sentence)
    if waiting:
        scope.report.remarks.append(
            f"system {system.code}: {waiting} records since the last command are under no hash yet"
        )


def _held(
    connection: Connection, system: System, source: str, hidden: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Each record of a table with the row as it is now; None where it is gone."""
    names = [name for (name,) in ask(connection, _COLUMNS, [source]) if name not in hidden]
    query = sql.SQL(_PRESENT).format(
        columns=sql.SQL(", ").join(map(sql.Identifier, names)),
        table=sql.Identifier(source),
        system=system.id,
        name=source,
    )
    return stream(connection, query, (), 500)


def _difference(content: dict[str, Any], now: dict[str, Any]) -> str:
    """Which columns say something else. What the table got or lost since says nothing."""
    changed = [name for name in content if name in now and content[name] != now[name]]
    return f"its {', '.join(changed)} is not what was recorded" if changed else ""


def _seals(
    connection: Connection, scope: Scope, system: System, source: str
) -> Iterator[tuple[int, str, str]]:
    """Each person's record with the seal of the row as it is now."""
    words, people, seals = _SEALED[source]
    ((may_read,),) = ask(connection, _MAY_READ, [source])
    if may_read:
        for row, content, *who in ask(connection, people, [system.id]):
            yield row, content, _digest("\n".join(_plain(each) for each in who if each is not None))
        return
    sealed_rows = ask(connection, seals, [system.id])
    if sealed_rows:
        scope.report.remarks.append(
            f"system {system.code}: this role may not read who {words}s are, the database sealed"
            f" {len(sealed_rows)} of them: as owner of a restored copy the verifier does it itself"
        )
    for row, content, seal in sealed_rows:
        yield row, content, seal


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
