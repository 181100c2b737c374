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
# What comes late for a closed tier goes to the account that took its pools.
for _reason in ("contribution", "forfeit", "reversal"):
    _MAY_JOIN[_reason] |= {
        (giver, heir) for giver, kind in _MAY_JOIN[_reason] if kind == "pool" for heir in _HEIRS
    }


class Books:
    """Adds up every account again. `sums` are the balances by the transfers alone."""

    def __init__(self, scope: Scope, accounts: Accounts) -> None:
        self._scope, self._accounts = scope, accounts
        self._after: dict[int, int] = defaultdict(int)  # the balance that the last row states
        self.sums: dict[str, int] = defaultdict(int)
        self._number = 0
        self._entry = 0

    def block(self, sealed: Sealed) -> None:
        """Follow the transfers of a block."""
        for transfer in sealed.transfers:
            self._numbered(transfer)
            self._moved(transfer)

    def _numbered(self, t: Transfer) -> None:
        if t.number != self._number + 1:
            self._say(t, f"transfer {self._number + 1} is missing before it")
        if t.entry < self._entry:
            self._say(t, f"it belongs to entry {t.entry}, the one before to entry {self._entry}")
        self._number, self._entry = t.number, t.entry

    def _moved(self, t: Transfer) -> None:
        debit, credit = self._accounts[t.debit], self._accounts[t.credit]
        after, amount = self._after, t.amount
        if amount <= 0 or debit == credit:
            self._say(t, f"{amount} micros from {debit} to {credit} is no transfer")
        if after[t.debit] - amount != t.debit_after:
            self._say(t, f"the balance of {debit} after it does not follow from the one before")
        if after[t.credit] + amount != t.credit_after:
            self._say(t, f"the balance of {credit} after it does not follow from the one before")
        if t.debit_after < 0 and debit not in SOURCES:
            self._say(t, f"{debit} falls below zero, to {t.debit_after} micros")
        after[t.debit], after[t.credit] = t.debit_after, t.credit_after
        self.sums[debit] -= amount
        self.sums[credit] += amount
        kinds = debit.rpartition(":")[2], credit.rpartition(":")[2]
        if kinds not in _MAY_JOIN.get(t.reason, ()):
            self._say(t, f"the reason {t.reason} does not join {debit} and {credit}")

    def end(self, balances: dict[str, int], last_transfer: int) -> None:
        """Hold the accounts against the sums; `balances` are those of the account rows."""
        say = self._scope.add
        for code in sorted(balances.keys() | self.sums.keys()):
            held, summed = balances.get(code, 0), self.sums[code]
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
        place = f"transfer {transfer.number} of entry {transfer.entry}"
        self._scope.add(KIND, place, sentence)
