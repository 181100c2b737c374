"""The mail with the link of an invitation."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from settlement.models import Invitation
from settlement.people.staff.invitations import HOURS

_UNSENT = (".console.EmailBackend", ".dummy.EmailBackend")  # these send nobody a link


def mail_goes_out() -> bool:
    """Whether there is a mail server."""
    return not settings.EMAIL_BACKEND.endswith(_UNSENT)


def goes_by_mail(invitation: Invitation) -> bool:
    """Whether there is an address and a mail server; otherwise the inviter hands the link over."""
    return bool(invitation.email) and mail_goes_out()


def is_sent(invitation: Invitation, link: str) -> bool:
    """Send the link; whether it went out."""
    try:
        with override(_language_of(invitation)):
            return bool(message_of(invitation, link).send())
    except OSError:
        return False


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
