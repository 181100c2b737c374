"""Help for pages of set-up: casino, people, devices and screens."""

from django.utils.translation import gettext_noop as _

from settlement.help.entry import PageHelp

SET_UP = {
    "set-up": PageHelp(
        _("Set-up"),
        _("The steps from an empty installation to an open casino. Each can be done later."),
        ("set_up_casino",),
        ("casino", "jackpot system", "gaming table"),
    ),
    "doctor": PageHelp(
        _("Check-up"),
        _(
            "Database, brokers, processes, disks, keys and people: what is good, what needs "
            "attention, and what to do. Points that the page may not see are examined by a command."
        ),
        ("set_up_casino",),
        ("check-up", "intake", "poster", "reconciliation"),
    ),
    "backups": PageHelp(
        _("Backups"),
        _(
            "Whether a backup can be restored: each week one is, beside the house. What is kept, "
            "and what a disaster now would take away."
        ),
        ("set_up_casino",),
        ("restore trial", "base backup", "era", "verifier"),
    ),
    "set-up-casino": PageHelp(
        _("Casino"),
        _(
            "Name, time zone, currency and start of the gaming day, and what is left to do "
            "before it opens."
        ),
        ("set_up_casino", "propose_set_up"),
        ("casino", "gaming day", "rule of the house"),
    ),
    "jurisdiction": PageHelp(
        _("Jurisdiction pack"),
        _(
            "What the law of the place asks of payments, from which day. Two people choose "
            "the pack."
        ),
        ("propose_set_up", "second_set_up"),
        ("jurisdiction pack", "duty", "set-up change"),
    ),
    "rehearsal": PageHelp(
        _("Rehearsal"),
        _(
            "A jackpot from press to paid before the first guest plays: a copy of a jackpot "
            "system, without real money. Each step says who takes it."
        ),
        ("set_up_casino", "propose_terms", "propose_set_up"),
        ("rehearsal", "table unit", "claim", "reconciliation"),
        ("19.12",),
    ),
    "set-up-tables": PageHelp(
        _("Tables of a system"),
        _("Add tables one by one or from a spreadsheet."),
        ("set_up_casino",),
        ("gaming table", "jackpot system"),
        ("19.7",),
    ),
    "house-rules": PageHelp(
        _("Rules of the house"),
        _(
            "Limits that affect money, such as the amount that needs two managers, and who is "
            "notified of waiting claims. Two people decide each change."
        ),
        ("propose_set_up", "second_set_up"),
        ("rule of the house", "set-up change", "escalation"),
    ),
    "waiting-invitations": PageHelp(
        _("Invitations that wait"),
        _(
            "Who was invited and waits for a second person. Tick several, and approve or refuse "
            "them in one go; each stays a record of its own."
        ),
        ("second_set_up",),
        ("invitation", "role"),
    ),
    "devices": PageHelp(
        _("Devices"),
        _(
            "Table units, displays and intakes: issue a log-in, rotate it, revoke it, and see "
            "when each was last seen."
        ),
        ("set_up_casino",),
        ("credential", "set-up code", "table unit", "unit key"),
    ),
    "device-table": PageHelp(
        _("Device of a table"),
        _(
            "Issue, rotate or revoke the log-in of one unit or display. A code sets the "
            "device up; it is shown once."
        ),
        ("set_up_casino",),
        ("credential", "set-up code", "unit key", "authority"),
    ),
    "device-sheet": PageHelp(
        _("Credentials for many tables"),
        _(
            "Issue, rotate or revoke the log-ins of many units or displays in one go. Each new one "
            "has a card with its code: print them, cut them apart. They are shown once."
        ),
        ("set_up_casino",),
        ("credential", "set-up code", "unit key", "authority"),
    ),
    "device-intake": PageHelp(
        _("Device of an intake"),
        _(
            "The process that records events: when it was heard last, of which release it is, and "
            "its log-in at the broker."
        ),
        ("set_up_casino",),
        ("intake", "credential"),
    ),
    "screens": PageHelp(
        _("Screens"),
        _(
            "Promotional screens: pair one by its code, choose what it shows, and see what "
            "it shows now."
        ),
        ("manage_screens",),
        ("screen", "layout", "slide"),
        ("19.7(d)",),
    ),
    "screen-page": PageHelp(
        _("Screen"),
        _("One screen: its place, its layouts and a preview."),
        ("manage_screens",),
        ("screen", "layout", "strip"),
        ("19.7(d)",),
    ),
    "slides": PageHelp(
        _("Slides and lines"),
        _("What the house promotes between jackpot values, and when."),
        ("manage_screens",),
        ("slide", "daypart"),
        ("19.7(d)",),
    ),
    "slide": PageHelp(
        _("Slide"),
        _("The text, picture and times of one slide or line."),
        ("manage_screens",),
        ("slide", "daypart"),
        ("19.7(d)",),
    ),
    "house-look": PageHelp(
        _("Look of the screens"),
        _(
            "Logo, colours and font of the house on its screens, and names of prizes in other"
            " languages. The logo stands on pages, slips and PDF reports too."
        ),
        ("manage_screens",),
        ("look",),
    ),
    "webhooks": PageHelp(
        _("Webhooks"),
        _("Addresses of other programs that are notified of events."),
        ("set_up_casino",),
        ("webhook",),
    ),
    "webhook": PageHelp(
        _("Webhook"),
        _("One address: what was sent, what was answered, and sending again from any event."),
        ("set_up_casino",),
        ("webhook",),
    ),
    "people": PageHelp(
        _("People"),
        _("Who works here, with which role. Invite somebody, or end a log-in."),
        ("administer_people",),
        ("role", "invitation", "administrator"),
    ),
    "person": PageHelp(
        _("Person"),
        _("Roles, log-ins and open work of one person."),
        ("administer_people", "reset_second_factor"),
        ("role", "second factor"),
    ),
    "log-ins": PageHelp(
        _("Log-ins"),
        _("Who is logged in now, on which device, from where and how. End one at once."),
        ("administer_people",),
        ("second factor", "shared tablet", "locked"),
    ),
    "invite-many": PageHelp(
        _("Invite many people"),
        _(
            "Paste a list or choose a file. Each line is shown with what is wrong with it, and "
            "a second person approves the invitations."
        ),
        ("administer_people",),
        ("invitation", "role"),
    ),
    "who-may-what": PageHelp(
        _("Who may do what"),
        _("Each permission, and the roles that have it."),
        (),
        ("role",),
    ),
    "second-factors": PageHelp(
        _("Second factors"),
        _("Which roles need a second factor, and who lost a device. Two people reset it."),
        ("reset_second_factor", "set_factor_demand"),
        ("second factor", "reset (of second factors)"),
    ),
    "tablets": PageHelp(
        _("Shared tablets"),
        _("Browsers at which people take turns, each with badge number and PIN."),
        ("administer_people",),
        ("shared tablet", "badge number", "PIN"),
    ),
    "all-tokens": PageHelp(
        _("Access tokens of everybody"),
        _("What programs may do, in whose name and until when."),
        ("administer_people",),
        ("scope",),
    ),
    "programs": PageHelp(
        _("Programs"),
        _(
            "Programs that use the API in nobody’s name: what each is for, what it may do, and who "
            "answers for it. Two people let one in."
        ),
        ("administer_people",),
        ("program", "scope"),
    ),
    "program": PageHelp(
        _("Program"),
        _("Issue its tokens, rotate them with an overlap, name who answers for it, or end it."),
        ("administer_people",),
        ("program", "scope"),
    ),
    "audit-trail": PageHelp(
        _("Audit trail"),
        _("Who did what, when and from where, with the values before and after."),
        (),
        ("audit trail", "security log", "set-up change"),
    ),
}
