"""What a person chooses on a page of reports: gaming days, a month, a system, a place in a list.

The address carries it all, so that a page can be kept, sent and printed again. What cannot be
read is said, and left out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from settlement.core.gaming_day import DAY, Days, Month, today
from tables.models import Casino, GamingTable, JackpotSystem


def days_of(request: HttpRequest) -> Days:
    """`from` and `to`, gaming days; turned round where they are the wrong way."""
    first, last = _day(request, "from"), _day(request, "to")
    if first is not None and last is not None and first > last:
        first, last = last, first
    return Days(first, last)


def _day(request: HttpRequest, name: str) -> dt.date | None:
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or not 2000 <= day.year < 3000:
        messages.warning(
            request, _("“%(text)s” is not a date like 2026-11-21: it was ignored.") % {"text": text}
        )
        return None
    return day


def number_of(request: HttpRequest, name: str) -> int | None:
    """A place in a list; None where there is none or it is no number."""
    return _number(request.GET.get(name, ""))


def posted_number(request: HttpRequest, name: str) -> int:
    """What a form posts as the number of a row; 0 where it is none."""
    return _number(request.POST.get(name, "")) or 0


def _number(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        return None
    return int(text)


def choice_of(request: HttpRequest, name: str, codes: Iterable[str]) -> str:
    """One of the known codes, or an empty text for all."""
    text = request.GET.get(name, "")
    return text if text in codes else ""


def query_without(request: HttpRequest, *names: str) -> str:
    """The page's own query for another address, without these names: `?from=2026-11-01`."""
    query: QueryDict = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return f"?{query.urlencode()}" if query else ""


def query_with(request: HttpRequest, **values: str) -> str:
    """The page's own query with these values in place of its own: `?from=2026-11-01&span=7d`."""
    query: QueryDict = request.GET.copy()
    for name, text in values.items():
        query[name] = text
    return f"?{query.urlencode()}"


def system_or_404(code: str) -> JackpotSystem:
    return get_object_or_404(JackpotSystem.objects.select_related("casino"), code=code)


def table_or_404(system: str, code: str) -> GamingTable:
    tables = GamingTable.objects.select_related("system__casino", "presence")
    return get_object_or_404(tables, system__code=system, code=code)


def casino_or_404(request: HttpRequest) -> Casino:
    """The casino that the page is about: the one asked for, else the first."""
    casinos = Casino.objects.order_by("pk")
    code = request.GET.get("casino")
    casino = casinos.filter(code=code).first() if code else None
    casino = casino or casinos.first()
    if casino is None:
        raise Http404(_("No casino is set up yet."))
    return casino


def spans(casino: Casino) -> dict[str, tuple[str, Days]]:
    """Spans of gaming days that people ask for, by code, with their labels."""
    this = today(casino)
    before = Month.of(this).previous
    return {
        "all": (_("All"), Days()),
        "today": (_("Today"), Days(this, this)),
        "yesterday": (_("Yesterday"), Days(this - DAY, this - DAY)),
        "week": (_("7 days"), Days(this - 6 * DAY, this)),
        "month": (_("This month"), Days(this.replace(day=1), this)),
        "last_month": (_("Last month"), Days(before.first, before.last)),
        "year": (_("12 months"), Days(this - 364 * DAY, this)),
    }


def shortcuts(
    request: HttpRequest,
    casino: Casino,
    codes: Iterable[str] = ("all", "today", "yesterday", "week", "month", "last_month"),
    current: Days | None = None,
) -> list[tuple[str, str, bool]]:
    """Links to these spans: (label, query, whether it is the one `current`, else that of the
    address)."""
    spans_by_code = spans(casino)
    address = request.GET.get("from", ""), request.GET.get("to", "")
    if current is not None:
        address = str(current.first or ""), str(current.last or "")
    links = []
    for label, days in (spans_by_code[code] for code in codes):
        texts = str(days.first or ""), str(days.last or "")
        query: QueryDict = request.GET.copy()
        for name in ("from", "to", "before", "after", "page"):
            query.pop(name, None)
        for name, text in zip(("from", "to"), texts, strict=True):
            if text:
                query[name] = text
        links.append((label, f"?{query.urlencode()}", address == texts))
    return links
