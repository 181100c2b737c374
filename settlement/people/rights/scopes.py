"""What an access token may do: a closed list, each never more than its person's roles allow.

What decides about money, and what asks for a password, has no scope: a person does it. The database
knows what each writing scope may record (`settlement/sql/token_acts.sql`).
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels

PERSON = ""  # in the place of a scope: no token does this

SCOPES: dict[str, tuple[str, ...]] = {
    # By scope the permissions of which its person needs one.
    "read:floor": ("view_claim",),
    "read:claims": ("view_claim",),
    "read:decisions": ("view_claim",),
    "read:drop": ("view_claim",),
    "read:exclusions": ("view_exclusions",),
    "read:people": ("view_set_up",),
    "write:evidence": ("add_note", "add_footage"),
    "write:sharers": ("add_identification",),
    "write:incidents": ("report_incident",),
    "write:drop": ("count_drop", "enter_balance", "remit_tax", "file_form"),
    "write:webhooks": ("replay_webhooks",),
    "write:proposals": (
        *("propose_rejection", "propose_reversal", "propose_adjustment", "propose_forfeit"),
        *("propose_terms", "propose_move", "propose_delegation", "propose_resolution"),
        *("propose_lift", "propose_order", "propose_excluded", "open_dispute", "place_hold"),
        "propose_same_player",
    ),
}
LABELS = Labels(
    {
        "read:floor": _("Read systems, tables, pools and the log"),
        "read:claims": _("Read claims and what stops them"),
        "read:decisions": _("Read requests, rulings, incidents and proposals"),
        "read:drop": _("Read drop, bank, withheld tax and forms that are due"),
        "read:exclusions": _("Read lists of excluded persons, without names"),
        "read:people": _("Read accounts of people and open invitations"),
        "write:evidence": _("Add notes and reviews of footage to claims"),
        "write:sharers": _("Enter and withdraw who shares a prize"),
        "write:incidents": _("Enter incidents"),
        "write:drop": _("Enter drop counts, bank balances, remitted tax and filed forms"),
        "write:webhooks": _("Have webhooks sent again"),
        "write:proposals": _("Propose what a second person must approve, and stop claims"),
    }
)
