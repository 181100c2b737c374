"""What a payment slip says, as it is kept."""

from __future__ import annotations

import msgspec

from settlement.claims.derivation import Step
from settlement.core.printing.paper import Paper


class Person(msgspec.Struct, frozen=True):
    """Somebody who acted on the claim; `did` as it stands on the slip."""

    did: str
    name: str
    when: str


class Hand(msgspec.Struct, frozen=True):
    """Cards as reported; `counts` are the five of the hand."""

    hole: list[str]
    board: list[str]
    counts: list[str]
    hand_name: str = msgspec.field(name="made")  # the key in stored content


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """What a slip says; amounts in micros. `amount` is what was paid, `tax` is withheld of it."""

    number: str
    casino: str
    currency: str
    digits: int
    prize: str
    facts: list[tuple[str, str]]
    amount: int
    words: str
    parts: list[tuple[str, int]]
    line_amount: int
    paid_before: int
    hand: Hand | None
    steps: list[Step]
    people: list[Person]
    entry: int
    block: int
    hash: str
    identification: int | None = None  # whose name stands on it
    # The checkpoint of the log that covers the block; 0 where there was none yet.
    log_size: int = 0
    log_root: str = ""
    log_follows: bool = False  # there is a log, whose next checkpoint covers the block
    address: str = ""  # of the block's public page
    tax: int = 0
    is_rehearsal: bool = False
    paper: Paper = "a4"  # of the original, and so of each copy
    # The same once more in the second language of the house, if it has one.
    language: str = ""
    second: Slip | None = None

    @property
    def net(self) -> int:
        """What was handed over."""
        return self.amount - self.tax

    @property
    def still_due(self) -> int:
        return self.line_amount - self.paid_before - self.amount


class Print(msgspec.Struct, frozen=True):
    """One print: 0 is the original. `payee` is a name; `mark` is kept nowhere else, so that nobody
    finds the name by the digest."""

    copy: int
    by: str
    at: str
    payee: str = ""
    mark: str = ""
