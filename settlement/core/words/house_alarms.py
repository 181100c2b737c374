"""What alarms of people, payment and the office say, as patterns: rows keep them filled, in
English."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_noop as _


class HouseAlarm(StrEnum):
    """What alarms of this floor say; the last ones are parts of others."""

    NO_BACKUP = _(
        "No base backup was made: %(fault)s Open Backups: it says what was tried and what to do."
    )
    OUTDATED_BACKUPS = _(
        "%(backup)s was made, and what is outdated was not removed: %(fault)s Open Backups: it says"
        " what was tried and what to do."
    )
    BAD_BACKUP = _(
        "The newest backup failed its check: %(fault)s Open Backups: it says what was tried and"
        " what to do."
    )
    NO_PROOF = _(
        "No restore of a backup has succeeded for %(days)s days, since %(since)s. Open Backups: it"
        " says what was tried and what to do."
    )
    NO_STANDBY = _(
        "The database has no standby: what is committed is on one disk. See `patronictl list`, and"
        " bring the other machine back."
    )
    FULL_DISK = _("The disk of %(path)s (%(setting)s) has only %(size)s left: make room there.")
    NO_FACTORS = _(
        "Without the second factor that their role needs, for a week and more: %(roles)s. They add"
        " one at their next log-in; ask them to, or lock who has left."
    )
    EXCLUDED_PAID = _(
        "The player of seat %(seat)s of %(claim)s was paid, and is on the list of excluded persons:"
        " %(match)s. Compliance decides whether the payment is reversed, and who must know."
    )
    FAILED_EXCLUSIONS = _(
        "%(casino)s: the import of the list %(list)s of excluded persons failed: %(lines)s of"
        " %(total)s lines are in force, the others stop nobody. Choose the same file again on"
        " Excluded persons: it adds the rest. If that fails, too, call technical support."
    )
    EXCLUDED_PAID_AS = _(
        "Seat %(seat)s of %(claim)s was paid. Two people stated that its player is the player of"
        " seat %(known_seat)s of %(known_claim)s, who is on the list of excluded persons:"
        " %(match)s. Compliance decides whether the payment is reversed, and who must know."
    )
    PASSWORD_LOG_IN = _(
        "The owner of the database let %(name)s log in by password for %(hours)s hours: %(why)s."
        " Ask %(name)s and technical support whether that is so."
    )
    ORDER_AFTER_RESTORE = _(
        "The hand at %(table)s was recorded before the restore and has its place again, as no."
        " %(place)s. Before you decide claim %(claim)s: look whether the handset or anybody's note"
        " has another number, and whether hands of other tables stand on the other side of it now."
        " The order decides money: if it changed, a casino manager says which order holds."
    )
    UNRECONCILED = _(
        "%(system)s does not reconcile at entry %(entry)s: %(difference)s. Stop payouts on this"
        " system and call technical support."
    )
    LATE_RECONCILIATION = _(
        "%(system)s was last reconciled at %(at)s. See that the Celery worker and its beat run."
    )
    CHANGED_PACK = _(
        "%(casino)s: the file of the jurisdiction pack %(pack)s is not the one to which two people"
        " agreed. Read what it says now on the page Jurisdiction pack: put the old file back, or"
        " propose it again as it is."
    )
    UNIDENTIFIED = _(
        "The player of seat %(seat)s of %(claim)s was paid, and nobody identified who it is."
        " %(rule)s: %(source)s. Identify the player from what is known, so that forms that are due"
        " are found."
    )
    OVERDUE_FORMS = _(
        "%(casino)s: forms not filed in time: %(count)s. The first is %(form)s, due by %(day)s."
        " Open Forms: file it, and enter when and under which reference."
    )
    ROLE_PASSWORD = _(
        "The database role %(role)s has %(change)s than it was given. If you changed that, run"
        " grant_roles --passwords-are-ours. If none of you did, somebody else did: run"
        " deploy/roles.sh with new passwords before it, and find out who had the old one."
    )
    UNSENT = _(
        "A notification could not be sent by %(way)s: %(fault)s See to the mail server, or the way"
        " out to push services."
    )
    NO_CASHIER = _(
        "Entry %(entry)s of %(system)s paid hit %(hit)s, and no action of a cashier stands behind"
        " it. Stop payouts and call technical support."
    )
    REHEARSAL_PLAY = _(
        "Rounds of %(table)s are recorded in %(system)s, a rehearsal that passed: what is won there"
        " is no money. Give the unit the code of its real table. If somebody called a jackpot hand"
        " there, ask technical support before anything is promised or paid."
    )
    NO_COMPARISON = _(
        "%(system)s: closed days were not compared with the ledger in the night of %(night)s. The"
        " next night makes up for it. Find out whether worker and beat ran then."
    )
    CLOSED_DAYS = _(
        "%(system)s: closed days differ from what they sum up, %(difference)s. Call technical"
        " support; do not use monthly reports of this system meanwhile."
    )
    DAY_TOTALS = _(
        "%(system)s: totals of days differ from what they add up, %(difference)s. Call technical"
        " support; do not use the dashboard and the report on displays meanwhile. The ledger and"
        " closed days are not concerned."
    )
    OPEN_DAY = _(
        "%(system)s: the gaming day %(period)s is not closed. Open Close of day: it says what keeps"
        " it open and who must act."
    )
    OPEN_MONTH = _(
        "%(system)s: the month %(period)s is not closed, though all its days are. Propose its close"
        " on Close of day, and have a second person approve it: reports and returns that are made"
        " at the close of a month or quarter wait for it."
    )
    DEAD_WEBHOOK = _(
        "The webhook %(webhook)s did not take what happened for %(days)s days: from number"
        " %(number)s on it was given up. When its receiver answers again, replay from there on the"
        " page Webhooks."
    )
    FAILED_REPORT = _(
        "%(casino)s: the scheduled report %(report)s, export %(export)s, failed: %(fault)s Begin it"
        " once more under Reports, Files."
    )
    UNDELIVERED_REPORT = _(
        "%(casino)s: the report %(report)s, export %(export)s, could not be delivered: %(fault)s."
        " See to the folder or the mail server; it is tried again."
    )
    UNDELIVERED_TO = _(
        "%(casino)s: the report %(report)s, export %(export)s, could not be delivered to %(place)s:"
        " %(fault)s. See to the folder or the mail server; it is tried again."
    )
    SILENT_SCREEN = _(
        "The screen %(screen)s (%(place)s) was heard last at %(at)s: see that it has power and"
        " network, and what the page Screens says of it."
    )
    CERTIFICATE = _(
        "The certificate of %(device)s ends on %(day)s: rotate it on the page Devices, and set the"
        " device up with the new one."
    )
    UNWRITTEN_ACCOUNTS = _("The accounts of devices cannot be written: %(fault)s.")
    UNREAD_ACCOUNTS = _("The broker could not be asked to read its accounts: %(fault)s.")
    UNTAKEN_ACCOUNTS = _(
        "The broker has not taken the accounts of devices: look at BROKER_RELOAD_COMMAND, or at the"
        " broker's log."
    )
    UNSIGNED_LIST = _("The list of revoked certificates is not signed. %(fault)s")
    TOKEN = _(
        "The access token %(token)s of the program %(program)s ends on %(day)s: rotate it on the"
        " page Programs, and give the new one to the program."
    )
    NO_OWNER = _(
        "Nobody answers for the program %(program)s: %(owner)s may not log in any more. Name"
        " another owner on the page Programs, or end the program."
    )
    GUESSED_CODES = _(
        "%(count)s wrong codes were given with the password of %(name)s: no code of the app is"
        " taken until %(name)s shows a passkey or a recovery code, or is reset. Ask %(name)s; if it"
        " was somebody else, the password is known to them."
    )
    FIRST_FACTOR = _(
        "%(name)s added a first second factor after the reset by %(by)s. Ask %(name)s whether the"
        " device is theirs."
    )
    FACTOR_DEMAND = _(
        "%(role)s needs no second factor any more: %(by)s said so. Ask for the reason."
    )
    PROVIDER = _(
        "The log-in provider %(provider)s cannot be used: %(fault)s. Nobody can log in with"
        " it meanwhile. For somebody who must, run manage.py password_log_in."
    )
    LOCKED = _(
        "Too many wrong passwords for %(whose)s, at %(address)s: locked for 15 minutes. Ask the"
        " person whose name it is; if it was somebody else, find out who sits there."
    )
    # These two are made by the database: settlement/sql/.
    FACTORS_RESET = _(
        "The second factors of %(name)s were reset by %(by)s. Ask %(name)s whether they wanted it."
    )
    KEY_ENDORSED = _("the passkey %(key)s of %(name)s signs now")

    OF_NAME = _("the name %(name)s")
    OF_NOBODY = _("names that nobody has")
    OTHER_PASSWORD = _("another password")
    OTHER_SETTINGS = _("other settings")
    OTHER_BOTH = _("another password and other settings")
    DATABASE_OWNER = _("the owner of the database")
