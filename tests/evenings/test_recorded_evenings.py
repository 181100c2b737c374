"""What was recorded before the house was rebuilt folds to the same blocks, balances and hits.

The evenings stand in `evenings.jsonl.xz`: rows by column names, nothing that knows of modules or
migrations. `record` says how they were made. The imports here may follow a move; the lines may
never change.
"""

import datetime as dt
import functools
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from jackpot.audit.checkpoint import empty
from jackpot.audit.recorded_blocks import Recorded
from jackpot.domain.state import blocks
from jackpot.domain.state.books import Books
from jackpot.domain.versions import FOLDS

EVENINGS = Path(__file__).with_name("evenings.jsonl.xz")
Columns = dict[str, Any]
HEADER = (
    *("number", "first_seq", "last_seq", "first_transfer", "last_transfer"),
    *("fold_version", "rules_version", "at"),
)
ENTRY = ("seq", "at", "kind", "type", "table", "boot", "event_seq", "command", "round", "hit")
TRANSFER = (
    *("number", "entry_seq", "debit", "credit", "amount", "debit_after", "credit_after"),
    *("reason", "hit"),
)
HIT = (
    *("number", "place", "acts_at", "table", "round", "terms", "tier", "state", "held"),
    *("confirmed", "report", "report_entry", "corrected", "called_seats", "payees", "stops"),
    *("pairing", "strength", "closing"),
)
DECISIONS = {
    *("accept_rounds", "adjust_pool", "amend_hand", "attach_file", "cancel_round", "close_tier"),
    *("confirm_claim", "delegate_claim", "dispute", "enter_hand", "forfeit", "hold_claim"),
    *("lift_hold", "missed_rounds", "move_table", "name_round", "pay", "put_terms"),
    *("receive_table", "refuse_rounds", "reject_claim", "release", "reset_boots"),
    *("resolve_dispute", "resume", "reverse_claim", "reverse_rejection", "seal_records"),
    *("separate_hand", "settle_order", "suspend", "unclaimed", "unpair_hand", "void_round"),
    *("withhold",),
}
FLAGS = {
    *("adjusted_before", "ahead_of_gap", "cancelled", "in_question", "late", "moved"),
    *("no_start", "no_verdict", "over_pace", "paired", "repeat", "set_aside", "to_return"),
    *("void",),
}
FACTS = {"display_dark", "events_lost", "gap_released", "period_closed"}
STATES = {"confirmed", "held", "outranked", "paid", "paired", "rejected", "reversed"}


@dataclass
class Order:
    """One system's order: its head line, its blocks with their rows, its end."""

    head: Columns
    blocks: list[Columns] = field(default_factory=list)
    end: Columns = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.head['evening']}, {self.head['system']}"

    @property
    def entries(self) -> Iterator[Columns]:
        return (entry for block in self.blocks for entry in block["entries"])


@functools.cache
def orders() -> list[Order]:
    result: list[Order] = []
    for line in lzma.decompress(EVENINGS.read_bytes()).decode().split("\n"):
        kind, columns = json.loads(line)
        match kind:
            case "order":
                result.append(Order(columns))
            case "block":
                result[-1].blocks.append({**columns, "entries": [], "transfers": []})
            case "entry":
                result[-1].blocks[-1]["entries"].append(columns)
            case "transfer":
                result[-1].blocks[-1]["transfers"].append(columns)
            case "end":
                result[-1].end = columns
    return result


def source_of(entry: Columns) -> Any:
    """What an entry was made of, as its hash is made of it."""
    if (decision := entry.get("decision")) is not None:
        basis = decision["basis"]
        basis = bytes.fromhex(basis) if basis is not None else None
        return blocks.command_source(**{**decision, "basis": basis})
    return entry["event"].encode() if "event" in entry else entry.get("body")


def line_of(entry: Columns) -> blocks.EntryLine:
    columns: Columns = {name: entry.get(name) for name in ENTRY}
    return blocks.EntryLine(
        **columns,
        body_hash=blocks.body_hash(source_of(entry)).hex(),
        body=entry.get("body"),
        outcome=entry["outcome"],
    )


def fold_block(books: Books, order: Order, block: Columns, previous: bytes) -> bytes:
    """Fold one block's entries; the hash of what they come to, behind `previous`."""
    fold = FOLDS[block["fold_version"], block["rules_version"]]
    lines = []
    for entry in block["entries"]:
        place = f"{order.name}: entry {entry['seq']}"
        line, at = line_of(entry), dt.datetime.fromisoformat(entry["at"])
        if (fact := entry["outcome"].get("shown")) is not None:  # a fact of that moment
            books.displayed, books.displayed_seq = fact["values"], fact["seq"]
        outcome = fold(books, Recorded(line, at, None, source_of(entry)).entry())
        assert outcome == entry["outcome"], place
        lines.append(msgspec.structs.replace(line, outcome=outcome))
    recorded = [tuple(transfer[name] for name in TRANSFER) for transfer in block["transfers"]]
    assert [msgspec.structs.astuple(each) for each in books.transfers] == recorded, order.name
    columns = {name: block[name] for name in HEADER}
    header = blocks.Header(system=order.head["system"], previous=previous.hex(), **columns)
    digest = blocks.block_hash(header, lines, books.transfers)
    books.transfers.clear()
    return digest


def hits_of(books: Books) -> list[Columns]:
    """The hits of the books under the columns of their rows."""
    return [
        {name: getattr(hit, name) for name in HIT}
        for hit in sorted(books.hits.values(), key=lambda hit: hit.number)
    ]


def test_recorded_evenings_fold_to_the_same_blocks_balances_and_hits() -> None:
    for order in orders():
        books, previous = empty(order.head["system"], order.head["digits"]).books, bytes(32)
        for block in order.blocks:
            previous = fold_block(books, order, block, previous)
            assert previous.hex() == block["hash"], f"{order.name}: block {block['number']}"
        assert books.balances == order.end["balances"], order.name
        assert hits_of(books) == order.end["hits"], order.name


def test_everything_comes_about_in_them() -> None:
    """Several tables and two systems, and each kind of what people decide, carried out."""
    entries = [entry for order in orders() for entry in order.entries]
    accepted = {each["type"] for each in entries if "refused" not in each["outcome"]}
    assert accepted >= DECISIONS | FACTS
    assert {flag for each in entries for flag in each["outcome"].get("flags", [])} >= FLAGS
    assert {hit["state"] for order in orders() for hit in order.end["hits"]} == STATES
    assert {order.head["system"] for order in orders()} >= {"north", "south"}
    assert len({each["table"] for each in entries if "table" in each}) > 5
