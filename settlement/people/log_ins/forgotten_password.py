"""A password that was forgotten, set again by a link that is mailed to its person.

The web process writes down who asked, with half of the secret; the worker draws the other half and
mails the link. The database takes the new password against both alone
(`settlement/sql/set_forgotten_password.sql`), so neither process does it by itself. Nobody reads
from an answer whether an address is known: it is the same, and the mail goes out later.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.db import connection
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from jackpot.web.rehearsal_address import outside
from settlement.core.errors import WrongState
from settlement.models import PasswordLink
from settlement.people.factors.demand import lacks_one
from settlement.people.factors.factor_resets import awaits_code
from settlement.people.preferences.language import in_language_of
from settlement.people.shared import mailed_links, sealing
from settlement.people.shared.database_calls import ask
from settlement.people.shared.security_log import What, note
from settlement.people.staff.invitation_mail import mail_goes_out
from settlement.people.staff.invitations import sealed

MINUTES = mailed_links.MINUTES
# As many links as one person gets in an hour, and as one address asks for.
MOST_OF_PERSON, MOST_OF_ADDRESS = 3, 10
_ASK = """
    INSERT INTO settlement_passwordlink (person_id, digest, sealed)
    SELECT %(person)s, %(digest)s, %(sealed)s
    WHERE (SELECT count(*) FROM settlement_passwordlink
           WHERE person_id = %(person)s AND made_at > now() - interval '1 hour') < %(most)s
"""
_REQUESTS = """
    SELECT count(*) FROM settlement_accessnote
    WHERE what = %s AND address = %s AND at > now() - interval '1 hour'
"""


def is_offered() -> bool:
    """Whether mail goes out, and links know where the console is."""
    return mail_goes_out() and bool(settings.CONSOLE_ORIGIN)


def ask_for_link(request: HttpRequest, address: str) -> None:
    """A link for everybody with this mail address whom one lets in; the answer says nothing of it.

    Too many of one person or one internet address are left out. WrongState where nothing can be
    sealed.
    """
    if not is_offered() or _asked_lately(request) >= MOST_OF_ADDRESS:
        return
    people = list(get_user_model().objects.filter(email__iexact=address, is_active=True))
    note(request, What.PASSWORD_ASKED, people[0].get_username() if people else None)
    for person in filter(_is_for, people):
        half = mailed_links.draw(sealing.PASSWORD_LINK)
        row: dict[str, Any] = {
            "person": person.pk,
            "digest": half.digest,
            "sealed": half.sealed,
            "most": MOST_OF_PERSON,
        }
        with connection.cursor() as cursor:
            cursor.execute(_ASK, row)


def _is_for(person: Any) -> bool:
    """Whether a link sets this person's password: nobody's who came in by it without the factor
    that their role needs, for a mailbox would add the first one."""
    return person.has_usable_password() and not awaits_code(person) and not lacks_one(person)


def _asked_lately(request: HttpRequest) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_REQUESTS, [What.PASSWORD_ASKED, request.META.get("REMOTE_ADDR", "")[:45]])
        return int(cursor.fetchone()[0])


def mail_links() -> None:
    """Mail every link that was asked for; the worker does. One that does not go out is void."""
    mailed_links.mail_waiting(PasswordLink.objects.all(), sealing.PASSWORD_LINK, _mail)


def _mail(link: PasswordLink, secret: str) -> None:
    with in_language_of(link.person_id):
        message_of(link.person, secret).send()


def message_of(person: Any, secret: str) -> EmailMessage:
    """The mail itself."""
    link = settings.CONSOLE_ORIGIN + outside(reverse("password-new", args=[secret]))
    title = _("Set a new password: Jackpot Management Console")
    lines = [
        _("Somebody asked for a new password for your log-in %(name)s.")
        % {"name": person.get_username()},
        _("Set it within %(minutes)s minutes:") % {"minutes": MINUTES} + f"\n{link}",
        _("If it was not you, do nothing, and tell your manager: your password stays as it is."),
    ]
    text = "\n\n".join(lines)
    return EmailMessage(title, text, settings.DEFAULT_FROM_EMAIL, [person.email])


def person_of(secret: str) -> Any | None:
    """Whose password a link sets, while it opens."""
    link = mailed_links.open_link(PasswordLink.objects.all(), secret)
    return link.person if link is not None and _is_for(link.person) else None


def set_password(request: HttpRequest, secret: str, password: str) -> None:
    """Set it, and end all log-ins and access tokens; WrongState where the link is over."""
    if person_of(secret) is None:
        raise WrongState(_("This link is used, or older than half an hour: ask for another one."))
    number = ask("set_forgotten_password", secret, sealed(password))
    name = get_user_model().objects.values_list("username", flat=True).get(pk=number)
    note(request, What.CAME_FROM, name, "of a password set by a link")
