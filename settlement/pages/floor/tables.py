"""The gaming tables: their units, sessions and displays, and what each table said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from jackpot.labels.figures import write_count
from jackpot.models import Gap
from settlement.core.input import LONGEST_TEXT, clean_text
from settlement.core.words.rule_words import GAME_NAMES
from settlement.devices.unit_states import QUIET, UnitState
from settlement.floor.suspensions import suspensions
from settlement.floor.table_events import events
from settlement.floor.table_status import Reading, TableStatus, standing_of
from settlement.pages.floor import boot_counter, table_transfer
from settlement.pages.shared.amount_tables import in_order
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.facets import Facet, facet_of, has_words, text_of
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.order import Column, Order, Sort, by_name, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.rights.permissions import names_of
from settlement.pools.status import posted_terms
from tables.intake.boots.gaps import BY_UNIT, close_gap, missing_of
from tables.models import ClosedGap, DisplayReading, GamingTable, JackpotSystem, Stream
from tables.protocol import topics

# What tiles count and the list is narrowed to, by its code in the address.
STATES: Mapping[str, tuple[str, Callable[[TableStatus], bool]]] = {
    "online": (gettext_noop("Online"), lambda row: row.state == UnitState.ONLINE),
    "quiet": (gettext_noop("Offline or silent"), lambda row: row.state in QUIET),
    "testing": (gettext_noop("In test mode"), lambda row: row.is_testing),
    "missing": (gettext_noop("Tables with missing events"), lambda row: row.has_gap),
    "differing": (
        gettext_noop("Displays that differ"),
        lambda row: bool(row.reading and row.reading.differences),
    ),
    "dark": (gettext_noop("Displays that are dark"), lambda row: row.is_dark),
}
SORTS = (
    Sort("table", gettext_noop("Table"), (Column("table", str),), starts_down=False),
    Sort("unit", gettext_noop("Unit"), (Column("unit", dt.datetime),), starts_down=False),
    Sort("events", gettext_noop("Events held"), (Column("events", int),)),
    Sort("session", gettext_noop("Session"), (Column("session", int),)),
    Sort("round", gettext_noop("Last round"), (Column("round", dt.datetime),)),
    Sort("display", gettext_noop("Display"), (Column("display", dt.datetime),), starts_down=False),
)
_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)  # before whatever was heard
_KEYS: Mapping[str, Callable[[TableStatus], Any]] = {
    "table": lambda row: by_name(row.table.name),
    "unit": lambda row: row.presence.heard_at if row.presence else _NEVER,
    "events": lambda row: (row.has_gap, row.last["committed_seq"] or 0),
    "session": lambda row: len(row.session["seats"]) if row.session else -1,
    "round": lambda row: row.last["round_at"] or _NEVER,
    "display": lambda row: row.reading.at if row.reading else _NEVER,
}
ROWS = 50
SHORT = 20  # streams, gaps and readings on a table's page


@require_safe
@opens_for("view_claim")
@has_views("tables")
def tables(request: HttpRequest) -> HttpResponse:
    """All tables of all systems."""
    standings = standing_of(_tables().order_by("system__name", "system", "pk"))
    all_systems = {row.table.system.code: row.table.system.name for row in standings}
    state = facet_of(request, "state", gettext("State"), _state_choices())
    of_system = facet_of(request, "system", gettext("Jackpot system"), all_systems.items())
    chosen = [row for row in standings if _is_among(row, state, of_system, text_of(request))]
    order = order_of(request, SORTS)
    systems = [
        (system, _sorted(list(rows), order))
        for system, rows in groupby(chosen, lambda row: row.table.system)
    ]
    counts = {
        code: sum(1 for row in standings if is_so(row)) for code, (_label, is_so) in STATES.items()
    }
    return render(
        request,
        "console/floor/tables.html",
        {
            "systems": systems,
            "has_tables": bool(standings),
            "count": sum(1 for row in standings if row.state != UnitState.MOVED),
            "counts": counts,
            "online": counts["online"],
            "state": state.chosen,
            "games": GAME_NAMES,
            **facets_context(request, state, of_system),
            **order_context(request, SORTS, order),
            **views_context(request, "tables"),
            "may_enter": request.user.has_perm("settlement.enter_hand"),
            "may_open_display": may_open_display(request.user),
        },
    )


def _sorted(rows: list[TableStatus], order: Order) -> list[TableStatus]:
    """The tables of a system, all at once: a floor has hundreds."""
    return sorted(rows, key=_KEYS[order.sort.code], reverse=order.is_down)


def _state_choices() -> list[tuple[str, str]]:
    return [(code, gettext(label)) for code, (label, _is_so) in STATES.items()]


def _is_among(row: TableStatus, state: Facet, of_system: Facet, text: str) -> bool:
    """Whether a table is one of those that the address asks for."""
    if state and not STATES[state.chosen][1](row):
        return False
    if of_system and row.table.system.code != of_system.chosen:
        return False
    return has_words(text, row.table.name, row.table.code, row.table.system.name)


@require_safe
@opens_for("view_claim")
def table(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """One table: its unit, what it said last, gaps, and what its display showed."""
    gaming_table = get_object_or_404(_tables(), system__code=system, code=table)
    (standing,) = standing_of([gaming_table])
    only_test = request.GET.get("test") == "1"
    rows, older = events(gaming_table, ROWS, _place(request), only_test=only_test)
    test_query = "test=1&" if only_test else ""
    names = _names(gaming_table.system)
    return render(
        request,
        "console/floor/table.html",
        {
            "standing": standing,
            "suspensions": [
                s for s in suspensions([gaming_table.system]) if s.table.pk == gaming_table.pk
            ],
            "table": gaming_table,
            "casino": gaming_table.system.casino,
            "topic": topics.events(gaming_table.system.code, gaming_table.code),
            "crumbs": [(gettext("Tables"), reverse("tables")), (gaming_table.system.name, None)],
            "events": rows,
            "only_test": only_test,
            "older": f"?{test_query}before={older[0]}.{older[1]}" if older else "",
            "newest": f"{request.path}?{test_query}" if "before" in request.GET else "",
            "streams": Stream.objects.filter(table=gaming_table).order_by("-boot")[:SHORT],
            "gaps": _gaps(gaming_table),
            "may_close": request.user.has_perm("settlement.close_gap"),
            "longest_note": LONGEST_TEXT,
            "shown_now": _shown_now(standing.reading, names),
            **_readings(gaming_table, names),
            "games": GAME_NAMES,
            "may_open_display": may_open_display(request.user),
            "moving": table_transfer.part_of(gaming_table, request.user),
            "boots": boot_counter.part_of(gaming_table, request.user),
        },
    )


@require_POST
@opens_for("close_gap")
def gap_close(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """A person gives up the first missing events of a boot, with a note that says why."""
    gaming_table = get_object_or_404(_tables(), system__code=system, code=table)
    place = _two_numbers(request.POST.get("boot", ""), request.POST.get("to_seq", ""))
    if place is None:
        raise BadRequest(gettext("The form does not say which events are missing."))
    note = clean_text(request.POST.get("note", ""))
    if not note:
        messages.error(
            request, gettext("Enter why the events will never arrive: a gap is closed with a note.")
        )
    else:
        try:
            close_gap(gaming_table, *place, closed_by=request.user.get_username(), note=note)
        except ValueError as error:
            messages.error(request, gettext("%(error)s Nothing was closed.") % {"error": error})
        else:
            messages.success(
                request, gettext("Gap closed. The console no longer waits for these events.")
            )
    return redirect(reverse("table", args=[system, table]) + "#gaps")


def may_open_display(user: Any) -> bool:
    """A display's address works without a log-in, so only those who look after it see it."""
    return bool(user.has_perm("settlement.verify_claim") or user.has_perm("settlement.clear_alarm"))


def _tables() -> Any:
    return GamingTable.objects.select_related(
        "system__casino", "presence", "moved_to__system", "moved_from__system"
    )


def _names(system: JackpotSystem) -> dict[str, str]:
    """The newest name of every prize of the system."""
    return {
        tier.code: tier.name
        for versions in posted_terms([system]).values()
        for version in versions
        for tier in version.terms.tiers
    }


def _shown_now(reading: Reading | None, names: dict[str, str]) -> list[tuple[str, int, int | None]]:
    """(prize, shown, what the ledger held), in minor units, as the terms name the prizes."""
    if reading is None:
        return []
    return [
        (names.get(code, code), value, reading.ledger.get(code))
        for code, value in in_order(reading.values, names)
    ]


def _readings(table: GamingTable, names: dict[str, str]) -> dict[str, Any]:
    """The last readings, each with its values under the names of the prizes."""
    rows = DisplayReading.objects.filter(table=table).order_by("-system_seq", "-id")[:SHORT]
    codes = [code for code, _ in in_order({code: 0 for row in rows for code in row.shown}, names)]
    return {
        "prizes": [names.get(code, code) for code in codes],
        "readings": [(row, [row.shown.get(code) for code in codes]) for row in rows],
    }


def _place(request: HttpRequest) -> tuple[int, int] | None:
    """`before=boot.seq`; None where it is missing or no such place."""
    boot, _, seq = request.GET.get("before", "").partition(".")
    return _two_numbers(boot, seq)


def _two_numbers(first: str, second: str) -> tuple[int, int] | None:
    if all(part.isascii() and part.isdigit() and len(part) < 19 for part in (first, second)):
        return int(first), int(second)
    return None


def _released(gap: Gap, count: int) -> str:
    seq = write_count(gap.entry_seq)
    if not gap.arrived:
        return gettext("no longer waited for since entry %(entry)s") % {"entry": seq}
    words = gettext("no longer waited for since entry %(entry)s; %(late)s of %(count)s came late")
    return words % {"entry": seq, "late": gap.arrived, "count": count}


def _gaps(table: GamingTable) -> list[dict[str, Any]]:
    """What is missing of this table's events, newest first, and what was decided about it."""
    gaps: list[dict[str, Any]] = [
        {
            "boot": stream.boot,
            "from_seq": from_seq,
            "to_seq": to_seq,
            "state": "missing",
            "words": gettext("asked for again"),
            "is_first": from_seq == stream.committed_seq + 1,
        }
        for stream in Stream.objects.filter(table=table).order_by("-boot")[:SHORT]
        if stream.last_seq > stream.committed_seq
        for from_seq, to_seq in missing_of(stream)[:SHORT]
    ]
    for gap in Gap.objects.filter(system=table.system_id, table=table).order_by("-pk")[:SHORT]:
        count = gap.to_seq - gap.from_seq + 1
        words = _released(gap, count)
        state = "late" if gap.arrived >= count else "missing"
        gaps.append(
            {
                "boot": gap.boot,
                "from_seq": gap.from_seq,
                "to_seq": gap.to_seq,
                "state": state,
                "words": words,
            }
        )
    given_up = list(ClosedGap.objects.filter(table=table).order_by("-pk")[:SHORT])
    people = names_of({gap.closed_by for gap in given_up} - {BY_UNIT}) if given_up else {}
    for closed in given_up:
        who = people.get(closed.closed_by)
        words = (
            gettext("given up by %(who)s") % {"who": who}
            if who
            else gettext("declared lost by the unit")
        )
        gaps.append(
            {
                "boot": closed.boot,
                "from_seq": closed.from_seq,
                "to_seq": closed.to_seq,
                "state": "closed",
                "words": f"{words}: {closed.note}" if closed.note else words,
            }
        )
    return gaps
