"""Help for pages that are a person's own, and for what finds and explains the others."""

from django.utils.translation import gettext_noop as _

from settlement.help.entry import PageHelp

OWN = {
    "account": PageHelp(
        _("Your account"),
        _("Your password, passkeys, PIN, log-ins, language and look."),
        (),
        ("second factor", "PIN", "signing key"),
    ),
    "factor-app": PageHelp(
        _("Authenticator app"),
        _("Add an app that shows a code at each log-in: scan the picture and type the first code."),
        (),
        ("second factor",),
    ),
    "factor-passkey": PageHelp(
        _("Passkey"),
        _("Add a key of this device or a security key. It can sign what you decide."),
        (),
        ("second factor", "signing key"),
    ),
    "signing-keys": PageHelp(
        _("Signing keys"),
        _("Passkeys that sign decisions, and who endorsed each."),
        (),
        ("signed act", "signing key", "endorsement"),
    ),
    "password": PageHelp(
        _("Change password"),
        _("Choose a new password. Your other log-ins end."),
    ),
    "tokens": PageHelp(
        _("Access tokens"),
        _(
            "What programs may do in your name. A token is shown once, and you can end it "
            "at any time."
        ),
        (),
        ("scope",),
    ),
    "notifications": PageHelp(
        _("Notifications"),
        _("Your notifications, newest first."),
        (),
        ("notification", "escalation"),
    ),
    "notification-choices": PageHelp(
        _("Notification settings"),
        _("Choose how you are notified of each kind of event, and your quiet hours."),
        (),
        ("notification", "quiet hours", "escalation"),
    ),
    "search": PageHelp(
        _("Search"),
        _(
            "Find a claim, table, round, slip, colleague or page by the name that the floor "
            "uses. Ctrl K opens it anywhere."
        ),
        (),
        ("claim", "round", "payout"),
    ),
    "help": PageHelp(
        _("Help"),
        _(
            "Rules by their numbers and the words of the console. The question mark beside "
            "a heading explains that page."
        ),
    ),
    "help-page": PageHelp(
        _("Help for a page"), _("What a page is for, what you can do there, its words and rules.")
    ),
    "help-rule": PageHelp(
        _("Rule"), _("One rule by its number, and what the console does about it.")
    ),
    "help-guide": PageHelp(
        _("User guide"),
        _("The tasks of one role, step by step, with pictures. It can be printed."),
        (),
        ("role",),
    ),
    "api-docs": PageHelp(
        _("API"), _("Every operation of the API, for people who write programs for this console.")
    ),
    "api-operation": PageHelp(
        _("Operation of the API"),
        _("What one operation takes and answers, with an example."),
    ),
    "api-problems": PageHelp(
        _("Problems of the API"),
        _("What programs are answered when something is refused, with the reason."),
    ),
}
