"""Handing over what was confirmed (19.15), and what becomes of it when nobody takes it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, hit_of, two_people
from jackpot.domain.command_handlers.stops import require_no_stop
from jackpot.domain.state.books import WITHHELD_TAX, Books, Hit
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.hits import Correction
from jackpot.hits.payees import METHODS, TAX, Line, held_in, rest, standing_of
from jackpot.hits.states import DECIDED, KEPT_BACK, PAYABLE, UNPAID, PayeeState


class Parts(Body, frozen=True, kw_only=True):
    """What is handed over, in micros (19.15)."""

    chips: Annotated[int, Meta(ge=0)] = 0
    cash: Annotated[int, Meta(ge=0)] = 0
    equivalent: Annotated[int, Meta(ge=0)] = 0


class PaymentParts(Parts, frozen=True, kw_only=True):
    """What a payment comes to: handed over, and withheld of it as `tax`. In micros."""

    tax: Annotated[int, Meta(ge=0)] = 0


class Pay(Body, frozen=True, kw_only=True):
    """One payment to one payee: all that is due, or a part of it now."""

    hit: int
    line: int
    parts: PaymentParts


class Withhold(Body, frozen=True, kw_only=True):
    """A payee is not paid for now, for instance until an identity is established."""

    hit: int
    line: int
    reason: Reason


class Release(Body, frozen=True, kw_only=True):
    """What was withheld, or booked as unclaimed, is due again."""

    hit: int
    line: int
    reason: Reason


class Unclaimed(Body, frozen=True, kw_only=True):
    """Nobody came for it in the posted time; it can still be paid."""

    hit: int
    line: int


class Forfeit(Body, frozen=True, kw_only=True):
    """Two people decide that it is not paid any more: it goes back to the pool of its tier."""

    hit: int
    line: int
    reason: Reason


def pay(books: Books, entry: CommandEntry, body: Pay) -> Outcome:
    """The cage pays one payee in chips, cash or cash equivalent (19.15), less what is withheld."""
    hit, line = _line(books, body.hit, body.line)
    require_no_stop(hit)
    if rest(line) == 0:
        raise Refused("This payee has been paid already: reprint the slip instead.")
    if line["state"] not in PAYABLE:
        raise Refused("This payment is withheld: have it released first.")
    parts = {method: getattr(body.parts, method) for method in METHODS}
    tax = body.parts.tax
    total = sum(parts.values()) + tax
    if not 0 < total <= rest(line):
        raise Refused(
            "Chips, cash and cash equivalent must come to what is due, or to a part of it that"
            " is paid now."
        )
    for method, amount in parts.items():
        books.move(entry.seq, held_in(line), f"paid_{method}", amount, "payment", hit.number)
        line["parts"][method] += amount
    if tax:
        books.open_tax_accounts()
        books.move(entry.seq, held_in(line), WITHHELD_TAX, tax, "withholding", hit.number)
        line["parts"][TAX] = line["parts"].get(TAX, 0) + tax
    if line["state"] != PayeeState.UNCLAIMED or rest(line) == 0:
        is_done = rest(line) == 0
        line["state"] = (PayeeState.PAID if is_done else PayeeState.PART_PAID).value
    line["payments"].append(entry.seq)
    _settle(books, hit)
    return {
        "hit": hit.number,
        "line": body.line,
        "part": len(line["payments"]),
        "seat": line["seat"],
        "paid": total,
    }


def withhold(books: Books, _entry: CommandEntry, body: Withhold) -> Outcome:
    """Keep a payment back; nothing moves."""
    hit, line = _line(books, body.hit, body.line)
    _require_rest(line)
    if line["state"] not in UNPAID:
        raise Refused("Only what is due can be withheld.")
    return _state(books, hit, line, PayeeState.WITHHELD)


def release(books: Books, entry: CommandEntry, body: Release) -> Outcome:
    """Let a payment go on."""
    hit, line = _line(books, body.hit, body.line)
    _require_rest(line)
    if line["state"] not in KEPT_BACK:
        raise Refused("This payment is neither withheld nor unclaimed.")
    if line["state"] == PayeeState.UNCLAIMED:
        books.move(entry.seq, "unclaimed", "payable", rest(line), "claimed", hit.number)
    state = PayeeState.PART_PAID if line["payments"] else PayeeState.DUE
    return _state(books, hit, line, state)


def unclaimed(books: Books, entry: CommandEntry, body: Unclaimed) -> Outcome:
    """Book what nobody came for to the account of unclaimed prizes."""
    hit, line = _line(books, body.hit, body.line)
    require_no_stop(hit)
    _require_rest(line)
    if line["state"] == PayeeState.UNCLAIMED:
        raise Refused("This payment is booked as unclaimed already.")
    books.move(entry.seq, "payable", "unclaimed", rest(line), "unclaimed", hit.number)
    return _state(books, hit, line, PayeeState.UNCLAIMED)


def forfeit(books: Books, entry: CommandEntry, body: Forfeit) -> Outcome:
    """Give back to the present pool what is not paid any more."""
    two_people(entry)
    hit, line = _line(books, body.hit, body.line)
    require_no_stop(hit)
    _require_rest(line)
    back_to_pool(books, hit, entry.seq, [(held_in(line), rest(line))], "forfeit")
    return _state(books, hit, line, PayeeState.FORFEITED)


def back_to_pool(
    books: Books, hit: Hit, seq: int, amounts: list[tuple[str, int]], reason: str
) -> None:
    """Move amounts from accounts into the present pool of the hit's tier, at this place."""
    pool = books.pool_of(hit.tier or "")
    for account, amount in amounts:
        if account != pool:  # the operator, to whom a closed tier's pools went
            books.move(seq, account, pool, amount, reason, hit.number)
    total = sum(amount for _, amount in amounts)
    tier, _, kind = pool.partition(":")
    if kind:
        books.add_step(tier, Correction(seq, books.fed[tier], pool=total))


def _state(books: Books, hit: Hit, line: Line, state: PayeeState) -> Outcome:
    line["state"] = state.value
    _settle(books, hit)
    return {"hit": hit.number, "line": line["line"], "seat": line["seat"], "state": state.value}


def _settle(books: Books, hit: Hit) -> None:
    hit.state = standing_of(hit)
    books.dirty_hits.add(hit.number)


def _line(books: Books, number: int, line: int) -> tuple[Hit, Line]:
    hit = hit_of(books, number)
    if hit.state not in DECIDED:
        raise Refused("Only a confirmed claim is paid (19.12): have it confirmed first.")
    payee = next((payee for payee in hit.payees if payee["line"] == line), None)
    if payee is None:
        raise Refused(f"This claim has no payee in line {line}.")
    return hit, payee


def _require_rest(line: Line) -> None:
    if rest(line) == 0:
        raise Refused("Nothing of this payment is left to be handed over.")
