"""What functions of the database do for people of the house, and what they refuse in words."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext, gettext_noop
from psycopg import sql

from settlement.core.errors import BadSetUp, NotPermitted, RuleBroken, SamePerson, WrongState

# By how the database begins to say it, or by the constraint that is broken.
_REFUSALS: tuple[tuple[str, type[RuleBroken], str], ...] = (
    (
        "permission: ",
        NotPermitted,
        gettext_noop("Your role does not allow this. Ask a colleague whose role does."),
    ),
    (
        "own: ",
        SamePerson,
        gettext_noop("Nobody changes an own role or log-in here: ask another administrator."),
    ),
    (
        "two_people: ",
        SamePerson,
        gettext_noop(
            "This takes a second person, who did not propose it and gets nothing by it, and both"
            " may still log in."
        ),
    ),
    ("taken: ", BadSetUp, gettext_noop("This log-in name is taken: choose another one.")),
    (
        "auth_user_username",
        BadSetUp,
        gettext_noop("This log-in name is taken: choose another one."),
    ),
    (
        "posted: ",
        WrongState,
        gettext_noop(
            "Zone, currency and decimals stay once terms are posted. The start of the day then"
            " takes two people, and stays once a day is closed."
        ),
    ),
    (
        "invitation: ",
        WrongState,
        gettext_noop(
            "This link is used, older than 72 hours, revoked, or waits for a second person to"
            " agree. Ask who invited you."
        ),
    ),
    ("code: ", WrongState, gettext_noop("This code is wrong, used or older than a day.")),
    (
        "first_run: ",
        WrongState,
        gettext_noop("This installation has people already: log in, or ask its administrator."),
    ),
    ("table: ", BadSetUp, gettext_noop("A table has a code of small letters, digits and hyphens.")),
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
        gettext_noop("Somebody has decided on this: load the page again."),
    ),
)


def ask(function: str, *arguments: Any) -> Any:
    """What the function answers; RuleBroken where it refuses for a reason that people understand.

    Whose log-in has ended reads that from the middleware (`settlement.people.presence`).
    """
    query = sql.SQL("SELECT {}({})").format(
        sql.Identifier(function), sql.SQL(", ").join([sql.Placeholder()] * len(arguments))
    )
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query, arguments)
            return cursor.fetchone()[0]
    except IntegrityError as error:
        for beginning, kind, text in _REFUSALS:
            if beginning in str(error):
                raise kind(gettext(text)) from error
        raise
