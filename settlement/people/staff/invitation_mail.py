"""The mail with the link of an invitation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from settlement.models import Invitation
from settlement.people.staff import invitations
from settlement.people.staff.invitations import HOURS

_UNSENT = (".console.EmailBackend", ".dummy.EmailBackend")  # these send nobody a link
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class InvitationLink:
    """What became of the link of an invitation: `link` is empty where it was mailed."""

    row: Invitation
    link: str
    is_revoked: bool


def mail_goes_out() -> bool:
    """Whether there is a mail server."""
    return not settings.EMAIL_BACKEND.endswith(_UNSENT)


def goes_by_mail(invitation: Invitation) -> bool:
    """Whether there is an address and a mail server; otherwise the inviter hands the link over."""
    return bool(invitation.email) and mail_goes_out()


def is_sent(invitation: Invitation, link: str, connection: BaseEmailBackend | None = None) -> bool:
    """Send the link; whether it went out. `connection`: one to the mail server that is open."""
    try:
        with override(_language_of(invitation)):
            message = message_of(invitation, link)
            message.connection = connection
            return bool(message.send())
    except (OSError, SMTPException):
        return False


def hand_out(by: Any, links: Sequence[tuple[Invitation, str]]) -> list[InvitationLink]:
    """Mail the links that go by mail. Where the mail is refused nobody gets it, and the invitation
    is revoked by who invited."""
    mailed = [(row, link) for row, link in links if goes_by_mail(row)]
    unsent = send_all(mailed) if mailed else set()
    for number in unsent:
        invitations.revoke(by, number)
    by_mail = {row.pk for row, _link in mailed}
    return [
        InvitationLink(row, "" if row.pk in by_mail else link, row.pk in unsent)
        for row, link in links
    ]


def send_all(links: Sequence[tuple[Invitation, str]]) -> set[int]:
    """Send each its link, over one connection; the invitations whose mail did not go out.

    A held connection that was dropped does not open again by itself: after a fault it is closed,
    and that mail tried once more.
    """
    unsent = {row.pk for row, _link in links}
    connection = get_connection()
    try:
        connection.open()
        for row, link in links:
            if not is_sent(row, link, connection):
                _close(connection)
                connection.open()
                if not is_sent(row, link, connection):
                    continue
            unsent.remove(row.pk)
    except (OSError, SMTPException) as fault:  # the server is not there: nor is it for the rest
        log.warning("mails with invitations did not go out: %s", type(fault))
    _close(connection)
    return unsent


def _close(connection: BaseEmailBackend) -> None:
    """A fault as it closes says nothing of what went out before."""
    try:
        connection.close()
    except (OSError, SMTPException) as fault:
        log.info("the connection to the mail server did not close: %s", type(fault))


def _language_of(invitation: Invitation) -> str | None:
    """That of the house; where it says none, or the role is of every casino, that of the page."""
    house = invitation.casino.language if invitation.casino else ""
    return house or get_language()


def message_of(invitation: Invitation, link: str) -> EmailMessage:
    """The mail itself."""
    title = _("Invitation to the Jackpot Management Console")
    lines = [
        _("You are invited to the Jackpot Management Console.") + f"\n{invitation.username}",
        _("Choose your password within %(hours)s hours:") % {"hours": HOURS} + f"\n{link}",
    ]
    text = "\n\n".join(lines)
    return EmailMessage(title, text, settings.DEFAULT_FROM_EMAIL, [invitation.email])
