"""The events that an endpoint can ask for, and what stands in the order or elsewhere for each."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels

KINDS = Labels(
    {
        "claim.held": _("A hand was called or reported: its prize is reserved"),
        "claim.verified": _("A claim was verified"),
        "claim.confirmed": _("A claim was confirmed"),
        "claim.paid": _("A payment of a claim was made"),
        "claim.rejected": _("A claim was rejected"),
        "claim.reversed": _("A claim or a rejection was reversed"),
        "claim.stopped": _("A claim was stopped by a dispute or a hold"),
        "pool.adjusted": _("A pool was adjusted"),
        "terms.posted": _("Terms were posted"),
        "jackpot.suspended": _("A jackpot was suspended"),
        "jackpot.resumed": _("A jackpot was resumed"),
        "day.closed": _("A gaming day was closed"),
        "month.closed": _("A month was closed"),
        "alarm.raised": _("An alarm was raised"),
        "claim.late": _("A claim waits too long"),
        "claim.unpaid": _("A confirmed claim is not paid yet"),
        "proposal.made": _("Something waits for a second person"),
        "finding.opened": _("A finding was opened"),
        "device.silent": _("A table unit has been silent for some time"),
        "export.finished": _("A report was made as files"),
    }
)
# By the type of an entry that the fold did not refuse.
OF_ENTRIES = {
    "confirm_claim": "claim.confirmed",
    "pay": "claim.paid",
    "reject_claim": "claim.rejected",
    "reverse_claim": "claim.reversed",
    "reverse_rejection": "claim.reversed",
    "dispute": "claim.stopped",
    "hold_claim": "claim.stopped",
    "adjust_pool": "pool.adjusted",
    "put_terms": "terms.posted",
    "suspend": "jackpot.suspended",
    "resume": "jackpot.resumed",
    "close_day": "day.closed",
    "close_month": "month.closed",
}
TEST = "webhook.test"  # for one endpoint, when an administrator asks (`test_webhook.sql`)
HELD, VERIFIED, ALARM = "claim.held", "claim.verified", "alarm.raised"
UNPAID_LATE = "claim.unpaid"
LATE, PROPOSED, FINDING = "claim.late", "proposal.made", "finding.opened"
SILENT, EXPORTED = "device.silent", "export.finished"
SET_UP_PROPOSED, SET_UP_DECIDED = "set_up.proposed", "set_up.decided"  # told to people alone
NEW_DEVICE = "sign_in.new_device"  # told to its person alone
