"""The broker's accounts as files of Mosquitto, derived from the rows: who may log in, and who may
say and hear what.

The worker writes them into BROKER_ACCOUNTS_DIR, each at once and whole, lets the broker read them
again (BROKER_RELOAD_COMMAND, or the broker watches `version`), and asks the broker whether it has:
an account of its own, whose password is new each time, must be let in. Mosquitto ends the open
connections of accounts that are gone when it reads them again; those with a certificate it keeps,
so the worker ends them by a log-in under their client id (decision 0109).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import os
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import ParseResult, unquote, urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import RuleBroken, WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.devices import authority
from settlement.devices.credentials import (
    Kind,
    Standing,
    device_of,
    new_password,
    password_hash,
    standings,
)
from tables.alarms import raise_alarm
from tables.models import BrokerAccounts, DeviceCredential
from tables.mqtt.log_in import lets_in
from tables.protocol import topics

log = logging.getLogger(__name__)

CHECK_USER = "console-check"
ALARM, ALARM_SUBJECT = "broker_accounts", "broker"
VERSION = "version"
TAKEN_WITHIN_S = 10.0
_LOOK_S = 0.1
_OVERLAP_OF_LOOKS = dt.timedelta(minutes=1)
_SIGNED_ANEW = dt.timedelta(days=30)  # the list of revoked certificates


class Account(NamedTuple):
    """A user name with the hash of its password (empty: a certificate) and its topics."""

    username: str
    password_hash: str
    access: Sequence[tuple[str, str]]  # ("read" or "write", topic)


class Files(NamedTuple):
    """What the broker reads, by the names of the files."""

    texts: dict[str, bytes]
    check_password: str
    fault: str = ""  # of the authority: the files without it are whole all the same


def is_kept() -> bool:
    """Whether the console writes the broker's accounts; else somebody keeps them by hand."""
    return bool(settings.BROKER_ACCOUNTS_DIR)


def keep_accounts(*, always: bool = False) -> str:
    """Write the accounts where they are not those that the broker took last; what is wrong, or
    nothing. Safe to call at any time; one at a time does it."""
    if not is_kept():
        return ""
    BrokerAccounts.objects.get_or_create(pk=1)
    with transaction.atomic():
        state = BrokerAccounts.objects.select_for_update().get(pk=1)
        now = timezone.now()
        standings = _standings(now)
        digest = _digest(standings)
        is_current = state.digest == digest and state.taken_at is not None
        if is_current and not always and not _is_old(state, now):
            return ""
        since = state.taken_at
        fault = _carry_out(standings, since)
        state.digest, state.fault = digest, fault[:500]
        state.written_at = max(now, changed_at(standings) or now)
        state.taken_at = None if fault else timezone.now()
        state.save(update_fields=["digest", "written_at", "taken_at", "fault"])
    if fault:
        raise_alarm(ALARM, ALARM_SUBJECT, fault)
    return fault


def changed_at(standings: Iterable[Standing]) -> dt.datetime | None:
    """When a credential began or ended last; None: there is none."""
    at = (
        time
        for each in standings
        for time in (each.credential.issued_at, each.ended_at)
        if time is not None
    )
    return max(at, default=None)


def files_of(standings: Sequence[Standing]) -> Files:
    """The files for these credentials, and the password of the account that checks them."""
    check = new_password()
    accounts = [
        Account(CHECK_USER, password_hash(check), ()),
        *_own_account(standings),
        *(_account(each.credential) for each in standings if each.holds),
    ]
    passwords = [f"{each.username}:{each.password_hash}" for each in accounts if each.password_hash]
    texts = {
        "acl": _access_list(accounts).encode(),
        "passwords": "".join(f"{line}\n" for line in passwords).encode(),
    }
    fault = ""
    try:
        texts |= _files_of_authority(standings)
    except (RuleBroken, OSError, ValueError) as error:
        # Passwords and access go on without it: who is not in them may say and hear nothing.
        fault = HouseAlarm.UNSIGNED_LIST % {"fault": error}
    texts[VERSION] = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest().encode()
    return Files(texts, check, fault)


def _files_of_authority(standings: Sequence[Standing]) -> dict[str, bytes]:
    """Its certificate, and what it revokes; nothing where there are no certificates."""
    if not authority.is_configured():
        if any(each.credential.serial for each in standings if each.holds):
            raise WrongState(_("Certificates hold, and their authority is not here."))
        return {}
    ended = [
        (each.credential.serial, each.ended_at)
        for each in standings
        if each.credential.serial and each.ended_at is not None and each.end != "expired"
    ]
    certificate = authority.certificate_file().read_bytes()
    return {"ca.crt": certificate, "ca.crl": authority.revocation_list(ended)}


def files_now() -> Files:
    """The files as the rows are now."""
    return files_of(_standings(timezone.now()))


def write(folder: Path, texts: dict[str, bytes]) -> None:
    """Each file whole or not at all, `version` last; of the folder's group, which may read it."""
    group = folder.stat().st_gid
    for name in sorted(texts, key=lambda name: name == VERSION):
        path = folder / f".{name}.new"
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o640)  # whatever this process's mask is
            if group != os.fstat(descriptor).st_gid:
                os.fchown(descriptor, -1, group)
            file.write(texts[name])
            file.flush()
            os.fsync(descriptor)
        path.replace(folder / name)


def _carry_out(standings: Sequence[Standing], since: dt.datetime | None) -> str:
    """Write, reload, see that the broker has them, end what Mosquitto keeps; what is wrong."""
    files = files_of(standings)
    try:
        write(Path(settings.BROKER_ACCOUNTS_DIR), files.texts)
    except OSError as error:
        return HouseAlarm.UNWRITTEN_ACCOUNTS % {"fault": error}
    if fault := _reload():
        return fault
    url = _address()
    if not within(TAKEN_WITHIN_S, lambda: _is_let_in(url, files.check_password, CHECK_USER)):
        return HouseAlarm.UNTAKEN_ACCOUNTS.value
    for each in standings:
        ended_at = each.ended_at if each.credential.serial else None
        if ended_at is not None and (since is None or ended_at >= since - _OVERLAP_OF_LOOKS):
            _is_let_in(url, files.check_password, each.credential.username)
    return files.fault


def within(seconds: float, holds: Callable[[], bool], look_s: float = _LOOK_S) -> bool:
    """Whether it holds before so much time is over; looked at every `look_s`."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(look_s)
    return True


def _is_let_in(url: ParseResult, password: str, client_id: str) -> bool:
    try:
        return lets_in(
            url, CHECK_USER, password, client_id, authority=settings.UNIT_BROKER_CA or None
        )
    except OSError as error:
        log.info("The broker cannot be asked: %s", error)
        return False


def _address() -> ParseResult:
    """Where accounts are asked for: an address without a log-in lets everybody in."""
    own: ParseResult = settings.MQTT_URL
    return (
        own if own.username or not settings.UNIT_BROKER_URL else urlsplit(settings.UNIT_BROKER_URL)
    )


def _reload() -> str:
    command = shlex.split(settings.BROKER_RELOAD_COMMAND)
    if not command:
        return ""
    try:
        process = subprocess.run(command, check=False, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return HouseAlarm.UNREAD_ACCOUNTS % {"fault": error}
    if process.returncode:
        words = process.stderr.decode(errors="replace").strip()[-200:]
        return HouseAlarm.UNREAD_ACCOUNTS % {"fault": words or process.returncode}
    return ""


def _standings(now: dt.datetime) -> list[Standing]:
    rows = DeviceCredential._base_manager.select_related("end", "table__system")
    return standings(rows, now)


def _digest(standings: Sequence[Standing]) -> str:
    parts = [
        f"{each.credential.username} {each.credential.password_hash} {each.credential.serial}"
        f" {each.holds}"
        for each in standings
    ]
    own = settings.MQTT_URL
    parts += [f"{own.username}:{own.password}", str(authority.is_configured())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _is_old(state: BrokerAccounts, now: dt.datetime) -> bool:
    """Whether the list of revoked certificates must be signed again."""
    return (
        authority.is_configured()
        and state.written_at is not None
        and now - state.written_at > _SIGNED_ANEW
    )


def _own_account(standings: Sequence[Standing]) -> list[Account]:
    """The console's own, with which this process reaches the broker, unless it was issued."""
    own: ParseResult = settings.MQTT_URL
    if not own.username:
        return []
    username, password = unquote(own.username), unquote(own.password or "")
    if any(each.credential.username == username for each in standings):
        return []
    return [Account(username, password_hash(password), _access_of_intake())]


def _account(credential: DeviceCredential) -> Account:
    device, table = device_of(credential), credential.table
    if table is None:
        return Account(credential.username, credential.password_hash, _access_of_intake())
    system, code = table.system.code, table.code
    access = [("read", topics.display(system)), ("read", topics.console(system, "+"))]
    if device.kind == Kind.DISPLAY:
        access.append(("write", topics.readings(system, code)))
    else:
        access += [
            ("write", topics.events(system, code)),
            ("write", topics.presence(system, code)),
            ("read", topics.receipts(system, code)),
        ]
    return Account(credential.username, credential.password_hash, access)


def _access_of_intake() -> list[tuple[str, str]]:
    return [
        *(("read", each) for each in topics.INTAKE_FILTERS),
        ("write", topics.receipts("+", "+")),
        ("write", topics.display("+")),
        ("readwrite", topics.console("+", "+")),
    ]


def _access_list(accounts: Sequence[Account]) -> str:
    lines = ["# Written by the console: who may say and hear what. What is not named is denied."]
    for each in accounts:
        lines += ["", f"user {each.username}"]
        lines += [f"topic {way} {topic}" for way, topic in each.access]
    return "\n".join(lines) + "\n"
