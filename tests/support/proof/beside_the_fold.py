"""The verifier beside the fold: it folds whatever a test folds, and must find nothing.

Entries and transfers are handed to it as it reads them from a database.
"""

from __future__ import annotations

import json
import os
import re
from collections import OrderedDict
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import hypothesis
import msgspec

from jackpot.domain.state.blocks import instant
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import AnyEntry, CommandEntry, EventEntry, FactEntry, Outcome
from tests.support.proof.sentences import write
from verifier.database.report import Report, Scope
from verifier.database.rows import Accounts, Entry, Sealed, System, Transfer
from verifier.fold.books.tier_balance import Hit as OwnHit
from verifier.fold.folding import Fold
from verifier.fold.skipped_entries import SkippedEntries
from verifier.order import books as ledger
from verifier.order.projections import _NAMES

# Why the console refuses, and why the verifier does; figures and names are left out.
REFUSALS = Path(__file__).with_name("refusals.json")
_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|[\[{].*[\]}]|\b(?:True|False|None)\b|-?\d[\d,.]*")
_MOST = 40  # books at once
_MAY_RETURN = frozenset(range(1, 300))  # hits: nobody knows yet which rejections are reversed


class Beside:
    """The verifier, and the books that it follows."""

    def __init__(self, books: Books) -> None:
        self.books, self.seq = books, 0
        self.report, self.transfers = Report(), 0
        self._accounts, self._numbers = Accounts(), dict[str, int]()
        self._waiting: list[tuple[Sealed, Outcome]] = []  # what was decided before tables spoke
        self._fold: _Heard | None = None

    def follow(self, entry: AnyEntry, outcome: Outcome) -> None:
        """The next entry of these books."""
        if any(each.entry != entry.seq for each in self.books.transfers[self.transfers :]):
            return  # a test put money there by itself: nothing of it is followed from here on
        self.seq = entry.seq
        new, self.transfers = self.books.transfers[self.transfers :], len(self.books.transfers)
        transfers = [self._transfer(each) for each in new]
        sealed = Sealed(None, [_row(self.books.system, entry, outcome)], transfers)
        if self._fold is None:
            self._waiting.append((sealed, outcome))
            if isinstance(entry, CommandEntry):
                return
            waiting = self._begin()
        else:
            waiting = [(sealed, outcome)]
        assert self._fold is not None
        for each, recorded in waiting:
            self._fold.why = None
            self._ledger.block(each)
            self._fold.block(each)
            assert not self.report.findings, self.report.findings
            _agree_why(recorded, self._fold.why)
        for number, hit in self.books.hits.items():
            _agree_on(hit, self._fold.state.hits.get(number))

    def _begin(self) -> list[tuple[Sealed, Outcome]]:
        """By now most accounts are there."""
        for code in self.books.balances:
            self._number(code)
        scope = Scope(self.report, self.books.system)
        system = System(1, self.books.system, self.books.digits, era=1)
        nothing_skipped = cast("SkippedEntries", None)
        self._ledger = ledger.Books(scope, self._accounts)
        self._fold = _Heard(
            scope, system, self._accounts, lambda _seq, _values: True, nothing_skipped, _MAY_RETURN
        )
        return self._waiting

    def _number(self, code: str) -> int:
        number = self._numbers.setdefault(code, len(self._numbers) + 1)
        self._accounts[number] = code
        return number

    def _transfer(self, row: Any) -> Transfer:
        accounts = self._number(row.debit), self._number(row.credit)
        after = row.debit_after, row.credit_after
        return (row.number, row.entry, *accounts, row.amount, *after, row.reason, row.hit)


class _Heard(Fold):
    """It remembers why it refused the last decision."""

    why: str | None = None

    def _compare(self, entry: Entry, own_outcome: Outcome) -> None:
        self.why = cast("str | None", own_outcome.get("refused"))
        super()._compare(entry, own_outcome)


_besides: OrderedDict[int, Beside] = OrderedDict()


def begin() -> None:
    """Forget the books of another test."""
    _besides.clear()


def follow(books: Books, entry: AnyEntry, outcome: Outcome) -> None:
    """Let the verifier fold it too; books of which it did not see the beginning it leaves alone."""
    beside = _besides.get(id(books))
    if beside is None or beside.books is not books:
        beside = _besides[id(books)] = Beside(books)
        while len(_besides) > _MOST:
            _besides.popitem(last=False)
    if entry.seq == beside.seq + 1:
        beside.follow(entry, outcome)


def _row(system: str, entry: AnyEntry, outcome: Outcome) -> Entry:
    columns: dict[str, Any] = dict.fromkeys(Entry._fields)
    columns |= {"seq": entry.seq, "at": instant(entry.at), "body_hash": b""}
    columns |= {"hit": outcome.get("hit"), "outcome_text": _json(outcome)}
    match entry:
        case EventEntry():
            event = entry.event
            assert event.system == system
            body = msgspec.json.encode(event)
            columns |= {"kind": "event", "type": json.loads(body)["type"], "event_body": body}
            columns |= {"table": entry.table, "boot": event.boot, "event_seq": event.seq}
            columns |= {"round": getattr(event, "round", None), "is_its_event": True}
            columns |= {"body_text": None if entry.body is None else _json(entry.body)}
        case CommandEntry():
            columns |= {"kind": "command", "type": entry.kind, "command_kind": entry.kind}
            columns |= {"command": entry.number, "command_text": _json(entry.body)}
            columns |= {"first": entry.first, "second": entry.second}
        case FactEntry():
            columns |= {"kind": "fact", "type": entry.kind, "body_text": _json(entry.body)}
            columns |= {"table": entry.body.get("table")}
        case _:
            raise NotImplementedError(entry)
    return Entry(**columns)


def _agree_on(hit: Hit, own: OwnHit | None) -> None:
    """As `verifier.order.projections` holds the rows of claims against its fold."""
    assert own is not None, f"the verifier knows no hit {hit.number}"
    corrected = (hit.corrected or {}).get("entry")
    of_place = (hit.place, hit.acts_at, hit.table, hit.round, hit.terms, hit.tier)
    of_money = (hit.state, hit.held, hit.confirmed, hit.report_entry, hit.closing, hit.strength)
    stated = dict(zip(_NAMES, (*of_place, *of_money, corrected), strict=True))
    assert stated == {name: getattr(own, name) for name in _NAMES}
    assert hit.payees == [asdict(line) for line in own.payees]
    assert hit.stops == [stop.row() for stop in own.stops]
    assert hit.pairing == own.pairing


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _agree_why(outcome: Outcome, why: str | None) -> None:
    """Both refuse for the same reason: where nobody chose the case by chance, so that each pair of
    reasons is on the list."""
    if why is None or hypothesis.currently_in_test_context():
        return
    own, theirs = _PARTICULAR.sub("…", why), _PARTICULAR.sub("…", outcome["refused"])
    if os.environ.get("WRITE_REFUSALS"):
        write(
            REFUSALS,
            lambda pairs: pairs.update({theirs: sorted({*pairs.get(theirs, ()), own})}),
        )
    pairs = json.loads(REFUSALS.read_text())
    assert own in pairs.get(theirs, ()), f"{theirs!r} is refused by the verifier as {own!r}"
