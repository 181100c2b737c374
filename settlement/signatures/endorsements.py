"""A key signs once somebody stands in for it with a key of their own."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from settlement.core import guards
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.input import required_text
from settlement.models import OwnerEndorsement, SigningKey
from settlement.signatures import acts, keys, signing


@guards.in_words()
def endorse(user: Any, key: SigningKey) -> None:
    """Sign that this key is its person's. NotPermitted, SignatureNeeded, BadSignature."""
    if key.pk not in {each.pk for each in keys.to_endorse(user)}:
        raise NotPermitted(
            _("This key is not waiting, or you may not endorse it: ask its person's manager.")
        )
    pen = signing.take_up(user, acts.on_key(key, user), lambda: True)
    pen.sign(keys.SOURCE, key.pk)


def endorse_as_owner(username: str, fingerprint: str, *, by: str, note: str) -> SigningKey:
    """Endorse a key that waits, as the owner of the database, where nobody is left who could.

    A trigger writes it down and raises an alarm. BadInput where `by` or `note` is empty; WrongState
    where no such key of the person waits, or somebody is left.
    """
    decision = {
        "by": required_text(by, _("Enter who decided it.")),
        "note": required_text(note, _("Enter why nobody else can endorse it.")),
    }
    waiting = keys.that_wait().filter(person__username=username).select_related("person")
    digits = fingerprint.replace(" ", "").lower()
    key = next((each for each in waiting if _digits(each) == digits), None)
    if key is None:
        raise WrongState(
            _(
                "No key of %(name)s with this fingerprint waits: let the person read it on their"
                " page Passkeys that sign."
            )
            % {"name": username}
        )
    if left := keys.endorsers(key):
        raise WrongState(
            _("%(names)s can endorse it with a passkey, on the page Passkeys that sign.")
            % {"names": ", ".join(left)}
        )
    OwnerEndorsement.objects.create(key=key, **decision)
    return key


def _digits(key: SigningKey) -> str:
    return keys.fingerprint(bytes(key.public_key)).replace(" ", "")
