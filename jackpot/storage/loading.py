"""Reading the books of a system for a batch: what its entries may touch, and no more."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db import connection

from jackpot import models
from jackpot.domain.state.books import SYSTEM_ACCOUNTS, Books, Hit, Round
from jackpot.domain.state.hits import (
    Closing,
    ContributionTotals,
    Correction,
    Limit,
    Step,
    TierBalances,
)
from jackpot.hits.states import HitState
from jackpot.storage.closed_periods import read_closes
from jackpot.storage.stored_terms import terms_of
from jackpot.terms.money import minor_to_micros
from jackpot.terms.periods import GamingDay
from jackpot.terms.press_rate import Presses
from tables.models import GamingTable, JackpotSystem
from tables.process.prepared_statements import prepared_cursor

# The hits that a correction can move: from the earliest open one on, or from a rejected one that
# the batch names and that may come back, and of each tier the last that stands before it, from
# which the replay begins; with those that the batch names, and the other claims of their
# hands, and hands of which nobody can say the round.
_EARLIEST = """
    earliest AS (
        SELECT coalesce(least(
            (SELECT min(least(place, acts_at)) FROM jackpot_hit
             WHERE system_id = %(system)s AND state = 'held'),
            (SELECT min(least(place, acts_at)) FROM jackpot_hit
             WHERE system_id = %(system)s AND number = ANY(%(named)s) AND state = 'rejected')
        ), 9223372036854775807) AS place
    )
"""
_HITS = f"""
    WITH {_EARLIEST}, anchors AS (
        SELECT t.id AS tier_id, a.number, a.acts_at FROM jackpot_tier t
        CROSS JOIN LATERAL (
            SELECT h.number, h.acts_at FROM jackpot_hit h, earliest
            WHERE h.tier_id = t.id AND h.state NOT IN ('rejected', 'withdrawn', 'outranked')
              AND h.acts_at < earliest.place
            ORDER BY h.acts_at DESC, h.number LIMIT 1
        ) a WHERE t.system_id = %(system)s
    )
    SELECT h.number, a.acts_at FROM jackpot_hit h
    LEFT JOIN anchors a ON a.number = h.number, earliest
    WHERE h.system_id = %(system)s
      AND (h.acts_at >= earliest.place OR a.number IS NOT NULL OR h.number = ANY(%(named)s)
           OR h.round < 0 OR (h.table_id, h.round) IN (
               SELECT * FROM unnest(%(tables)s::bigint[], %(rounds)s::bigint[])
               UNION ALL SELECT n.table_id, n.round FROM jackpot_hit n
               WHERE n.system_id = %(system)s AND n.number = ANY(%(named)s)))
"""  # noqa: S608 - of a constant
_ROUNDS = """
    SELECT table_id, r.round, terms, game, deck, dealt, started, completed, void, pot, hit,
           cancelled, priced, uncalled, commission, taken, awaits, differs, pace, accepted,
           stakes, flop, counted
    FROM unnest(%(tables)s::bigint[], %(rounds)s::bigint[]) AS wanted (table_id, round)
    JOIN jackpot_roundstate r USING (table_id, round)
    WHERE r.system_id = %(system)s
"""
# Of each tier from its anchor on, with the last limit before. Of the ends of periods only those
# that a hand which is open may lie before, that of the anchor, and those whose prize rolls over.
_STEPS = f"""
    WITH {_EARLIEST}
    SELECT s.tier_id, s.place, s.kind, s.fed_pool, s.fed_reserve, s.fed_overflow, s.pool,
           s.reserve, s.pool_limit, s.shown, s.shown_at, s.prize
    FROM unnest(%(tiers)s::bigint[], %(places)s::bigint[]) AS anchor (tier_id, place)
    JOIN jackpot_tierstep s ON s.tier_id = anchor.tier_id AND s.place >= coalesce(
        (SELECT max(l.place) FROM jackpot_tierstep l
         WHERE l.tier_id = anchor.tier_id AND l.kind = 'limit' AND l.place < anchor.place),
        anchor.place)
    WHERE s.kind = 'limit' OR (s.place >= anchor.place AND (
        s.kind <> 'period' OR s.prize > 0 OR s.place = anchor.place
        OR s.place >= (SELECT place FROM earliest)))
    ORDER BY s.place
"""  # noqa: S608 - of a constant
_NEWEST_ROUNDS = """
    SELECT table_id, (SELECT r.round FROM jackpot_roundstate r
                      WHERE r.system_id = %s AND r.table_id = wanted.table_id
                      ORDER BY r.round DESC LIMIT 1)
    FROM unnest(%s::bigint[]) AS wanted (table_id)
"""

ROUNDS_KEPT = 2000


@dataclass(slots=True)
class Plan:
    """What a batch will touch: the keys that decide what is loaded."""

    rounds: set[tuple[int, int]] = field(default_factory=set)  # table id, round
    hits: set[int] = field(default_factory=set)
    with_hits: bool = True  # whether a hit may be made, moved or asked for
    with_closes: bool = True  # whether a day or month may be closed
    with_sessions: bool = True  # whether anything may begin at a table


@dataclass(slots=True)
class Loaded:
    """Books with the ids under which they are written back, and what the database holds of them.

    The writer keeps them: rounds up to ROUNDS_KEPT, hits only as long as a batch needs them.
    """

    books: Books
    accounts: dict[str, int]
    tiers: dict[str, int]
    table_codes: dict[int, str]
    table_ids: dict[str, int]
    fed: dict[str, ContributionTotals]  # as written
    day: GamingDay
    newest_rounds: dict[str, int]  # of each table: a higher number is a round not met yet
    stored_rounds: set[tuple[str, int]] = field(default_factory=set)  # of those in the books
    periods: dict[str, dt.datetime] = field(default_factory=dict)  # as written
    rolled: dict[str, int] = field(default_factory=dict)  # as written
    at: dt.datetime | None = None  # of the last block, where the writer asked for it
    version: tuple[int, int] | None = None  # of fold and rules, likewise

    def forget(self) -> None:
        """After a batch was written: make ready for the next."""
        books = self.books
        books.transfers.clear()
        books.dirty_sessions.clear()
        books.dirty_rounds.clear()
        books.dirty_hits.clear()
        books.hits.clear()
        books.anchors.clear()
        books.steps.clear()
        books.new_steps.clear()
        above = max(0, len(books.rounds) - ROUNDS_KEPT)
        for oldest in list(itertools.islice(books.rounds, above)):
            del books.rounds[oldest]
            self.stored_rounds.discard(oldest)


def load(head: models.Head, plan: Plan) -> Loaded:
    """The books at the end of the order, with all that `plan` names. Under the head's lock."""
    system = JackpotSystem.objects.select_related("casino").get(pk=head.system_id)
    codes = dict(GamingTable.objects.filter(system=system).values_list("id", "code"))
    tiers = {tier.code: tier for tier in models.Tier.objects.filter(system=system)}
    accounts = list(models.Account.objects.filter(system=system))
    states = _table_states(codes) if plan.with_sessions else {}
    books = Books(
        system=system.code,
        digits=system.casino.minor_digits,
        seq=head.seq,
        transfer_number=head.transfer_number,
        hit_number=head.hit_number,
        terms_number=head.terms_number,
        balances=dict.fromkeys(SYSTEM_ACCOUNTS, 0)
        | {account.code: account.balance for account in accounts},
        fed={
            c: ContributionTotals(t.fed_pool, t.fed_reserve, t.fed_overflow)
            for c, t in tiers.items()
        },
        terms=terms_of(system.pk, head.terms_number),
        sessions={code: state.session for code, state in states.items()},
        session_at=_session_at(states),
        presses=_presses(states),
        rounds={},
        hits={},
        displayed={},
        displayed_seq=None,
    )
    if plan.with_closes:
        read_closes(books, system.pk)
    books.limits = {
        tier.code: tier.limit
        for terms in books.terms_at(books.terms_number)
        for tier in terms.tiers
    }
    loaded = Loaded(
        books,
        {account.code: account.pk for account in accounts},
        {code: tier.pk for code, tier in tiers.items()},
        codes,
        {code: id_ for id_, code in codes.items()},
        dict(books.fed),
        GamingDay.of(system.casino),
        _newest_rounds(system.pk, codes),
    )
    books.periods = {code: tier.period_from for code, tier in tiers.items() if tier.period_from}
    books.rolled = {code: tiers[code].rolled for code in books.periods}
    loaded.periods, loaded.rolled = dict(books.periods), dict(books.rolled)
    fetch(head.system_id, loaded, plan)
    return loaded


def fetch(system_id: int, loaded: Loaded, plan: Plan) -> None:
    """Add to the books what `plan` names. Under the head's lock."""
    books, codes = loaded.books, loaded.table_codes
    _fetch_rounds(system_id, loaded, plan.rounds)
    # A figure of a round judges its hand again.
    hands = (books.rounds.get((codes[table_id], number)) for table_id, number in plan.rounds)
    if plan.with_hits or any(round_ is not None and round_.hit is not None for round_ in hands):
        books.displayed_seq, books.displayed = _displayed(system_id, books.digits)
        hits, anchors = _hits(system_id, plan)
        tiers = {id_: code for code, id_ in loaded.tiers.items()}
        books.hits = {hit.number: book_hit(hit, codes, tiers) for hit in hits}
        books.anchors = {tiers[tier]: place for tier, place in anchors.items()}
        books.steps = steps_of(system_id, loaded.tiers, books.anchors, plan.hits)
        stood = {(hit.table_id, hit.round) for hit in hits}
        # Where a hand stands whose round nobody can say, or will not be able to say again.
        stood |= {(hit.table_id, -hit.number) for hit in hits if hit.pairing}
        _fetch_rounds(system_id, loaded, stood)


def _fetch_rounds(system_id: int, loaded: Loaded, keys: set[tuple[int, int]]) -> None:
    books, codes = loaded.books, loaded.table_codes
    missing = [
        (table_id, number)
        for table_id, number in keys
        if number <= loaded.newest_rounds.get(codes[table_id], 0)
        and (codes[table_id], number) not in books.rounds
    ]
    if missing:
        rounds = _rounds(system_id, missing, codes)
        books.rounds |= rounds
        loaded.stored_rounds |= rounds.keys()


def _displayed(system_id: int, digits: int) -> tuple[int | None, dict[str, int]]:
    newest = models.DisplayMessage.objects.filter(system_id=system_id).order_by("-id").first()
    if newest is None:
        return None, {}
    values = {
        tier["tier"]: minor_to_micros(tier["value"], digits) for tier in newest.payload["tiers"]
    }
    return newest.system_seq, values


def _hits(system_id: int, plan: Plan) -> tuple[list[models.Hit], dict[int, int]]:
    names: dict[str, Any] = {
        "system": system_id,
        "named": list(plan.hits),
        "tables": [table for table, _ in plan.rounds],
        "rounds": [number for _, number in plan.rounds],
    }
    with connection.cursor() as cursor:
        cursor.execute(_HITS, names)
        anchor_places = dict(cursor.fetchall())
    if not anchor_places:
        return [], {}
    # In the order of the books that never were written: outcomes name hits in that order.
    hits = list(
        models.Hit.objects.filter(system_id=system_id, number__in=anchor_places).order_by("number")
    )
    anchors = {
        hit.tier_id: hit.acts_at
        for hit in hits
        if anchor_places[hit.number] is not None and hit.tier_id is not None
    }
    return hits, anchors


def steps_of(
    system_id: int,
    tiers: dict[str, int],
    anchors: dict[str, int],
    hit_numbers: Collection[int] = (),
) -> dict[str, list[Step]]:
    """What each tier's replay meets besides hits, from its anchor on, with the last limit before.

    `tiers`: ids by code; `anchors`: places by code; `hit_numbers`: hits that a batch names.
    """
    codes = {id_: code for code, id_ in tiers.items()}
    steps: dict[str, list[Step]] = {}
    places = [anchors.get(code, 0) for code in codes.values()]
    with connection.cursor() as cursor:
        names: dict[str, Any] = {"system": system_id, "named": list(hit_numbers)}
        cursor.execute(_STEPS, names | {"tiers": list(codes), "places": places})
        for tier_id, place, kind, *rest in cursor.fetchall():
            fed, (pool, reserve, limit, *showed) = ContributionTotals(*rest[:3]), rest[3:]
            step: Step = Correction(place, fed, pool, reserve)
            if kind == "limit":
                step = Limit(place, fed, limit)
            elif kind == "period":
                step = Closing(place, fed, *showed)
            steps.setdefault(codes[tier_id], []).append(step)
    return steps


def _totals(column: dict[str, list[int]]) -> dict[str, ContributionTotals]:
    """Counters of each tier, from pool, reserve, overflow as a column has them."""
    return {tier: ContributionTotals(*counters) for tier, counters in column.items()}


def book_hit(row: models.Hit, codes: dict[int, str], tiers: dict[int, str]) -> Hit:
    """The hit as the books have it; tables and tiers by id."""
    before = None
    if row.before_pool is not None:
        others = (row.before_reserve, row.before_overflow, row.before_rolled)
        before = TierBalances(row.before_pool, *(each or 0 for each in others))
    return Hit(
        number=row.number,
        place=row.place,
        table=codes[row.table_id],
        round=row.round,
        terms=row.terms,
        fed=_totals(row.fed),
        values=row.values,
        shown=row.shown,
        shown_seq=row.shown_seq,
        tier=tiers[row.tier_id] if row.tier_id is not None else None,
        state=HitState(row.state),
        held=row.held,
        confirmed=row.confirmed,
        before=before,
        report=row.report,
        report_entry=row.report_entry,
        corrected=row.corrected,
        moved_to=row.acts_at if row.closing is None and row.acts_at != row.place else None,
        moved_fed=None if row.moved_fed is None else _totals(row.moved_fed),
        strength=row.strength,
        closing=row.closing,
        called_seats=row.called_seats,
        payees=row.payees,
        stops=row.stops,
        pairing=row.pairing,
        clock=row.unit_clock,
    )


def _table_states(codes: dict[int, str]) -> dict[str, models.TableState]:
    rows = models.TableState.objects.filter(table_id__in=codes)
    return {codes[row.table_id]: row for row in rows}


def _session_at(states: dict[str, models.TableState]) -> dict[str, tuple[int, int]]:
    return {
        code: (state.boot, state.seq)
        for code, state in states.items()
        if state.boot is not None and state.seq is not None
    }


def _presses(states: dict[str, models.TableState]) -> dict[str, Presses]:
    return {
        code: msgspec.convert(state.presses, Presses)
        for code, state in states.items()
        if state.presses is not None
    }


def _newest_rounds(system_id: int, codes: dict[int, str]) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_ROUNDS, [system_id, list(codes)])
        return {codes[table_id]: number or 0 for table_id, number in cursor.fetchall()}


def _rounds(
    system_id: int, pairs: Iterable[tuple[int, int]], codes: dict[int, str]
) -> dict[tuple[str, int], Round]:
    keys = list(pairs)
    with prepared_cursor() as cursor:
        cursor.execute(
            _ROUNDS,
            {
                "system": system_id,
                "tables": [table for table, _ in keys],
                "rounds": [number for _, number in keys],
            },
        )
        return {
            (codes[table_id], number): Round(*rest) for table_id, number, *rest in cursor.fetchall()
        }
