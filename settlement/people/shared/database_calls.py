"""What functions of the database do for people of the house, and what they refuse in words."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils.translation import gettext_noop
from psycopg import sql

from settlement.core import guards
from settlement.core.errors import BadSetUp, NotPermitted, SamePerson, WrongState

WRONG_CODE = gettext_noop(
    "That is not the code for this log-in name, or it is used or older than an hour. Check both, or"
    " ask your administrator for another code."
)
# Before what guards say everywhere.
_REFUSALS: guards.Refusals = (
    (
        "own: ",
        SamePerson,
        gettext_noop("You cannot change your own roles or log-in. Ask another administrator."),
    ),
    (
        "two_people: ",
        SamePerson,
        gettext_noop(
            "This takes a second person who did not propose it and gains nothing by it. The "
            "person who proposed it must still be permitted to."
        ),
    ),
    ("program: ", NotPermitted, gettext_noop("This is not possible for a program.")),
    (
        "owner: ",
        BadSetUp,
        gettext_noop("Only a person who may log in can answer for a program."),
    ),
    ("taken: ", BadSetUp, gettext_noop("This log-in name is taken: choose another one.")),
    ("settlement_badge_number", BadSetUp, gettext_noop("Somebody else has this badge number.")),
    (
        "auth_user_username",
        BadSetUp,
        gettext_noop("This log-in name is taken: choose another one."),
    ),
    (
        "posted: ",
        WrongState,
        gettext_noop(
            "Zone, currency, decimals and the start of the day stay once anything is posted: the"
            " order was folded by them."
        ),
    ),
    (
        "day_start: ",
        WrongState,
        gettext_noop(
            "The start of the gaming day takes two people now: propose it on the page Rules of the"
            " house."
        ),
    ),
    (
        "amounts: ",
        WrongState,
        gettext_noop(
            "Currency and decimals stay once an amount stands in them: a limit, a count, a"
            " jurisdiction pack, or a proposal of terms or of another rule."
        ),
    ),
    (
        "pack_day: ",
        WrongState,
        gettext_noop(
            "That gaming day has begun: a pack must take effect on a day after it is approved. "
            "Withdraw the proposal and propose it again."
        ),
    ),
    (
        "counting_day: ",
        WrongState,
        gettext_noop(
            "That gaming day has begun: counting begins or ends on a day after it is approved."
            " Withdraw the proposal and propose it again."
        ),
    ),
    ("webhook: ", BadSetUp, gettext_noop("Choose systems of this casino.")),
    (
        "two_secrets: ",
        WrongState,
        gettext_noop(
            "Two secrets of this webhook sign already: wait until the older one ends, or exchange"
            " the secret so that the old one ends now."
        ),
    ),
    ("screen: ", BadSetUp, gettext_noop("Choose systems of this casino.")),
    ("zone: ", BadSetUp, gettext_noop("Choose a time zone.")),
    ("no_factor: ", WrongState, gettext_noop("This person has no second factor.")),
    (
        "proposed: ",
        WrongState,
        gettext_noop("That is proposed already, and waits for a second person."),
    ),
    (
        "password_link: ",
        WrongState,
        gettext_noop("This link is used, or older than half an hour: ask for another one."),
    ),
    ("password_code: ", WrongState, WRONG_CODE),
    (
        "mail_link: ",
        WrongState,
        gettext_noop("This link is used, or older than half an hour: ask for another one."),
    ),
    (
        "no_password: ",
        WrongState,
        gettext_noop(
            "A code sets no password here: the person is locked, has no password, or is to add a"
            " device with another code first."
        ),
    ),
    (
        "meanwhile: ",
        WrongState,
        gettext_noop(
            "The mail address was changed meanwhile: withdraw the proposal and propose it again."
        ),
    ),
    (
        "provider: ",
        WrongState,
        gettext_noop("The log-in at the provider was used already or has expired: start again."),
    ),
    (
        "one_person_of_a_subject",
        WrongState,
        gettext_noop("This account at the provider is linked to somebody already."),
    ),
    (
        "one_subject_there_of_a_person",
        WrongState,
        gettext_noop("You are linked to an account already: end that link first."),
    ),
    (
        "only_way: ",
        WrongState,
        gettext_noop("You have no password, so this is your only way in: ask an administrator."),
    ),
    (
        "elsewhere: ",
        WrongState,
        gettext_noop(
            "This person has since been given a role in another casino: withdraw the proposal "
            "and propose it again."
        ),
    ),
    ("over: ", BadSetUp, gettext_noop("The role must end later than now.")),
    (
        "locked: ",
        WrongState,
        gettext_noop("This person may not log in: let them in again, then give the role."),
    ),
    (
        "administrator: ",
        WrongState,
        gettext_noop(
            "The role Administrator cannot be held with another one: remove the other one first."
        ),
    ),
    (
        "last: ",
        WrongState,
        gettext_noop(
            "Then nobody would administer people in every casino: first give somebody active that"
            " role, without a last day."
        ),
    ),
    (
        "dead: ",
        WrongState,
        gettext_noop("This invitation is used, revoked or over: invite the person again."),
    ),
    (
        "invitation: ",
        WrongState,
        gettext_noop(
            "This link is used, older than 72 hours, revoked, or waits for a second person to"
            " approve it. Ask who invited you."
        ),
    ),
    ("code: ", WrongState, gettext_noop("This code is wrong, used or older than a day.")),
    (
        "first_run: ",
        WrongState,
        gettext_noop("This installation has people already: log in, or ask its administrator."),
    ),
    ("table: ", BadSetUp, gettext_noop("A table has a code of small letters, digits and hyphens.")),
    (
        "device: ",
        BadSetUp,
        gettext_noop("This device has no such credential: reload the page."),
    ),
    (
        "holds: ",
        WrongState,
        gettext_noop(
            "The device has another credential that holds: rotate that one, or revoke it first."
        ),
    ),
    (
        "rekey: ",
        WrongState,
        gettext_noop(
            "The table's unit has a credential, and its key goes with that: rotate it on the page"
            " Devices."
        ),
    ),
    ("ended: ", WrongState, gettext_noop("This credential is no longer valid: reload the page.")),
    (
        "device_number_once",
        WrongState,
        gettext_noop("Somebody else has just changed this: reload the page."),
    ),
    *(
        (constraint, BadSetUp, gettext_noop("A jackpot system cannot have that code."))
        for constraint in (
            "system_code_is_no_account",
            "system_code_is_no_rehearsal",
            "system_code_is_written_small",
        )
    ),
    (
        "unrehearsed: ",
        WrongState,
        gettext_noop(
            "Nothing was rehearsed at this casino: take a rehearsal to its end, or let two people"
            " decide."
        ),
    ),
    (
        "rehearsal name: ",
        BadSetUp,
        gettext_noop(
            "The name of a rehearsal begins with REHEARSAL, and that of nothing else does."
        ),
    ),
    ("table_code_is_no_topic", BadSetUp, gettext_noop("A table cannot have that code.")),
    ("table_code_once", BadSetUp, gettext_noop("There is a table of that code in the system.")),
    ("tables_casino_code", BadSetUp, gettext_noop("There is a casino of that code already.")),
    (
        "tables_jackpotsystem_code",
        BadSetUp,
        gettext_noop("There is a jackpot system of that code already: codes are unique."),
    ),
    (
        "settlement_setupdecision",
        WrongState,
        gettext_noop("Somebody has decided on this: reload the page."),
    ),
)


def ask(function: str, *arguments: Any) -> Any:
    """What the function answers; RuleBroken where it refuses for a reason that people understand.

    Whose log-in has ended reads that from the middleware (`settlement.people.shared.presence`).
    """
    query = sql.SQL("SELECT {}({})").format(
        sql.Identifier(function), sql.SQL(", ").join([sql.Placeholder()] * len(arguments))
    )
    with guards.in_words(_REFUSALS), connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return cursor.fetchone()[0]
