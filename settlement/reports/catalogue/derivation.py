"""6: how the amount of each claim came about, from the pool of the day to each payee's hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.hits.payees import METHODS, TAX
from jackpot.models import Account, Entry, Hit
from settlement.claims.claim_sources import Confirmation, sources_of
from settlement.claims.derivation import Step, line_steps, steps_of
from settlement.core.gaming_day import day_of, start_of
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import first_entries, first_transfers, transfers_through
from settlement.core.words.labels import STATES
from settlement.core.words.translation import Labels, rule_in_words
from settlement.models import Action
from settlement.pools.history import values_of
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("system", _("System")),
    Field("claim", _("Claim"), "number", link="claim"),
    Field("jackpot", _("Jackpot")),
    Field("tier", _("Prize"), link="pool"),
    Field("table_code", _("Table"), link="table"),
    Field("step", _("Step"), "number", note=_("The steps of a claim, in their order.")),
    Field(
        "what",
        _("What"),
        note=_(
            "First the pool, then the amount by the posted terms, then who confirmed it, and what"
            " became of each payee's part."
        ),
    ),
    Field("rule", _("Rule"), note=_("The rule that asks for the step.")),
    Field("amount", _("Amount"), "money", note=_("The amount of the step, where it has one.")),
)
# Hits, resets, adjustments: all but the contributions, of which none leaves a pool. Both sides have
# small indexes of their own.
_OTHERS = """
    SELECT asked.n, coalesce((
        SELECT sum(t.amount) FROM jackpot_transfer t
        WHERE t.credit_id = asked.pool AND t.reason <> 'contribution'
          AND t.number >= asked.low AND t.number < asked.high), 0)::bigint - coalesce((
        SELECT sum(t.amount) FROM jackpot_transfer t
        WHERE t.debit_id = asked.pool AND t.reason <> 'contribution'
          AND t.number >= asked.low AND t.number < asked.high), 0)::bigint AS other
    FROM unnest({pools}::bigint[], {lows}::bigint[], {highs}::bigint[]) WITH ORDINALITY
         AS asked (pool, low, high, n) ORDER BY n
"""
_METHODS = Labels(
    {
        "chips": _("paid in chips"),
        "cash": _("paid in cash"),
        "equivalent": _("paid in cash equivalent"),
        TAX: _("withheld as tax"),
    }
)


@dataclass(frozen=True, slots=True)
class PoolDay:
    """How the pool before a hit came about on its gaming day; micros."""

    day: dt.date
    opening: int
    fed: int
    other: int

    @property
    def before(self) -> int:
        return self.opening + self.fed + self.other


def pool_days(hits: Sequence[Hit]) -> dict[int, PoolDay]:
    """By number, of hits of one system: of those that took something of a prize."""
    winners = [hit for hit in hits if hit.tier is not None and hit.before_pool is not None]
    if not winners:
        return {}
    system, casino = winners[0].system_id, winners[0].system.casino
    places = [hit.closing or hit.acts_at for hit in winners]
    times = dict(Entry.objects.filter(system=system, seq__in=places).values_list("seq", "at"))
    days = [day_of(times[place], casino) for place in places]
    starts = {day: start_of(day, casino) for day in days}
    firsts = dict(zip(starts, first_transfers(system, list(starts.values())), strict=True))
    codes = {hit.number: f"{hit.tier.code}:pool" for hit in winners if hit.tier}
    accounts = Account.objects.filter(system=system, code__in=set(codes.values()))
    ids = dict(accounts.values_list("code", "pk"))
    pools = [ids[codes[hit.number]] for hit in winners]
    lows = [firsts[day] for day in days]
    highs = [n + 1 for n in transfers_through([(system, place - 1) for place in places])]
    openings, befores = (
        [value or 0 for value in values_of(pools, numbers)] for numbers in (lows, highs)
    )
    others = [row["other"] for row in ask(bind(_OTHERS, pools=pools, lows=lows, highs=highs))]
    return {
        hit.number: PoolDay(day, opening, before - opening - other, other)
        for hit, day, opening, before, other in zip(
            winners, days, openings, befores, others, strict=True
        )
    }


def pool_steps(hit: Hit, pool: PoolDay | None) -> list[Step]:
    """They come to `before_pool`."""
    if pool is None or hit.before_pool is None:
        return []
    text = gettext("The pool when gaming day %(day)s began") % {"day": pool.day}
    steps = [
        Step(text, "19.8", pool.opening),
        Step(gettext("Contributions of that day before the hand"), "19.2", pool.fed),
    ]
    if pool.other:
        text = gettext("Opening, hits, resets and adjustments of that day before the hand")
        steps.append(Step(text, "19.13", pool.other))
    if later := hit.before_pool - pool.before:
        text = gettext("By decisions on earlier claims that were made since")
        steps.append(Step(text, "19.14(b)", later))
    return steps


def payee_steps(hit: Hit, confirmed: Sequence[Confirmation]) -> list[Step]:
    """Each payee's part, and what became of it."""
    steps = []
    for line in hit.payee_lines:
        steps += line_steps(line, confirmed)
        seat = gettext("Seat %(seat)s: ") % {"seat": line.seat}
        steps += [
            Step(seat + _METHODS[method], "19.15", line.parts[method])
            for method in (*METHODS, TAX)
            if line.parts.get(method)
        ]
        if left := line.amount - sum(line.parts.values()):
            state = STATES.get(line.state, line.state)
            steps.append(Step(seat + state.lower(), "19.15", left))
    return steps


def _rows(filters: Filters) -> list[dict[str, Any]]:
    """The steps of every claim with a place in these days of which something was confirmed."""
    rows = []
    login = filters.codes.get("person")
    for system in filters.systems:
        first, end = first_entries(system.pk, [filters.start, filters.end])
        hits = Hit.objects.filter(
            system=system, place__gte=first, place__lt=end, confirmed__gt=0
        ).select_related("system__casino", "tier", "table")
        if login:
            acted = Action.objects.filter(claim__system=system, person__username=login)
            hits = hits.filter(number__in=acted.values("claim__number"))
        hit_list = list(hits.order_by("number"))
        sources, pools = sources_of(hit_list), pool_days(hit_list)
        for hit in hit_list:
            source = sources[hit.number]
            steps = pool_steps(hit, pools.get(hit.number))
            steps += [*steps_of(hit, None, source), *payee_steps(hit, source.confirmations)]
            for number, step in enumerate(steps, start=1):
                rows.append(
                    {
                        "system": system.code,
                        "claim": hit.number,
                        "jackpot": hit.tier.jackpot if hit.tier else "",
                        "tier": hit.tier.code if hit.tier else "",
                        "table_code": hit.table.code,
                        "step": number,
                        "what": step.text,
                        "rule": rule_in_words(step.rule),
                        "amount": step.amount,
                    }
                )
    return rows


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=6,
    code="derivation",
    title=_("Derivation of payouts"),
    question=_("How did the amount of each confirmed claim come about?"),
    columns=COLUMNS,
    order="system, claim, step",
    query=_query,
    # Of a person: the claims on which that person did anything.
    compared={"jackpot": "jackpot", "tier": "tier", "table": "table_code", "person": ()},
    rules=("19.8", "19.13", "19.14(a)", "19.15"),
)
