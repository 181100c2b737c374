"""Help for pages of the floor: tables, rounds, terms and shifts."""

from django.utils.translation import gettext_noop as _

from settlement.help.entry import PageHelp

FLOOR = {
    "home": PageHelp(
        _("Overview"),
        _(
            "What needs somebody now: open claims, alarms, dark displays and proposals, "
            "with the pools of today."
        ),
        ("verify_claim", "confirm_claim", "clear_alarm"),
        ("claim", "alarm", "proposal", "dark display"),
        ("19.7", "19.12"),
    ),
    "tables": PageHelp(
        _("Tables"),
        _(
            "Every gaming table: its session, its unit and display, and whether messages "
            "are missing."
        ),
        ("close_gap", "suspend_jackpot"),
        ("gaming table", "table unit", "jackpot display", "session", "gap"),
        ("19.7", "19.8"),
    ),
    "table": PageHelp(
        _("Table"),
        _(
            "One table: rounds, events, clock, display readings, and what a supervisor may "
            "do about them."
        ),
        (
            "rule_round",
            "credit_missed",
            "enter_hand",
            "suspend_jackpot",
            "close_gap",
            "propose_move",
            "propose_boots",
        ),
        ("round", "press", "reading", "unit clock", "boot", "suspension", "table transfer"),
        ("19.8", "19.9", "19.10", "19.19"),
    ),
    "irregularities": PageHelp(
        _("Irregularities"),
        _(
            "Void and missed rounds, and what dealers asked for. Requests change nothing "
            "until a supervisor decides."
        ),
        ("rule_round", "credit_missed", "countersign_missed"),
        ("ruling", "missed round", "countersignature", "held round"),
        ("19.19", "20.1"),
    ),
    "round-ruling": PageHelp(
        _("Rule on a round"),
        _("Declare a round void or cancelled. What players put in is given back as the rules say."),
        ("rule_round",),
        ("ruling", "round", "contribution"),
        ("20.1",),
    ),
    "rounds-held": PageHelp(
        _("Held rounds"),
        _("Rounds above the press rate. They add nothing to a pool until they are accepted."),
        ("rule_round",),
        ("held round", "press rate", "press"),
        ("19.9",),
    ),
    "missed-credit": PageHelp(
        _("Credit missed rounds"),
        _("Add what rounds would have contributed that the dealer failed to record."),
        ("credit_missed", "second_missed"),
        ("missed round", "contribution", "proposal"),
        ("19.19",),
    ),
    "incidents": PageHelp(
        _("Incidents"),
        _(
            "Malfunctions and anything else that went wrong. An incident ends with a note and "
            "is never changed."
        ),
        ("report_incident", "resolve_incident"),
        ("incident",),
        ("19.20",),
    ),
    "handover": PageHelp(
        _("Handover"),
        _("What this shift leaves to the next one. Both sign it, each with their own password."),
        (),
        ("handover",),
    ),
    "handover-signed": PageHelp(
        _("Signed handover"),
        _("A handover as both people signed it."),
        (),
        ("handover",),
    ),
    "plays": PageHelp(
        _("Staff at play"),
        _("Which staff play at which table. They cannot decide on hands of that time."),
        (),
        ("staff who play", "play"),
    ),
    "terms": PageHelp(
        _("Terms"),
        _("The terms in force of every jackpot, and which displays show them."),
        ("propose_terms", "second_terms"),
        ("terms", "jackpot", "read-back", "draft"),
        ("19.3", "19.4", "19.5", "19.6"),
    ),
    "jackpot-terms": PageHelp(
        _("Terms of a jackpot"),
        _(
            "What the posted terms say of funding, hands, prizes and shares, with the odds "
            "of each prize."
        ),
        ("propose_terms", "second_terms", "suspend_jackpot"),
        ("terms", "fed by", "reset amount", "payable unit", "commission"),
        ("19.2", "19.3", "19.5", "19.6", "19.13"),
    ),
    "terms-new": PageHelp(
        _("A new jackpot"),
        _(
            "Write the terms of a new jackpot from a template, and preview what follows "
            "before you propose them."
        ),
        ("propose_terms",),
        ("draft", "terms", "fed by"),
        ("19.2", "19.3", "19.5", "19.6", "19.13"),
    ),
    "terms-draft": PageHelp(
        _("Draft of terms"),
        _("Change terms, and preview what differs before you propose them."),
        ("propose_terms",),
        ("draft", "terms", "fed by"),
        ("19.2", "19.3", "19.5", "19.6", "19.13"),
    ),
    "terms-proposal": PageHelp(
        _("Proposed terms"),
        _(
            "Terms that wait for a second person: each difference, and what it does to "
            "pools and claims."
        ),
        ("second_terms",),
        ("proposal", "draft", "terms"),
        ("19.4", "19.5", "19.16"),
    ),
    "jackpot-lifecycle": PageHelp(
        _("Manage availability"),
        _("Suspend a jackpot or a prize, resume it, or close it for good."),
        ("suspend_jackpot", "propose_closing", "second_closing"),
        ("suspension", "lifecycle", "tier"),
        ("19.2",),
    ),
    "put-right": PageHelp(
        _("Wrong terms corrected"),
        _("What may be done where terms were wrong, and what claims under them stay due."),
        ("propose_terms", "propose_adjustment"),
        ("terms", "adjustment", "entitlement"),
        ("19.14(a)",),
    ),
    "notice": PageHelp(
        _("Notice of a table"),
        _("The posted notice to print for a table, generated from the terms in force."),
        (),
        ("terms", "fed by"),
        ("19.4", "19.5"),
    ),
}
