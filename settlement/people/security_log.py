"""The page "Security log", and the access notes, which the web process writes at the doors.

Log-ins, passwords, people and tokens are read from the security log of the database
(`SecurityEvent`) alone; read beside them: access notes, dispute bundles that were taken, and roles
given and taken away. Nothing secret is in it: no password, no session, no name that is nobody's.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.gaming_day import Days
from settlement.core.report_query import EARLIEST, LATEST, Column, Report, bind, fill, in_words
from settlement.core.translation import Labels
from settlement.models import RoleChange
from settlement.models.access import AccessNote
from settlement.people.roles import ROLE_NAMES
from tables.models import Casino
from tables.visibility import visible

What = AccessNote.What
BUNDLE, ROLE = "bundle", "role"
WORDS = Labels(
    {
        "logged_in": _("Logged in"),
        "password_changed": _("Password changed"),
        "person_insert": _("Person added"),
        "person_update": _("Person changed"),
        "person_delete": _("Person removed"),
        "token_issued": _("Access token issued"),
        "token_ended": _("Access token ended"),
        "factor_added": _("Second factor added"),
        "factor_ended": _("Second factor ended by its person"),
        "factor_reset": _("Second factor ended by somebody else"),
        "recovery_codes_made": _("Recovery codes made"),
        "recovery_codes_ended": _("Recovery codes ended"),
        "recovery_code_used": _("Recovery code used"),
        "signing_key_added": _("Passkey made one that signs"),
        "signing_key_endorsed": _("Passkey that signs endorsed"),
        "factor_demand": _("Who needs a second factor changed"),
        **dict(What.choices),
        BUNDLE: _("Took a dispute bundle"),
        ROLE: _("Role given or taken away"),
    }
)
MOST_A_MINUTE = 120  # of one address: who hammers at a door fills no disk

# The time is the database's; what is beyond the limit is not written down.
_INSERT = """
    INSERT INTO settlement_accessnote (what, username, address, detail)
    SELECT %(what)s, %(username)s, %(address)s, %(detail)s
    WHERE (SELECT count(*) FROM settlement_accessnote
           WHERE at > now() - interval '1 minute' AND address = %(address)s) < %(most)s
"""
_QUERY = """
    SELECT said.*, {words} AS words,
           coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), said.username)
               AS person
    FROM (
        SELECT noted.* FROM (
            SELECT 0 AS source, id, at, what, username, '' AS address,
                   concat_ws('; ', nullif(detail, ''), {by_role}) AS detail
            FROM settlement_securityevent
            UNION ALL
            SELECT 1, id, at, what, username, address, detail FROM settlement_accessnote
            WHERE what = ANY({notes})
        ) AS noted
        WHERE {casinos}::bigint[] IS NULL OR username IN (
            SELECT p.username FROM auth_user p JOIN settlement_rolechange r ON r.person_id = p.id
            WHERE r.casino_id = ANY({casinos}))
        UNION ALL
        SELECT 2, b.id, b.at, {bundle}, p.username, '', upper(s.code) || '-' || k.number
        FROM settlement_bundleexport b JOIN auth_user p ON p.id = b.person_id
        JOIN settlement_claim k ON k.id = b.claim_id
        JOIN tables_jackpotsystem s ON s.id = k.system_id
        WHERE {casinos}::bigint[] IS NULL OR s.casino_id = ANY({casinos})
        UNION ALL
        SELECT 3, r.id, r.at, {role}, p.username, '',
               CASE WHEN r.granted AND c.id IS NULL THEN {given} WHEN r.granted THEN {given_at}
                    WHEN c.id IS NULL THEN {taken} ELSE {taken_at} END
        FROM settlement_rolechange r JOIN auth_user p ON p.id = r.person_id
        LEFT JOIN auth_group g ON g.id = r.role_id LEFT JOIN tables_casino c ON c.id = r.casino_id
        WHERE {casinos}::bigint[] IS NULL OR r.casino_id = ANY({casinos})
    ) AS said LEFT JOIN auth_user u ON u.username = said.username
    WHERE said.at >= {start} AND said.at < {end}
      AND ({kind} = '' OR said.what = {kind}) AND ({whose} = '' OR said.username = {whose})
"""


def note(request: Any, what: str, username: str | None, detail: str = "") -> None:
    """Write down what happened, from which address; `request` None: nobody's."""
    name = username or ""
    if name and not get_user_model().objects.filter(username=name).exists():
        name = ""
    row = {
        "what": what,
        "username": name,
        "address": request.META.get("REMOTE_ADDR", "")[:45] if request is not None else "",
        "detail": detail.replace("\x00", "")[:200],
        "most": MOST_A_MINUTE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, row)


def note_refusal(request: HttpRequest, why: str) -> None:
    """Somebody who is logged in asked for what they may not do."""
    user: Any = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        note(request, What.REFUSED, user.get_username(), f"{request.path_info}: {why}")


def people_seen() -> QuerySet[Any]:
    """The people of the casinos that are seen, by log-in."""
    people = get_user_model().objects.defer("password").order_by("username")
    seen = visible()
    if seen is None:
        return people
    return people.filter(pk__in=RoleChange.objects.filter(casino__in=seen.casinos).values("person"))


def security_log(casino: Casino, days: Days, kind: str, whose: str) -> Report:
    """All of it, the newest first; the casino gives days and zone.

    Who sees some casinos only, sees what people did who ever had a role there, and the roles and
    bundles of there.
    """
    seen = visible()
    return Report(
        name=f"security-log-{days.slug}",
        casino=casino,
        query=bind(
            _QUERY,
            words=in_words("said.what", WORDS),
            by_role=fill(gettext("database role %(role)s"), role=sql.SQL("by")),
            **_role_changes(),
            notes=What.values,
            bundle=BUNDLE,
            role=ROLE,
            casinos=sorted(seen.casinos) if seen is not None else None,
            start=days.start(casino) or EARLIEST,
            end=days.end(casino) or LATEST,
            kind=kind,
            whose=whose,
        ),
        order=sql.SQL("at DESC, source, id DESC"),
        columns=(
            Column("at", "at", "local"),
            Column("at_utc", "at", "instant"),
            Column("log_in", "username"),
            Column("person", "person"),
            Column("address", "address"),
            Column("what", "words"),
            Column("detail", "detail"),
        ),
    )


def _role_changes() -> dict[str, sql.Composable]:
    """What a change of a role says, by its place in the query."""
    role = sql.SQL("coalesce({}, {})").format(
        in_words("g.name", ROLE_NAMES), sql.Literal(gettext("To log in"))
    )
    there = {"role": role, "by": sql.SQL("r.by")}
    at = {**there, "casino": sql.SQL("c.name")}
    return {
        "given": fill(gettext("%(role)s: given by %(by)s"), **there),
        "given_at": fill(gettext("%(role)s at %(casino)s: given by %(by)s"), **at),
        "taken": fill(gettext("%(role)s: taken away by %(by)s"), **there),
        "taken_at": fill(gettext("%(role)s at %(casino)s: taken away by %(by)s"), **at),
    }
