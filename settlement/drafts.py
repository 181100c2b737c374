"""New terms of a jackpot: somebody proposes the whole document, another person agrees (19.5)."""

from __future__ import annotations

import json
import uuid
from typing import Any

from jackpot.rehearsal import refusal
from jackpot.terms import STANDING, JackpotTerms, parse, to_json
from rules.terms import TermsError
from settlement import proposals
from settlement.errors import BadTerms, WrongState
from settlement.models import Proposal
from settlement.people import require
from tables.models import JackpotSystem

KIND = Proposal.Kind.PUT_TERMS
LONGEST_DOCUMENT = 200_000
LONGEST_REASON = 500


def read(document: Any) -> JackpotTerms:
    """The terms of a document; BadTerms says what to mend."""
    if not isinstance(document, dict):
        raise BadTerms("The terms cannot be read: they are one JSON object.")
    try:
        return parse({name: said for name, said in document.items() if name not in STANDING})
    except TermsError as fault:
        raise BadTerms(str(fault)) from fault


def read_text(text: str) -> JackpotTerms:
    """The terms of a document that was exported or written by hand."""
    if len(text) > LONGEST_DOCUMENT:
        raise BadTerms("This file is too long to be terms of a jackpot.")
    try:
        document = json.loads(text)
    except ValueError as fault:
        raise BadTerms(f"This is no JSON document: {fault}.") from fault
    return read(document)


def posted_form(terms: JackpotTerms) -> dict[str, Any]:
    """The document as people post it: without how the jackpot stands."""
    return {name: said for name, said in to_json(terms).items() if name not in STANDING}


def body_of(terms: JackpotTerms, force: str) -> dict[str, Any]:
    """The command's body. `force`: why, although a claim is open on a prize that changes."""
    reason = force.replace("\x00", "").strip()[:LONGEST_REASON]
    return {"terms": posted_form(terms)} | ({"force": reason} if reason else {})


def propose(
    system: JackpotSystem,
    user: Any,
    document: dict[str, Any],
    *,
    force: str = "",
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose terms. What the writer would refuse now is refused here, with its reason."""
    require(user, proposals.PERMISSIONS[KIND][0])
    terms = read(document)
    body = body_of(terms, force)
    waiting = open_draft(system, terms.code)
    if waiting is not None and waiting.key != key:
        raise WrongState("New terms of this jackpot wait already: agree, or withdraw them first.")
    refused = refusal(system, KIND, body, user.get_username())
    if refused:
        raise BadTerms(refused)
    return proposals.propose(system, KIND, terms.code, body, user, key)


def open_draft(system: JackpotSystem, jackpot: str) -> Proposal | None:
    """The proposed terms that wait for a second person."""
    found = Proposal.objects.filter(system=system, kind=KIND, subject=jackpot, decision=None)
    return found.select_related("person", "system__casino").first()
