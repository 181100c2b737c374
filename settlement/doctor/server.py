"""PostgreSQL itself: version, encoding, safety of what is written, connections, what it logs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connection
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.storage import pinned_read
from settlement.core.report_query import ask, bind
from settlement.database_roles import limits
from settlement.database_roles.grants import PREFIX
from settlement.doctor.examination import Point, Subject, attention, good, series, wrong
from tables.process import read_standby, standby
from tables.process.database_probe import known_migrations, strange_migrations

Facts = dict[str, Any]
OLDEST = 15  # of PostgreSQL
_BUSY = 0.8  # of all connections

# Settings that only administrators may read are not among them for anybody else.
_FACTS = """
    SELECT current_user AS role, current_database() AS database,
           coalesce(host(inet_server_addr()), '') AS host,
           (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
           (SELECT pg_get_userbyid(relowner) FROM pg_class
            WHERE oid = 'public.django_migrations'::regclass) AS owner,
           datcollate AS collation, datcollversion AS collation_made,
           pg_database_collation_actual_version(oid) AS collation_now,
           (SELECT sum(numbackends) FROM pg_stat_database) AS connections,
           (SELECT jsonb_object_agg(name, setting) FROM pg_settings WHERE name IN (
               'server_version_num', 'server_encoding', 'data_checksums',
               'max_connections', 'fsync', 'full_page_writes', 'synchronous_commit',
               'log_statement', 'log_min_duration_statement', 'log_min_duration_sample',
               'log_transaction_sample_rate', 'log_min_error_statement',
               'log_parameter_max_length_on_error', 'log_error_verbosity')) AS settings,
           (SELECT jsonb_agg(jsonb_build_array(app, name)) FROM django_migrations) AS migrations
    FROM pg_database WHERE datname = current_database()
"""


def look() -> Facts:
    """All facts in one query."""
    (facts,) = ask(bind(_FACTS))
    return {**facts, **facts["settings"]}


SERVER = Subject("database", gettext_noop("Database"), look)


def is_owner(facts: Facts) -> bool:
    """Whether this process owns the tables, or may do anything."""
    return facts["is_superuser"] or facts["role"] == facts["owner"]


@SERVER.check("PostgreSQL")
def version(facts: Facts) -> Point:
    major, minor = divmod(int(facts["server_version_num"]), 10_000)
    if major < OLDEST:
        return wrong(
            _("Version %(version)s.") % {"version": major},
            _("Upgrade PostgreSQL to version 15 or later."),
        )
    return good(
        _("Version %(major)d, update %(minor)d, answers at %(host)s, database %(database)s.")
        % {
            "major": major,
            "minor": minor,
            "host": facts["host"] or connection.settings_dict["HOST"] or "local",
            "database": facts["database"],
        }
    )


@SERVER.check(gettext_noop("Encoding"))
def encoding(facts: Facts) -> Point:
    if facts["server_encoding"] != "UTF8":
        return wrong(
            _("The database is encoded as %(encoding)s.") % {"encoding": facts["server_encoding"]},
            _("Create the database again with --encoding=UTF8 and restore a backup into it."),
        )
    return good(_("Texts are encoded as UTF-8."))


@SERVER.check(gettext_noop("Sort order"))
def collation(facts: Facts) -> Point:
    version_then, now = facts["collation_made"], facts["collation_now"]
    if version_then and now and version_then != now:
        return wrong(
            _("Texts are sorted by %(name)s %(made)s, but the server has %(now)s.")
            % {"name": facts["collation"], "made": version_then, "now": now},
            _("Run REINDEX DATABASE, then ALTER DATABASE ... REFRESH COLLATION VERSION."),
        )
    return good(_("Texts are sorted by %(name)s.") % {"name": facts["collation"]})


@SERVER.check(gettext_noop("Checksums of data pages"))
def checksums(facts: Facts) -> Point:
    if facts["data_checksums"] != "on":
        return attention(
            _("Data pages have no checksums: a disk that forgets bits is not noticed."),
            _("Stop PostgreSQL and run pg_checksums --enable."),
        )
    return good(_("Data pages have checksums."))


@SERVER.check(gettext_noop("Committed data reach the disk"))
def durability(facts: Facts) -> Point:
    names = ("fsync", "full_page_writes", "synchronous_commit")
    off = [name for name in names if facts[name] == "off"]
    if off:
        return wrong(
            _("Off: %(names)s. A power cut may lose recorded events.") % {"names": series(off)},
            _("Set them to on in postgresql.conf and reload PostgreSQL."),
        )
    return good(_("What is committed is on the disk."))


@SERVER.check(gettext_noop("Standby"))
def standby_is_there(_facts: Facts) -> Point:
    if not settings.DATABASE_STANDBY:
        return good(_("None is expected: DATABASE_STANDBY is not set."))
    if standby.is_missing():
        return wrong(
            _("The database has no standby: what is committed is on one disk."),
            _("Check patronictl list, and bring the other machine back."),
        )
    return good(_("What is committed is on the standby's disk, too."))


@SERVER.check(gettext_noop("Standby that reports are read at"))
def read_standby_follows(_facts: Facts) -> Point:
    if not read_standby.is_named():
        return good(_("None: READ_DATABASE_URL is not set, and reports read the database."))
    try:
        lag = pinned_read.standing()
    except pinned_read.StandbyRefused as refused:
        return attention(
            _("Reports read the database: %(reason)s.") % {"reason": _(refused.why.label)},
            _("Check patronictl list, and whether READ_DATABASE_URL leads to the standby."),
        )
    values = {"size": filesizeformat(lag.bytes), "seconds": f"{lag.seconds:.1f}"}
    if lag.seconds > settings.READ_WAIT_S:
        return attention(
            _("It is %(size)s and %(seconds)s s behind: reports read the database.") % values,
            _("Look at the load and the log of the standby's server."),
        )
    return good(_("It answers, %(size)s and %(seconds)s s behind.") % values)


@SERVER.check(gettext_noop("Connections"))
def connections(facts: Facts) -> Point:
    most, in_use = int(facts["max_connections"]), int(facts["connections"])
    needed = sum(each.connections for each in limits.LIMITS.values()) + limits.LEFT_FOR_OWNERS
    values = {"taken": in_use, "most": most, "needed": needed}
    if most < needed:
        return wrong(
            _("max_connections is %(most)d; all roles together may take %(needed)d.") % values,
            _("Set max_connections to %(needed)d or more and restart PostgreSQL.") % values,
        )
    if in_use > _BUSY * most:
        return attention(
            _("%(taken)d of %(most)d connections are taken.") % values,
            _("Look in pg_stat_activity for who holds them."),
        )
    return good(_("%(taken)d of %(most)d connections are taken.") % values)


@SERVER.check(gettext_noop("What the server logs of statements"))
def logged_statements(facts: Facts) -> Point:
    """Statements of the console have their values in them: names and documents of players."""
    loud = [
        name
        for name, quiet in (
            ("log_min_duration_statement", "-1"),
            ("log_min_duration_sample", "-1"),
            ("log_transaction_sample_rate", "0"),
            ("log_parameter_max_length_on_error", "0"),
        )
        if facts[name] != quiet
    ]
    if facts["log_statement"] in ("mod", "all"):
        loud.append("log_statement")
    if loud:
        return wrong(
            _("The server's log gets values of statements, players among them: %(names)s.")
            % {"names": series(loud)},
            _("Take these settings back to their defaults and reload PostgreSQL."),
        )
    is_terse = facts["log_error_verbosity"] == "terse"  # else it names rows that were refused
    if not is_terse or facts["log_min_error_statement"] not in ("fatal", "panic"):
        return attention(
            _("The server's log gets statements and rows that were refused, with their values."),
            _(
                "Set log_min_error_statement to panic and log_error_verbosity to terse, and reload"
                " PostgreSQL."
            ),
        )
    return good(_("The server's log gets no values of statements."))


@SERVER.check(gettext_noop("Tables of this version"))
def schema(facts: Facts) -> Point:
    applied = frozenset((app, name) for app, name in facts["migrations"])
    missing = {f"{app} {name}" for app, name in known_migrations() - applied}
    if missing:
        return wrong(
            _("Migrations that are missing: %(names)s.") % {"names": series(missing)},
            _("Stop the console and run manage.py migrate and manage.py grant_roles as the owner."),
        )
    strange = {f"{app} {name}" for app, name in strange_migrations(applied)}
    if strange:
        return attention(  # an update is on its way
            _("The tables are from a newer version: %(names)s.") % {"names": series(strange)},
            _("Start the version that made them."),
        )
    return good(_("The tables are those of this version."))


@SERVER.check(gettext_noop("Role of this process"))
def process_role(facts: Facts) -> Point:
    values = {"role": facts["role"]}
    if facts["is_superuser"]:
        return attention(
            _("%(role)s is a superuser: no right and no guard holds for it.") % values,
            _(
                "Set the DATABASE_URL of each process to that of its own role, and migrate as"
                " jackpot_owner."
            ),
        )
    if facts["role"] == facts["owner"]:
        return good(_("%(role)s owns the tables: for commands only.") % values)
    if not facts["role"].startswith(PREFIX):
        return attention(
            _("%(role)s is not a role of the console.") % values,
            _("Set the DATABASE_URL of each process to that of its own role (grant_roles)."),
        )
    return good(_("%(role)s owns no table.") % values)
