"""6: how the amount of each claim came about, from the pool of the day to each payee's hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.hits.payees import METHODS, TAX
from jackpot.models import Account, Hit
from settlement.claims.derivation import Step, line_steps, steps_of
from settlement.core.gaming_day import day_of, start_of
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import first_entries, first_transfers, transfers_through
from settlement.core.words.labels import STATES
from settlement.core.words.translation import Labels, rule_in_words
from settlement.models import Action
from settlement.pools.history import values_before
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
_CONTRIBUTED = """
    SELECT coalesce(sum(amount), 0)::bigint AS fed FROM jackpot_transfer
    WHERE credit_id = {pool} AND number >= {first} AND number < {end} AND reason = 'contribution'
"""
_METHODS = Labels(
    {
        "chips": _("paid in chips"),
        "cash": _("paid in cash"),
        "equivalent": _("paid in cash equivalent"),
        TAX: _("withheld as tax"),
    }
)


def pool_steps(hit: Hit) -> list[Step]:
    """How the pool before the hit came about on its gaming day; they come to `before_pool`."""
    if hit.tier is None or hit.before_pool is None:
        return []
    place = hit.closing or hit.acts_at
    day = day_of(_at(hit, place), hit.system.casino)
    pool = Account.objects.values_list("pk", flat=True).get(
        system=hit.system_id, code=f"{hit.tier.code}:pool"
    )
    (first,) = first_transfers(hit.system_id, [start_of(day, hit.system.casino)])
    end = transfers_through([(hit.system_id, place - 1)])[0] + 1
    opening, before = (value or 0 for value in values_before(pool, [first, end]))
    fed = int(ask(bind(_CONTRIBUTED, pool=pool, first=first, end=end))[0]["fed"])
    steps = [
        Step(gettext("The pool when gaming day %(day)s began") % {"day": day}, "19.8", opening),
        Step(gettext("Contributions of that day before the hand"), "19.2", fed),
    ]
    if other := before - opening - fed:
        text = gettext("Opening, hits, resets and adjustments of that day before the hand")
        steps.append(Step(text, "19.13", other))
    if later := hit.before_pool - before:
        text = gettext("By decisions on earlier claims that were made since")
        steps.append(Step(text, "19.14(b)", later))
    return steps


def _at(hit: Hit, place: int) -> dt.datetime:
    at: dt.datetime = ask(
        bind(
            "SELECT at FROM jackpot_entry WHERE system_id = {system} AND seq = {place}",
            system=hit.system_id,
            place=place,
        )
    )[0]["at"]
    return at


def payee_steps(hit: Hit) -> list[Step]:
    """Each payee's part, and what became of it."""
    steps = []
    for line in hit.payee_lines:
        steps += line_steps(line, hit)
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
        for hit in hits.order_by("number"):
            steps = [*pool_steps(hit), *steps_of(hit), *payee_steps(hit)]
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
