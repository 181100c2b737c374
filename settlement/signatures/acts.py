"""What a person signs: the canonical bytes of acts. Their one home.

Bytes are JSON in UTF-8 with sorted keys and without spaces: `acts`, a list of objects, `at`, when
the bytes were made, and `v`, 1. Their SHA-256 is the challenge that the passkey signs. The database
makes the same object from the row of the act (`settlement/sql/act_of.sql`), and so does the
verifier. Amounts are micros. A person is a number, which stays; the log-in beside it (`name`,
`of_name`) is for whoever reads the bytes, as it was when they were signed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from jackpot.domain.state.blocks import canonical
from settlement.models import Claim, Proposal, SetUpProposal, SigningKey

Act = dict[str, Any]
VERSION = 1
AGREE, APPROVE, AGREE_SET_UP, ENDORSE, REGISTER = (
    *("agree", "approve_proposal", "agree_set_up", "endorse_key", "register_key"),
)


def on_claim(
    claim: Claim, kind: str, user: Any, report_entry: int | None, body: Mapping[str, Any], key: Any
) -> Act:
    """An action: on which version of the report, and with the key of its form."""
    return {
        "act": str(kind),
        "system": claim.system.code,
        "claim": claim.number,
        "report": report_entry,
        "body": dict(body),
        "key": str(key),
        **_by(user),
    }


def on_proposal(proposal: Proposal, user: Any, act: str = AGREE) -> Act:
    """Agreeing to a proposal, or approving it as the first of two managers (APPROVE)."""
    return {
        "act": act,
        "system": proposal.system.code,
        "kind": str(proposal.kind),
        "subject": proposal.subject,
        "body": proposal.body,
        "proposal": str(proposal.key),
        **_by(user),
    }


def on_set_up(proposal: SetUpProposal, user: Any) -> Act:
    """Agreeing to a role or to a rule of the house."""
    return {
        "act": AGREE_SET_UP,
        "casino": proposal.casino.code if proposal.casino else None,
        "kind": str(proposal.kind),
        "body": proposal.body,
        "proposal": proposal.pk,
        **_by(user),
    }


def on_key(key: SigningKey, user: Any) -> Act:
    """Endorsing a key: whose it is, and all of it."""
    of = {"of": key.person_id, "of_name": key.person.get_username()}
    return {"act": ENDORSE, **of, **_all_of(key), **_by(user)}


def on_registration(key: SigningKey) -> Act:
    """Letting a passkey sign: its own, over all of the key."""
    return {"act": REGISTER, **_all_of(key), **_by(key.person)}


def _all_of(key: SigningKey) -> Act:
    return {
        "algorithm": key.algorithm,
        "credential": bytes(key.credential_id).hex(),
        "public_key": bytes(key.public_key).hex(),
        "origin": key.origin,
    }


def _by(user: Any) -> Act:
    return {"person": user.pk, "name": user.get_username()}


def statement(acts: Sequence[Act], at: dt.datetime) -> str:
    """The bytes of these acts, as text."""
    time = f"{at.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}"
    return canonical({"acts": list(acts), "at": time, "v": VERSION}).decode()


def challenge(text: str) -> bytes:
    """What the passkey signs for it."""
    return hashlib.sha256(text.encode()).digest()
