"""What was handed out: dispute bundles, reports as files, and reports that are due at a close."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_noop as _

from jackpot.storage.pinned_read import Refusal, Source
from tables.models import Casino

RETURN_LENGTH = 120  # of its title


def one_of_both(name: str) -> CheckConstraint:
    """A row is of a report, or of a return."""
    of_report, of_return = Q(report__gt="", of_return=""), Q(report="", of_return__gt="")
    return CheckConstraint(condition=of_report | of_return, name=name)


class BundleExport(models.Model):
    """Who took the dispute bundle of a claim, and which bytes. No person: it was written by the
    command, on the server.
    """

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="bundles")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    sha256 = models.BinaryField()  # of the archive
    size = models.BigIntegerField()  # bytes

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class FileKey(models.Model):
    """A key of the house that signs files from `at` on, until the next row begins. Append-only.

    `name`: with the public key it gives the id, which stays whatever the house is called later.
    """

    name = models.CharField(max_length=200)
    public = models.BinaryField(unique=True)  # 32 bytes, of Ed25519
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class ReportSchedule(models.Model):
    """A report or return that is made whenever a gaming day, a month, or the last month of a
    quarter or year is closed, until somebody ends it.

    `of_return`: the title of a return; its reports are those that the rules of the place name on
    the last day of the period. `mail_to`: who is sent the files, one a line. `folder`: where they
    are put within DELIVERY_DIR. They are on the console either way. `decision`: with which a second
    person agreed to an address of somebody else than who may export reports. Of a row nothing but
    its one end ever changes.
    """

    class Moment(models.TextChoices):
        DAY = "day", _("each gaming day")
        MONTH = "month", _("each month")
        QUARTER = "quarter", _("each quarter")
        YEAR = "year", _("each year")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    report = models.CharField(max_length=40, blank=True)  # empty: a return
    of_return = models.CharField(max_length=RETURN_LENGTH, blank=True)
    moment = models.CharField(max_length=7, choices=Moment.choices)
    filters = models.JSONField(default=dict)  # without days
    formats = models.JSONField()
    mail_to = models.CharField(max_length=500, blank=True)
    folder = models.CharField(max_length=80, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    decision = models.OneToOneField(
        "settlement.SetUpDecision", models.PROTECT, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [one_of_both("schedule_of_one")]


class ReportExport(models.Model):
    """A report or return that somebody, or a schedule, asked for as files. The worker writes them.

    `files` of a finished one stand in a folder of its number with their manifest. A worker that
    says nothing any more has lost it: another one begins again.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        READY = "done", _("Ready")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    report = models.CharField(max_length=40, blank=True)  # empty: a return
    of_return = models.CharField(max_length=RETURN_LENGTH, blank=True)  # its title
    reports = models.JSONField(default=list)  # codes of those of a return, in order
    filters = models.JSONField()
    formats = models.JSONField()  # csv, xlsx, pdf, parquet
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    schedule = models.ForeignKey(
        ReportSchedule, models.PROTECT, null=True, related_name="exports", db_index=False
    )
    key = models.UUIDField(unique=True)  # of the form: a double click is one export
    at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.SmallIntegerField(default=0)
    alive_at = models.DateTimeField(null=True)  # the worker's last word
    ended_at = models.DateTimeField(null=True)
    rows_total = models.BigIntegerField(null=True)  # of all files together
    rows_done = models.BigIntegerField(default=0)
    cancel_at = models.DateTimeField(null=True)  # somebody wants no more of it
    fault = models.CharField(max_length=500, blank=True)
    manifest = models.JSONField(null=True)  # as it was signed
    # By system the newest block when it was asked for, with its hash; a standby must have the same.
    pins = models.JSONField(default=list)
    # Where it was read, and why not at the standby; empty where none is named.
    source = models.CharField(max_length=8, blank=True, choices=Source)
    refusal = models.CharField(max_length=8, blank=True, choices=Refusal)
    delivered_at = models.DateTimeField(null=True)  # where its schedule says
    deliver_at = models.DateTimeField(null=True)  # not before then: it failed
    deliveries = models.SmallIntegerField(default=0)  # that failed

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        indexes = [
            models.Index("id", name="exports_due", condition=Q(state__in=["waiting", "running"]))
        ]
        constraints = [
            CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="export_state",
            ),
            UniqueConstraint("schedule", "filters", name="export_of_schedule_once"),
            one_of_both("export_of_one"),
        ]

    @property
    def codes(self) -> list[str]:
        """Of its reports, in order."""
        return [self.report] if self.report else list(self.reports)

    @property
    def name(self) -> str:
        """The code of its report; of a return its title in the letters of a code."""
        return self.report or slugify(self.of_return) or "return"
