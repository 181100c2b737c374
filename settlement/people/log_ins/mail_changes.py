"""A person's own mail address: asked for with the password, confirmed by a link that goes there.

Links for forgotten passwords go to that address, so neither the web process nor the worker changes
it alone (`settlement/sql/mail_change_is_confirmed.sql`). The address before is told of each change.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.web.rehearsal_address import outside
from settlement.core.errors import WrongState
from settlement.models import AddressNotice, MailChange
from settlement.people.log_ins.forgotten_password import is_offered
from settlement.people.preferences.language import in_language_of
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared import mailed_links, sealing
from settlement.people.shared.database_calls import ask
from settlement.people.staff.invitation_mail import mail_goes_out

MINUTES = mailed_links.MINUTES
MOST = 5  # links of one person in an hour
# The rest is the guard's.
_INSERT = """
    INSERT INTO settlement_mailchange (person_id, email, digest, sealed, proof)
    VALUES (%s, %s, %s, %s, %s)
"""
AT_ONCE = 2  # so that a mail server that does not answer leaves the worker its other processes
_TELLS_FOR = dt.timedelta(days=1)
_PAUSE = dt.timedelta(hours=1)  # between two tries of one notice
_LONGEST = dt.timedelta(minutes=2)  # of one try
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('address notices at once'), 0)"
log = logging.getLogger(__name__)


def ask_for(by: Reauthenticated, email: str) -> None:
    """Have a link mailed to the new address. WrongState where no mail goes out, it is the present
    one, or too many were asked for."""
    person: Any = by.user
    if not is_offered():
        raise WrongState(_("This console sends no mail: ask an administrator."))
    if email.casefold() == person.email.casefold():
        raise WrongState(_("This is your mail address already."))
    hour_ago = timezone.now() - dt.timedelta(hours=1)
    if MailChange.objects.filter(person_id=person.pk, made_at__gt=hour_ago).count() >= MOST:
        raise WrongState(_("Too many links in this hour: wait, and look into your mailbox."))
    half = mailed_links.draw(sealing.MAIL_LINK)
    proof = getattr(person, "proof", None)
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [person.pk, email, half.digest, half.sealed, proof])


def waiting_of(person: Any) -> str:
    """The address that a link was asked for, while it may still be confirmed; or nothing."""
    since = timezone.now() - dt.timedelta(minutes=MINUTES)
    rows = MailChange.objects.filter(person_id=person.pk, used_at=None, made_at__gt=since)
    row = rows.order_by("-id").first()
    return row.email if row else ""


def change_of(secret: str) -> MailChange | None:
    """What a link confirms, while it opens."""
    change: MailChange | None = mailed_links.open_link(MailChange.objects.all(), secret)
    return change


def confirm(secret: str) -> None:
    """Put the address; WrongState where the link is over."""
    ask("confirm_mail", secret)


def mail_links() -> None:
    """Mail every link that was asked for, and tell each address that is no more somebody's."""
    mailed_links.mail_waiting(MailChange.objects.all(), sealing.MAIL_LINK, _mail)
    if mail_goes_out():
        _tell_old_addresses()


def _mail(change: MailChange, secret: str) -> None:
    with in_language_of(change.person_id):
        message_of(change, secret).send()


def message_of(change: MailChange, secret: str) -> EmailMessage:
    """The mail with the link."""
    link = settings.CONSOLE_ORIGIN + outside(reverse("mail-confirm", args=[secret]))
    name = change.person.get_username()
    lines = [
        _("Mails for the log-in %(name)s are to come to this address.") % {"name": name},
        _("Confirm it within %(minutes)s minutes:") % {"minutes": MINUTES} + f"\n{link}",
        _("If you did not ask for it, do nothing: the address stays as it is."),
    ]
    title = _("Confirm your mail address: Jackpot Management Console")
    return _message(title, lines, change.email)


def _tell_old_addresses() -> None:
    """Each until it goes out, every hour for a day."""
    while (notice := _next_notice()) is not None:
        is_over = notice.made_at < timezone.now() - _TELLS_FOR
        try:
            with in_language_of(notice.person_id):
                notice_of(notice).send()
            is_over = True
        except Exception as fault:  # noqa: BLE001 - it holds none of the others back
            log.warning("a mail to an address of before did not go out: %s", type(fault))
        if is_over:
            AddressNotice.objects.filter(pk=notice.pk).update(mailed_at=timezone.now())


@transaction.atomic
def _next_notice() -> AddressNotice | None:
    """One that no other process has, put off before it is sent: a worker that dies in it has
    paused. None, too, where as many as may were begun lately and did not go out."""
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_ALONE)
    waiting = AddressNotice.objects.filter(mailed_at=None)
    if waiting.filter(next_at__gt=now + _PAUSE - _LONGEST).count() >= AT_ONCE:
        return None
    rows = waiting.filter(next_at__lte=now).select_related("person").order_by("next_at", "id")
    notice = rows.defer("person__password").first()
    if notice is not None:
        waiting.filter(pk=notice.pk).update(next_at=now + _PAUSE)
    return notice


def notice_of(notice: AddressNotice) -> EmailMessage:
    """What the address before is told."""
    name = notice.person.get_username()
    lines = [
        _("The log-in %(name)s has another mail address now; links go there.") % {"name": name},
        _("If you did not want it, tell your casino manager now."),
    ]
    title = _("Your mail address was changed: Jackpot Management Console")
    return _message(title, lines, notice.email)


def _message(title: str, lines: list[str], to: str) -> EmailMessage:
    return EmailMessage(title, "\n\n".join(lines), settings.DEFAULT_FROM_EMAIL, [to])
