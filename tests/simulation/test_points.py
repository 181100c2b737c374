"""Where a run can be interrupted: at every statement of the hot path too."""

from collections import defaultdict
from typing import Any

import pytest

from jackpot.storage import ledger, writing
from jackpot.writer import batches, numbering, pending
from simulation.environment.process import Process
from simulation.runs import run
from simulation.template_database import TemplateDatabase
from tables.intake import outbox
from tables.intake.boots import event_rows, watermark
from tables.protocol import table_ref

IN_A_PLAIN_BATCH = {
    "intake-1": {
        "addresses": table_ref._TABLE_REFS,
        "lock of the streams": watermark._LOCKED,
        "new streams": watermark._MISSING,
        "few events": event_rows._INSERT,
        "many events": event_rows._COPY,
        "events, some of them there": event_rows._INSERT_MISSING,
        "watermark": watermark._ADVANCED,
        "what is sent": outbox._GO_ON,
    },
    "poster-1": {
        "look": pending._PENDING_WORK,
        "lock of the head": batches._LOCK,
        "what waits": pending._EVENTS,
        "entries": writing._ENTRIES.insert,
        "transfers": ledger._TRANSFERS.insert,
        "balances": ledger._BALANCES,
        "rounds": writing._NEW_ROUNDS.insert,
        "block": writing._BLOCK,
        "head": writing._HEADS,
        "cursors": numbering._CURSORS,
        "receipts": outbox._PUT,
    },
}
# Nobody else takes what these take, and lines carry all they have.
ALONE = {"second_intake": False, "second_poster": False, "brisk": 0.8}


def test_every_statement_of_a_batch_is_a_point(
    ground: TemplateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = defaultdict[str, set[str]](set)
    statement = Process._statement

    def note(self: Process, execute: Any, sql: str, *rest: Any) -> Any:
        offered[self.name].add(sql)
        return statement(self, execute, sql, *rest)

    monkeypatch.setattr(Process, "_statement", note)
    for seed in range(1, 4):
        run(seed, ground, 80, fault_profile=ALONE)
    for name, statements in IN_A_PLAIN_BATCH.items():
        missing = [what for what, sql in statements.items() if sql not in offered[name]]
        assert not missing, f"{name} is not interrupted at: {', '.join(missing)}"
