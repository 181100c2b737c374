"""Keys of units: sealed by whoever issues them, opened by the intake alone.

The database has them under AES-256-GCM with UNIT_KEYS_KEY (`tables.process.sealing_keys`), which it
never sees. A sealed key is, in hex: four bytes that say which key sealed it, the nonce, the
ciphertext with its tag. What is authenticated with it names the table, so that it opens for no
other one. Where a table moved to another system, its key opens for the place that it came from.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import connection

from tables.models import GamingTable, UnitKey
from tables.models.devices import key_validator
from tables.process.sealing_keys import SealingKeyFault, sealing_keys

SETTING = "UNIT_KEYS_KEY"
NO_KEY = (
    "UNIT_KEYS_KEY is not set in this process: it seals and opens the keys of units. Let technical"
    " support set it, or UNIT_KEYS_KEY_FILE."
)
NONE_OPENS = (
    "No key of a unit opens with UNIT_KEYS_KEY of this process: another key sealed them. Put that"
    " key there, too, behind the present one. Until then nothing that the tables say is"
    " acknowledged, and their units send it again."
)
# Of a unit that may say nothing: its credential was revoked, or its key does not open.
NOBODYS = secrets.token_hex(32)
_ID, _NONCE = 4, 12  # bytes

# Where the table was before, the last first.
_PLACES_BEFORE = """
    WITH RECURSIVE earlier (id, system_id, code) AS (
        SELECT id, system_id, code FROM tables_gamingtable WHERE moved_to_id = %s
        UNION
        SELECT one.id, one.system_id, one.code FROM tables_gamingtable AS one
        JOIN earlier ON one.moved_to_id = earlier.id)
    SELECT system.code || '/' || earlier.code FROM earlier
    JOIN tables_jackpotsystem AS system ON system.id = earlier.system_id
"""
_ALL = """
    SELECT unit.table_id, system.code || '/' || gaming_table.code, unit.sealed_key, unit.key_digest
    FROM tables_unitkey AS unit
    JOIN tables_gamingtable AS gaming_table ON gaming_table.id = unit.table_id
    JOIN tables_jackpotsystem AS system ON system.id = gaming_table.system_id
    WHERE unit.sealed_key <> ''
"""


class SealedKey(NamedTuple):
    """A key as the database has it, and the SHA-256 of the key itself, in hex."""

    sealed: str  # empty: the unit has a key that nobody knows
    digest: str


class KeyDamaged(Exception):
    """A sealed key does not open: its row was changed, or no key at hand sealed it."""


class _Keyring:
    """The keys that seal and open, and what they opened: each sealed key is opened once."""

    def __init__(self, keys: list[bytes]) -> None:
        self._ciphers = {hashlib.sha256(SETTING.encode() + key).digest()[:_ID]: key for key in keys}
        self._first = next(iter(self._ciphers))
        self.opened: dict[tuple[str, SealedKey], str] = {}

    def seal(self, place: str, key: str) -> SealedKey:
        plain, nonce = bytes.fromhex(key), secrets.token_bytes(_NONCE)
        cipher = AESGCM(self._ciphers[self._first]).encrypt(nonce, plain, _mark(place))
        digest = hashlib.sha256(plain).hexdigest()
        return SealedKey((self._first + nonce + cipher).hex(), digest)

    def open(self, place: str, key: SealedKey) -> str:
        """KeyDamaged where it does not open for this table."""
        try:
            text = bytes.fromhex(key.sealed)
            cipher = AESGCM(self._ciphers[text[:_ID]])
            nonce, sealed = text[_ID : _ID + _NONCE], text[_ID + _NONCE :]
            plain = cipher.decrypt(nonce, sealed, _mark(place))
        except (InvalidTag, KeyError, ValueError) as error:
            raise KeyDamaged(f"The key of the unit at {place} does not open.") from error
        if hashlib.sha256(plain).hexdigest() != key.digest:
            raise KeyDamaged(f"The key of the unit at {place} is not the one that its row names.")
        return plain.hex()

    def is_of_first(self, key: SealedKey) -> bool:
        """Whether the key that seals now sealed this one, too."""
        return key.sealed.startswith(self._first.hex())


def place_of(table: GamingTable) -> str:
    return f"{table.system.code}/{table.code}"


def seal(place: str, key: str) -> SealedKey:
    """A key in hex, sealed for the table at `system/table`. SealingKeyFault where none seals."""
    return _keyring().seal(place, key)


def give(table: GamingTable, key: str) -> None:
    """From here on events of this table carry a MAC with this key, in hex."""
    key_validator(key)
    sealed = seal(place_of(table), key)
    UnitKey(table=table, sealed_key=sealed.sealed, key_digest=sealed.digest).save()


def key_of(table: GamingTable) -> str:
    """The key of the table's unit; empty: none. KeyDamaged, SealingKeyFault where it stays shut."""
    row = UnitKey.objects.filter(table=table).first()
    if row is None or not row.sealed_key:
        return ""
    return _open(_keyring(), table.pk, place_of(table), SealedKey(row.sealed_key, row.key_digest))


class Opener:
    """Opens keys for one batch: it looks once for what the environment has."""

    def __init__(self) -> None:
        self._keyring: _Keyring | None = None

    def opened(self, table_id: int, place: str, key: SealedKey) -> str:
        """The key of the unit at `system/table`, in hex, for who checks what it says.

        KeyDamaged where this one stays shut while others open. SealingKeyFault where none opens:
        an outage, as nothing can be told from forgery.
        """
        if not key.sealed:
            return NOBODYS
        if self._keyring and (plain := self._keyring.opened.get((place, key))):
            return plain
        try:
            self._keyring = keyring = _keyring()
            if plain := keyring.opened.get((place, key)):
                return plain
            try:
                return _open(keyring, table_id, place, key)
            except KeyDamaged:
                if not (keyring.opened or _any_opens(keyring)):
                    raise SealingKeyFault(NONE_OPENS) from None
                raise
        except SealingKeyFault:
            _keyring_of.cache_clear()  # the file may be another one soon
            raise


def opened(table_id: int, place: str, key: SealedKey) -> str:
    """As `Opener.opened`, of one key."""
    return Opener().opened(table_id, place, key)


def seal_anew() -> tuple[int, list[str]]:
    """Seal each key with the first of the keys at hand; how many changed, and of which tables one
    does not open. In a transaction of the database's owner."""
    keyring, count, shut = _keyring(), 0, []
    rows = UnitKey.objects.select_for_update(of=("self",)).select_related("table__system")
    for row in rows.order_by("table_id"):
        table, key = row.table, SealedKey(row.sealed_key, row.key_digest)
        other = SealedKey(row.sealed_other, row.other_digest)
        try:
            after = [_sealed_anew(keyring, table, each) for each in (key, other)]
        except KeyDamaged:
            shut.append(place_of(table))
            continue
        if after != [key, other]:
            row.sealed_key, row.sealed_other = (each.sealed for each in after)
            row.save(update_fields=["sealed_key", "sealed_other"])
            count += 1
    return count, shut


def _sealed_anew(keyring: _Keyring, table: GamingTable, key: SealedKey) -> SealedKey:
    if not key.sealed:
        return key
    plain = _open(keyring, table.pk, place_of(table), key)
    return key if keyring.is_of_first(key) else keyring.seal(place_of(table), plain)


def _open(keyring: _Keyring, table_id: int, place: str, key: SealedKey) -> str:
    try:
        plain = keyring.open(place, key)
    except KeyDamaged:
        plain = _open_from_before(keyring, table_id, key)
        if not plain:
            raise
    keyring.opened[place, key] = plain
    return plain


def _open_from_before(keyring: _Keyring, table_id: int, key: SealedKey) -> str:
    """As the place sealed it from which the table moved; empty where none did."""
    with connection.cursor() as cursor:
        cursor.execute(_PLACES_BEFORE, [table_id])
        places = [place for (place,) in cursor.fetchall()]
    for place in places:
        try:
            return keyring.open(place, key)
        except KeyDamaged:
            continue
    return ""


def _any_opens(keyring: _Keyring) -> bool:
    """Whether the keys at hand are this installation's: some key of a unit opens."""
    with connection.cursor() as cursor:
        cursor.execute(_ALL)
        rows = cursor.fetchall()
    for table_id, place, sealed, digest in rows:
        try:
            return bool(_open(keyring, table_id, place, SealedKey(sealed, digest)))
        except KeyDamaged:
            continue
    return False


def _keyring() -> _Keyring:
    """SealingKeyFault where there is none."""
    setting = str(getattr(settings, SETTING)), str(getattr(settings, f"{SETTING}_FILE"))
    return _keyring_of(*setting, settings.SECRET_KEY if settings.DEMO else "")


@lru_cache(maxsize=1)
def _keyring_of(_text: str, _file: str, secret_of_demo: str) -> _Keyring:
    """Made once for each setting, with what it opens."""
    keys = sealing_keys(SETTING)
    if not keys and not secret_of_demo:
        raise SealingKeyFault(NO_KEY)
    return _Keyring(keys or [_derived(secret_of_demo)])


def _derived(secret: str) -> bytes:
    """For a demo, a test or a measurement that sets none."""
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"unit keys").derive(secret.encode())


def _mark(place: str) -> bytes:
    return b"unit key\0" + place.encode()
