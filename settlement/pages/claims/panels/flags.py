"""What is out of the ordinary about a claim, in the words of its page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.hits.states import HitState
from jackpot.labels.figures import write_count
from jackpot.models import Entry, Hit
from settlement.claims.claim_status import ClaimStatus
from settlement.claims.flags import flags_of
from settlement.core.words.translation import Labels
from settlement.evidence.assessment import HandAssessment
from settlement.pages.claims.panels.history import decided_by
from settlement.pages.claims.panels.next_action import pending_figures

# Flags of the entry by which the hand took its place.
_OF_THE_OPENING = Labels(
    {
        "late": "",
        "no_start": gettext_noop("Button not pressed (19.19)"),
        "unknown_tier": gettext_noop("Called for a prize not known here"),
        "suspended": gettext_noop("Suspended when the round began (R03)"),
        "ahead_of_gap": gettext_noop("Taken before missing events"),
    }
)
_PAIRING = Labels(
    {
        "entered": gettext_noop("Entered on the console"),
        "round_unknown": gettext_noop("Round not known"),
        "unit_differs": gettext_noop("What the unit sent is not settled"),
        "perhaps_entered": gettext_noop("Perhaps entered on the console"),
    }
)


def claim_flags(
    hit: Hit,
    status: ClaimStatus,
    examination: HandAssessment,
    entries: list[Entry],
    answered_no: list[dict[str, Any]],
) -> list[dict[str, str]]:
    """What is out of the ordinary, for `pill`: a name and its words, empty for the name's own."""
    opened = set(entries[0].outcome.get("flags", [])) if entries else set()
    if examination.round.started is not None:
        opened.discard("no_start")  # the press came after the hand
    no_count = len(answered_no)
    flags = {
        **dict.fromkeys(flags_of(hit), True),
        "excluded_person": bool(status.excluded),
        "rejection_proposed": status.rejection_proposed,
        "provisional": bool(status.blocked_by),
        "supplement": status.supplement and not status.blocked_by,
        "void_round": examination.round.void is not None,
        "waits_for_pot": "pot_pending" in pending_figures(hit, examination),
        "later_effect": hit.acts_at != hit.place and hit.closing is None,
        "checklist_no": no_count > 0,
        "rejection_reversed": hit.state != HitState.REJECTED
        and decided_by(entries, "reverse_rejection") is not None,
        **{flag: flag in opened for flag in _OF_THE_OPENING},
    }
    words = {
        "later_effect": _("Takes effect at sequence no. %(acts_at)s")
        % {"acts_at": write_count(hit.acts_at)},
        "checklist_no": _("%(no_count)s “no” on the checklist") % {"no_count": no_count},
        **_OF_THE_OPENING,
        **_PAIRING,
    }
    return [
        {"name": name, "text": words.get(name, "")} for name, applies in flags.items() if applies
    ]
