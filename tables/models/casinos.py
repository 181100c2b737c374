"""Casinos, jackpot systems and their eras, gaming tables."""

import datetime as dt
import secrets
from zoneinfo import ZoneInfo

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tables.visibility.managers import Casinos, OfSystem, Systems
from tables.visibility.rehearsals import REHEARSAL

_CODE = "[a-z0-9-]{1,32}"
code_validator = RegexValidator(rf"\A{_CODE}\Z", "Use 1 to 32 of: small letters, digits, hyphens.")
DATES = ("month_first", "year_first")  # in English the month first; in every language the year


def new_display_key() -> str:
    return secrets.token_urlsafe(18)


class Casino(models.Model):
    """A property: its time zone, currency and gaming day.

    `language`: a code of `LANGUAGES` for people who chose none, and their mails; empty: as each
    browser is set. `dates`, `clock`: else as each language writes. `slip_language`: a second one.
    """

    code = models.CharField(max_length=32, unique=True, validators=[code_validator])
    name = models.CharField(max_length=100)
    timezone = models.CharField(max_length=64, default="UTC")
    currency = models.CharField(max_length=3)
    minor_digits = models.PositiveSmallIntegerField(default=2)
    day_starts = models.TimeField(default="06:00")
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    dates = models.CharField(max_length=12, blank=True, default="", db_default="")
    clock = models.CharField(max_length=12, blank=True, default="", db_default="")
    slip_language = models.CharField(max_length=8, blank=True, default="", db_default="")

    objects = Casinos()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(minor_digits__lte=2), name="casino_minor_digits"),
            CheckConstraint(condition=Q(dates__in=["", *DATES]), name="casino_dates"),
            CheckConstraint(condition=Q(clock__in=["", "twelve"]), name="casino_clock"),
        ]

    def __str__(self) -> str:
        return self.name

    def local_minute(self, instant: dt.datetime) -> str:
        """`2026-11-21 18:05` in the casino's own zone: for texts that are stored."""
        return f"{instant.astimezone(ZoneInfo(self.timezone)):%Y-%m-%d %H:%M}"


class JackpotSystem(models.Model):
    """One independently ordered installation over a group of tables."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="systems")
    code = models.CharField(max_length=32, unique=True, validators=[code_validator])
    name = models.CharField(max_length=100)
    era = models.PositiveIntegerField(default=1)  # a restore from a backup begins a new one

    objects = Systems()

    class Meta:
        constraints = [
            # Its tables would log in as the console's own intakes; claims read as of a rehearsal.
            CheckConstraint(condition=~Q(code="console"), name="system_code_is_no_account"),
            CheckConstraint(condition=~Q(code="rehearsal"), name="system_code_is_no_rehearsal"),
            CheckConstraint(
                condition=Q(code__regex=f"^{_CODE}$"), name="system_code_is_written_small"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_rehearsal(self) -> bool:
        """Whether nothing of it is money: its code says so for ever."""
        return self.code.startswith(REHEARSAL)


class EraBegun(models.Model):
    """A restore from a backup: from here on receipts carry a new era. Append-only."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="eras")
    era = models.PositiveIntegerField()
    begun_at = models.DateTimeField()
    begun_by = models.CharField(max_length=150)
    reason = models.CharField(max_length=500)
    known = models.JSONField()  # what the restored database knew last: texts

    class Meta:
        constraints = [UniqueConstraint("system", "era", name="era_begun_once")]

    def __str__(self) -> str:
        return f"era {self.era} since {self.begun_at}"


class GamingTable(models.Model):
    """A poker table with its unit (button and handset) and its display."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="tables")
    code = models.CharField(max_length=32, validators=[code_validator])
    name = models.CharField(max_length=100)
    in_service = models.BooleanField(default=True)
    display_key = models.CharField(max_length=64, unique=True, default=new_display_key)
    # Where the table went, and the entry of its system's order at which it left. What it said here
    # stays here.
    moved_to = models.OneToOneField("self", models.PROTECT, null=True, related_name="moved_from")
    moved_entry = models.BigIntegerField(null=True)

    objects = OfSystem()

    class Meta:
        ordering = ["system", "code"]
        constraints = [
            CheckConstraint(
                condition=Q(moved_to=None, moved_entry=None)
                | Q(moved_to__isnull=False, moved_entry__isnull=False, in_service=False),
                name="moved_table_is_out_of_service",
            ),
            UniqueConstraint("system", "code", name="table_code_once_per_system"),
            # A table of such a name would speak on the console's own topics.
            CheckConstraint(
                condition=~Q(code__in=["console", "display"]), name="table_code_is_no_topic"
            ),
        ]

    def __str__(self) -> str:
        return self.name
