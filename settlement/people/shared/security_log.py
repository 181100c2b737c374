"""The words of the security log, and the access notes, which the web process writes at the doors.

Log-ins, passwords, people and tokens are in the security log of the database (`SecurityEvent`)
alone; the audit trail (`settlement.audit.trail`) reads both. Nothing secret is in them: no
password, no session, no name that is nobody's.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels
from settlement.models import RoleChange
from settlement.models.access import AccessNote
from tables.visibility.scope import visible_casinos

What = AccessNote.What
WORDS = Labels(
    {
        "logged_in": _("Logged in"),
        "password_changed": _("Password changed"),
        "person_insert": _("Person added"),
        "person_update": _("Person changed"),
        "person_delete": _("Person removed"),
        "token_issued": _("Access token issued"),
        "token_ended": _("Access token ended"),
        "factor_added": _("Second factor added"),
        "factor_ended": _("Second factor ended by its person"),
        "factor_reset": _("Second factor ended by somebody else"),
        "recovery_codes_made": _("Recovery codes created"),
        "recovery_codes_ended": _("Recovery codes ended"),
        "recovery_code_used": _("Recovery code used"),
        "signing_key_added": _("Passkey made one that signs"),
        "signing_key_endorsed": _("Passkey that signs endorsed"),
        "pin_set": _("PIN set"),
        "pin_ended": _("PIN ended"),
        "came_back": _("Returned to a shared tablet with badge and PIN"),
        "pin_guessed": _("Log-in ended after five wrong PINs"),
        "provider_shown": _("Shown by the log-in provider"),
        "provider_refused": _("Log-in by way of the provider refused"),
        "provider_linked": _("Linked to the log-in provider"),
        "provider_unlinked": _("Link to the log-in provider ended"),
        "password_log_in": _("Log-in by password opened by the owner of the database"),
        "password_log_in_ended": _("Log-in by password closed by the owner of the database"),
        "factor_demand": _("Who needs a second factor changed"),
        "report_delivered": _("Delivered a scheduled report"),
        "report_undelivered": _("A scheduled report did not arrive"),
        **dict(What.choices),
    }
)
MOST_A_MINUTE = 120  # of one address: who hammers at a door fills no disk
_ALL = 2**31 - 1

# The time is the database's; what is beyond the limit is not written down.
_INSERT = """
    INSERT INTO settlement_accessnote (what, username, address, detail)
    SELECT %(what)s, %(username)s, %(address)s, %(detail)s
    WHERE (SELECT count(*) FROM settlement_accessnote
           WHERE at > now() - interval '1 minute' AND address = %(address)s) < %(most)s
"""


def note(
    request: Any, what: str, username: str | None, detail: str = "", *, most: int = MOST_A_MINUTE
) -> None:
    """Write down what happened, from which address; `request` None: nobody's. `most`: notes of one
    address in a minute, beyond which it is left out."""
    name = username or ""
    if name and not get_user_model().objects.filter(username=name).exists():
        name = ""
    row = {
        "what": what,
        "username": name,
        "address": request.META.get("REMOTE_ADDR", "")[:45] if request is not None else "",
        "detail": detail.replace("\x00", "")[:200],
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, row)


def note_refusal(request: HttpRequest, why: str) -> None:
    """Somebody who is logged in asked for what they may not do."""
    user: Any = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        note(request, What.REFUSED, user.get_username(), f"{request.path_info}: {why}")


def note_new_device(request: HttpRequest, person: Any, device: str) -> None:
    """The first log-in of a person with such a browser on such a system."""
    username = person.get_username()
    mine = AccessNote.objects.filter(what=What.NEW_DEVICE, username=username)
    if not mine.filter(detail=device).exists():
        note(request, What.NEW_DEVICE, username, device)


def note_file(request: HttpRequest, claim: str, number: int) -> None:
    """Who was given which file of a claim (`main-14`), whatever else was noted in this minute.

    A small picture of it on the claim's page counts once an hour; what is opened or taken, each
    time.
    """
    username, detail = request.user.get_username(), f"{claim} file {number}"
    if request.headers.get("Sec-Fetch-Dest") == "image":
        an_hour_ago = timezone.now() - dt.timedelta(hours=1)
        mine = AccessNote.objects.filter(username=username, at__gt=an_hour_ago)
        if mine.filter(what=What.FILE_OPENED, detail=detail).exists():
            return
    note(request, What.FILE_OPENED, username, detail, most=_ALL)


def people_seen() -> QuerySet[Any]:
    """The people of the casinos that are seen, by log-in."""
    people = get_user_model().objects.defer("password").order_by("username")
    casinos = visible_casinos()
    if casinos is None:
        return people
    return people.filter(pk__in=RoleChange.objects.filter(casino__in=casinos).values("person"))
