"""A unit's key as the functions of the database take it: sealed, with its digest."""

from __future__ import annotations

from settlement.core.errors import WrongState
from tables import keys
from tables.process.sealing_keys import SealingKeyFault


def sealed_key(place: str, key: str) -> dict[str, str]:
    """`sealed_key` and `key_digest` of a key in hex, for the table at `system/table`.

    WrongState where this process has no key that seals.
    """
    try:
        sealed, digest = keys.seal(place, key)
    except SealingKeyFault as fault:
        raise WrongState(str(fault)) from fault
    return {"sealed_key": sealed, "key_digest": digest}
