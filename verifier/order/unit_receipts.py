"""Promise: what a receipt said to a unit stays so, as long as the era lasts.

A unit that keeps its receipts writes them, each on a line as it came, into
`{system}--{table}.receipts.jsonl` beside its journal.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask

KIND = "receipts"
ENDING = ".receipts.jsonl"
StreamKey = tuple[str, int]  # table, boot

_NOT_SO = """
    SELECT told.boot, told.seq, told.number
    FROM unnest(%(boots)s::bigint[], %(seqs)s::bigint[], %(numbers)s::bigint[])
         AS told (boot, seq, number)
    LEFT JOIN jackpot_entry n ON n.system_id = %(system)s AND n.seq = told.number
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    WHERE (g.code, n.boot, n.event_seq) IS DISTINCT FROM (%(table)s, told.boot, told.seq)
"""


def covered(folder: Path, system: System) -> dict[StreamKey, int]:
    """The highest committed_seq of each boot in the receipts of the present era."""
    highest: dict[StreamKey, int] = {}
    for table, path in _files(folder, system):
        for receipt in _receipts(path, system.era):
            key = table, receipt["boot"]
            highest[key] = max(highest.get(key, 0), receipt["committed_seq"])
    return highest


def numbers_stand(connection: Connection, scope: Scope, system: System, folder: Path) -> None:
    """The number that a unit got for its event is the event's place in the order."""
    for table, path in _files(folder, system):
        results = (
            (receipt["boot"], result["seq"], result["system_seq"])
            for receipt in _receipts(path, system.era)
            for result in receipt["results"]
            if result.get("system_seq") is not None
        )
        while batch := list(itertools.islice(results, 5000)):
            boots, seqs, numbers = (list(column) for column in zip(*batch, strict=True))
            keys: dict[str, Any] = {"boots": boots, "seqs": seqs, "numbers": numbers}
            keys |= {"system": system.id, "table": table}
            for boot, seq, number in ask(connection, _NOT_SO, keys):
                sentence = f"its unit was told the number {number}, which is not its entry"
                scope.add(KIND, f"event {table}/{boot}/{seq}", sentence)


def _files(folder: Path, system: System) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob(f"{system.code}--*{ENDING}")):
        yield path.name.removesuffix(ENDING).removeprefix(f"{system.code}--"), path


def _receipts(path: Path, era: int) -> Iterator[dict[str, Any]]:
    """The receipts of an era; a line that was cut short by a power cut is none."""
    with path.open() as lines:
        for line in lines:
            try:
                receipt = json.loads(line)
            except json.JSONDecodeError:
                continue
            if receipt["era"] == era and receipt["boot"]:
                yield receipt
