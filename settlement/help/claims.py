"""Help for pages of claims and of what is paid."""

from django.utils.translation import gettext_noop as _

from settlement.help.entry import PageHelp

_CLAIM = ("claim", "hit", "entitlement")

CLAIMS = {
    "claims": PageHelp(
        _("Claims"),
        _("Every jackpot claim, with the step that comes next and whose turn it is."),
        ("verify_claim", "confirm_claim", "pay_claim"),
        ("claim", "claim status", "stop", "view of a list"),
        ("19.12", "19.14(b)"),
    ),
    "claim": PageHelp(
        _("Claim"),
        _(
            "One claim from the hand to the payment: cards, rules for and against it, "
            "evidence, checklist and history."
            " The next step stands at the top."
        ),
        (
            *("verify_claim", "confirm_claim", "pay_claim", "propose_rejection"),
            *("add_footage", "add_identification", "open_dispute", "export_bundle"),
        ),
        (*_CLAIM, "verdict", "division", "stop", "pairing", "payout bounds"),
        ("1.0", "19.8", "19.12", "19.14", "19.15", "19.17"),
    ),
    "claim-cage": PageHelp(
        _("Cage"),
        _("Identify the payees of a confirmed claim and pay them, all in one form."),
        ("pay_claim", "add_identification", "withhold_payment", "print_slip"),
        ("cage", "payee", "payout", "payment requirements", "withheld tax"),
        ("19.12", "19.15"),
    ),
    "claim-identification": PageHelp(
        _("Identification"),
        _(
            "Enter who a winner is, from a photo ID. What is needed depends on the amount "
            "and on the local rules."
        ),
        ("add_identification", "view_identification"),
        ("payee", "payment requirements", "duty"),
        ("19.12",),
    ),
    "claim-sharers": PageHelp(
        _("Sharers"),
        _(
            "Enter who sat nowhere and owns a part of what a player won: forms then name each with"
            " their own part. A wrong entry is withdrawn or replaced, and stays on record."
        ),
        ("add_identification", "view_identification"),
        ("sharer", "payee", "form due"),
        ("19.12",),
    ),
    "claim-amend": PageHelp(
        _("Amend the report"),
        _(
            "Correct the cards or seats of a reported hand. The hand keeps its place in the order;"
            " any verification is cancelled."
        ),
        ("amend_claim",),
        ("hit", "order", "verdict"),
        ("19.21", "19.18"),
    ),
    "claim-reject": PageHelp(
        _("Reject the claim"),
        _(
            "Propose to refuse a claim for one of the posted reasons. A manager who did not propose"
            " it approves it."
        ),
        ("propose_rejection", "second_rejection"),
        ("rejection", "proposal"),
        ("1.0", "19.17"),
    ),
    "claim-reverse": PageHelp(
        _("Reverse the claim"),
        _("Propose to undo a claim that was confirmed or paid, and say what was recovered."),
        ("propose_reversal", "second_reversal"),
        ("rejection", "proposal", "supplement"),
        ("19.12",),
    ),
    "claim-reverse-rejection": PageHelp(
        _("Reverse a rejection"),
        _("Propose to open a claim again that was rejected by mistake."),
        ("propose_reversal", "second_reversal"),
        ("rejection", "proposal"),
    ),
    "claim-player": PageHelp(
        _("Name a player"),
        _("Declare a staff member who was dealt in. That person then cannot decide on this hand."),
        (),
        ("staff who play", "play"),
    ),
    "claim-print": PageHelp(
        _("Claim on paper"),
        _("The claim as one document to print or to file."),
        ("export_bundle",),
        ("claim", "dispute bundle"),
        ("19.12",),
    ),
    "hand-enter": PageHelp(
        _("Enter a hand"),
        _(
            "Enter a hand that the table unit cannot send. It gets its sequence number when "
            "you send the form."
        ),
        ("enter_hand",),
        ("hit", "pairing", "order"),
        ("19.11", "19.20"),
    ),
    "payouts": PageHelp(
        _("Payouts"),
        _(
            "The register of everything that was paid: to whom, how much, by which method, "
            "and by whom."
        ),
        ("print_slip", "export_reports"),
        ("payout", "payee", "withheld"),
        ("19.12", "19.15"),
    ),
    "slip-check": PageHelp(
        _("Check a slip"),
        _(
            "Whether the PDF of a slip is exactly what the house printed, was edited, or is "
            "unknown. Nothing of the file is kept."
        ),
        ("export_bundle",),
        ("payout", "dispute bundle"),
        ("19.12",),
    ),
    "withheld-tax": PageHelp(
        _("Withheld tax"),
        _("Tax that was kept from payments, and what was handed over to the tax authority."),
        ("remit_tax",),
        ("withheld tax", "jurisdiction pack"),
    ),
    "forms": PageHelp(
        _("Forms"),
        _(
            "Forms that payments require by the local rules: until when each is filed, and which "
            "were filed by whom, when and under which reference."
        ),
        ("file_form", "export_reports"),
        ("form due", "form filing", "jurisdiction pack"),
    ),
    "player": PageHelp(
        _("Player by number"),
        _(
            "Where a player was identified, and which other numbers are theirs. Two people state "
            "that two numbers are one player."
        ),
        ("propose_same_player", "second_same_player"),
        ("identification", "proposal"),
    ),
    "exclusions": PageHelp(
        _("Excluded persons"),
        _(
            "People who must not play. A match with a winner stops the payment until two "
            "people decide."
        ),
        ("view_exclusions", "import_exclusions", "propose_excluded", "second_excluded"),
        ("stop", "proposal"),
    ),
    "exclusions-import": PageHelp(
        _("Import excluded persons"),
        _("Import a list as a file. You see what changes before it counts."),
        ("import_exclusions",),
        ("stop",),
    ),
    "exclusions-file": PageHelp(
        _("A long list of excluded persons"),
        _(
            "Its first lines, and how far the import is. It goes on in the background, and"
            " continues after a failure where it stood."
        ),
        ("import_exclusions",),
        ("stop",),
    ),
}
