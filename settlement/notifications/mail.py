"""The mail of a notification: what it is and where to look, without amounts and names."""

from __future__ import annotations

from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _

from settlement.models import Notification
from settlement.notifications.kinds import address_of, subject_of, title_of
from settlement.people.preferences.language import in_language_of


def fault_of(notification: Notification) -> str | None:
    """Send it; None, or why it did not go."""
    try:
        with in_language_of(notification.person_id):
            message_of(notification).send()
    except (OSError, SMTPException) as fault:
        return str(fault) or type(fault).__name__
    return None


def message_of(notification: Notification) -> EmailMessage:
    """The mail itself."""
    title = title_of(notification.kind)
    subject = subject_of(notification.data)
    about = f"{title}: {subject}" if subject else title
    link = address_of(notification.kind, notification.data)
    choices = reverse("notification-choices")
    origin = settings.CONSOLE_ORIGIN
    where = f"{origin}{link}" if origin else _("Open the console to see it.")
    lines = [about, where]
    if origin:
        lines.append(_("Notification settings: %(link)s") % {"link": f"{origin}{choices}"})
    return EmailMessage(
        about, "\n\n".join(lines), settings.DEFAULT_FROM_EMAIL, [notification.person.email]
    )
