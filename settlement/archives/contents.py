"""What goes into an archive: every table with its columns, without what is secret.

An archive holds the whole installation at one moment: orders lean on each other where tables moved,
and on people, roles and casinos.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

FORMAT = 1  # of manifest and files; verifier/archive.py reads the same
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"

# What opens doors, or belongs to processes that run: it stays where it is.
LEFT_OUT = {
    *("tables_unitkey", "console_session", "django_session", "settlement_accesstoken"),
    *("settlement_secondfactor", "settlement_recoverycode", "settlement_enrolmentcode"),
    *("settlement_pin", "settlement_passwordlink", "settlement_sharedtablet"),
    *("settlement_loginprovider", "settlement_providerlogin", "settlement_providerlink"),
    *("settlement_passwordlogin", "settlement_passwordcode", "settlement_mailchange"),
    "settlement_addressnotice",
    *("settlement_invitation", "settlement_setupcode", "settlement_webhookendpoint"),
    *("settlement_webhookevent", "settlement_webhookdelivery", "settlement_eventmark"),
    *("jackpot_screen", "jackpot_screenrequest", "jackpot_screenreport", "jackpot_slide"),
    "jackpot_houselook",
    *("settlement_occasion", "settlement_notification", "settlement_notificationdelivery"),
    *("settlement_notificationchoice", "settlement_pushsubscription"),
    *("axes_accessattempt", "axes_accessattemptexpiration", "axes_accesslog"),
    *("axes_accessfailurelog", "jackpot_writer", "django_migrations"),
}
# Columns in whose place something else stands, as SQL over the row.
REPLACED = {
    ("auth_user", "password"): "'!'",
    ("tables_gamingtable", "display_key"): "'archived-' || id",
    ("tables_devicecredential", "password_hash"): "left(password_hash, 1)",
    ("tables_devicecredential", "key_digest"): "''",
}

_TABLES = """
    SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the database and its columns, in their order."""

    name: str
    columns: tuple[str, ...]

    @property
    def file(self) -> str:
        return f"{self.name}.csv.gz"


def every_table() -> list[Table]:
    """Those of the present database."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return [Table(name, tuple(columns)) for name, columns in cursor.fetchall()]


def tables() -> list[Table]:
    """Those that an archive holds."""
    return [each for each in every_table() if each.name not in LEFT_OUT]


def migrations() -> list[list[str]]:
    """What made the tables: every migration, by app."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        return [list(row) for row in cursor.fetchall()]
