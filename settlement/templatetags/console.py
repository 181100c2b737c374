"""The parts of the console's shell: navigation, icons, pills."""

import functools
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from settlement.core.markup import markup
from settlement.core.rehearsal_pages import OPEN_INSIDE
from settlement.core.words.labels import plain
from settlement.core.words.state_labels import PILLS
from settlement.search.sections import open_to
from tables.visibility.rehearsals import rehearses

register = template.Library()

# Strokes in a box of 24 by 24.
ICONS = {
    "overview": "M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z",
    "claims": "M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6",
    "pools": "M4 6.5C4 5 7.6 4 12 4s8 1 8 2.5S16.4 9 12 9 4 8 4 6.5ZM4 6.5v5.5c0 1.5"
    " 3.6 2.5 8 2.5s8-1 8-2.5V6.5M4 12v5.5C4 19 7.6 20 12 20s8-1 8-2.5V12",
    "payouts": "M3 6h18v12H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6.5 9v.01M17.5 15v.01",
    "tables": "M8 6h8a6 6 0 0 1 0 12H8A6 6 0 0 1 8 6ZM9.5 10h5M12 10v4",
    "rollforward": "M4 18V9M9.3 18v-5M14.7 18V8M20 18V4M3 21h18",
    "reconciliation": "M12 4v16M8 20h8M5 7h14M5 7l-2.5 6h5ZM19 7l-2.5 6h5Z",
    "quarantine": "M12 3l7.5 3v5c0 4.5-3 8-7.5 10-4.5-2-7.5-5.5-7.5-10V6ZM12 8.5v4M12 15.5v.01",
    "terms": "M6 3h8.5L18.5 7v14H6zM14 3v4.5h4.5M9 12h6.5M9 16h6.5",
    "search": "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "close": "M6 6l12 12M18 6 6 18",
    "person": "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
    "log-out": "M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5",
    "theme": "M12 3a9 9 0 1 0 0 18ZM12 3a9 9 0 0 1 0 18",
    "deck": "M8 3h11v14M5 7h10v14H5zM10 11l2.5 3-2.5 3-2.5-3Z",
    "sound": "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
    "yes": "M5 12.5l4.5 4.5L19 7",
    "no": "M6.5 6.5l11 11M17.5 6.5l-11 11",
    "info": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.5v.01",
    "success": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.5l3 3 5-6",
    "warning": "M12 4 2.5 20h19ZM12 10v4.5M12 17.3v.01",
    "error": "M8 3h8l5 5v8l-5 5H8l-5-5V8ZM12 7.5v5.5M12 16v.01",
    "previous": "M14.5 5 8 12l6.5 7",
    "next": "M9.5 5 16 12l-6.5 7",
    "print": "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z",
    "download": "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16",
    "help": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z"
    "M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8v.01",
    "bell": "M6.5 17V11a5.5 5.5 0 0 1 11 0v6l1.5 1.5H5ZM10 21h4M12 3v2",
    "clock": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.5l3.5 2",
}

# What people see of states and flags; what is not named here is shown plainly.
TONES = {
    "ok": {
        "confirmed",
        "closed",
        "paid",
        "live",
        "open",
        "online",
        "balanced",
        "signed",
        "in_force",
    },
    "info": {"verified", "part_paid", "queued"},
    "violet": {
        "provisional",
        "late",
        "amended",
        "test",
        "later_effect",
        "entered",
        "rejection_reversed",
    },
    "warn": {
        *("called", "reported", "due", "disputed", "order_in_question", "void_round"),
        *("withheld", "unclaimed", "missing", "suspended", "proposed", "rejection_proposed"),
        *("no_start", "unknown_tier", "ahead_of_gap", "checklist_no", "supplement"),
        *("waits_for_pot", "no_verdict"),
        *("round_unknown", "unit_differs", "perhaps_entered", "corrected_since"),
    },
    "bad": {
        "rejected",
        "excluded_person",
        "regulator_hold",
        "reversed",
        "offline",
        "halted",
        "out_of_balance",
    },
}
_TONE_OF = {name: tone for tone, names in TONES.items() for name in names}
FLAGS = {
    "excluded_person",
    *("provisional", "disputed", "order_in_question", "regulator_hold", "void_round", "late"),
    *("rejection_proposed", "later_effect", "no_start", "unknown_tier", "ahead_of_gap"),
    *("checklist_no", "supplement", "waits_for_pot", "entered", "round_unknown"),
    *("unit_differs", "perhaps_entered", "no_verdict", "corrected_since", "rejection_reversed"),
}


@register.simple_tag
@functools.cache
def icon(name: str) -> SafeString:
    """A picture beside words; it says nothing of its own to a screen reader."""
    return markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>',
        ICONS[name],
    )


@register.simple_tag
def pill(name: str, text: str = "") -> SafeString:
    """A state (round) or flag (square) in its colour; the word carries the meaning."""
    classes = " ".join(
        part for part in ("pill", _TONE_OF.get(name), "flag" if name in FLAGS else "") if part
    )
    return markup('<span class="{}">{}</span>', classes, text or plain(name))


@register.simple_tag
def tile(
    label: str, value: object, tone: str = "", address: str = "", *, is_chosen: bool = False
) -> SafeString:
    """A figure of a page under its name; `tone`: ok, bad or none. Nothing to show is a dash.

    `address`: the list of what it counts; `is_chosen`: that is what the page shows.
    """
    name = "a" if address else "div"
    return markup(
        '<{} class="tile{}"{}{}><span class="tile-label">{}</span>'
        '<span class="tile-value">{}</span></{}>',
        name,
        f" {tone}" if tone else "",
        markup(' href="{}"', address) if address else "",
        markup(' aria-current="true"') if is_chosen else "",
        label,
        "–" if value in (None, "") else value,
        name,
    )


@register.filter
def is_code(value: str, code: str) -> bool:
    """Whether a code that was chosen is this one."""
    return value == code


@register.simple_tag
def state_pill(subject: str, state: str) -> SafeString:
    """A state in its colour and the words of its subject (settlement.core.words.state_labels)."""
    tone, text = PILLS[subject][state]
    return pill(tone, text) if tone else SafeString()


@register.inclusion_tag("partials/nav.html", takes_context=True)
def navigation(context: dict[str, Any]) -> dict[str, Any]:
    """The sections; a section whose page this installation has not is left out."""
    request: HttpRequest | None = context.get("request")
    here = request.path if request else ""
    entries = []
    for label, name, picture in open_to(getattr(request, "user", None)):
        if rehearses() and name not in OPEN_INSIDE:
            continue
        try:
            address = reverse(name)
        except NoReverseMatch:
            continue
        current = here == address or (name != "home" and here.startswith(address))
        entries.append(
            {"label": gettext(label), "address": address, "icon": picture, "current": current}
        )
    return {"entries": entries, "open_claims": context.get("open_claims")}


@register.simple_tag
def brand_mark() -> SafeString:
    """The logo: a diamond in a diamond."""
    return mark_safe(
        '<svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">'
        '<path d="M16 3 29 16 16 29 3 16Z" fill="none" stroke="currentColor" stroke-width="2.4"'
        ' stroke-linejoin="round"/>'
        '<path d="M16 10.5 21.5 16 16 21.5 10.5 16Z" fill="currentColor"/></svg>'
    )
