"""Promise: what people attached to a claim, or to a form that was filed, is what they attached.

The order names each file by its SHA-256, so that a file that was changed together with its row
shows; files from before that, and those of forms, are held against their rows alone, which the
records have. Whoever may read the files, as the
owner of a restored copy may, has them hashed here, one at a time. For a lesser role the database
computes the hashes, which is said in a remark.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask, stream
from verifier.fold.folding import Decision

KIND = "files"
Digest = tuple[int, bytes]  # length, SHA-256
FileDigests = tuple[int, int, int | None, Digest, Digest]  # file, claim, command, as kept, as it is

_MAY_READ = "SELECT has_column_privilege('settlement_attachment', 'content', 'SELECT')"
_FILES = """
    SELECT a.id, c.number, a.command, a.size, a.sha256, a.content
    FROM settlement_attachment a JOIN settlement_claim c ON c.id = a.claim_id
    WHERE c.system_id = %s ORDER BY a.id
"""
_DIGESTS = """
    SELECT a.id, c.number, a.command, a.size, a.sha256, d.size, d.sha256
    FROM settlement_attachment a JOIN settlement_claim c ON c.id = a.claim_id
    LEFT JOIN LATERAL digest_of_attachment(a.id) AS d ON true
    WHERE c.system_id = %s ORDER BY a.id
"""
_MAY_READ_FILED = "SELECT has_column_privilege('settlement_filingfile', 'content', 'SELECT')"
_FILED = """
    SELECT f.id, c.number, f.size, f.sha256, f.content FROM settlement_filingfile f
    JOIN settlement_formfiling n ON n.id = f.filing_id
    JOIN settlement_payout p ON p.id = n.payout_id
    JOIN settlement_claim c ON c.id = p.claim_id WHERE c.system_id = %s ORDER BY f.id
"""
_FILED_DIGESTS = """
    SELECT f.id, c.number, f.size, f.sha256, d.size, d.sha256 FROM settlement_filingfile f
    JOIN settlement_formfiling n ON n.id = f.filing_id
    JOIN settlement_payout p ON p.id = n.payout_id
    JOIN settlement_claim c ON c.id = p.claim_id
    LEFT JOIN LATERAL digest_of_filing_file(f.id) AS d ON true
    WHERE c.system_id = %s ORDER BY f.id
"""


def files(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    *,
    with_actions: bool,
    settled: bool,
) -> None:
    """Each file has the length and the SHA-256 that stand beside it, and those that the order
    names are there."""
    by_command = _files_of(decisions)
    looked_at, missing = 0, dict(by_command)
    ((may_read,),) = ask(connection, _MAY_READ)
    for id_, claim, command, stored, actual in (_read if may_read else _digested)(
        connection, system
    ):
        looked_at += 1
        named_file = missing.pop(command, None)
        is_old = command is None and len(missing) == len(
            by_command
        )  # none of the order came before
        is_coming = command is not None and not settled and command not in by_command
        if stored != actual or (named_file != (claim, *stored) and not (is_old or is_coming)):
            scope.add(KIND, f"claim {claim}", f"file {id_} is not what was attached")
    for claim, *_ in missing.values() if with_actions else ():
        scope.add(KIND, f"claim {claim}", "a file that the order names is gone")
    looked_at += _filed(connection, scope, system)
    scope.report.counts["files"] += looked_at
    if looked_at and not may_read:
        scope.report.remarks.append(
            f"system {system.code}: this role may not read files, the database hashed {looked_at}"
            " of them: as owner of a restored copy the verifier does it itself"
        )


def _filed(connection: Connection, scope: Scope, system: System) -> int:
    """Each file of a form that was filed is what its row says; how many there are."""
    looked_at = 0
    ((may_read,),) = ask(connection, _MAY_READ_FILED)
    statement = _FILED if may_read else _FILED_DIGESTS
    for id_, claim, size, digest, *stored in stream(connection, statement, [system.id], 1):
        looked_at += 1
        actual = stored
        if may_read:
            actual = [len(stored[0]), hashlib.sha256(stored[0]).digest()]
        if actual != [size, bytes(digest)]:
            scope.add(KIND, f"claim {claim}", f"file {id_} of a form is not what was sent")
    return looked_at


def _files_of(decisions: list[Decision]) -> dict[int | None, tuple[int, int, bytes]]:
    """Claim, length and SHA-256 of the files that the order names, by command."""
    return {
        each.entry.command: (
            each.outcome["hit"],
            each.body["size"],
            bytes.fromhex(each.body["sha256"]),
        )
        for each in decisions
        if each.entry.type == "attach_file"
    }


def _read(connection: Connection, system: System) -> Iterator[FileDigests]:
    for id_, claim, command, size, digest, content in stream(connection, _FILES, [system.id], 1):
        actual = len(content), hashlib.sha256(content).digest()
        yield id_, claim, command, (size, bytes(digest)), actual


def _digested(connection: Connection, system: System) -> Iterator[FileDigests]:
    for id_, claim, command, *stored, size, digest in stream(connection, _DIGESTS, [system.id], 1):
        yield id_, claim, command, (stored[0], bytes(stored[1])), (size, digest)
