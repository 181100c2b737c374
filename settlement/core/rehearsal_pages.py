"""The pages that are open inside a rehearsal, by the names of their addresses.

What is not named here is closed there, so that a new page that counts money is, too.
"""

# From press to paid, and what is read and decided on the way.
_CLAIMS = {
    *("claims", "claim", "claim-version", "claim-print", "claim-amend", "claim-reject"),
    *("claim-reverse", "claim-reverse-rejection", "claim-stop", "stop-end", "claim-cage"),
    *("claim-release-excluded", "claim-player", "claim-delegate", "claim-deck", "claim-note"),
    *("claim-footage", "claim-attach", "claim-attachment", "claim-identification", "player"),
    *("claim-sharers",),
    *(
        "withdrawal-decide",
        "hand-place",
        "open-claims",
        "open-alarms",
        "console-stream",
        "slip-print",
    ),
    *("proposal-approve", "proposal-agree", "proposal-withdraw"),
}
_FLOOR = {
    *("home", "pools", "pool", "tables", "table", "gap-close", "notice", "alarm-clear"),
    *("reconciliation", "reconcile-now", "audit-trail"),
    *("display", "display-reading", "display-stream"),
}
_SET_UP = {
    *("terms", "terms-new", "terms-draft", "terms-proposal", "terms-json", "jackpot-terms"),
    *("jackpot-lifecycle", "set-up-tables", "device-table"),
}
# Logging in, unlocking and the account: what a locked or asked log-in is led to, too.
_OWN = {
    *("login", "log-in-code", "log-in-passkey", "logout", "lock", "locked", "awake"),
    *("provider-log-in", "provider-again", "provider-wait", "provider-unlink"),
    *("password-forgotten", "password-asked", "password-code", "tablet", "tablet-leave"),
    *("house-logo", "mail-address"),
    *("factor-app", "factor-passkey", "factor-end", "recovery-codes", "passkey-options"),
    *("passkey-challenge", "account", "preferences", "pin", "sessions-end"),
    *("notification-choices", "browser-add", "browser-end"),
    *("bell", "notifications", "notifications-read", "notification-open", "view-save"),
    "view-change",
    *("help", "help-rule", "help-guide", "help-page", "tour"),
}
OPEN_INSIDE = frozenset(_CLAIMS | _FLOOR | _SET_UP | _OWN)
