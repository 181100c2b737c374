"""Posted terms: what the engine executes, as a notice and as a table (19.4, 19.5)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from jackpot.labels.figures import localized
from jackpot.models import Command, Entry
from jackpot.terms.awards import percent, plan_of
from jackpot.terms.document import FromDrop, FromPot, Increment, JackpotTerms, PerRound, TierTerms
from jackpot.terms.odds import chances
from jackpot.terms.posted_terms import notices
from jackpot.transparency import public_keys
from rules.wording import series
from settlement.core.gaming_day import today
from settlement.core.words.labels import ENTRIES
from settlement.core.words.rule_words import CAPACITY_TITLES, GAME_NAMES, HAND_WINS
from settlement.core.words.translation import translated
from settlement.pages.shared.choices import number_of, system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.permissions import names_of
from settlement.pools.status import Posted, posted_terms
from settlement.terms.differences import evidence_in_words
from settlement.terms.drafts import posted_form
from settlement.terms.local_rules import against_the_rules, failures_of_the_place, ties_of_the_place
from settlement.terms.readback import readbacks
from tables.models import GamingTable, JackpotSystem


@dataclass(frozen=True, slots=True)
class Growth:
    """One increment of a tier in words; `amount` and `cap` are micros."""

    source: str
    into: str
    share: str
    amount: int | None = None
    cap: int | None = None
    condition: str = ""


@require_safe
@opens_for("view_claim")
def terms(request: HttpRequest) -> HttpResponse:
    """Every jackpot with the notice that is posted for it now, and the tables it is posted at."""
    systems = list(
        JackpotSystem.objects.select_related("casino")
        .prefetch_related("tables")
        .order_by("name", "pk")
    )
    posted = posted_terms(systems)
    return render(
        request,
        "console/terms/list.html",
        {
            "may_propose": request.user.has_perm("settlement.propose_terms"),
            "systems": [
                (
                    system,
                    [
                        _notice(system, versions)
                        for (of, _), versions in sorted(posted.items())
                        if of == system.pk
                    ],
                    sorted(system.tables.all(), key=lambda table: table.pk),
                )
                for system in systems
            ],
        },
    )


@require_safe
@opens_for("view_claim")
def jackpot_terms(request: HttpRequest, system: str, jackpot: str) -> HttpResponse:
    """One jackpot: its terms as a table, in the version asked for, and all versions."""
    jackpot_system = system_or_404(system)
    versions = posted_terms([jackpot_system]).get((jackpot_system.pk, jackpot))
    if not versions:
        raise Http404(gettext("No such jackpot was ever posted on this system."))
    number = number_of(request, "version")
    version = next((each for each in versions if each.number == number), versions[-1])
    casino = jackpot_system.casino
    day = today(casino)
    return render(
        request,
        "console/terms/jackpot.html",
        {
            "system": jackpot_system,
            "casino": jackpot_system.casino,
            "crumbs": [(gettext("Terms"), reverse("terms")), (jackpot_system.name, None)],
            "posted": version,
            "is_newest": version is versions[-1],
            "newest": versions[-1],
            "tiers": [_tier(tier, jackpot_system) for tier in _ranked(version.terms)],
            "games": ", ".join(GAME_NAMES[code] for code in version.terms.games),
            "hand_wins": HAND_WINS[version.terms.hand_wins],
            "evidence": evidence_in_words(version.terms, jackpot_system.casino),
            "lines": _lines(version.terms, jackpot_system),
            "versions": _with_people(jackpot_system, versions),
            "against": against_the_rules(version.terms, casino, day),
            "ties": ties_of_the_place(casino, day),
            "readbacks": readbacks(jackpot_system, versions[-1].terms, versions[-1].number),
            "may_propose": request.user.has_perm("settlement.propose_terms"),
        },
    )


@require_safe
@opens_for("view_claim")
def document(request: HttpRequest, system: str, jackpot: str) -> HttpResponse:
    """The document of a version, as it can be brought in again."""
    jackpot_system = system_or_404(system)
    versions = posted_terms([jackpot_system]).get((jackpot_system.pk, jackpot), [])
    number = number_of(request, "version") or (versions[-1].number if versions else None)
    version = next((each for each in versions if each.number == number), None)
    if version is None:
        raise Http404(gettext("No such terms were ever posted."))
    return HttpResponse(
        json.dumps(posted_form(version.terms), indent=2, ensure_ascii=False) + "\n",
        content_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="terms-{system}-{jackpot}-{number}.json"'
        },
    )


@require_safe
@opens_for("view_claim")
def notice(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """The notice to be posted at one table, for printing (19.4, 19.5)."""
    gaming_table = get_object_or_404(
        GamingTable.objects.select_related("system__casino"), system__code=system, code=table
    )
    versions = posted_terms([gaming_table.system])
    posted = [
        each[-1] for _, each in sorted(versions.items()) if each[-1].terms.is_at(gaming_table.code)
    ]
    return render(
        request,
        "console/terms/notice.html",
        {
            "table": gaming_table,
            "casino": gaming_table.system.casino,
            "failures": failures_of_the_place(
                gaming_table.system.casino, today(gaming_table.system.casino)
            ),
            "crumbs": [(gettext("Terms"), reverse("terms")), (gaming_table.system.name, None)],
            "posted": [
                (
                    each,
                    [*_lines(each.terms, gaming_table.system), *_public(gaming_table.system)],
                    _names(each.terms),
                )
                for each in posted
            ],
        },
    )


def _ranked(terms: JackpotTerms) -> list[TierTerms]:
    return sorted(terms.tiers, key=lambda tier: tier.rank)


def _names(terms: JackpotTerms) -> str:
    return ", ".join(tier.name for tier in _ranked(terms))


def _lines(terms: JackpotTerms, system: JackpotSystem) -> list[str]:
    casino, days = system.casino, settings.UNCLAIMED_AFTER_DAYS
    posted = notices(terms, casino.minor_digits, casino.currency, days)
    return [translated(line) for line in posted]


def _public(system: JackpotSystem) -> list[str]:
    """The key by which everybody may check the values."""
    return [translated(line) for line in public_keys.posted(system.code)]


def _notice(system: JackpotSystem, versions: list[Posted]) -> dict[str, Any]:
    newest = versions[-1]
    return {
        "posted": newest,
        "lines": _lines(newest.terms, system),
        "versions": len(versions),
        "tables": newest.terms.tables,
    }


def _tier(tier: TierTerms, system: JackpotSystem) -> dict[str, Any]:
    return {
        "tier": tier,
        "share": _percent(tier.share),
        "plan": _plan(tier),
        "chances": [translated(each) for each in chances(tier)],
        "qualifying": translated(tier.qualifies().notice(system.casino.minor_digits)),
        "grows": [_growth(part) for part in tier.increments],
    }


def _plan(tier: TierTerms) -> list[str]:
    """Who has which part, where it is not all the winning hand's."""
    plan = plan_of(tier)
    if [*plan] == ["winner"]:
        return []
    return [f"{CAPACITY_TITLES[role]} {_percent(part)}" for role, part in plan.items()]


def _growth(part: Increment) -> Growth:
    into = gettext("Prize pool") if part.into == "pool" else gettext("Reserve")
    if isinstance(part, PerRound):
        players = (
            gettext("from %(players_min)s players dealt in") % {"players_min": part.players_min}
            if part.players_min
            else ""
        )
        return Growth(
            gettext("Operator, each round"), into, "", amount=part.amount, condition=players
        )
    share = _percent(part.basis_points)
    if isinstance(part, FromDrop):
        return Growth(gettext("Jackpot drop"), into, share)
    source = gettext("Called pot") if isinstance(part, FromPot) else gettext("Commission")
    return Growth(source, into, share, cap=part.cap)


def _percent(basis_points: int) -> str:
    """Basis points as people read them: `12.5%`."""
    return localized(percent(basis_points))


def _with_people(system: JackpotSystem, versions: list[Posted]) -> list[dict[str, Any]]:
    """The versions, newest first, with when they took effect and which two people posted them."""
    entries = {
        entry.seq: entry
        for entry in Entry.objects.filter(
            system=system, seq__in=[version.effective_seq for version in versions]
        )
    }
    commands = {
        command.number: command
        for command in Command.objects.filter(
            system=system, number__in=[entry.command for entry in entries.values()]
        )
        .defer("body")
        .annotate(
            why=Coalesce(KeyTextTransform("reason", "body"), KeyTextTransform("force", "body"))
        )
    }
    people = names_of(
        login for each in commands.values() for login in (each.first, each.second) if login
    )
    rows = []
    for version in reversed(versions):
        entry = entries[version.effective_seq]
        command = commands.get(entry.command or 0)
        both = (command.first, command.second) if command else ()
        by = translated(series([people[login] for login in both if login]))
        rows.append(
            {
                "posted": version,
                "at": entry.at,
                "why": command.why if command else "",
                "what": ENTRIES.get(entry.type, ""),
                "by": by or gettext("the console"),  # where no command is behind it
            }
        )
    return rows
