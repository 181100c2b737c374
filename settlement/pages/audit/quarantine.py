"""What came in that could not be recorded, with the reason and the very bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from settlement.core.words.labels import QUARANTINE, plain
from settlement.pages.shared.choices import (
    casino_or_404,
    choice_of,
    days_of,
    number_of,
    query_without,
    shortcuts,
)
from settlement.pages.shared.decorators import opens_for
from tables.models import GamingTable, Quarantine, QuarantineDay
from tables.protocol.decode import NOT_HELD

ROWS = 50
DAYS = 10  # on which more came than was kept
DUMPED_BYTES = 2048  # of the bytes, until all are asked for
_LINE = 16


@dataclass(frozen=True, slots=True)
class Line:
    """Sixteen bytes: where they stand, as hexadecimal, as ASCII."""

    offset: str
    hexadecimal: str
    ascii: str


@require_safe
@opens_for("view_claim")
def quarantine(request: HttpRequest) -> HttpResponse:
    """Refused messages, newest first, by table, reason and day."""
    casino = casino_or_404(request)
    days, reason = days_of(request), choice_of(request, "reason", QUARANTINE)
    tables = {
        f"{table.system.code}/{table.code}": table
        for table in GamingTable.objects.select_related("system").order_by(
            "system__name", "system", "pk"
        )
    }
    table = choice_of(request, "table", [*tables, "unknown"])
    matches = Quarantine.objects.select_related("table__system").defer("body")
    if table:
        matches = matches.filter(table=None if table == "unknown" else tables[table])
    if reason:
        matches = matches.filter(reason=reason)
    if start := days.start(casino):
        matches = matches.filter(received_at__gte=start)
    if end := days.end(casino):
        matches = matches.filter(received_at__lt=end)
    before = number_of(request, "before")
    if before is not None:
        matches = matches.filter(pk__lt=before)
    query = query_without(request, "before")
    rows = list(matches.order_by("-pk")[: ROWS + 1])
    return render(
        request,
        "console/audit/quarantine.html",
        {
            "casino": casino,
            "rows": [(row, in_words(row.reason)) for row in rows[:ROWS]],
            "older": f"{query or '?'}&before={rows[ROWS - 1].pk}" if len(rows) > ROWS else "",
            "newest": query or request.path if before is not None else "",
            "tables": [(code, f"{row.system.name}, {row.name}") for code, row in tables.items()],
            "table": table,
            "reasons": sorted(QUARANTINE.items(), key=lambda item: item[1]),
            "reason": reason,
            "days": days,
            "shortcuts": shortcuts(request, casino),
            "is_filtered": bool(table or reason or days.first or days.last),
            "dropped": dropped(),
        },
    )


def dropped() -> list[tuple[QuarantineDay, str]]:
    """The newest days on which more came of a unit than was kept, with the unit in words."""
    days = list(QuarantineDay.objects.filter(dropped__gt=0).order_by("-day", "unit")[:DAYS])
    tables = GamingTable.objects.select_related("system").in_bulk({row.unit for row in days})
    return [(row, _unit(tables.get(row.unit))) for row in days]


def _unit(table: GamingTable | None) -> str:
    return f"{table.name}, {table.system.name}" if table else _("Units of unknown tables")


@require_safe
@opens_for("view_claim")
def quarantined(request: HttpRequest, number: int) -> HttpResponse:
    """One refused message: what is known of it, and its bytes, harmless."""
    row = get_object_or_404(Quarantine.objects.select_related("table__system__casino"), pk=number)
    body = bytes(row.body)
    part = body if "all" in request.GET else body[:DUMPED_BYTES]
    context = {
        "row": row,
        "reason": in_words(row.reason),
        "crumbs": [(_("Quarantine"), reverse("quarantine"))],
        "sha256": bytes(row.sha256).hex(),
        "bytes_kept": len(body),
        "held": row.reason not in NOT_HELD,
        "lines": list(dump(part)),
        "more": len(body) - len(part),
        "text": readable(part),
    }
    if row.table is not None:
        context["casino"] = row.table.system.casino
    return render(request, "console/audit/quarantine_detail.html", context)


def in_words(reason: str) -> str:
    return QUARANTINE.get(reason, plain(reason))


def dump(body: bytes) -> Iterator[Line]:
    """The bytes as lines of sixteen.

    >>> list(dump(b"A\\x00<"))
    [Line(offset='0000', hexadecimal='41 00 3c', ascii='A·<')]
    """
    for offset in range(0, len(body), _LINE):
        part = body[offset : offset + _LINE]
        yield Line(f"{offset:04x}", part.hex(" "), "".join(map(_printable, part)))


def _printable(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else "·"


def readable(body: bytes) -> str:
    """The bytes as text, what cannot be printed as its escape; empty where it is no UTF-8."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return ""
    return "".join(
        character
        if character == "\n" or character.isprintable()
        else character.encode("unicode_escape").decode()
        for character in text
    )
