"""The public keys of a system's log and of its witnesses, as the house publishes them."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from jackpot.transparency import cosignatures, notes
from jackpot.web.rehearsal_address import outside
from rules.phrases import Phrase


@dataclass(frozen=True)
class PublicKey:
    """A line in the form of C2SP signed-note, and what it says."""

    line: str
    name: str
    id: str  # 8 hexadecimal digits
    kind: int

    @property
    def is_of_witness(self) -> bool:
        return bytes([self.kind]) in cosignatures.KINDS


def published(system: str) -> list[PublicKey]:
    """The keys of the system with that code, then those of witnesses.

    Without CHECKPOINT_PUBLIC_KEYS the public parts of the keys that sign here.
    """
    origin = notes.origin_of(system)
    keys = [_parsed(line) for line in settings.CHECKPOINT_PUBLIC_KEYS.split()]
    ours = [key for key in keys if key.name == origin and not key.is_of_witness]
    if not ours:
        private = notes.keys()
        ours = [_parsed(key.verifier_key(origin)) for key in private]
    return [*ours, *(key for key in keys if key.is_of_witness)]


def posted(system: str) -> list[Phrase]:
    """What a notice says of the keys; nothing where the house shows nothing to the public.

    A display goes on whatever the settings say, so a key that cannot be read is left out.
    """
    try:
        ids = [key.id for key in published(system) if not key.is_of_witness]
    except notes.KeyUnreadable:
        ids = []
    if not settings.PUBLIC_ORIGIN or not ids:
        return []
    address = settings.PUBLIC_ORIGIN.partition("://")[2] + outside(reverse("meter-keys"))
    return [
        Phrase(
            "Values are signed: scan the code on the display to check them. Key of the log:"
            " %(key)s (%(address)s).",
            key=", ".join(ids),
            address=address.rstrip("/"),
        )
    ]


def _parsed(line: str) -> PublicKey:
    name, _, rest = line.partition("+")
    digits, _, encoded = rest.partition("+")
    try:
        kind = base64.b64decode(encoded, validate=True)[0]
    except (binascii.Error, IndexError) as fault:
        raise notes.KeyUnreadable(
            "CHECKPOINT_PUBLIC_KEYS holds a key of another form than NAME+ID+KEY."
        ) from fault
    return PublicKey(line, name, digits, kind)
