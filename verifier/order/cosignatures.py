"""Promise: a stored cosignature is the witness's, and what so many witnesses know is recent."""

from __future__ import annotations

import datetime as dt

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.notes import Checkpoint, NoteError, PublicKey, number_of_witnesses
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
    keys = [key for key in published.keys if key.is_of_witness]
    by_size: dict[int, set[PublicKey]] = {}
    times: dict[int, dt.datetime] = {}
    unchecked: set[str] = set()
    for size, at, note, witness, text in ask(connection, _ANSWERS, [system.id, CHECKED]):
        own_keys = [key for key in keys if key.name == witness]
        cosigned = _parsed(note + text)
        if own_keys and not _has_lines(cosigned, own_keys):
            scope.add(KIND, f"checkpoint {size}", f"the cosignature of {witness} is not good")
        elif cosigned is not None:
            for sentence in cosigned.forgeries(own_keys):
                scope.add(KIND, f"checkpoint {size}", sentence)
            unchecked |= set(cosigned.unchecked(own_keys))
            good = (key for key in own_keys if key.has_signed(cosigned.note))
            by_size.setdefault(size, set()).update(good)
        times[size] = at
        scope.report.counts["cosignatures"] += bool(own_keys)
    remarks = (f"system {system.code}: {sentence}" for sentence in sorted(unchecked))
    scope.report.remarks.extend(remarks)
    newest = ask(connection, _NEWEST, [system.id])
    if not published.witnesses or not newest:
        return
    last, made_at = newest[0]
    sizes = [
        size for size, good in by_size.items() if number_of_witnesses(good) >= published.witnesses
    ]
    if not sizes:
        scope.add(KIND, "witnesses", f"no checkpoint was cosigned by {published.witnesses} of them")
        return
    size = max(sizes)
    scope.report.remarks.append(
        f"system {system.code}: {published.witnesses} of the witnesses know {size} of {last} blocks"
    )
    if made_at - times[size] > LONGEST_AWAY:
        scope.add(KIND, "witnesses", f"they know {size} blocks; checkpoints went on for over a day")


def _parsed(document: str) -> Checkpoint | None:
    try:
        return Checkpoint.parse(document)
    except NoteError:
        return None


def _has_lines(cosigned: Checkpoint | None, keys: list[PublicKey]) -> bool:
    """Whether one of these keys stands under it."""
    return cosigned is not None and any(key.signatures(cosigned.note) for key in keys)
