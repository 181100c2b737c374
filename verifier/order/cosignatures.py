"""Promise: a stored cosignature is the witness's, and what so many witnesses know is recent."""

from __future__ import annotations

import datetime as dt

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.notes import COSIGNATURE, Checkpoint, NoteError, PublicKey
from verifier.order.log import KIND, PublishedLog

CHECKED = 200  # of the newest cosignatures; an older checkpoint is in the root of a newer one
LONGEST_AWAY = dt.timedelta(days=1)
_ANSWERS = """
    SELECT c.size, c.at, c.note, a.witness, a.text
    FROM jackpot_witnessanswer a JOIN jackpot_checkpoint c ON c.id = a.checkpoint_id
    WHERE c.system_id = %s AND a.status = 200 ORDER BY c.size DESC, a.id LIMIT %s
"""
_NEWEST = """
    SELECT size, at FROM jackpot_checkpoint WHERE system_id = %s ORDER BY size DESC LIMIT 1
"""


def cosignatures(
    connection: Connection, scope: Scope, system: System, published: PublishedLog
) -> None:
    """Those of the witnesses whose keys were given; `witnesses` of them must know the order."""
    keys = [key for key in published.keys if key.kind == COSIGNATURE]
    by_size: dict[int, set[bytes]] = {}
    times: dict[int, dt.datetime] = {}
    for size, at, note, witness, text in ask(connection, _ANSWERS, [system.id, CHECKED]):
        own_keys = [key for key in keys if key.name == witness]
        good = {key.key for key in own_keys if _has_cosigned(key, note + text)}
        if own_keys and not good:
            scope.add(KIND, f"checkpoint {size}", f"the cosignature of {witness} is not good")
        by_size.setdefault(size, set()).update(good)
        times[size] = at
        scope.report.counts["cosignatures"] += bool(own_keys)
    newest = ask(connection, _NEWEST, [system.id])
    if not published.witnesses or not newest:
        return
    last, made_at = newest[0]
    sizes = [size for size, good in by_size.items() if len(good) >= published.witnesses]
    if not sizes:
        scope.add(KIND, "witnesses", f"no checkpoint was cosigned by {published.witnesses} of them")
        return
    size = max(sizes)
    scope.report.remarks.append(
        f"system {system.code}: {published.witnesses} of the witnesses know {size} of {last} blocks"
    )
    if made_at - times[size] > LONGEST_AWAY:
        scope.add(KIND, "witnesses", f"they know {size} blocks; checkpoints went on for over a day")


def _has_cosigned(key: PublicKey, document: str) -> bool:
    try:
        return key.has_signed(Checkpoint.parse(document).note)
    except NoteError:
        return False
