"""9: people by number who were paid, with the forms that the sums of their day ask for.

What was paid to people whom nobody identified, and what was recovered by reversals, are lines of
their own: so the totals are those of the register of payouts. So are people who may be one, by name
and date of birth, though they showed different documents: that line adds nothing. Numbers that two
people stated to be one player are one line, which names them all.

Of one system there is who was paid there, with what was paid there: the law adds up what a person
is paid in the whole casino, so that forms are due by that.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import ask, bind
from settlement.core.words.translation import Labels
from settlement.jurisdiction.persons_day import PersonsDay, lists, paid_in
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.payments.register import payout_register
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import day_of

PERSON, LIKELY = "person", "likely"
UNIDENTIFIED, RECOVERED = "unidentified", "recovered"
WORDS = Labels(
    {
        PERSON: _("Paid to a person"),
        LIKELY: _("Possibly the same person"),
        UNIDENTIFIED: _("Paid to people who were not identified"),
        RECOVERED: _("Recovered by reversals"),
    }
)
COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field(
        "what",
        _("What"),
        words=WORDS,
        note=_("What was recovered is below zero; forms are due by what was paid."),
    ),
    Field(
        "player",
        _("Identified as"),
        "number",
        note=_("The number of the first identification by the same document: no name."),
        link="player",
    ),
    Field(
        "one_with",
        _("One player with"),
        note=_(
            "The other numbers that two people had stated to be this player by the end of that day."
        ),
    ),
    Field(
        "same_as",
        _("Possibly the same"),
        note=_(
            "Numbers with the same name and date of birth by different documents, paid on this day."
        ),
    ),
    Field(
        "payouts",
        _("Payouts"),
        "number",
        is_summed=True,
        note=_("Payments on that day to this person, or to all people who were not identified."),
        link="report:payouts",
    ),
    Field(
        "total",
        _("Amount"),
        "money",
        is_summed=True,
        note=_("Their total; with a system chosen, what was paid there."),
    ),
    Field(
        "shared",
        _("Shared"),
        "money",
        note=_("Their part of what other players were paid for them; that player's amount has it."),
    ),
    Field("cash", _("Cash"), "money", is_summed=True, note=_("Of it in cash.")),
    Field(
        "together",
        _("Together"),
        "money",
        note=_("What people who are possibly the same were paid on that day in the whole casino."),
    ),
    Field("tax", _("Tax withheld"), "money", is_summed=True, note=_("Kept back of payments.")),
    Field(
        "forms",
        _("Forms due"),
        note=_(
            "What the amounts of the day in the whole casino require by the local rules of that"
            " day."
        ),
    ),
)


# Rows of the register that are of no identified person.
_OTHERS = """
    SELECT {day} AS day, CASE r.what WHEN 'payout' THEN {unidentified} ELSE {recovered} END AS what,
           count(*) FILTER (WHERE r.what = 'payout') AS payouts,
           sum(r.amount_micros)::bigint AS total, sum(r.cash_micros)::bigint AS cash,
           sum(r.tax_micros)::bigint AS tax
    FROM ({register}) AS r
    JOIN tables_casino c ON c.id = {casino}
    WHERE r.what <> 'payout'
       OR r.id <> ALL({identified}::bigint[])
    GROUP BY 1, 2
"""


def _others(filters: Filters, paid: PaidOnDays) -> list[dict[str, Any]]:
    casino = filters.casino
    register = payout_register(casino, filters.days, filters.codes.get("system", "")).lean
    query = bind(
        _OTHERS,
        day=day_of("r.at"),
        unidentified=UNIDENTIFIED,
        recovered=RECOVERED,
        register=register.rows if register else sql.SQL(""),
        casino=casino.pk,
        identified=[each.payout for each in paid.players],
    )
    return ask(query)


def paid_on(filters: Filters) -> PaidOnDays:
    """What was paid on the days of the report, for all parts of its page."""
    paid: PaidOnDays = filters.answers.setdefault(
        "paid", PaidOnDays(filters.casino, filters.first, filters.last)
    )
    return paid


def _query(filters: Filters) -> sql.Composed:
    paid = paid_on(filters)
    people = lists(paid)
    likely = _likely(people)
    if code := filters.codes.get("system"):
        own = paid_in(paid, code)
        likely = [each for each in likely if any((each["day"], n) in own for n in each["numbers"])]
        people = [
            replace(each, **own[each.day, each.person]._asdict())
            for each in people
            if (each.day, each.person) in own
        ]
    rows = [
        {
            "day": each.day,
            "what": PERSON,
            "player": each.person,
            "one_with": ", ".join(map(str, each.same)),
            "payouts": each.payouts,
            "total": each.total,
            "shared": each.shared or None,
            "cash": each.cash,
            "tax": each.tax,
            "forms": ", ".join(each.forms),
        }
        for each in people
    ]
    return as_query(COLUMNS, rows + likely + _others(filters, paid))


def _likely(people: list[PersonsDay]) -> list[dict[str, Any]]:
    """A line for those of a day who may be one person, by the first number."""
    groups: dict[tuple[dt.date, tuple[int, ...]], list[PersonsDay]] = {}
    for each in people:
        if each.likely:
            groups.setdefault((each.day, each.likely), []).append(each)
    return [
        {
            "day": day,
            "what": LIKELY,
            "player": numbers[0],
            "numbers": numbers,
            "same_as": ", ".join(map(str, numbers)),
            "together": sum(each.total for each in group),
            "forms": ", ".join(group[0].likely_forms),
        }
        for (day, numbers), group in groups.items()
    ]


REPORT = Definition(
    number=9,
    code="tax-and-cash-reports",
    title=_("Tax and cash reporting"),
    question=_("Who, by number, was paid how much on each gaming day, and which forms are due?"),
    columns=COLUMNS,
    order="day, player, what DESC",
    query=_query,
    compared={"player": "player"},
    rules=("31 CFR 1021.311", "IRC 6041"),
)
