"""States and kinds in words, by subject: templates show them by `label` and `state_pill`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from jackpot.hits.states import HitState, StopKind

# Any: a text is translated when it is shown.
LABELS: Mapping[str, Mapping[str, Any]] = {
    "over": {  # what the page says of a claim on which nobody has to act
        HitState.HELD: _("This claim is closed"),
        HitState.CONFIRMED: _("This claim is closed"),
        HitState.PAID: _("This claim is closed"),
        HitState.REJECTED: _("This claim was rejected"),
        HitState.REVERSED: _("This claim was reversed"),
        HitState.PAIRED: _("This is another claim’s hand"),
        HitState.WITHDRAWN: _("This claim is withdrawn"),
        HitState.OUTRANKED: _("A better hand won the period"),
    },
    "remedy": {  # of a decision that a corrected report shows to be wrong
        **dict.fromkeys(HitState, ""),
        HitState.REJECTED: _("If it was wrong, two people reverse the rejection."),
        HitState.CONFIRMED: _("If it was wrong, two people reverse the claim."),
        HitState.PAID: _("If it was wrong, two people reverse the claim."),
    },
    "stop_alert": {  # no words: the kind of the message box
        StopKind.HOLD: "error",
        StopKind.DISPUTE: "warning",
    },
    "stop_ends": {
        StopKind.HOLD: _("Lifted on a proposal of compliance, with a second person."),
        StopKind.ORDER: _(
            "Settled on a proposal of a casino manager, by compliance."
            " The place in the order stays."
        ),
        StopKind.DISPUTE: _("Resolved by a supervisor or manager, with a second manager."),
        StopKind.VERDICT: "",  # a report that is judged ends it
    },
    "stop_propose": {
        StopKind.HOLD: _("Propose to end it"),
        StopKind.ORDER: _("Propose to settle it"),
        StopKind.DISPUTE: _("Propose to end it"),
    },
    "stop_decides": {
        StopKind.HOLD: _("Propose: a second person decides"),
        StopKind.ORDER: _("Propose: compliance decides"),
        StopKind.DISPUTE: _("Propose: a second person decides"),
    },
    "stop_begin": {
        StopKind.HOLD: _("Place a regulator’s hold"),
        StopKind.DISPUTE: _("Note a player’s dispute"),
    },
    "stop_reason": {
        StopKind.HOLD: _("What the regulator asks for, with reference"),
        StopKind.DISPUTE: _("What is disputed (by seat, no names)"),
    },
}
# The tone of the pill, by the name of a state in settlement.templatetags.console, and its words.
PILLS: Mapping[str, Mapping[str, tuple[str, Any]]] = {
    "point": {  # settlement.doctor.examination.State
        "good": ("online", _("Good")),
        "attention": ("missing", _("Attention")),
        "wrong": ("offline", _("Wrong")),
        "unseen": ("out_of_service", _("Not examined")),
    },
    "unit": {  # settlement.devices.unit_states
        "online": ("online", _("Online")),
        "silent": ("offline", _("Silent")),
        "offline": ("offline", _("Offline")),
        "unheard": ("unheard", _("Never connected")),
        "moved": ("out_of_service", _("Moved")),
        "out_of_service": ("out_of_service", _("Out of service")),
        "stand_in": ("missing", _("A stand-in works")),
    },
    "gap": {
        "missing": ("missing", _("Missing")),
        "late": ("late", _("All received late")),
        "closed": ("closed", _("Closed")),
    },
    "adjustment": {  # settlement.pools.adjustments
        "open": ("proposed", _("Proposed")),
        "queued": ("queued", _("Queued")),
        "posted": ("posted", _("Posted")),
        "declined": ("rejected", _("Declined")),
        "withdrawn": ("withdrawn", _("Withdrawn")),
    },
    "exposed": {  # tables.protocol.messages.Exposed
        "yes": ("", ""),  # as it should be: no pill
        "refused": ("rejected", _("Refused to expose")),
        "not_requested": ("not_requested", _("Exposure not requested")),
    },
    "funding": {
        "operator": ("operator_funded", _("Operator-funded")),
        "players": ("player_funded", _("Player-funded")),
    },
}
