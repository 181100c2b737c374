"""Promise: the books balance. Transfers are numbered without gaps in the order of their entries,
every balance follows from the one before, an account holds the plain sum of its transfers, only
sources are below zero, and all accounts together come to nothing.
"""

from __future__ import annotations

from collections import defaultdict

from verifier.database.report import Scope
from verifier.database.rows import Accounts, Sealed, Transfer

KIND = "books"
SOURCES = frozenset({"operator", "pot", "commission", "drop", "rounding"})
_GIVERS = SOURCES - {"rounding"}
_LIABILITIES = ("payable", "unclaimed")
_PAID = frozenset({"paid_chips", "paid_cash", "paid_equivalent"})
_HEIRS = ("operator", "adjustments")  # accounts that a closed tier's pools may go to
# By docs/domain.md, "Money": what a reason may join, either way where a correction takes it back.
_MAY_JOIN: dict[str, set[tuple[str, str]]] = {
    "opening": {("operator", "pool")},
    "contribution": {(s, i) for s in _GIVERS for i in ("pool", "reserve", "overflow")},
    "hold": {("pool", "held")},
    "release": {("held", "pool")},
    "reset": {(a, "pool") for a in ("overflow", "reserve", "operator")}
    | {("pool", a) for a in ("overflow", "reserve", "operator")},
    "prize": {("operator", "pool"), ("pool", "operator")},
    "cover": {("operator", "pool"), ("pool", "operator")},
    "rounding": {("rounding", "pool"), ("pool", "rounding")},
    "confirm": {("held", "payable")},
    "payment": {(liability, paid) for liability in _LIABILITIES for paid in _PAID},
    "withholding": {(liability, "withheld_tax") for liability in _LIABILITIES},
    "remittance": {("withheld_tax", "remitted_tax"), ("remitted_tax", "withheld_tax")},
    "unclaimed": {("payable", "unclaimed")},
    "claimed": {("unclaimed", "payable")},
    "forfeit": {(liability, "pool") for liability in _LIABILITIES},
    "reversal": {(a, "pool") for a in ("held", "operator", "withheld_tax", *_LIABILITIES, *_PAID)},
    "adjustment": {
        (source, other)
        for into in ("pool", "reserve", "overflow")
        for giver in _GIVERS
        for source, other in ((giver, into), (into, giver), ("operator", giver))
    },
    "closing": {
        *((kind, into) for kind in ("pool", "overflow") for into in ("pool", *_HEIRS)),
        *(("reserve", into) for into in ("reserve", *_HEIRS)),
    },
}
# What players gave where nothing can be won is kept to be returned to them.
_OF_PLAYERS = ("pot", "commission", "drop")
_MAY_JOIN["contribution"] |= {(giver, "to_return") for giver in _OF_PLAYERS}
for _other in (*_OF_PLAYERS, "pool", "reserve", "overflow"):
    _MAY_JOIN["adjustment"] |= {(_other, "to_return"), ("to_return", _other)}
# What comes late for a closed tier goes to the account that took its pools, and what is taken back
# comes from there.
for _reason in ("contribution", "forfeit", "reversal"):
    _MAY_JOIN[_reason] |= {
        (giver, heir) for giver, kind in _MAY_JOIN[_reason] if kind == "pool" for heir in _HEIRS
    }
for _giver in _GIVERS:
    _MAY_JOIN["adjustment"] |= {(_giver, "adjustments"), ("adjustments", _giver)}


class Books:
    """Adds up every account again. `after` are the balances that the last rows state."""

    def __init__(self, scope: Scope, accounts: Accounts) -> None:
        self._scope, self._accounts = scope, accounts
        self.after: dict[int, int] = defaultdict(int)
        self._sums: dict[int, int] = defaultdict(int)  # by the transfers alone
        self._sources = {id_ for id_, code in accounts.items() if code in SOURCES}
        self._joined: set[tuple[int, int, str]] = set()  # accounts that a reason may join
        self._number = 0
        self._entry = 0

    def block(self, sealed: Sealed) -> None:
        """Follow the transfers of a block."""
        after, sums, sources, joined = self.after, self._sums, self._sources, self._joined
        last_number, last_entry = self._number, self._entry
        for transfer in sealed.transfers:
            number, entry, debit, credit, amount, debit_after, credit_after, reason, _ = transfer
            if number != last_number + 1 or entry < last_entry:
                self._numbered(transfer, last_number, last_entry)
            last_number, last_entry = number, entry
            if amount <= 0 or debit == credit:
                codes = f"from {self._accounts[debit]} to {self._accounts[credit]}"
                self._say(transfer, f"{amount} micros {codes} is no transfer")
            if after[debit] - amount != debit_after:
                self._does_not_follow(transfer, debit)
            if after[credit] + amount != credit_after:
                self._does_not_follow(transfer, credit)
            if debit_after < 0 and debit not in sources:
                code = self._accounts[debit]
                self._say(transfer, f"{code} falls below zero, to {debit_after} micros")
            after[debit], after[credit] = debit_after, credit_after
            sums[debit] -= amount
            sums[credit] += amount
            if (debit, credit, reason) not in joined:
                self._joins(transfer, debit, credit, reason)
        self._number, self._entry = last_number, last_entry

    def _numbered(self, transfer: Transfer, last_number: int, last_entry: int) -> None:
        number, entry, *_ = transfer
        if number != last_number + 1:
            self._say(transfer, f"transfer {last_number + 1} is missing before it")
        if entry < last_entry:
            before = f"the one before to entry {last_entry}"
            self._say(transfer, f"it belongs to entry {entry}, {before}")

    def _does_not_follow(self, transfer: Transfer, account: int) -> None:
        balance = f"the balance of {self._accounts[account]}"
        self._say(transfer, f"{balance} after it does not follow from the one before")

    def _joins(self, transfer: Transfer, debit: int, credit: int, reason: str) -> None:
        codes = self._accounts[debit], self._accounts[credit]
        kinds = codes[0].rpartition(":")[2], codes[1].rpartition(":")[2]
        if kinds in _MAY_JOIN.get(reason, ()):
            self._joined.add((debit, credit, reason))
        else:
            self._say(transfer, f"the reason {reason} does not join {codes[0]} and {codes[1]}")

    def end(self, balances: dict[str, int], last_transfer: int) -> None:
        """Hold the accounts against the sums; `balances` are those of the account rows."""
        say, sums = self._scope.add, defaultdict[str, int](int)
        for account, total in self._sums.items():
            sums[self._accounts[account]] += total
        for code in sorted(balances.keys() | sums.keys()):
            held, summed = balances.get(code, 0), sums[code]
            if held != summed:
                sentence = f"it holds {held} micros, its transfers come to {summed}"
                say(KIND, f"account {code}", sentence)
            if held < 0 and code not in SOURCES:
                say(KIND, f"account {code}", f"it is below zero: {held} micros")
        total = sum(balances.values())
        if total:
            say(KIND, "accounts", f"together they come to {total} micros, and not to nothing")
        if self._number != last_transfer:
            sentence = f"it names transfer {last_transfer}, the last row is {self._number}"
            say(KIND, "head", sentence)

    def _say(self, transfer: Transfer, sentence: str) -> None:
        self._scope.add(KIND, f"transfer {transfer[0]} of entry {transfer[1]}", sentence)
