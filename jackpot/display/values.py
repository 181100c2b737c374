"""What the displays of a system show (19.7): values, states and messages, from committed rows.

Every message that was sent is kept: it is the value recorded on the display (19.14(a)).
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jackpot import metrics
from jackpot.display.names import Names, with_names
from jackpot.display.traces import DisplayStep, note
from jackpot.hits.states import HitState
from jackpot.models import Account, DisplayMessage, DisplayPulse, Entry, Head, Hit, Tier
from jackpot.queries.period_standing import running
from jackpot.storage.snapshot import snapshot
from jackpot.storage.stored_terms import terms_of
from jackpot.terms.document import JackpotTerms, TierTerms
from jackpot.terms.fed_by import in_play
from jackpot.terms.money import format_micros, micros_to_minor
from jackpot.terms.posted_terms import notices as notice_of
from jackpot.transparency import public_keys
from tables.floor.tables_in_test import tables_in_test
from tables.intake import outbox
from tables.intake.outbox import Outgoing
from tables.models import GamingTable, JackpotSystem
from tables.protocol import topics
from tables.protocol.messages import MOST_AMOUNT, encoder
from tables.telemetry import traces

MESSAGE_FOR = dt.timedelta(minutes=3)  # how long a win or a rejection stays on the display


def in_effect(system_id: int, number: int) -> list[JackpotTerms]:
    """The terms of every jackpot of a system as they stand, by the highest prize."""
    return standing(terms_of(system_id, number))


def standing(versions: dict[int, JackpotTerms]) -> list[JackpotTerms]:
    """The newest of these versions of every jackpot, by its code."""
    newest = {terms.code: terms for _, terms in sorted(versions.items())}
    return sorted(newest.values(), key=lambda terms: terms.code)


def tiers_in_effect(system_id: int, number: int) -> list[TierTerms]:
    """All tiers of a system, jackpot by jackpot, the highest prize first."""
    return _ranked(in_effect(system_id, number))


def _ranked(posted: list[JackpotTerms]) -> list[TierTerms]:
    return [tier for terms in posted for tier in sorted(terms.tiers, key=lambda tier: tier.rank)]


def refresh(system_id: int) -> bool:
    """Send what changed since the last message, or the same again as a sign of life.

    Returns whether something changed. Safe to run twice, and by two workers at once: values are
    read as of one moment, and what is older than the last message is not sent any more.
    """
    with snapshot():
        head = Head.objects.select_related("system__casino").filter(system=system_id).first()
        now = timezone.now()
        payload = compose(head, now) if head is not None else None
    if head is None or payload is None:
        return False
    system = head.system
    with transaction.atomic():
        pulse, _ = DisplayPulse.objects.select_for_update().get_or_create(
            system=system, defaults={"at": now}
        )
        last = DisplayMessage.objects.filter(system=system).order_by("-id").first()
        if last is not None and last.system_seq > payload["system_seq"]:
            return False
        changed = last is None or _content(last.payload) != _content(payload)
        if changed:
            DisplayMessage.objects.create(
                system=system, system_seq=payload["system_seq"], at=now, payload=payload
            )
        pulse.at = now
        pulse.save(update_fields=["at"])
        message = Outgoing(topics.display(system.code), encoder.encode(payload), retain=True)
        outbox.put_all([(system.pk, message)])
    if last is not None and payload["system_seq"] > last.system_seq:
        _observe(system_id, last.system_seq + 1)
        if traces.is_on():
            note("display", DisplayStep(system_id, last.system_seq, payload["system_seq"]), now)
    return changed


def _observe(system_id: int, seq: int) -> None:
    """A message is on its way, and this is the oldest entry that the one before did not show."""
    entry = Entry.objects.filter(system=system_id, seq=seq)
    now = timezone.now()
    for at, recorded_at in entry.values_list("at", "event__recorded_at"):
        metrics.DISPLAYED.observe(max((now - at).total_seconds(), 0.0))
        if recorded_at is not None:
            metrics.PRESS_DISPLAYED.observe(max((now - recorded_at).total_seconds(), 0.0))


def compose(head: Head, now: dt.datetime) -> dict[str, Any] | None:
    """The display message of a system as of now; None while it has no terms yet."""
    if head.terms_number == 0:
        return None
    system = head.system
    digits = system.casino.minor_digits
    pools = dict(
        Account.objects.filter(system=system, code__endswith=":pool").values_list("code", "balance")
    )
    posted = in_effect(system.pk, head.terms_number)
    tiers = _ranked(posted)
    suspended = {code for terms in posted for code in terms.suspended}
    periods = _periods(system, tiers)
    rolled = dict(Tier.objects.filter(system=system).values_list("code", "rolled"))
    return {
        "v": 1,
        "system_seq": head.seq,
        "at": as_instant(now),
        "terms": head.terms_number,
        "state": "halted" if head.halted_at else "live",
        "test": False,
        "test_tables": tables_in_test([system.pk]).get(system.pk, []),
        "out_of_play": _out_of_play(system, posted),
        "tiers": [
            {
                "tier": tier.code,
                "name": tier.name,
                # Play may lift a pool to where no display can follow: it says the most it can.
                "value": min(
                    micros_to_minor(_value(tier, pools, rolled[tier.code]), digits), MOST_AMOUNT
                ),
                "state": "suspended" if tier.code in suspended else "open",
                "period": periods.get(tier.code),
            }
            for tier in tiers
            if f"{tier.code}:pool" in pools
        ],
        "messages": _messages(system, {tier.code: tier for tier in tiers}, now),
    }


def _periods(system: JackpotSystem, tiers: list[TierTerms]) -> dict[str, dict[str, Any]]:
    """Of each high hand the period that runs: its end, the best hand so far, and where."""
    posted = {tier.code: tier for tier in tiers if tier.high_hand() is not None}
    if not posted:
        return {}
    periods = {}
    rows = Tier.objects.filter(system=system, code__in=posted).select_related("system__casino")
    hits = list(Hit.objects.filter(system=system, state=HitState.HELD).select_related("table"))
    for tier in rows:
        period = running(tier, posted[tier.code], hits)
        if period is not None:
            periods[tier.code] = {
                "ends": as_instant(period.ends),
                "best": str(period.best[0].hand) if period.best else None,
                "tables": [each.hit.table.name for each in period.best],
            }
    return periods


def _value(tier: TierTerms, pools: dict[str, int], rolled: int) -> int:
    """What a tier is worth: its pool, or its fixed prize with those that rolled over."""
    return pools[f"{tier.code}:pool"] if tier.prize is None else tier.prize + rolled


def current(system_id: int) -> dict[str, Any] | None:
    """The newest message for displays that are web pages; `at` is the last sign of life.

    Where the worker is dead the message grows old, and the display says that it is not current.
    """
    last = DisplayMessage.objects.filter(system_id=system_id).order_by("-id").first()
    pulse = DisplayPulse.objects.filter(system_id=system_id).first()
    if last is None or pulse is None:
        return None
    return {**last.payload, "at": as_instant(pulse.at)}


def notices(table: GamingTable, names: Names | None = None) -> list[str]:
    """The notice at a table (19.4, 19.5), generated from the terms that the engine executes.

    `names`: what the house calls prizes in the language of now."""
    head = Head.objects.filter(system=table.system).first()
    if head is None:
        return []
    casino = table.system.casino
    lines = [
        line
        for terms in in_effect(table.system_id, head.terms_number)
        if terms.is_at(table.code)
        for line in notice_of(
            with_names(terms, table.system.code, names or {}),
            casino.minor_digits,
            casino.currency,
            settings.UNCLAIMED_AFTER_DAYS,
        )
    ]
    return [*lines, *public_keys.posted(table.system.code)] if lines else []


def is_test(message: dict[str, Any] | None, table: str) -> bool:
    """Whether the display at that table says that it is a test."""
    if message is None:
        return False
    return bool(message["test"]) or table in message.get("test_tables", ())


def is_out_of_play(message: dict[str, Any] | None, table: GamingTable) -> bool:
    """Whether the display there says that the jackpot is not in play, or the table has left."""
    if table.moved_to_id is not None:
        return True
    return message is not None and table.code in message.get("out_of_play", ())


def is_suspended(table: GamingTable) -> bool:
    """Whether the table does not take part at present (19.7), or has left the system."""
    if table.moved_to_id is not None:
        return True
    head = Head.objects.filter(system=table.system).first()
    posted = in_effect(table.system_id, head.terms_number) if head is not None else []
    return any(terms.is_at(table.code) and table.code in terms.suspended_tables for terms in posted)


def _out_of_play(system: JackpotSystem, posted: list[JackpotTerms]) -> list[str]:
    """Tables of jackpots at which a round that begins now can win nothing: suspended, or their game
    or deck wins no prize. A closed table is one only where it is suspended."""
    codes = []
    for code, session in system.tables.order_by("code").values_list("code", "state__session"):
        here = [terms for terms in posted if terms.is_at(code)]
        if not here:
            continue
        if session is None:
            is_out = any(code in terms.suspended_tables for terms in here)
        else:
            game, deck = session["game"], session["deck"]
            is_out = not any(in_play(terms, code, game, deck) for terms in here)
        if is_out:
            codes.append(code)
    return codes


def _messages(
    system: JackpotSystem, tiers: dict[str, TierTerms], now: dt.datetime
) -> list[dict[str, Any]]:
    """What players read of hits: open ones, and what was decided in the last minutes."""
    held = Hit.objects.filter(system=system, state=HitState.HELD).select_related("tier", "table")
    # Of a unit's hand nobody may have said yet that it is another one than was entered here.
    held = held.exclude(pairing__contains={"waits": True, "same": None})
    # Of several claims of one hand the first stands for all until they are decided.
    first = {(hit.table_id, hit.round): hit for hit in held.order_by("-number")}
    hits = {hit.number: hit for hit in first.values()}
    decided = dict(
        Entry.objects.filter(
            system=system,
            type__in=["confirm_claim", "reject_claim"],
            at__gte=now - MESSAGE_FOR,
            outcome__refused__isnull=True,
            hit__isnull=False,
        ).values_list("hit", "at")
    )
    decided_hits = Hit.objects.filter(system=system, number__in=list(decided)).exclude(
        state=HitState.REVERSED
    )
    for hit in decided_hits.select_related("tier", "table"):
        hits[hit.number] = hit
    return [
        _message(system, hit, tiers, decided.get(number, hit.at))
        for number, hit in sorted(hits.items(), reverse=True)
        # Of a high hand only who holds a prize: the tier itself names the best so far.
        if hit.strength is None or hit.held or number in decided
    ]


def _message(
    system: JackpotSystem, hit: Hit, tiers: dict[str, TierTerms], at: dt.datetime
) -> dict[str, Any]:
    casino = system.casino
    table = hit.table.name.upper()
    code = hit.tier.code if hit.tier else None
    name = tiers[code].name.upper() if code in tiers else "JACKPOT"
    if hit.state == HitState.HELD:
        what = "JACKPOT REPORTED" if hit.strength is None else name
        kind, text = "reported", f"{what}, {table}, AWAITING CONFIRMATION"
    elif hit.state == HitState.REJECTED:
        kind, text = "not_confirmed", f"{name}, {table}: NOT CONFIRMED"
    else:
        won = sum(payee["amount"] for payee in hit.payees)
        amount = f"{casino.currency} {format_micros(won, casino.minor_digits)}"
        amount = amount if won else "THE POOL WAS EMPTY"
        kind, text = "win", f"{name} WIN, {table}: {amount}"
    return {
        "kind": kind,
        "text": text,
        "tier": code,
        "table": hit.table.code,
        "hit": hit.number,
        "at": as_instant(at),
    }


def _content(payload: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in payload.items() if key != "at"}


def as_instant(at: dt.datetime) -> str:
    """An instant as all messages have it: UTC, milliseconds."""
    return at.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
