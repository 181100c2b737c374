"""Why somebody does not come in by the log-in provider, and what they are told to do."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels


class Fault(StrEnum):
    """What went wrong: in the database, in the logs, and by its text on the page."""

    STATE = "state"  # not begun in this browser, or answered before
    DENIED = "denied"  # the person, or the provider, said no
    DOWN = "down"
    LATE = "late"  # nothing was answered in time
    CODE = "code"  # the provider does not take the code
    CLIENT = "client"  # nor the console
    TOKEN = "token"  # noqa: S105 - the name of a fault
    CLOCK = "clock"
    STALE = "stale"  # the person did not log in again
    CLAIM = "claim"  # nothing says who it is
    GROUPS = "groups"  # nor in which groups
    UNKNOWN = "unknown"
    LOCKED = "locked"
    NO_GROUP = "no_group"
    IN_USE = "taken"  # the account is linked to somebody
    OTHER = "other"  # somebody else than is logged in here
    KEY = "key"
    BUSY = "busy"
    SETTINGS = "settings"


class ProviderFault(Exception):
    """The log-in does not hold. `detail`: for the worker's log, with nothing personal in it."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(detail)
        self.fault, self.detail = fault, detail


_AGAIN = _("This log-in was not started in this browser, or has expired. Start again.")
TEXTS = Labels(
    {
        Fault.STATE: _AGAIN,
        Fault.CODE: _AGAIN,
        Fault.DENIED: _(
            "%(provider)s refused the log-in, or it was cancelled there. Start again, or ask your"
            " IT department whether you may use this console."
        ),
        Fault.DOWN: _(
            "%(provider)s does not answer. Try again in a minute. If it stays so, tell your IT"
            " department: they can open the log-in by password for one person."
        ),
        Fault.LATE: _(
            "Nothing came from %(provider)s in time. Try again. If it stays so, tell your IT"
            " department that the worker of the console or %(provider)s does not answer."
        ),
        Fault.CLIENT: _(
            "%(provider)s does not accept this console. Tell your IT department to compare client"
            " id, client secret and redirect address with its settings."
        ),
        Fault.TOKEN: _(
            "What %(provider)s answered cannot be trusted, so nobody was logged in. Tell your IT"
            " department: the log of the worker says what did not fit."
        ),
        Fault.CLOCK: _(
            "The clock of %(provider)s differs from that of the console, or the answer came too"
            " late. Try again. If it stays so, ask your IT department to set the clocks."
        ),
        Fault.STALE: _(
            "%(provider)s did not ask you to log in again, which this needs. Try again; if it stays"
            " so, use a passkey, and tell your IT department that auth_time is missing."
        ),
        Fault.CLAIM: _(
            "%(provider)s does not say who you are. Tell your IT department to add the claim that"
            " the console is set to."
        ),
        Fault.GROUPS: _(
            "%(provider)s does not say in which groups you are, so nothing was changed. Tell your"
            " IT department to add the groups to the ID token."
        ),
        Fault.UNKNOWN: _(
            "Your account at %(provider)s is linked to nobody here. If you have a password here,"
            " log in with it and link the account on the page Your account. Otherwise ask an"
            " administrator to invite you."
        ),
        Fault.LOCKED: _(
            "Your log-in here is locked, whatever %(provider)s says. Ask an administrator."
        ),
        Fault.NO_GROUP: _(
            "You are in no group at %(provider)s that any of your roles here needs. Ask your"
            " manager for the group, or an administrator for a role."
        ),
        Fault.IN_USE: _(
            "This account at %(provider)s is linked to somebody already. Log in there with your"
            " own account, or ask an administrator to end the link."
        ),
        Fault.OTHER: _(
            "Somebody else logged in at %(provider)s than is logged in here. Log in there with your"
            " own account."
        ),
        Fault.KEY: _(
            "What the console keeps sealed cannot be opened. Tell technical support to give the web"
            " process and the worker the same WEBHOOK_KEY."
        ),
        Fault.BUSY: _("Too many log-ins came at once from here. Wait a minute and try again."),
        Fault.SETTINGS: _(
            "The settings of the log-in by %(provider)s are wrong. Tell technical support: the log"
            " of the worker says which."
        ),
    }
)
