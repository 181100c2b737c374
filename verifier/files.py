"""Promise: what people attached to a claim is what they attached.

Whoever may read the files, as the owner of a restored copy may, has them hashed here, one at a
time. For a lesser role the database computes the hashes, which is said in a remark.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from verifier.report import Scope
from verifier.rows import Connection, System, ask, stream

KIND = "files"
Digest = tuple[int, bytes]  # length, SHA-256
Found = tuple[int, int, Digest, Digest]  # file, claim, as kept, as it is

_MAY_READ = "SELECT has_column_privilege('settlement_attachment', 'content', 'SELECT')"
_FILES = """
    SELECT a.id, c.number, a.size, a.sha256, a.content
    FROM settlement_attachment a JOIN settlement_claim c ON c.id = a.claim_id
    WHERE c.system_id = %s ORDER BY a.id
"""
_DIGESTS = """
    SELECT a.id, c.number, a.size, a.sha256, d.size, d.sha256
    FROM settlement_attachment a JOIN settlement_claim c ON c.id = a.claim_id
    LEFT JOIN LATERAL digest_of_attachment(a.id) AS d ON true
    WHERE c.system_id = %s ORDER BY a.id
"""


def files(connection: Connection, scope: Scope, system: System) -> None:
    """Each file has the length and the SHA-256 that stand beside it."""
    looked_at = 0
    ((may_read,),) = ask(connection, _MAY_READ)
    for id_, claim, kept, found in (_read if may_read else _told)(connection, system):
        looked_at += 1
        if kept != found:
            scope.add(KIND, f"claim {claim}", f"file {id_} is not what was attached")
    scope.report.counts["files"] += looked_at
    if looked_at and not may_read:
        scope.report.remarks.append(
            f"system {system.code}: this role may not read files, the database hashed {looked_at}"
            " of them: as owner of a restored copy the verifier does it itself"
        )


def _read(connection: Connection, system: System) -> Iterator[Found]:
    for id_, claim, size, digest, content in stream(connection, _FILES, [system.id], 1):
        yield id_, claim, (size, digest), (len(content), hashlib.sha256(content).digest())


def _told(connection: Connection, system: System) -> Iterator[Found]:
    for id_, claim, *kept, size, digest in stream(connection, _DIGESTS, [system.id], 1):
        yield id_, claim, (kept[0], kept[1]), (size, digest)
