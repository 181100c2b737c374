"""2: every round with its figures, and what it added to prizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Account
from jackpot.terms.contributions import TO_RETURN
from settlement.closing.table_days import OF_ROUNDS
from settlement.core.report_query import Column, Report, ask, bind
from settlement.core.sequence_at import first_entries, transfers_through
from settlement.core.words.labels import ENTRIES
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
               bool_or(t.credit_id = ANY({{of_tiers}}) OR t.debit_id = ANY({{of_tiers}}))
                   AS touches,
               sum(CASE {{returnable}} WHEN t.credit_id THEN t.amount
                   WHEN t.debit_id THEN -t.amount END)
                   AS to_return
        FROM jackpot_transfer t
        WHERE t.system_id = {{system}} AND t.number > {{since}} AND t.number <= {{through}}
          AND t.reason IN ('contribution', 'adjustment')
        GROUP BY t.entry_seq
    ) AS t ON t.entry_seq = n.seq
    {_CHOSEN} AND ({{all_prizes}} OR t.touches)
"""  # noqa: S608
# Entries that moved the accounts of a prize, account by account along its index: a pool is credited
# often, and debited seldom.
_OF_PRIZE = """
    SELECT each.entry_seq AS entry FROM unnest({accounts}::bigint[]) AS a (id)
    CROSS JOIN LATERAL (
        (SELECT t.number, t.entry_seq FROM jackpot_transfer t
         WHERE t.credit_id = a.id AND t.number > {since} AND t.number <= {through}
           AND t.reason IN ('contribution', 'adjustment') ORDER BY t.number {way} LIMIT {limit})
        UNION ALL
        (SELECT t.number, t.entry_seq FROM jackpot_transfer t
         WHERE t.debit_id = a.id AND t.number > {since} AND t.number <= {through}
           AND t.reason = 'adjustment' AND t.reason <> 'contribution'  -- as the index has it
         ORDER BY t.number {way} LIMIT {limit})
    ) AS each ORDER BY each.number {way} LIMIT {limit}
"""
_CHUNK = 2_000


def _query(filters: Filters) -> list[sql.Composed]:
    return [
        _of_system(filters, system, *first_entries(system.pk, [filters.start, filters.end]))
        for system in filters.systems
    ]


def _has_prize(filters: Filters) -> bool:
    return any(filters.codes.get(name) for name in ("jackpot", "tier"))


def _accounts(filters: Filters, system: JackpotSystem) -> list[int]:
    """Those of the prize or jackpot that was chosen, or of all: pools, reserves and overflows."""
    accounts = Account.objects.filter(system=system, tier__isnull=False)
    if tier := filters.codes.get("tier"):
        accounts = accounts.filter(tier__code=tier)
    if jackpot := filters.codes.get("jackpot"):
        accounts = accounts.filter(tier__jackpot=jackpot)
    return [
        pk
        for pk, code in accounts.values_list("pk", "code")
        if code.endswith((":pool", ":reserve", ":overflow"))
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


def _seqs(
    filters: Filters, system: JackpotSystem, behind: int, limit: int, *, is_down: bool
) -> list[int]:
    """The next rounds behind an entry, or from an end of the days on (0): their entries."""
    way, order = ("<", "DESC") if is_down else (">", "ASC")
    part = _entries(filters, system)
    if behind:
        part = bind("{part} AND n.seq {way} {entry}", part=part, way=sql.SQL(way), entry=behind)
    seqs: list[int] = []
    for chunk in _chunks(filters, system, behind, is_down) if _has_prize(filters) else (None,):
        chosen = (
            part
            if chunk is None
            else bind("{part} AND n.seq = ANY({chunk})", part=part, chunk=chunk)
        )
        rows = ask(
            bind(
                "{chosen} ORDER BY n.seq {order} LIMIT {limit}",
                chosen=chosen,
                order=sql.SQL(order),
                limit=limit - len(seqs),
            )
        )
        seqs += [row["entry"] for row in rows]
        if len(seqs) == limit:
            break
    return seqs


def _chunks(
    filters: Filters, system: JackpotSystem, behind: int, is_down: bool
) -> Iterator[list[int]]:
    """Entries that moved the prize that was chosen, some at a time: nobody waits for all of them
    who reads a page."""
    first, end = first_entries(system.pk, [filters.start, filters.end])
    if behind:
        first, end = (first, behind) if is_down else (behind + 1, end)
    accounts = _accounts(filters, system)
    while accounts and first < end:
        since, through = transfers_through([(system.pk, first - 1), (system.pk, end - 1)])
        query = bind(
            _OF_PRIZE,
            accounts=accounts,
            since=since,
            through=through,
            way=sql.SQL("DESC" if is_down else "ASC"),
            limit=_CHUNK,
        )
        seqs = [row["entry"] for row in ask(query)]
        if seqs:
            yield list(dict.fromkeys(seqs))
        if len(seqs) < _CHUNK:
            return
        first, end = (first, seqs[-1]) if is_down else (seqs[-1] + 1, end)


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
        behind = entry if system.code == code else 0
        if seqs := _seqs(filters, system, behind, limit, is_down=is_down):
            queries.append(_of_system(filters, system, min(seqs), max(seqs) + 1))
        limit -= len(seqs)
        if limit <= 0:
            break
    return queries


def _page(filters: Filters, limit: int, offset: int) -> list[sql.Composed]:
    """Only the rounds of a page: no sum over what moved in all the days."""
    if _has_prize(filters):
        return _page_of_prize(filters, limit, offset)
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
    return [
        _of_system(filters, systems[pk], seqs[0], seqs[-1] + 1)
        for pk, seqs in seqs_by_system.items()
    ]


def _page_of_prize(filters: Filters, limit: int, offset: int) -> list[sql.Composed]:
    queries = []
    for system in filters.systems:
        seqs = _seqs(filters, system, 0, offset + limit, is_down=False)
        offset, of_page = max(0, offset - len(seqs)), seqs[offset:]
        if of_page:
            queries.append(_of_system(filters, system, of_page[0], of_page[-1] + 1))
        limit -= len(of_page)
        if limit <= 0:
            break
    return queries


def _of_system(filters: Filters, system: JackpotSystem, first: int, end: int) -> sql.Composed:
    """The rounds of these entries of one system; with a prize chosen, those that moved it."""
    returnable = Account.objects.filter(system=system, code=TO_RETURN).values_list("pk", flat=True)
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
        of_tiers=bind("{keys}::bigint[]", keys=_accounts(filters, system)),
        returnable=returnable.first() or 0,
        all_prizes=not _has_prize(filters),
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
            note=_(
                "Into pools, reserves and overflows by this entry; below zero: taken back. With a"
                " prize or jackpot chosen: into those of it alone."
            ),
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
    compared={
        "jackpot": (),
        "tier": (),
        "table": "table_code",
        "person": ("first_login", "second_login"),
    },
    rules=("19.2", "19.11", "19.19"),
    is_long=True,
)
