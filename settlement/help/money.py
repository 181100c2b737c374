"""Help for pages of pools, days, reports and proofs."""

from django.utils.translation import gettext_noop as _

from settlement.help.entry import PageHelp

MONEY = {
    "dashboard": PageHelp(
        _("Dashboard"),
        _("Liability, contributions, hits and waiting times as figures and charts."),
        ("view_dashboard",),
        ("liability", "contribution", "hit"),
    ),
    "dashboard-sum": PageHelp(
        _("Sum of the dashboard"),
        _("The accounts, or the tables, that add up to a figure of the dashboard."),
        ("view_dashboard",),
        ("liability", "contribution"),
    ),
    "pools": PageHelp(
        _("Pools"),
        _("The value of each prize now, with its reserve and overflow."),
        ("propose_adjustment",),
        ("tier", "pool", "reset amount", "contribution"),
        ("19.6", "19.8"),
    ),
    "pool": PageHelp(
        _("Pool"),
        _("All transactions of one prize, and how it grew."),
        ("propose_adjustment", "export_reports"),
        ("pool", "account", "contribution", "replay of a tier", "rebalance"),
        ("19.2", "19.8", "19.14(b)"),
    ),
    "pool-adjust": PageHelp(
        _("Adjust a pool"),
        _(
            "Propose to add money to a pool or to take it out, for a posted reason. A "
            "manager approves it."
        ),
        ("propose_adjustment", "second_adjustment"),
        ("adjustment", "proposal", "prior-period"),
        ("19.19", "19.20"),
    ),
    "rollforward": PageHelp(
        _("Roll-forward"),
        _("For each gaming day and prize: opening value, transactions, closing value."),
        ("export_reports",),
        ("roll-forward", "gaming day", "prior-period"),
        ("19.8",),
    ),
    "drop": PageHelp(
        _("Drop and bank"),
        _(
            "Enter the counted drop and the balance at the bank. The console compares them "
            "with the books."
        ),
        ("count_drop", "enter_balance", "explain_finding"),
        ("drop", "count", "expected", "finding"),
        ("19.2",),
    ),
    "drop-import": PageHelp(
        _("Import counts"),
        _("Import the counts of a day as a file. You see each row before it counts."),
        ("count_drop",),
        ("drop", "count"),
        ("19.2",),
    ),
    "findings": PageHelp(
        _("Findings of drop and bank"),
        _("Variances above the limit: one person explains them, another one signs off."),
        ("explain_finding", "sign_finding"),
        ("finding", "expected"),
    ),
    "closing": PageHelp(
        _("Close of day"),
        _("Gaming days and months that are open or closed, and what keeps a day open."),
        ("propose_day_close", "second_day_close"),
        ("close", "gaming day", "open point", "closed day"),
    ),
    "closing-day": PageHelp(
        _("Close a day"),
        _(
            "The checklist of one gaming day. Two people close it; later decisions count on "
            "the day of the decision."
        ),
        ("propose_day_close", "second_day_close"),
        ("close", "open point", "prior-period", "closed day"),
    ),
    "reports": PageHelp(
        _("Reports"),
        _("All reports of the office, by subject, on screen and as files."),
        ("export_reports",),
        ("office report", "export", "schedule", "return to a regulator"),
    ),
    "report": PageHelp(
        _("Report"),
        _("One question about the books: filter it, read it, or ask for it as a signed file."),
        ("export_reports",),
        ("office report", "export"),
    ),
    "exports": PageHelp(
        _("Files of reports"),
        _("Files that were asked for: ready, in work or failed."),
        ("export_reports",),
        ("export", "delivery"),
    ),
    "schedules": PageHelp(
        _("Reports made at each close"),
        _("Reports that are made by themselves at each close of a day or month."),
        ("export_reports",),
        ("schedule", "close", "delivery"),
    ),
    "reconciliation": PageHelp(
        _("Reconciliation"),
        _(
            "Stored rows compared with the recorded sequence, alarms, and systems that have "
            "halted. Nothing is corrected automatically."
        ),
        ("clear_alarm", "propose_aside", "second_aside"),
        ("reconciliation", "alarm", "halt", "replay check"),
    ),
    "log": PageHelp(
        _("Transparency log"),
        _("Signed checkpoints of the log, and the answers of witnesses."),
        (),
        ("log", "checkpoint", "witness", "proof"),
    ),
    "quarantine": PageHelp(
        _("Quarantine"),
        _("Messages that could not be recorded, with the reason. Nothing of them counts."),
        (),
        ("quarantine", "unit key", "inbound message"),
        ("19.20",),
    ),
    "quarantined": PageHelp(
        _("Quarantined message"),
        _("One message as it arrived, byte by byte, and why it was refused."),
        (),
        ("quarantine", "inbound message", "unit key"),
        ("19.20",),
    ),
}
