"""2: every round with its figures, and what it added to prizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Account
from jackpot.terms.contributions import TO_RETURN
from settlement.closing.table_days import OF_ROUNDS
from settlement.core.labels import ENTRIES
from settlement.core.report_query import Column, Report, ask, bind
from settlement.core.sequence_at import first_entries, transfers_through
from settlement.reports.definitions.definition import Definition, Field, Filters
from tables.models import JackpotSystem

# Of events the entry has table and round, of decisions the command.
_PLACED = """
    FROM jackpot_entry n
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable e ON e.id = n.table_id
    LEFT JOIN tables_gamingtable c ON n.table_id IS NULL AND c.system_id = n.system_id
         AND c.code = d.body ->> 'table'
"""
_CHOSEN = """
    WHERE n.system_id = {system} AND n.seq >= {first} AND n.seq < {end} AND n.type = ANY({types})
      AND NOT n.outcome ? 'refused'
"""
_ENTRIES = f"""
    SELECT {{code}} AS system, n.system_id, n.seq AS entry, coalesce(e.code, c.code) AS table_code
    {_PLACED} {_CHOSEN}
"""
_ROUNDS = f"""
    SELECT {{code}} AS system, n.seq AS entry, n.at, coalesce(e.code, c.code) AS table_code,
           coalesce(n.round, (d.body ->> 'round')::bigint) AS round, n.type AS what,
           r.dealt AS players, r.pot, r.commission, r.taken AS "drop",
           coalesce(t.contributed, 0)::bigint AS contributed,
           coalesce(t.to_return, 0)::bigint AS to_return, r.hit AS claim,
           d.first AS first_login, d.second AS second_login
    {_PLACED}
    LEFT JOIN jackpot_roundstate r ON (r.system_id, r.table_id, r.round)
         = (n.system_id, coalesce(e.id, c.id), coalesce(n.round, (d.body ->> 'round')::bigint))
    LEFT JOIN (
        SELECT t.entry_seq,
               sum(CASE WHEN t.credit_id = ANY({{of_tiers}}) THEN t.amount ELSE 0 END
                   - CASE WHEN t.debit_id = ANY({{of_tiers}}) THEN t.amount ELSE 0 END)
                   AS contributed,
               sum(CASE {{kept}} WHEN t.credit_id THEN t.amount WHEN t.debit_id THEN -t.amount END)
                   AS to_return
        FROM jackpot_transfer t
        WHERE t.system_id = {{system}} AND t.number > {{since}} AND t.number <= {{through}}
          AND t.reason IN ('contribution', 'adjustment')
        GROUP BY t.entry_seq
    ) AS t ON t.entry_seq = n.seq
    {_CHOSEN}
"""  # noqa: S608


def _query(filters: Filters) -> list[sql.Composed]:
    return [
        _of_system(system, *first_entries(system.pk, [filters.start, filters.end]))
        for system in filters.systems
    ]


def _entries(filters: Filters, system: JackpotSystem) -> sql.Composed:
    """The entries of rounds of a system and the table, without their figures."""
    first, end = first_entries(system.pk, [filters.start, filters.end])
    span = {"system": system.pk, "code": system.code, "first": first, "end": end}
    part = bind(_ENTRIES, types=list(OF_ROUNDS), **span)
    if table := filters.codes.get("table"):
        part = bind("{part} AND coalesce(e.code, c.code) = {table}", part=part, table=table)
    if login := filters.codes.get("person"):
        part = bind("{part} AND {login} IN (d.first, d.second)", part=part, login=login)
    return part


def _onward(
    filters: Filters, limit: int, place: Sequence[Any], is_down: bool
) -> list[sql.Composed]:
    """Only the rounds behind a place, system by system, along the index of the order."""
    systems = filters.systems[::-1] if is_down else filters.systems
    codes = [system.code for system in systems]
    code, entry = place or ("", 0)
    first = codes.index(code) if code in codes else 0
    queries: list[sql.Composed] = []
    for system in systems[first:]:
        part = _entries(filters, system)
        if system.code == code:
            way = sql.SQL("<" if is_down else ">")
            part = bind("{part} AND n.seq {way} {entry}", part=part, way=way, entry=entry)
        rows = ask(
            bind(
                "{part} ORDER BY n.seq {way} LIMIT {limit}",
                part=part,
                way=sql.SQL("DESC" if is_down else "ASC"),
                limit=limit,
            )
        )
        if rows:
            seqs = [row["entry"] for row in rows]
            queries.append(_of_system(system, min(seqs), max(seqs) + 1))
        limit -= len(rows)
        if limit <= 0:
            break
    return queries


def _page(filters: Filters, limit: int, offset: int) -> list[sql.Composed]:
    """Only the rounds of a page: no sum over what moved in all the days."""
    systems = {system.pk: system for system in filters.systems}
    parts = [_entries(filters, system) for system in systems.values()]
    columns = (Column("entry", "entry", "number"),)
    order = sql.SQL("system, entry")
    seqs_by_system: dict[int, list[int]] = {}
    whole = sql.SQL(" UNION ALL ").join(parts)
    if parts:
        report = Report("", filters.casino, whole, order, columns, tuple(parts))
        for row in report.rows(limit, offset):
            seqs_by_system.setdefault(row["system_id"], []).append(row["entry"])
    return [_of_system(systems[pk], seqs[0], seqs[-1] + 1) for pk, seqs in seqs_by_system.items()]


def _of_system(system: JackpotSystem, first: int, end: int) -> sql.Composed:
    """The rounds of these entries of one system."""
    accounts = dict(Account.objects.filter(system=system).values_list("code", "pk"))
    since, through = transfers_through([(system.pk, first - 1), (system.pk, end - 1)])
    return bind(
        _ROUNDS,
        code=system.code,
        system=system.pk,
        first=first,
        end=end,
        since=since,
        through=through,
        types=list(OF_ROUNDS),
        of_tiers=[
            pk for code, pk in accounts.items() if code.endswith((":pool", ":reserve", ":overflow"))
        ],
        kept=accounts.get(TO_RETURN, 0),
    )


REPORT = Definition(
    number=2,
    code="round-ledger",
    title=_("Round ledger"),
    question=_("Which rounds were played, with which figures, and what did each add to prizes?"),
    columns=(
        Field("system", _("System")),
        Field("entry", _("Sequence no."), "number", link="entry"),
        Field("at", _("Time"), "local", note=_("When it was recorded in the sequence.")),
        Field("table_code", _("Table"), link="table"),
        Field("round", _("Round"), "number", note=_("Its number at the table.")),
        Field("what", _("What"), words=ENTRIES, note=_("What happened to the round.")),
        Field("players", _("Players"), "number", note=_("Players who were dealt in.")),
        Field("pot", _("Pot"), "money", note=_("As the table or a supervisor gave it.")),
        Field("commission", _("Commission"), "money", note=_("The same; empty where not given.")),
        Field("drop", _("Drop"), "money", note=_("Taken for the jackpot; empty where not given.")),
        Field(
            "contributed",
            _("Added to prizes"),
            "money",
            is_summed=True,
            note=_("Into pools, reserves and overflows by this entry; below zero: taken back."),
            link="entry",
        ),
        Field(
            "to_return",
            _("To be returned"),
            "money",
            is_summed=True,
            note=_("Players' money that no prize of the table can have."),
        ),
        Field("claim", _("Claim"), "number", link="claim"),
    ),
    order="system, entry",
    query=_query,
    page=_page,
    onward=_onward,
    compared={"table": "table_code", "person": ("first_login", "second_login")},
    rules=("19.2", "19.11", "19.19"),
    is_long=True,
)
