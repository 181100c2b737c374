"""What leaves the house: mail, and pages in the languages that people read."""

from __future__ import annotations

import smtplib
from pathlib import Path

from django.conf import settings
from django.core import mail as backends
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, to_locale

from settlement.doctor.examination import Point, Subject, attention, good, series, wrong


def look() -> None:
    """Settings and files are there already."""


OUTWARD = Subject("outward", gettext_noop("Mail and languages"), look, asks_database=False)


@OUTWARD.check(gettext_noop("Mail"))
def mail(_facts: None) -> Point:
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return attention(
            _("This process sends no mail: mails are written to its log."),
            _("Set EMAIL_URL for the worker, such as smtp+tls://name:password@host:587."),
        )
    if not settings.CONSOLE_ORIGIN:
        return attention(
            _("Mails have no links, and a forgotten password cannot be reset by mail."),
            _("Set CONSOLE_ORIGIN to the address under which people reach the console."),
        )
    values = {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT}
    return good(_("Mails go out by %(host)s, port %(port)s.") % values)


@OUTWARD.check(gettext_noop("Mail server"), by_command=True)
def mail_server(facts: None) -> Point:
    """Logs in there, and sends nothing."""
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return mail(facts)
    server = backends.get_connection()
    try:
        server.open()
        server.close()
    except (OSError, smtplib.SMTPException) as error:
        return wrong(
            _("%(host)s does not take mails: %(fault)s")
            % {"host": settings.EMAIL_HOST, "fault": error},
            _("Correct EMAIL_URL, or allow this machine at the mail server."),
        )
    return good(_("%(host)s accepts the console.") % {"host": settings.EMAIL_HOST})


@OUTWARD.check(gettext_noop("Translations"))
def translations(_facts: None) -> Point:
    missing, old = [], []
    for code, _name in settings.LANGUAGES:
        folder = Path(settings.LOCALE_PATHS[0]) / to_locale(code) / "LC_MESSAGES"
        source, compiled = folder / "django.po", folder / "django.mo"
        if code == settings.LANGUAGE_CODE:
            continue
        if not compiled.exists():
            missing.append(code)
        elif source.exists() and source.stat().st_mtime > compiled.stat().st_mtime:
            old.append(code)
    advice = _("Run pybabel compile --directory locale --domain django, and restart.")
    if missing:
        return wrong(_("Not compiled: %(languages)s.") % {"languages": series(missing)}, advice)
    if old:
        return attention(
            _("Older than their texts: %(languages)s.") % {"languages": series(old)}, advice
        )
    return good(_("Compiled for every language."))
