"""The keys that sign reports, dispute bundles and archives: which one signs now, and from when to
when each one did. What an old one signed is still checked with it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from jackpot.transparency.notes import ED25519, key_id, verifier_key
from settlement.core import signing
from settlement.core.errors import WrongState
from settlement.models import FileKey


@dataclass(frozen=True, slots=True)
class PublishedKey:
    """A key as the house publishes it: NAME+ID+KEY, and when files were signed with it. `until`:
    None while it signs."""

    line: str
    id: str  # 8 hexadecimal digits
    since: dt.datetime
    until: dt.datetime | None

    def __str__(self) -> str:
        words = [self.line, f"since {self.since.isoformat()}"]
        words += [f"until {self.until.isoformat()}"] if self.until else []
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Signer:
    """The key that signs now, written down with the time from which it does."""

    key: FileKey
    private: Ed25519PrivateKey

    def stamp(self) -> dict[str, str]:
        """What a manifest says of its signature: name and id of the key, and when it was made, by
        the clock of the database."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            (now,) = cursor.fetchone()
        digits = key_id(self.key.name, ED25519, bytes(self.key.public)).hex()
        return {"key": f"{self.key.name}+{digits}", "signed_at": now.isoformat()}

    def sign(self, text: bytes) -> str:
        """The signature in hexadecimal digits."""
        return self.private.sign(text).hex()


def signer() -> Signer:
    """WrongState where no key is set, the owner of the database has not written it down, or another
    one has taken its place: such a process signs nothing."""
    private = signing.private_key()
    key = FileKey.objects.filter(public=private.public_key().public_bytes_raw()).first()
    if key is None:
        raise WrongState(
            _(
                "The signing key of this process is not written down, so it signs nothing: if it is"
                " the right one, let technical support run manage.py file_key begin as the owner of"
                " the database."
            )
        )
    _require_newest(key)
    return Signer(key, private)


def begin() -> FileKey:
    """The key that is set here signs from now on, in place of the one before; the owner's alone.
    Nothing new where it signs already; WrongState where none is set, or its time has ended."""
    key = add(signing.private_key().public_key().public_bytes_raw())
    _require_newest(key)
    return key


def begin_first() -> bool:
    """Begin with the key that is set here, if any is and none was written down before: whether it
    was. A later one is begun by command, as a wrong one would end the right one's time."""
    if FileKey.objects.exists() or not signing.public_key():
        return False
    begin()
    return True


def _require_newest(key: FileKey) -> None:
    newest = FileKey.objects.order_by("-id")[0]
    if newest != key:
        raise WrongState(
            _(
                "Since %(at)s files are signed with another key: let technical support give this"
                " process the new one (BUNDLE_SIGNING_KEY_FILE)."
            )
            % {"at": newest.at.strftime("%Y-%m-%d %H:%M UTC")}
        )


def add(public: bytes) -> FileKey:
    """The row of a key, from now on where it is new; the same one for two commands at once."""
    return FileKey.objects.get_or_create(public=public, defaults={"name": _name()})[0]


def published() -> list[PublishedKey]:
    """Every key that was written down, the newest first; none that a process merely has."""
    rows = list(FileKey.objects.order_by("id"))
    ends = [*(row.at for row in rows[1:]), None]
    keys = [_published(row, end) for row, end in zip(rows, ends, strict=False)]
    return keys[::-1]


def _published(row: FileKey, until: dt.datetime | None) -> PublishedKey:
    public = bytes(row.public)
    digits = key_id(row.name, ED25519, public).hex()
    return PublishedKey(verifier_key(row.name, ED25519, public), digits, row.at, until)


def _name() -> str:
    """No log has it: the code of a system has no slash."""
    return f"{settings.CHECKPOINT_ORIGIN}/house/files"
