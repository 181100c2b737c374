"""Certificates: the brokers', the authority's for devices, and those of the devices themselves."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import ParseResult, urlparse

from cryptography import x509
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.devices import authority
from settlement.devices.credentials import credentials_of
from settlement.devices.expiry import NAMED_BEFORE, ending
from settlement.doctor.examination import Point, Subject, attention, good, series, unseen, wrong
from tables.models import DeviceCredential
from tables.mqtt.log_in import TLS

WITHIN_S = 3.0
LAST_DAYS = dt.timedelta(days=7)
# Every device needs a new certificate before the authority's own ends.
AUTHORITY_NAMED_BEFORE = dt.timedelta(days=365)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Broker:
    """The address of a broker by its setting, and the certificate that it shows there."""

    setting: str
    url: ParseResult
    certificate: x509.Certificate | None = None
    fault: str = ""


def look() -> list[Broker]:
    """Each address of the brokers once, with the certificate that is shown there."""
    brokers: dict[tuple[str, int | None], Broker] = {}
    for setting in ("MQTT_URL", "UNIT_BROKER_URL"):
        value = getattr(settings, setting)
        url: ParseResult = urlparse(value) if isinstance(value, str) else value
        if url.hostname:
            brokers.setdefault((url.hostname, url.port), _broker_of(setting, url))
    return list(brokers.values())


def _broker_of(setting: str, url: ParseResult) -> Broker:
    if url.scheme != "mqtts":
        return Broker(setting, url)
    host, port = url.hostname or "", url.port or TLS
    try:
        context = ssl.create_default_context(cafile=settings.UNIT_BROKER_CA or None)
        with (
            socket.create_connection((host, port), WITHIN_S) as line,
            context.wrap_socket(line, server_hostname=host) as secure,
        ):
            encoded = secure.getpeercert(binary_form=True) or b""
    except OSError as error:
        return Broker(setting, url, fault=str(error))
    return Broker(setting, url, x509.load_der_x509_certificate(encoded))


CERTIFICATES = Subject("certificates", gettext_noop("Certificates"), look, asks_database=False)
_RENEW = gettext_noop("Renew the broker's certificate and let the broker read it.")


@CERTIFICATES.check(gettext_noop("Broker"))
def broker(brokers: list[Broker]) -> Point:
    """The worst of them is said."""
    now = timezone.now()
    for one in brokers:
        if one.fault:
            return wrong(
                _("%(setting)s: %(fault)s") % {"setting": one.setting, "fault": one.fault},
                _(
                    "Renew the certificate, or let SSL_CERT_FILE or UNIT_BROKER_CA name its"
                    " authority."
                ),
            )
    open_lines = [
        one.setting
        for one in brokers
        if one.certificate is None and one.url.hostname not in _LOOPBACK
    ]
    if open_lines:
        return wrong(
            _("Not encrypted: %(settings)s.") % {"settings": series(open_lines)},
            _("Set up a certificate for the broker and use mqtts:// addresses."),
        )
    ends = [one.certificate.not_valid_after_utc for one in brokers if one.certificate is not None]
    if not ends:
        return good(_("The broker is on this machine; nothing is encrypted."))
    return _ending(min(ends), now, NAMED_BEFORE, _(_RENEW))


@CERTIFICATES.check(gettext_noop("Authority for devices"))
def device_authority(_brokers: list[Broker]) -> Point:
    if not settings.DEVICE_CA_DIR:
        return unseen(_("There is none: devices log in by password."))
    if not authority.is_configured():
        return wrong(
            _("DEVICE_CA_DIR has no key that this process can open."),
            _("Run manage.py provision ca once, and give the process DEVICE_CA_SECRET."),
        )
    certificate = x509.load_pem_x509_certificate(authority.certificate_file().read_bytes())
    return _ending(
        certificate.not_valid_after_utc,
        timezone.now(),
        AUTHORITY_NAMED_BEFORE,
        _("Plan a new authority: every device then needs a new certificate."),
    )


@CERTIFICATES.check(gettext_noop("Devices"))
def devices(_brokers: list[Broker]) -> Point:
    now = timezone.now()
    names = [
        each.username for each in ending(credentials_of(DeviceCredential.objects.all(), now), now)
    ]
    if names:
        return attention(
            _("End within 30 days, or ended: %(names)s.") % {"names": series(names)},
            _("Rotate them on the page Devices."),
        )
    return good(_("No certificate of a device ends within 30 days."))


def _ending(at: dt.datetime, now: dt.datetime, named_before: dt.timedelta, advice: str) -> Point:
    left = at - now
    text = _("%(days)d days left, to %(date)s.") % {
        "days": left.days,
        "date": at.date().isoformat(),
    }
    if left < LAST_DAYS:
        return wrong(text, advice)
    return attention(text, advice) if left < named_before else good(text)
