"""Recomputing a system from its rows: balances from transfers, pools from the order; hashing files.

Any difference is kept, shown and alarmed. Nothing is corrected automatically.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import time
from typing import Any

from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.audit.checkpoint import SHAPE, digest, pack, unpack
from jackpot.audit.checkpoint import Checkpoint as Start
from jackpot.audit.replay_check import NotCovered, ReplayCheck, check_replay
from jackpot.domain.state.books import Books
from jackpot.models import Account, Head, Hit
from jackpot.storage.snapshot import snapshot
from settlement.audit.attachments import changed_files
from settlement.audit.authorisation import without_actions
from settlement.audit.projections import differing_cursors, differing_state
from settlement.audit.recorded_rows import changed_records
from settlement.core.errors import WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import Checkpoint, Reconciliation
from tables.alarms import raise_alarm
from tables.models import JackpotSystem

log = logging.getLogger(__name__)

LATE_INTERVALS = 3  # without one: an alarm
WHOLE_EVERY = dt.timedelta(days=1)  # from the first entry; in between from the last checkpoint

_BALANCES = """
    SELECT a.code, a.balance,
           coalesce(b.value::bigint, 0) + coalesce(c.sum, 0) - coalesce(d.sum, 0) AS recomputed
    FROM jackpot_account a
    LEFT JOIN jsonb_each_text(%(balances)s::jsonb) b ON b.key = a.code
    LEFT JOIN (SELECT credit_id, sum(amount) FROM jackpot_transfer
               WHERE system_id = %(system)s AND number > %(transfers)s
               GROUP BY credit_id) c ON c.credit_id = a.id
    LEFT JOIN (SELECT debit_id, sum(amount) FROM jackpot_transfer
               WHERE system_id = %(system)s AND number > %(transfers)s
               GROUP BY debit_id) d ON d.debit_id = a.id
    WHERE a.system_id = %(system)s
      AND a.balance <> coalesce(b.value::bigint, 0) + coalesce(c.sum, 0) - coalesce(d.sum, 0)
"""
_RUNNING = """
    WITH legs AS (
        SELECT number, debit_id AS account, debit_after AS after, -amount AS change
        FROM jackpot_transfer WHERE system_id = %(system)s AND number > %(transfers)s
        UNION ALL
        SELECT number, credit_id, credit_after, amount
        FROM jackpot_transfer WHERE system_id = %(system)s AND number > %(transfers)s
    ), steps AS (
        SELECT number, account, after, change,
               lag(after) OVER (PARTITION BY account ORDER BY number) AS before
        FROM legs
    )
    SELECT s.number, a.code FROM steps s JOIN jackpot_account a ON a.id = s.account
    LEFT JOIN jsonb_each_text(%(balances)s::jsonb) b ON b.key = a.code
    WHERE s.after <> coalesce(s.before, b.value::bigint, 0) + s.change
    ORDER BY s.number LIMIT 10
"""
_GAPLESS = """
    SELECT 'entries', count(*) + %(entries)s, coalesce(max(seq), %(entries)s)
    FROM jackpot_entry WHERE system_id = %(system)s AND seq > %(entries)s
    UNION ALL
    SELECT 'transfers', count(*) + %(transfers)s, coalesce(max(number), %(transfers)s)
    FROM jackpot_transfer WHERE system_id = %(system)s AND number > %(transfers)s
    UNION ALL
    SELECT 'blocks', count(*) + %(blocks)s, coalesce(max(number), %(blocks)s)
    FROM jackpot_block WHERE system_id = %(system)s AND number > %(blocks)s
"""


def reconcile(system: JackpotSystem, *, whole: bool = True) -> Reconciliation:
    """Recompute the system, keep the result, raise an alarm on any difference.

    Not `whole`: from where the last one ended, unless a whole one is due (WHOLE_EVERY), the last
    one found a difference, or an entry reaches behind the checkpoint. `from_block` says which.

    WrongState where another worker is at it: a long run must not be overtaken by the next, or
    together they would take every worker.
    """
    started = time.monotonic()
    with snapshot():
        # NO KEY: the intake's rows may go on referring to the system meanwhile.
        free = JackpotSystem.objects.select_for_update(no_key=True, skip_locked=True)
        if not free.filter(pk=system.pk).exists():
            raise WrongState(
                _("%(system)s is being reconciled already: wait for that result.")
                % {"system": system.name}
            )
        head = Head.objects.get(system=system)
        since, differences = (None, []) if whole else _last(system)
        marks = _state_at_start(since)
        folded, from_block = _fold(system, since)
        if not from_block:
            marks = _state_at_start(None)
        differences += [
            *folded.differences,
            *_rows_of(system, head, marks),
            *_against_fold(system, folded.books, head, marks["hits"]),
            *differing_cursors(system.pk, marks["entries"]),
            *without_actions(system.pk, marks["entries"]),
            *(changed_files(system.pk) if not from_block else []),
            *(changed_records(system.pk) if not from_block else []),
        ]
        packed_books = pack(folded.end)
    result = Reconciliation.objects.create(
        system=system,
        up_to_seq=head.seq,
        from_block=from_block,
        books_digest=digest(packed_books),
        entries=folded.entries,
        transfers=folded.transfers,
        blocks=folded.blocks,
        duration_ms=round((time.monotonic() - started) * 1000),
        differences=differences,
    )
    if not differences:
        Checkpoint.objects.update_or_create(
            system=system, defaults={"reconciliation": result, "books": packed_books}
        )
    if differences:
        raise_alarm(
            "reconciliation",
            system.code,
            HouseAlarm.UNRECONCILED
            % {"system": system.name, "entry": head.seq, "difference": differences[0]},
            system,
        )
    return result


def _last(system: JackpotSystem) -> tuple[Start | None, list[str]]:
    """Where the last reconciliation ended, None where a whole one is due; what is wrong there."""
    newest = Reconciliation.objects.filter(system=system).order_by("-id").first()
    checkpoint = Checkpoint.objects.filter(system=system).first()
    due = timezone.now() - WHOLE_EVERY
    whole = Reconciliation.objects.filter(system=system, from_block=0, at__gt=due)
    if newest is None or newest.differences or checkpoint is None or not whole.exists():
        return None, []
    if newest.pk != checkpoint.reconciliation_id or newest.books_digest is None:
        return None, []
    if digest(checkpoint.books) != bytes(newest.books_digest):
        return None, ["the checkpoint is not the one that was reconciled: all was folded again"]
    if checkpoint.books.get("shape") != SHAPE:
        return None, []  # the console was renewed meanwhile
    return unpack(checkpoint.books), []


def _state_at_start(since: Start | None) -> dict[str, Any]:
    """What the rows held where the fold began."""
    books = since.books if since else None
    return {
        "entries": books.seq if books else 0,
        "transfers": books.transfer_number if books else 0,
        "blocks": since.block if since else 0,
        "hits": books.hit_number if books else 0,
        "balances": json.dumps(books.balances if books else {}),
    }


def _fold(system: JackpotSystem, since: Start | None) -> tuple[ReplayCheck, int]:
    """The fold, and the block behind which it began."""
    if since is not None:
        block = since.block  # the fold moves on from there
        try:
            return check_replay(system, since), block
        except NotCovered as reached:
            log.info("%s is folded from its first entry: %s", system.code, reached)
    return check_replay(system), 0


def raise_if_overdue(system: JackpotSystem, every_s: float) -> None:
    """Raise an alarm where the newest reconciliation is older than three intervals."""
    newest = Reconciliation.objects.filter(system=system).order_by("-id").first()
    late = dt.timedelta(seconds=LATE_INTERVALS * every_s)
    if newest is not None and timezone.now() - newest.at > late:
        raise_alarm(
            "reconciliation_overdue",
            system.code,
            HouseAlarm.LATE_RECONCILIATION
            % {"system": system.name, "at": system.casino.local_minute(newest.at)},
            system,
        )


def _rows_of(system: JackpotSystem, head: Head, marks: dict[str, Any]) -> list[str]:
    """What the rows since then say among themselves."""
    differences = []
    names = {"system": system.pk, **marks}
    expected = {
        "entries": head.seq,
        "transfers": head.transfer_number,
        "blocks": head.block_number,
    }
    with connection.cursor() as cursor:
        cursor.execute(_BALANCES, names)
        for code, balance, recomputed in cursor.fetchall():
            differences.append(f"{code} holds {balance} micros, its transfers say {recomputed}")
        cursor.execute(_RUNNING, names)
        for number, code in cursor.fetchall():
            differences.append(f"transfer {number}: the balance of {code} does not follow")
        cursor.execute(_GAPLESS, names)
        for what, count, last in cursor.fetchall():
            if count != last or last != expected[what]:
                differences.append(
                    f"{what}: {count} rows, the last is {last}, the head says {expected[what]}"
                )
    return differences


def _against_fold(system: JackpotSystem, books: Books, head: Head, hits_through: int) -> list[str]:
    """Pools, accounts and hits against the fold; of the hits through `hits_through` those that
    the books still hold."""
    if books.seq != head.seq:
        return [f"the fold ends at entry {books.seq}, the head says {head.seq}"]
    balances = dict(Account.objects.filter(system=system).values_list("code", "balance"))
    differences = [
        f"{code} holds {balances.get(code, 0)} micros, the order says {books.balances.get(code, 0)}"
        for code in sorted(balances.keys() | books.balances.keys())
        if balances.get(code, 0) != books.balances.get(code, 0)
    ]
    # The system's own accounts are made when they are first needed, a tier's with the tier.
    differences += [
        f"the account {code} is missing"
        for code in sorted(books.balances.keys() - balances.keys())
        if ":" in code
    ]
    differences += differing_state(system.pk, books)
    looked_at = Q(number__gt=hits_through) | Q(number__in=list(books.hits))
    hits = Hit.objects.filter(looked_at, system=system).select_related("tier")
    rows = {hit.number: hit for hit in hits}
    for number in sorted(rows.keys() | books.hits.keys()):
        row, hit = rows.get(number), books.hits.get(number)
        if row is None or hit is None:
            differences.append(f"hit {number} is not in both the rows and the order")
            continue
        tier = row.tier.code if row.tier else None
        stored = (tier, row.state, row.held, row.place, row.acts_at, row.round, row.pairing)
        due = (hit.tier, hit.state, hit.held, hit.place, hit.acts_at, hit.round, hit.pairing)
        if stored != due:
            differences.append(f"hit {number} is not what the order says")
    return differences
