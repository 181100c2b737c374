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
    """A key as the house publishes it: NAME+ID+KEY, and when files were signed with it. `since`:
    None before the first one; `until`: None while it signs."""

    line: str
    id: str  # 8 hexadecimal digits
    since: dt.datetime | None = None
    until: dt.datetime | None = None

    def __str__(self) -> str:
        words = [self.line]
        words += [f"since {self.since.isoformat()}"] if self.since else []
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
    """WrongState where no key is set, or another one has taken its place: a process that still has
    the old one signs nothing."""
    private = signing.private_key()
    public = private.public_key().public_bytes_raw()
    key = add(public)
    newest = FileKey.objects.order_by("-id")[0]
    if newest != key:
        raise WrongState(
            _(
                "Since %(at)s files are signed with another key: let technical support give this"
                " process the new one (BUNDLE_SIGNING_KEY_FILE)."
            )
            % {"at": newest.at.strftime("%Y-%m-%d %H:%M UTC")}
        )
    return Signer(key, private)


def add(public: bytes) -> FileKey:
    """The row of a key, from now on where it is new; the same one for two processes at once."""
    return FileKey.objects.get_or_create(public=public, defaults={"name": _name()})[0]


def published() -> list[PublishedKey]:
    """Every key that ever signed, the newest first; before them the one that is set here and has
    signed nothing yet."""
    rows = list(FileKey.objects.order_by("id"))
    ends = [*(row.at for row in rows[1:]), None]
    keys = [
        _published(row.name, bytes(row.public), row.at, end)
        for row, end in zip(rows, ends, strict=False)
    ]
    own = _own()
    if own and own not in [bytes(row.public) for row in rows]:
        keys.append(_published(_name(), own))
    return keys[::-1]


def _published(
    name: str, public: bytes, since: dt.datetime | None = None, until: dt.datetime | None = None
) -> PublishedKey:
    digits = key_id(name, ED25519, public).hex()
    return PublishedKey(verifier_key(name, ED25519, public), digits, since, until)


def _own() -> bytes:
    """The public part of the key that is set here; empty where none is, or it cannot be read."""
    try:
        return bytes.fromhex(signing.public_key())
    except WrongState:
        return b""


def _name() -> str:
    """No log has it: the code of a system has no slash."""
    return f"{settings.CHECKPOINT_ORIGIN}/house/files"
