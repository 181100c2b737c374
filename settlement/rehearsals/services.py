"""A rehearsal: a twin of a jackpot system under a code that says what it is.

Its order, claims and payments are made by the same programs under the same guards; what is
different is only who may see it (`tables.visibility`) and that nothing counts it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _

from jackpot.display.values import in_effect
from jackpot.models import Head
from jackpot.terms.document import JackpotTerms
from settlement.core.errors import WrongState
from settlement.core.input import required_text
from settlement.people.rights.permissions import require
from settlement.set_up import proposals
from settlement.set_up.casinos import MAY, NewTable, make_system, make_tables
from settlement.set_up.rehearsal_steps import rehearsals
from settlement.terms import drafts
from tables.models import Casino, GamingTable, JackpotSystem
from tables.visibility.rehearsals import REHEARSAL, WORD, inside_rehearsal
from tables.visibility.scope import only

LONGEST_CODE, LONGEST_NAME = 32, 100


def begin(by: Any, of: JackpotSystem) -> JackpotSystem:
    """A rehearsal of that system, with its tables; WrongState while another one of it goes on."""
    require(by, MAY, of)
    if of.is_rehearsal:
        raise WrongState(_("This is a rehearsal already."))
    if any(not each.is_passed and _is_of(each.system, of) for each in rehearsals([of.casino])):
        raise WrongState(_("A rehearsal of this system goes on: take it to its end."))
    tables = GamingTable.objects.filter(system=of, moved_to=None)
    twins = [NewTable(each.code, each.name) for each in tables]
    if not twins:
        raise WrongState(_("This system has no table yet: create its tables first."))
    with transaction.atomic():
        name = marked(of.name)
        twin = make_system(by, of.casino, _free_code(of.code), name, is_rehearsal=True)
        make_tables(by, twin, twins)  # keys that nobody reads: a unit gets its own when it joins
    return twin


def propose_terms(by: Any, rehearsal: JackpotSystem, of: JackpotSystem) -> int:
    """Propose the terms in force of a system for its rehearsal; how many jackpots.

    Somebody else agrees, as to any terms.
    """
    if not rehearsal.is_rehearsal or of.is_rehearsal or rehearsal.casino_id != of.casino_id:
        raise WrongState(_("Choose a rehearsal, and a system of the same casino."))
    head = Head.objects.filter(system=of).first()
    posted = in_effect(of.pk, head.terms_number) if head is not None else []
    if not posted:
        raise WrongState(_("No terms are in force there yet: put them into effect first."))
    with inside_rehearsal(), only(None), transaction.atomic():
        for terms in posted:
            document = drafts.posted_form(_marked_terms(terms))
            drafts.propose(rehearsal, by, document)
    return len(posted)


def propose_to_open_without(by: Any, casino: Casino, note: str) -> None:
    """Propose to open a casino that never rehearsed; somebody else approves it."""
    note = required_text(note, _("Enter why the casino opens without a rehearsal."))
    proposals.propose_unrehearsed(by, casino, note)


def marked(name: str) -> str:
    """A name that says what it is of, wherever it is read: on displays, slips and in the record."""
    return f"{WORD} {name}"[:LONGEST_NAME]


def _marked_terms(terms: JackpotTerms) -> JackpotTerms:
    tiers = tuple(msgspec.structs.replace(each, name=marked(each.name)) for each in terms.tiers)
    return msgspec.structs.replace(terms, name=marked(terms.name), tiers=tiers)


def _free_code(code: str) -> str:
    """`rehearsal-main`, the next one `rehearsal-main-2`."""
    with only(None):
        codes = set(JackpotSystem.objects.rehearsals().values_list("code", flat=True))
    number = 1
    while True:
        end = "" if number == 1 else f"-{number}"
        if (free := _twin(code, end)) not in codes:
            return free
        number += 1


def _twin(code: str, end: str = "") -> str:
    return f"{REHEARSAL}{code[: LONGEST_CODE - len(REHEARSAL) - len(end)]}{end}"


def _is_of(rehearsal: JackpotSystem, system: JackpotSystem) -> bool:
    """By its code: that of the system as far as there is room, and a number."""
    code, number = rehearsal.code, rehearsal.code.rpartition("-")[2]
    end = f"-{number}" if number.isdigit() else ""
    return code in (_twin(system.code), _twin(system.code, end))
