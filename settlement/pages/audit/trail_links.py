"""Where the object of an entry of the audit trail is read, for each kind of thing with a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from settlement.audit.trail_words import ACCESS, SOURCES
from settlement.models import SetUpProposal
from settlement.pages.shared.decorators import may_open


@dataclass(frozen=True, slots=True)
class Link:
    """The name of a page, and what of the entry its address takes: `subject`, the `system` that the
    subject begins with, `number` of the object, or nothing.

    `of_subject`: the page of the claim, table or prize that the subject names goes before it; where
    there is no `page`, that is the only one.
    """

    page: str = ""
    takes: str = ""
    of_subject: bool = False


OF_SUBJECT = Link(of_subject=True)
_PROPOSED = ("settlement_proposal", "settlement_proposaldecision")
_PERSON = Link("person", "subject")
# By the kind of an entry, or by what stands before its colon.
LINKS: Mapping[str, Link] = {
    **dict.fromkeys(SOURCES["claims"], OF_SUBJECT),
    "settlement_identificationlook": OF_SUBJECT,
    "settlement_bundleexport": OF_SUBJECT,
    "settlement_slipprint": OF_SUBJECT,
    "settlement_exclusionlook": Link("exclusions"),
    **dict.fromkeys((*_PROPOSED, "settlement_proposalapproval"), OF_SUBJECT),
    **{f"{each}:put_terms": Link("terms-proposal", "number") for each in _PROPOSED},
    **{f"{each}:close_day": Link("closing") for each in _PROPOSED},
    **{f"{each}:close_month": Link("closing") for each in _PROPOSED},
    "settlement_retypedfigures": Link("terms-proposal", "number"),
    "settlement_asideproposal": Link("reconciliation"),
    "jackpot_setaside": Link("reconciliation"),
    "settlement_signingkey": Link("signing-keys"),
    "settlement_signingkeyend": Link("signing-keys"),
    "settlement_ownerendorsement": Link("signing-keys"),
    "settlement_ruling": Link("irregularities", of_subject=True),
    "settlement_countersignature": Link("irregularities", of_subject=True),
    "settlement_incident": Link("incidents", of_subject=True),
    "settlement_incidentend": Link("incidents", of_subject=True),
    "settlement_staffplay": Link("plays", of_subject=True),
    "settlement_staffplayword": Link("plays", of_subject=True),
    "settlement_staffplayend": Link("plays", of_subject=True),
    "settlement_handover": Link("handover-signed", "number"),
    "tables_closedgap": Link("tables", of_subject=True),
    "tables_alarm": Link("reconciliation"),
    "tables_erabegun": Link("tables"),
    "settlement_moneycount": Link("drop"),
    "settlement_findingstep": Link("findings"),
    "settlement_taxremittance": Link("withheld-tax"),
    "settlement_formfiling": Link("forms"),
    "settlement_filingfile": Link("forms"),
    "settlement_exclusionimport": Link("exclusions"),
    "settlement_exclusionend": Link("exclusions"),
    "settlement_exclusionstop": Link("exclusions"),
    **{f"set_up_proposal:{each}": Link("house-rules") for each in SetUpProposal.Kind},
    "set_up:casino": Link("set-up-casino", "subject"),
    "set_up:system": Link("set-up-tables", "subject"),
    "set_up:table": Link("set-up-tables", "system", of_subject=True),
    "set_up:person": _PERSON,
    "set_up:role": _PERSON,
    "set_up:invitation": Link("people"),  # of who is invited there is no page yet
    "set_up:rule": Link("house-rules"),
    "set_up:factor_demand": Link("second-factors"),
    "set_up:device": Link("devices"),
    "set_up:webhook": Link("webhooks"),
    "set_up:screen": Link("screens"),
    "set_up:slide": Link("slides"),
    "set_up:look": Link("house-look", "subject"),
    "set_up:tablet": Link("tablets"),
    "set_up:report_schedule": Link("schedules"),
    "set_up:program": Link("program", "subject"),
    ACCESS: _PERSON,
    f"{ACCESS}:file": OF_SUBJECT,
}


def address(row: Mapping[str, Any], systems: Mapping[str, Any], user: Any) -> str:
    """Of the page that this person may open; empty where there is none. `systems` by code."""
    kind = str(row["kind"] or "")
    link = LINKS.get(kind) or LINKS.get(kind.partition(":")[0]) or Link()
    if link.of_subject and (own := _of_subject(row["subject"], systems)) and may_open(user, own):
        return own
    if not link.page:
        return ""
    system = parts(row["subject"])[0]
    values = {"subject": row["subject"], "system": system, "number": row["number"]}
    arguments = [values[link.takes]] if link.takes else []
    is_known = all(arguments) and (link.page != "set-up-tables" or system in systems)
    there = reverse(link.page, args=arguments) if is_known else ""
    return there if there and may_open(user, there) else ""


def parts(subject: str) -> tuple[str, str, str]:
    """System, name of the address, and code or number: of main-14, main/t3 and main:royal."""
    for between, name in (("/", "table"), (":", "pool")):
        system, separator, rest = subject.partition(between)
        if separator:
            return system, name, rest
    system, _between, rest = subject.rpartition("-")
    return (system, "claim", rest) if rest.isdigit() else (subject, "", "")


def _of_subject(subject: str, systems: Mapping[str, Any]) -> str:
    system, name, rest = parts(subject)
    return reverse(name, args=[system, rest]) if name and system in systems else ""
