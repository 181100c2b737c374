"""Books in memory and entries for them, in the words of the floor. No database."""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any, Self

from jackpot.domain.fold import apply
from jackpot.domain.play.clock_disputes import FEWEST
from jackpot.domain.state.books import SYSTEM_ACCOUNTS, Books
from jackpot.domain.state.entries import AnyEntry, CommandEntry, EventEntry, Outcome
from jackpot.terms.money import MICROS
from tables.protocol import messages

AT = dt.datetime(2026, 11, 21, 10, 15, tzinfo=dt.UTC)
_SENTENCE = re.compile(r"[A-Z0-9].*[a-z)].*[.]", re.DOTALL)
# Who is told of each entry that tests fold, with its outcome.
FOLLOWERS: list[Callable[[Books, AnyEntry, Outcome], None]] = []
ROYAL = {"weakest": {"category": "royal_flush", "ranks": []}, "hole_cards_playing": 2}


def royal_terms(**changes: Any) -> dict[str, Any]:
    """One tier, reset 1,000.00, payable unit 1.00, 0.50 a round from the operator."""
    tier = {
        "code": "royal",
        "name": "Royal Flush",
        "rank": 1,
        "reset": 1000 * MICROS,
        "payable_unit": MICROS,
        "increments": [{"source": "per_round", "amount": MICROS // 2}],
        "qualifying": {**ROYAL, "games": ["holdem"]},
    }
    return {
        "code": "house",
        "name": "House Jackpot",
        "funding": "operator",
        "games": ["holdem"],
        "tiers": [{**tier, **changes}],
    }


def fold(books: Books, entry: AnyEntry) -> Outcome:
    """What the fold makes of an entry, for whoever follows it."""
    outcome = apply(books, entry)
    for follow in FOLLOWERS:
        follow(books, entry, outcome)
    return outcome


class Floor:
    """Books of one system, fed by what tables and people do."""

    def __init__(self, *terms: dict[str, Any]) -> None:
        self.books = Books(
            system="main",
            digits=2,
            seq=0,
            transfer_number=0,
            hit_number=0,
            terms_number=0,
            balances=dict.fromkeys(SYSTEM_ACCOUNTS, 0),
            fed={},
            terms={},
            sessions={},
            rounds={},
            hits={},
            displayed={},
            displayed_seq=None,
        )
        self.seqs: dict[str, int] = {}
        self.beside: dict[str, Any] | None = None  # what the writer puts beside the next event
        self.rounds: dict[str, int] = {}
        for document in terms:
            self.decide("put_terms", terms=document)

    def decide(
        self, kind: str, first: str = "mere", second: str | None = "david", **body: Any
    ) -> Outcome:
        if kind in ("confirm_claim", "reject_claim") and "report_entry" not in body:
            body["report_entry"] = self.books.hits[body["hit"]].report_entry
        seq = self.books.seq + 1
        outcome = fold(self.books, CommandEntry(seq, AT, seq, kind, body, first, second))
        why = outcome.get("refused", "A sentence.")
        assert _SENTENCE.fullmatch(why), "people read this"
        return outcome

    def at(self, seconds: float, margin: float = 0.1, events: int = FEWEST) -> Self:
        """When the next hand was recorded by its unit's clock set right, and how sure that is."""
        at_us = seconds * 10**6
        behind_us = at_us - AT.timestamp() * 10**6  # the unit's own clock says AT
        clock = {"at_us": at_us, "behind_us": behind_us, "margin_us": margin * 10**6}
        self.beside = {"clock": {**{k: round(v) for k, v in clock.items()}, "events": events}}
        return self

    def say(self, table: str, type_: type, how: str = "in order", **fields: Any) -> Outcome:
        self.seqs[table] = self.seqs.get(table, 0) + 1
        event = type_(
            v=1,
            system="main",
            table=table,
            boot=1,
            seq=self.seqs[table],
            recorded_at=AT,
            **fields,
        )
        beside, self.beside = self.beside, None
        return fold(self.books, EventEntry(self.books.seq + 1, AT, table, event, how, beside))

    def open(
        self, table: str, game: str = "holdem", seats: int = 6, deck: int = 52, **fields: Any
    ) -> Outcome:
        return self.say(
            table,
            messages.SessionOpened,
            game=game,
            deck=deck,
            dealer="d",
            seats_in_play=list(range(1, seats + 1)),
            **fields,
        )

    def press(self, table: str, **fields: Any) -> Outcome:
        self.rounds[table] = self.rounds.get(table, 0) + 1
        return self.say(table, messages.RoundStarted, round=self.rounds[table], **fields)

    def complete(self, table: str, **fields: Any) -> Outcome:
        return self.say(table, messages.RoundCompleted, round=self.rounds[table], **fields)

    def call(self, table: str, tier: str | None = "royal", seat: int = 3) -> Outcome:
        return self.say(
            table, messages.HandCalled, round=self.rounds[table], tier=tier, seats=[seat]
        )

    def report(self, table: str, hole: str, board: str, **fields: Any) -> Outcome:
        hand: dict[str, Any] = {
            "seat": 3,
            "hole": hole.split(),
            "exposed": "yes",
            "folded": False,
            "participating": True,
            "won_pot": True,
        }
        for key in [key for key in fields if key in hand]:
            hand[key] = fields.pop(key)
        return self.say(
            table,
            messages.HandReported,
            round=self.rounds[table],
            boards=[board.split()],
            hands=[messages.ReportedHand(**hand)],
            **fields,
        )

    def pool(self, tier: str = "royal") -> int:
        return self.books.balances[f"{tier}:pool"]

    def held(self, hit: int) -> int:
        return self.books.hits[hit].held
