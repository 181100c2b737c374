"""The project's own small certificate authority: it signs certificates of devices, and what is
revoked of them.

Its key is a file beside the database, encrypted with a secret of the environment: DEVICE_CA_DIR has
`ca.key` and `ca.crt`, DEVICE_CA_SECRET or the file DEVICE_CA_SECRET_FILE the secret.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.conf import settings
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState

AUTHORITY_YEARS, CERTIFICATE_DAYS = 20, 825
# The broker refuses every certificate once its list is past its time: long, and signed again soon.
LIST_HOLDS = dt.timedelta(days=365)
_LONGEST_NAME = 64  # of a common name
_BACKDATED = dt.timedelta(minutes=5)  # devices with slow clocks


@dataclass(frozen=True)
class DeviceCertificate:
    """A certificate with its key, as PEM; serial number and fingerprint in hex."""

    certificate: str
    private_key: str
    serial: str
    fingerprint: str
    not_after: dt.datetime


def is_configured() -> bool:
    """Whether there is an authority that can sign."""
    return bool(settings.DEVICE_CA_DIR and _secret() and os.path.exists(_key_file()))


def make(name: str) -> Path:
    """Make the authority once; the file of its certificate. WrongState where there is one, or no
    secret to encrypt its key with."""
    if not settings.DEVICE_CA_DIR:
        raise WrongState(_("Set DEVICE_CA_DIR: the folder of the authority, outside the database."))
    if not _secret():
        raise WrongState(_("Set DEVICE_CA_SECRET or DEVICE_CA_SECRET_FILE: it encrypts the key."))
    if _key_file().exists():
        raise WrongState(_("There is an authority in %(folder)s.") % {"folder": _folder()})
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    public = key.public_key()
    certificate = (
        _builder(subject, subject, public, now, dt.timedelta(days=365 * AUTHORITY_YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    sealed = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(_secret()),
    )
    _folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(_key_file(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(sealed)
    certificate_file().write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return certificate_file()


def certificate_file() -> Path:
    return _folder() / "ca.crt"


def certificate_for(username: str, table: str = "") -> DeviceCertificate:
    """A new key with a certificate for clients: its common name is the user name, its unit the
    name of the table. WrongState without an authority, or for a name that is too long."""
    if not is_configured():
        raise WrongState(_("There is no authority to sign certificates: take a password."))
    if len(username) > _LONGEST_NAME:
        raise WrongState(
            _("The codes of system and table are too long for a certificate: take a password.")
        )
    names = [x509.NameAttribute(NameOID.COMMON_NAME, username)]
    if table:
        names.append(x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, table[:_LONGEST_NAME]))
    key = ec.generate_private_key(ec.SECP256R1())
    signer, authority = _signer()
    now = dt.datetime.now(dt.UTC)
    until = dt.timedelta(days=CERTIFICATE_DAYS)
    certificate = (
        _builder(x509.Name(names), authority.subject, key.public_key(), now, until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return DeviceCertificate(
        certificate.public_bytes(serialization.Encoding.PEM).decode(),
        private.decode(),
        f"{certificate.serial_number:x}",
        certificate.fingerprint(hashes.SHA256()).hex(),
        certificate.not_valid_after_utc,
    )


def revocation_list(revoked: Iterable[tuple[str, dt.datetime]]) -> bytes:
    """The signed list of serial numbers (hex) that hold no longer, since when, as PEM."""
    signer, authority = _signer()
    now = dt.datetime.now(dt.UTC)
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.subject)
        .last_update(now - _BACKDATED)
        .next_update(now + LIST_HOLDS)
    )
    for serial, at in revoked:
        builder = builder.add_revoked_certificate(
            x509.RevokedCertificateBuilder()
            .serial_number(int(serial, 16))
            .revocation_date(at)
            .build()
        )
    return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _signer() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    try:
        key = serialization.load_pem_private_key(_key_file().read_bytes(), _secret())
        certificate = x509.load_pem_x509_certificate(certificate_file().read_bytes())
    except (OSError, ValueError, TypeError) as error:
        raise WrongState(
            _(
                "The authority's key cannot be read: let technical support look at DEVICE_CA_DIR"
                " and DEVICE_CA_SECRET."
            )
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise WrongState(_("The authority's key is not one of this console."))
    return key, certificate


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    public: ec.EllipticCurvePublicKey,
    now: dt.datetime,
    holds: dt.timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BACKDATED)
        .not_valid_after(now + holds)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _folder() -> Path:
    return Path(settings.DEVICE_CA_DIR)


def _key_file() -> Path:
    return _folder() / "ca.key"


def _secret() -> bytes:
    text = str(settings.DEVICE_CA_SECRET)
    if not text and settings.DEVICE_CA_SECRET_FILE:
        try:
            text = Path(settings.DEVICE_CA_SECRET_FILE).read_text()
        except (OSError, ValueError):
            return b""
    return text.strip().encode()
