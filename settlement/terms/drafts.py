"""New terms of a jackpot: somebody proposes the whole document, another person agrees (19.5).

Figures that move far are typed again by each of the two (`settlement.terms.figures`).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from jackpot.display.values import in_effect
from jackpot.models import Head
from jackpot.queries.dry_run import refusal
from jackpot.terms.document import STANDING, JackpotTerms, to_json
from jackpot.terms.posted_terms import parse
from jackpot.writer import commands
from rules.terms import TermsError
from settlement.approvals import proposals
from settlement.core import guards
from settlement.core.errors import BadTerms, WrongState
from settlement.core.input import clean_text
from settlement.core.words.translation import translated
from settlement.models import Proposal, RetypedFigures
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.terms.figures import Move, large_moves, require_retyped
from tables.models import JackpotSystem
from tables.visibility.rehearsals import is_named_as_it_is

KIND = Proposal.Kind.PUT_TERMS
LONGEST_DOCUMENT = 100_000


def read(document: Any) -> JackpotTerms:
    """The terms of a document; BadTerms says what to correct."""
    if not isinstance(document, dict):
        raise BadTerms(_("The terms cannot be read: they are one JSON object."))
    try:
        return parse({name: term for name, term in document.items() if name not in STANDING})
    except TermsError as fault:
        raise BadTerms(translated(fault.phrase)) from fault


def read_text(text: str) -> JackpotTerms:
    """The terms of a document that was exported or written by hand."""
    if len(text) > LONGEST_DOCUMENT:
        raise BadTerms(_("This file is too long to be terms of a jackpot."))
    try:
        document = json.loads(text)
    except ValueError as fault:
        raise BadTerms(_("This is not a JSON document: %(fault)s.") % {"fault": fault}) from fault
    return read(document)


def posted_form(terms: JackpotTerms) -> dict[str, Any]:
    """The document as people post it: without how the jackpot stands."""
    return {name: term for name, term in to_json(terms).items() if name not in STANDING}


def body_of(terms: JackpotTerms, force: str) -> dict[str, Any]:
    """The command's body. `force`: why, although a claim is open on a prize that changes."""
    reason = clean_text(force)
    return {"terms": posted_form(terms)} | ({"force": reason} if reason else {})


def propose(
    system: JackpotSystem,
    user: Any,
    document: dict[str, Any],
    *,
    force: str = "",
    figures: Mapping[str, int] | None = None,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose terms. What the writer would refuse now is refused here, with its reason.

    `figures`: those of `to_retype`, typed again, by their keys.
    """
    require(user, proposals.PERMISSIONS[KIND][0], system)
    terms = read(document)
    require_rehearsal_names(system, terms)
    body = body_of(terms, force)
    waiting = open_draft(system, terms.code)
    if waiting is not None and waiting.key != key:
        raise WrongState(
            _("New terms of this jackpot wait already: approve them, or withdraw them first.")
        )
    require_known_tables(system, terms)
    refused = refusal(system, KIND, body, user.get_username())
    if refused:
        raise BadTerms(refused)
    casino = system.casino
    typed = require_retyped(to_retype(system, terms), figures or {}, casino)
    with guards.in_words():
        proposal = proposals.propose(system, KIND, terms.code, body, user, key)
        if typed and not proposal.retyped.exists():
            RetypedFigures.objects.create(proposal=proposal, person=user, figures=typed)
    return proposal


def agree(
    proposal: Proposal, person: Reauthenticated, figures: Mapping[str, int] | None = None
) -> commands.Answer:
    """A second person agrees, and types the same figures again."""
    system, terms = proposal.system, read(proposal.body["terms"])
    figure_moves = figures_of(proposal)

    def judge() -> None:
        require_rehearsal_names(system, terms)
        require_known_tables(system, terms)
        typed = require_retyped(figure_moves, figures or {}, system.casino)
        first = proposal.retyped.filter(person=proposal.person).first()
        if typed != (first.figures if first else {}):
            raise WrongState(
                _(
                    "The terms in force changed since this was proposed, and other figures"
                    " move far now: withdraw the proposal and propose it again."
                )
            )
        if typed:
            RetypedFigures.objects.create(proposal=proposal, person=person.user, figures=typed)

    return proposals.agree(proposal, person, judge)


def require_rehearsal_names(system: JackpotSystem, terms: JackpotTerms) -> None:
    """BadTerms where a name, which displays and slips show, does not say what it is of."""
    names = [terms.name, *(tier.name for tier in terms.tiers)]
    if not all(is_named_as_it_is(name, is_rehearsal=system.is_rehearsal) for name in names):
        raise BadTerms(
            _("The name of a rehearsal begins with REHEARSAL, and that of nothing else does.")
        )


def to_retype(system: JackpotSystem, terms: JackpotTerms) -> list[Move]:
    """The figures that move by more than the house's factor from those in force."""
    return large_moves(in_force(system, terms.code), terms, system.casino)


def figures_of(proposal: Proposal) -> list[Move]:
    """What the second person types again."""
    return to_retype(proposal.system, read(proposal.body["terms"]))


def in_force(system: JackpotSystem, jackpot: str) -> JackpotTerms | None:
    """A jackpot's terms as they stand."""
    head = Head.objects.filter(system=system).first()
    all_terms = in_effect(system.pk, head.terms_number) if head is not None else []
    return next((terms for terms in all_terms if terms.code == jackpot), None)


def require_known_tables(system: JackpotSystem, terms: JackpotTerms) -> None:
    """Refuse terms for a table that the system does not have."""
    codes = set(system.tables.values_list("code", flat=True))
    unknown = sorted({*(terms.tables or ())} - codes)
    if unknown:
        raise BadTerms(
            _("%(system_name)s has no table %(unknown)s: no round there would ever take part.")
            % {"system_name": system.name, "unknown": ", ".join(unknown)}
        )


def open_draft(system: JackpotSystem, jackpot: str) -> Proposal | None:
    """The proposed terms that wait for a second person."""
    drafts = Proposal.objects.filter(system=system, kind=KIND, subject=jackpot, decision=None)
    return drafts.select_related("person", "system__casino").first()
