"""What stands in the audit trail, in words: areas, acts by the table that records them, kinds."""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels
from settlement.models import (
    Action,
    ExclusionStop,
    FindingStep,
    FormFiling,
    IdentificationLook,
    Incident,
    Proposal,
    Ruling,
    SetUpProposal,
    Sharer,
    TaxRemittance,
)
from settlement.people.shared import security_log
from settlement.set_up import change_log

ACCESS, SET_UP = "access", "set_up"
AREAS = Labels(
    {
        ACCESS: _("Log-ins, refusals and exports"),
        SET_UP: _("Set-up, people and rules"),
        "claims": _("Claims and their payment"),
        "sensitive": _("Who viewed or exported what is sensitive"),
        "two_people": _("Proposals, what became of them, and passkeys that sign"),
        "floor": _("Rounds, tables and shifts"),
        "money": _("Drop, bank and tax"),
        "excluded": _("Excluded persons"),
    }
)
# Recorded tables by area. What is recorded and not here is of set-up, or no person did it.
SOURCES: dict[str, tuple[str, ...]] = {
    "claims": (
        *("settlement_action", "settlement_checkanswer", "settlement_decktick"),
        *("settlement_footage", "settlement_note", "settlement_attachment"),
        *("settlement_identification", "settlement_sharer"),
    ),
    "sensitive": (
        *("settlement_identificationlook", "settlement_exclusionlook", "settlement_bundleexport"),
        "settlement_slipprint",
    ),
    "two_people": (
        *("settlement_proposal", "settlement_proposaldecision", "settlement_proposalapproval"),
        *("settlement_retypedfigures", "settlement_asideproposal", "jackpot_setaside"),
        *("settlement_signingkey", "settlement_signingkeyend", "settlement_ownerendorsement"),
    ),
    "floor": (
        *("settlement_ruling", "settlement_countersignature", "settlement_incident"),
        *("settlement_incidentend", "settlement_staffplay", "settlement_staffplayword"),
        *("settlement_staffplayend", "settlement_handover", "tables_closedgap", "tables_alarm"),
        "tables_erabegun",
    ),
    "money": (
        "settlement_moneycount",
        "settlement_findingstep",
        "settlement_taxremittance",
        "settlement_formfiling",
        "settlement_filingfile",
    ),
    "excluded": (
        *("settlement_exclusionimport", "settlement_exclusionend", "settlement_exclusionstop"),
    ),
}
# What somebody did, by the table that has it, or by table and answer; empty: the kind says it.
ACTS = Labels(
    {
        "settlement_checkanswer": _("Answered the checklist"),
        "settlement_decktick": _("Ticked off the deck"),
        "settlement_footage": _("Noted a review of footage"),
        "settlement_note": _("Added a note"),
        "settlement_attachment": _("Attached a file"),
        "settlement_identification": _("Identified a player"),
        "settlement_sharer": _("Entered a sharer"),
        "settlement_identificationlook": _("Viewed the identification of a player"),
        "settlement_exclusionlook": _("Viewed excluded persons"),
        "settlement_bundleexport": _("Downloaded a dispute bundle"),
        "settlement_slipprint": _("Printed a slip"),
        "settlement_proposal": _("Proposed"),
        "settlement_proposaldecision": _("Agreed"),
        "withdrawn": _("Withdrew the proposal"),
        "settlement_proposalapproval": _("Approved as the first of two managers"),
        "settlement_retypedfigures": _("Typed figures of terms again"),
        "settlement_asideproposal": _("Proposed to skip an entry"),
        "jackpot_setaside": _("Agreed to skip an entry"),
        "settlement_signingkey": _("Use a passkey to sign"),
        "settlement_signingkeyend": _("Ended a passkey that signs"),
        "settlement_ownerendorsement": _("Endorsed a passkey as the owner of the database"),
        "settlement_countersignature": _("Countersigned a ruling"),
        "settlement_incident": _("Entered an incident"),
        "settlement_incidentend": _("Resolved an incident"),
        "settlement_staffplay": _("Named a colleague at play"),
        "settlement_staffplayword": _("Confirmed or contradicted who played"),
        "settlement_staffplayend": _("Recorded that a colleague left the table"),
        "settlement_handover": _("Handed over the shift"),
        "tables_closedgap": _("Gave up missing events"),
        "tables_alarm": _("Cleared an alarm"),
        "tables_erabegun": _("Started an era"),
        "settlement_moneycount": _("Entered a count"),
        "settlement_findingstep": _("Finding"),
        "settlement_taxremittance": _("Withheld tax"),
        "settlement_formfiling": _("Filed form"),
        "settlement_filingfile": _("Attached the file of a filed form"),
        "settlement_exclusionimport": _("Imported a list"),
        "settlement_exclusionend": _("Ended an entry of a list"),
        **change_log.WHAT.english,
        "set_up_proposed": _("Proposed"),
        "set_up_agreed": _("Agreed"),
        **security_log.WORDS.english,
    }
)


def _choices(source: str, choices: type[TextChoices]) -> dict[str, str]:
    return {f"{source}:{each.value}": str(each.label) for each in choices}


KINDS = Labels(
    {
        **_choices("settlement_action", Action.Kind),
        **_choices("settlement_identificationlook", IdentificationLook.Purpose),
        **_choices("settlement_sharer", Sharer.Kind),
        **_choices("settlement_proposal", Proposal.Kind),
        **_choices("settlement_proposaldecision", Proposal.Kind),
        **_choices("settlement_ruling", Ruling.Kind),
        **_choices("settlement_incident", Incident.Kind),
        **_choices("settlement_findingstep", FindingStep.Kind),
        **_choices("settlement_taxremittance", TaxRemittance.Kind),
        **_choices("settlement_formfiling", FormFiling.Kind),
        **_choices("settlement_exclusionstop", ExclusionStop.Kind),
        **_choices("set_up_proposal", SetUpProposal.Kind),
        **{f"set_up:{code}": english for code, english in change_log.KINDS.english.items()},
    }
)
