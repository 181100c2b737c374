"""Credentials of devices: issued, rotated with overlap, revoked at once.

The database writes them by functions of its own, keeps hashes alone, and withdraws a unit's key
with its credential. The broker's accounts follow from the rows (`settlement.devices.accounts`).
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.core.input import required_text
from settlement.devices import authority, hints
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from settlement.people.shared.unit_keys import sealed_key
from tables.intake.heartbeat import STAND_IN
from tables.models import DeviceCredential, GamingTable, JackpotSystem, code_validator

MAY = "set_up_casino"
Kind = DeviceCredential.Kind
PASSWORD, CERTIFICATE = "password", "certificate"
LONGEST_OVERLAP = dt.timedelta(days=7)
# Without letters and digits that people mistake for each other: 24 of them are 119 bits.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 6
_ROUNDS = 101  # as mosquitto_passwd takes: nobody guesses 119 bits
_SECRET_COLUMNS = ("password_hash", "key_digest")


class Device(NamedTuple):
    """What logs in: a unit or a display at a table, or an intake by its name."""

    kind: Kind
    table: GamingTable | None = None
    name: str = ""

    @property
    def place(self) -> str:
        """Its user name, before any number (docs/protocol.md, Connection)."""
        if self.table is None:
            return f"console/{self.name}"
        place = f"{self.table.system.code}/{self.table.code}"
        return f"{place}/readings" if self.kind == Kind.DISPLAY else place


@dataclass(frozen=True)
class Issued:
    """A credential and its secrets, which are read here and never again."""

    credential: DeviceCredential
    password: str = ""
    key: str = ""  # of a table's unit, hex
    certificate: str = ""  # PEM
    private_key: str = ""  # PEM


@dataclass(frozen=True)
class Standing:
    """A credential as of now."""

    credential: DeviceCredential
    ended_at: dt.datetime | None  # by a person, by its successor, or by the time
    ends_at: dt.datetime | None  # while it overlaps
    end: str = ""  # "revoked", "replaced", "moved", "expired"

    @property
    def holds(self) -> bool:
        return self.ended_at is None


def credentials_of(rows: QuerySet[DeviceCredential], now: dt.datetime) -> list[Standing]:
    """Where these credentials stand, the oldest first; nothing secret is read."""
    return standings(
        rows.select_related("end", "table__system__casino").defer(*_SECRET_COLUMNS), now
    )


def standings(credentials: Iterable[DeviceCredential], now: dt.datetime) -> list[Standing]:
    """As `device_holds` of the database says it; select `end` with them, and whole devices."""
    rows = sorted(credentials, key=lambda each: each.pk)
    successors: dict[int, list[DeviceCredential]] = {}
    for row in rows:
        if row.replaces_id is not None:
            successors.setdefault(row.replaces_id, []).append(row)
    return [_standing(row, successors.get(row.pk, []), now) for row in rows]


def _standing(
    row: DeviceCredential, successors: list[DeviceCredential], now: dt.datetime
) -> Standing:
    end = getattr(row, "end", None)
    if end is not None:
        return Standing(row, end.at, None, end.kind)
    ends_at = None
    for each in successors:
        until, its_end = each.overlap_until, getattr(each, "end", None)
        if until is None or (its_end is not None and its_end.at < until):
            continue  # it was revoked before: this one holds as it did
        if until <= now:
            return Standing(row, until, None, "replaced")
        ends_at = until
    if row.not_after is not None and row.not_after <= now:
        return Standing(row, row.not_after, None, "expired")
    return Standing(row, None, ends_at)


def of_device(device: Device) -> QuerySet[DeviceCredential]:
    """All credentials that a device ever had."""
    return DeviceCredential.objects.filter(kind=device.kind, table=device.table, name=device.name)


def with_credential(system: JackpotSystem) -> set[int | None]:
    """The tables of a system, by number, whose unit has a credential that holds."""
    rows = DeviceCredential.objects.filter(kind=Kind.UNIT, table__system=system)
    standings = credentials_of(rows, timezone.now())
    return {each.credential.table_id for each in standings if each.holds}


def device_of(credential: DeviceCredential) -> Device:
    return Device(Kind(credential.kind), credential.table, credential.name)


def issue(by: Any, device: Device, way: str, overlap: dt.timedelta | None = None) -> Issued:
    """The first credential of a device, or another one after it was revoked.

    `overlap`: so long the present key of the unit, that was given otherwise, holds beside the new
    one; None: it ends. BadSetUp for a wrong way, WrongState while another credential holds.
    """
    return _issue(by, device, way, None, overlap)


def rotate(by: Any, credential: DeviceCredential, way: str, overlap: dt.timedelta) -> Issued:
    """Another credential in place of this one, which holds until the new one is heard, and no
    longer than `overlap`."""
    return _issue(by, device_of(credential), way, credential, overlap)


def revoke(by: Any, credential: DeviceCredential, reason: str) -> None:
    """End a credential at once: its account, its open connection, and its unit's key."""
    _require(by, credential.table)
    reason = required_text(reason, _("Enter why the credential is revoked."))
    ask("revoke_device", by.pk, credential.pk, reason)
    transaction.on_commit(hints.write_accounts)


def new_password() -> str:
    """Four groups of six, to be typed by hand where no code can be scanned."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def password_hash(password: str) -> str:
    """As Mosquitto keeps it: PBKDF2 with SHA-512 and a salt of its own."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    parts = (base64.b64encode(part).decode() for part in (salt, digest))
    return f"$7${_ROUNDS}${'$'.join(parts)}"


def _require(by: Any, table: GamingTable | None) -> None:
    require(by, MAY, table.system if table is not None else None)


def _issue(
    by: Any,
    device: Device,
    way: str,
    replaced: DeviceCredential | None,
    overlap: dt.timedelta | None,
) -> Issued:
    _require(by, device.table)
    if way not in (PASSWORD, CERTIFICATE):
        raise BadSetUp(_("Choose a password or a certificate."))
    if overlap is not None and not dt.timedelta() < overlap <= LONGEST_OVERLAP:
        raise BadSetUp(_("Old and new hold side by side for at most seven days."))
    if device.kind == Kind.INTAKE:
        require_intake_name(device.name)
        if way != PASSWORD:
            raise BadSetUp(_("An intake logs in with a password."))
    number = (of_device(device).aggregate(last=Max("number"))["last"] or 0) + 1
    username = _username(device, number, way)
    key = secrets.token_hex(32) if device.kind == Kind.UNIT else ""
    row: dict[str, Any] = {
        "kind": device.kind,
        "table_id": device.table.pk if device.table is not None else None,
        "name": device.name,
        "number": number,
        "username": username,
        "password_hash": "",
        "serial": "",
        "fingerprint": "",
        **(sealed_key(device.place, key) if key else {}),
        "replaces_id": replaced.pk if replaced is not None else None,
        "overlap_until": (timezone.now() + overlap).isoformat() if overlap is not None else None,
    }
    secret: dict[str, str] = {}
    if way == PASSWORD:
        password = new_password()
        row["password_hash"] = password_hash(password)
        secret = {"password": password}
    else:
        identity = authority.certificate_for(username, device.table.name if device.table else "")
        row |= {
            "serial": identity.serial,
            "fingerprint": identity.fingerprint,
            "not_after": identity.not_after.isoformat(),
        }
        secret = {"certificate": identity.certificate, "private_key": identity.private_key}
    made_id = ask("issue_device", by.pk, json.dumps(row))
    transaction.on_commit(hints.write_accounts)
    credential = DeviceCredential.objects.defer(*_SECRET_COLUMNS).get(pk=made_id)
    return Issued(credential, key=key, **secret)


def _username(device: Device, number: int, way: str) -> str:
    """The place alone where no account that holds has it: units of the protocol's first days make
    their user name of it. A certificate's name is never used again."""
    now = timezone.now()
    held = {
        each.credential.username for each in credentials_of(of_device(device), now) if each.holds
    }
    if way == PASSWORD and device.place not in held:
        return device.place
    return f"{device.place}.{number}"


def require_intake_name(name: str) -> None:
    """BadSetUp where a name is no code, or that of a stand-in."""
    try:
        code_validator(name)
    except ValidationError as error:
        raise BadSetUp(" ".join(map(str, error.messages))) from error
    if name.endswith(STAND_IN):
        raise BadSetUp(
            _(
                "The name of an intake does not end in -stand-in: what works for an intake while"
                " that is exchanged has such a name. Choose another name, such as intake-2."
            )
        )
