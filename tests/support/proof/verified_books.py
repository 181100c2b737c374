"""Books in memory, and beside them the verifier, which folds the same entries on its own."""

import json
from typing import Any

import msgspec

from jackpot.domain.state.entries import Outcome
from tests.support.play.books import Floor
from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.entries.commands import COMMANDS
from verifier.fold.entries.device_events import EVENTS
from verifier.fold.entries.entered_hands import hand_of_unit
from verifier.fold.folding import _COMPARED
from verifier.fold.terms.shapes import Refusal


class Witnessed(Floor):
    """Books beside which the verifier folds the same entries."""

    def __init__(self, *documents: dict[str, Any]) -> None:
        self.witness = State(unit=10_000)
        super().__init__(*documents)

    def decide(
        self, kind: str, first: str = "mere", second: str | None = "david", **body: Any
    ) -> Outcome:
        if kind in ("confirm_claim", "reject_claim") and "report_entry" not in body:
            body["report_entry"] = self.books.hits[body["hit"]].report_entry
        outcome = super().decide(kind, first, second, **body)
        entry = entry_of(self.books.seq, "command", kind, outcome, first=first, second=second)
        try:
            own_outcome = COMMANDS[kind](self.witness, entry, json.loads(msgspec.json.encode(body)))
        except Refusal:
            own_outcome = {"refused": True}
        self.agree(outcome, own_outcome)
        return outcome

    def say(self, table: str, type_: type, how: str = "in order", **fields: Any) -> Outcome:
        outcome = super().say(table, type_, how, **fields)
        event = json.loads(msgspec.json.encode(fields)) | {"type": _tag(type_)}
        name = event["type"]
        entry = entry_of(self.books.seq, "event", name, outcome, table=table)
        is_hand = name in ("hand_called", "hand_reported")
        fold = hand_of_unit if is_hand else EVENTS[name]
        self.agree(outcome, fold(self.witness, entry, event))
        return outcome

    def agree(self, outcome: Outcome, own_outcome: dict[str, Any]) -> None:
        assert ("refused" in outcome) == ("refused" in own_outcome), outcome
        if "refused" in outcome:
            return
        for name in _COMPARED:
            assert outcome.get(name) == own_outcome.get(name), (name, outcome, own_outcome)
        assert {*outcome.get("flags", ())} == {*own_outcome.get("flags", ())}


def _tag(type_: Any) -> str:
    tag: str = type_.__struct_config__.tag
    return tag


def entry_of(seq: int, kind: str, type_: str, outcome: Outcome, **columns: Any) -> Entry:
    empty: dict[str, Any] = dict.fromkeys(Entry._fields)
    of_entry = {"seq": seq, "kind": kind, "type": type_, "outcome_text": json.dumps(outcome)}
    return Entry(**{**empty, **of_entry, **columns})
