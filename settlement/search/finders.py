"""What there is by a name, one finder a kind: each asks by an index, and for a few rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import BooleanField, Case, F, Func, QuerySet, Value, When
from django.db.models.functions import Length
from django.urls import reverse
from django.utils.translation import gettext as _

from jackpot.labels.claim_names import claim_name
from jackpot.labels.figures import write_count, write_money
from jackpot.models import Entry, RoundState, Tier
from jackpot.storage.stored_terms import terms_by_system
from settlement.claims.status import hits
from settlement.core.words.labels import ENTRIES, plain
from settlement.core.words.rule_words import GAME_NAMES
from settlement.help import glossary
from settlement.models import Payout
from settlement.people.rights.permissions import may, name_of
from settlement.people.shared.security_log import people_seen
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Definition
from settlement.search.entries import entry_address, table_at
from settlement.search.query_text import Typed
from settlement.search.sections import OTHER_PAGES, SECTIONS, open_to
from tables.models import Casino, GamingTable, JackpotSystem

MOST = 5  # of each kind; who means another one types more of its name
_BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class Result:
    """Something that was looked for: what it is called, a line about it, and its address."""

    label: str
    context: str
    address: str
    at: dt.datetime | None = None
    casino: Casino | None = None  # in whose zone that is read


class Scope:
    """Who looks, and what of the floor that person sees; within `tables.visibility.scope.only`."""

    def __init__(self, user: Any) -> None:
        self.user = user

    def may(self, permission: str) -> bool:
        return may(self.user, permission)

    @cached_property
    def systems(self) -> Mapping[str, JackpotSystem]:
        """By code."""
        rows = JackpotSystem.objects.select_related("casino").order_by("code")
        return {each.code: each for each in rows}

    @cached_property
    def prizes(self) -> Mapping[int, Mapping[str, str]]:
        """By system id: the newest name of every prize that its terms ever posted, by its code."""
        return {
            system: {tier.code: tier.name for terms in versions.values() for tier in terms.tiers}
            for system, versions in terms_by_system(
                [each.pk for each in self.systems.values()]
            ).items()
        }

    def systems_of(self, code: str | None) -> list[JackpotSystem]:
        """The system of that code, or all of them where none was typed."""
        if code is None:
            return list(self.systems.values())
        return [self.systems[code]] if code in self.systems else []


Finder = Callable[[Typed, Scope], list[Result]]


def claims(typed: Typed, scope: Scope) -> list[Result]:
    """`main 14`, `MAIN-14`; a number alone in every system."""
    if typed.claim is None:
        return []
    code, number = typed.claim
    rows = hits().filter(system__in=scope.systems_of(code), number=number)
    return [_claim(hit, scope) for hit in rows.order_by("system__code")[:MOST]]


def _claim(hit: Any, scope: Scope) -> Result:
    tier = hit.tier.code if hit.tier else ""
    prize = scope.prizes.get(hit.system_id, {}).get(tier, tier) or _("Not known yet")
    return Result(
        claim_name(hit.system.code, hit.number),
        _BETWEEN.join((prize, hit.table.name, plain(hit.standing))),
        reverse("claim", args=[hit.system.code, hit.number]),
        hit.at,
        hit.system.casino,
    )


def slips(typed: Typed, scope: Scope) -> list[Result]:
    """`MAIN-14-1-1`; without the part, every payment of the line."""
    if (number := typed.slip) is None:
        return []
    rows = Payout.objects.filter(
        claim__system__in=scope.systems_of(number.system),
        claim__number=number.claim,
        line=number.line,
    ).select_related("claim__system__casino")
    if number.part is not None:
        rows = rows.filter(part=number.part)
    return [_slip(row) for row in rows.order_by("part")[:MOST]]


def _slip(row: Payout) -> Result:
    claim, casino = row.claim, row.claim.system.casino
    amount = write_money(row.amount, casino)
    return Result(
        f"{claim_name(claim.system.code, claim.number)}-{row.line}-{row.part}",
        _BETWEEN.join((amount, _("Seat %(seat)s") % {"seat": row.seat})),
        reverse("claim", args=[claim.system.code, claim.number]) + "#payees",
        row.at,
        casino,
    )


def rounds(typed: Typed, scope: Scope) -> list[Result]:
    """`t3 1204`, `table 3 round 1204`, `main t3 1204`."""
    if typed.round is None:
        return []
    called, number = typed.round
    first, _between, rest = called.replace("/", " ", 1).partition(" ")
    in_system = scope.systems.get(first) if rest else None
    name = rest if in_system else called
    tables = {
        each.pk: each
        for each in _tables(Typed(name))
        if name in (each.code, each.name.casefold()) and in_system in (None, each.system)
    }
    systems = {each.system_id for each in tables.values()}
    rows = RoundState.objects.filter(system__in=systems, table__in=tables, round=number)
    return [_round(row, tables[row.table_id]) for row in rows[:MOST]]


def _round(row: RoundState, table: GamingTable) -> Result:
    seq = row.completed or row.started or row.void or row.cancelled
    entry = Entry.objects.filter(system=row.system_id, seq=seq).first() if seq else None
    address = reverse("table", args=[table.system.code, table.code])
    if entry is not None:
        address = table_at(entry, table)
    parts = [table.system.name, GAME_NAMES.get(row.game or "", "")]
    if row.void or row.cancelled:
        parts.append(_("Void"))
    return Result(
        _("Round %(number)s of %(table)s")
        % {"number": write_count(row.round), "table": table.name},
        _BETWEEN.join(filter(None, parts)),
        address,
        entry.at if entry else None,
        table.system.casino,
    )


def entries(typed: Typed, scope: Scope) -> list[Result]:
    """`entry 109`, `main entry 109`, `sequence no. 109`."""
    if typed.entry is None:
        return []
    code, number = typed.entry
    rows = Entry.objects.filter(system__in=scope.systems_of(code), seq=number)
    rows = rows.select_related("system__casino", "table__system").order_by("system__code")
    return [
        Result(
            _("%(system)s, sequence no. %(number)s")
            % {"system": row.system.code.upper(), "number": write_count(row.seq)},
            ENTRIES.get(row.type, plain(row.type)),
            address,
            row.at,
            row.system.casino,
        )
        for row in rows[:MOST]
        if (address := entry_address(row, scope.user))
    ]


def tables(typed: Typed, _scope: Scope) -> list[Result]:
    """By the beginnings of words of code and name."""
    return [
        Result(
            each.name,
            _BETWEEN.join((each.code, each.system.name)),
            reverse("table", args=[each.system.code, each.code]),
        )
        for each in _tables(typed)
    ]


def _tables(typed: Typed) -> list[GamingTable]:
    """What is called just so comes first."""
    if not typed.words:
        return []
    rows = GamingTable.objects.filter(_begin_words(typed, "code", "name"), moved_to=None)
    rows = rows.select_related("system__casino").order_by(
        Case(When(code=typed.folded, then=0), default=1), Length("name"), "name", "system__code"
    )
    return list(rows[:MOST])


def prizes(typed: Typed, scope: Scope) -> list[Result]:
    """By the beginnings of words of name and code; there are a few in each system."""
    if not typed.words:
        return []
    systems = {each.pk: each for each in scope.systems.values()}
    results = []
    for tier in Tier.objects.filter(system__in=systems).order_by("system", "code"):
        system = systems[tier.system_id]
        name = scope.prizes.get(system.pk, {}).get(tier.code, tier.code)
        if typed.names(f"{name} {tier.code}"):
            results.append(
                Result(name, system.name, reverse("pool", args=[system.code, tier.code]))
            )
    return results[:MOST]


def people(typed: Typed, scope: Scope) -> list[Result]:
    """Staff by the beginnings of words of name and log-in, for who sees who may do what, or what
    was done. No player is looked for here: identifications are sealed."""
    of_person = scope.may("view_set_up")
    if not typed.words or not (of_person or scope.may("view_accessnote")):
        return []
    rows: QuerySet[Any] = people_seen().filter(
        _begin_words(typed, "username", "first_name", "last_name")
    )
    return [
        Result(
            name_of(each),
            each.username if each.is_active else _BETWEEN.join((each.username, _("Cannot log in"))),
            reverse("person", args=[each.username])
            if of_person
            else f"{reverse('audit-trail')}?person={each.username}",
        )
        for each in rows.order_by(Length("username"), "username")[:MOST]
    ]


def _begin_words(typed: Typed, *columns: str) -> Func:
    """Whether each word that was typed begins one of the columns: the expression of an index
    (settlement/migrations/0001_tables.py)."""
    index = Func(
        *map(F, columns),
        template="to_tsvector('simple'::regconfig, translate(%(expressions)s, '-_./@+', '      '))",
        arg_joiner=" || ' ' || ",
    )
    query = Func(
        Value(" & ".join(f"{word}:*" for word in typed.words)),
        template="to_tsquery('simple'::regconfig, %(expressions)s)",
    )
    return Func(
        index,
        query,
        template="(%(expressions)s)",
        arg_joiner=" @@ ",
        output_field=BooleanField(),
    )


def pages(typed: Typed, scope: Scope) -> list[Result]:
    """Sections of the console, reports and the rules of a place, by the beginnings of words; a
    report by the laws that ask for it, too."""
    rows = [
        Result(_(label), "", reverse(name))
        for label, name, _picture in open_to(scope.user, SECTIONS + OTHER_PAGES)
        if typed.names(f"{_(label)} {label}")
    ]
    if scope.may("export_reports"):
        rows += [
            Result(_(each.title), _(each.question), reverse("report", args=[each.code]))
            for each in reports().values()
            if scope.may(each.permission) and typed.names(_names_of(each))
        ]
    if scope.may("view_set_up"):
        label = "Jurisdiction pack"
        rows += [
            Result(_(label), house.name, reverse("jurisdiction", args=[house.code]))
            for house in Casino.objects.order_by("name")
            if typed.names(f"{_(label)} {label} {house.name}")
        ]
    return rows[:MOST]


def _names_of(report: Definition) -> str:
    """By what people look for a report."""
    return " ".join((_(report.title), report.title, _(report.called), report.called, *report.rules))


def help_texts(typed: Typed, _scope: Scope) -> list[Result]:
    """Rules by number, and terms of the glossary, also by what the floor calls them."""
    address = reverse("help")
    results = [
        Result(*rule.words[:2], f"{address}#{rule.anchor}")
        for rule in glossary.rules_by(typed.rule)
    ]
    for term in glossary.terms():
        name, meaning, elsewhere = term.words
        if typed.names(f"{name} {term.name}") or typed.names(f"{elsewhere} {term.elsewhere}"):
            results.append(Result(name, meaning, f"{address}#{term.anchor}"))
    return results[:MOST]
