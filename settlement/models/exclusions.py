"""Excluded persons: whom the casino pays nothing before two people have looked at it.

Who they are stays where it is: no process reads the personal columns. The database holds them
against players who are identified (`exclusion_is_matched`), and gives them to whoever may look
(`look_at_exclusions`), who is written down.
"""

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from settlement.models.identification import LONGEST, Identification
from tables.models import Casino
from tables.visibility.managers import OfCasino

LIST_LENGTH = 100
REFERENCE_LENGTH = 60


class ExclusionImport(models.Model):
    """A list that was taken in: which, by whom, from which file. Append-only.

    `file`: the SHA-256 of what was imported; empty where entries came another way. `added`, `known`
    and `ended` count entries: new ones, those that stood already, those that the new list lacks.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusion_imports")
    name = models.CharField(max_length=LIST_LENGTH)  # of the list
    replaces = models.BooleanField()  # whether what it lacks ends
    file = models.CharField(max_length=64, blank=True)
    added = models.IntegerField()
    known = models.IntegerField()
    ended = models.IntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    objects = OfCasino()

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        permissions = [
            ("view_exclusions", "Look at excluded persons"),
            ("import_exclusions", "Import excluded persons and end entries"),
            ("propose_excluded", "Propose to pay an excluded person"),
            ("second_excluded", "Agree to pay an excluded person"),
        ]


_PERSONAL = ("name", "born", "document", "document_number", "key")


class Nameless(OfCasino["Exclusion"]):
    """Entries without who it is: the processes do not read that."""

    def get_queryset(self) -> models.QuerySet["Exclusion"]:
        return super().get_queryset().defer(*_PERSONAL)


class Exclusion(models.Model):
    """A person on a list, as it was imported; an end is a row of its own. Append-only.

    Written by `import_exclusions` of the database alone.
    """

    class Kind(models.TextChoices):
        SELF = "self", _("Self-exclusion")
        OPERATOR = "operator", _("Excluded by the casino")
        REGULATOR = "regulator", _("Excluded by the regulator")

    origin = models.ForeignKey(ExclusionImport, models.PROTECT, related_name="entries")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusions")
    name = models.CharField(max_length=LONGEST["name"])
    born = models.DateField(db_index=True)
    document = models.CharField(max_length=20, choices=Identification.Document, blank=True)
    document_number = models.CharField(max_length=LONGEST["document_number"], blank=True)
    kind = models.CharField(max_length=16, choices=Kind)
    since = models.DateField()
    until = models.DateField(null=True)  # both included
    reference = models.CharField(max_length=REFERENCE_LENGTH)
    key = models.UUIDField(unique=True)

    objects = Nameless()

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            CheckConstraint(
                condition=Q(kind__in=["self", "operator", "regulator"]), name="exclusion_kind"
            ),
            CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")),
                name="exclusion_ends_after_it_begins",
            ),
            CheckConstraint(
                condition=~Q(name="") & ~Q(reference=""), name="exclusion_names_somebody"
            ),
        ]

    def __str__(self) -> str:
        return f"exclusion {self.pk}"  # no name: this may stand in a log


class ExclusionEnd(models.Model):
    """An entry that ends, with its last gaming day: the day on which somebody said so. Append-only.

    `origin`: the import of the list that lacks it; else `reason` says why.
    """

    exclusion = models.OneToOneField(Exclusion, models.PROTECT, related_name="end")
    last_day = models.DateField()
    reason = models.CharField(max_length=500, blank=True)
    origin = models.ForeignKey(ExclusionImport, models.PROTECT, null=True, related_name="ends")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        constraints = [
            CheckConstraint(
                condition=~Q(reason="") | Q(origin__isnull=False),
                name="end_of_exclusion_says_why",
            ),
        ]


class ExclusionFile(models.Model):
    """A long file of a list on its way in: read, shown, confirmed, and taken in step by step.

    Its lines wait in a table of their own. `digest`: the SHA-256 of the file. `added`, `standing`
    and `missing` count entries, as the file was shown; `origin`: the import that it became;
    `lines_done`, `ends_done`: how many lines are entries, and how many ended that it lacks;
    `ends_cancelled`: of how many of these there is no end, as somebody entered them again while the
    file was stopped; `faults`: steps that did not come to their end since the last one that did.
    Written by functions of the database alone. A short file that ends many entries has a row, too,
    while they end.
    """

    class State(models.TextChoices):
        READ = "read", _("Being read")
        PREVIEW = "preview", _("Not confirmed")
        RUNNING = "running", _("Running")
        STOPPED = "stopped", _("Stopped")
        READY = "done", _("Imported")
        FAILED = "failed", _("Failed")

    class Fault(StrEnum):
        """Why it failed, as it is stored."""

        BROKEN = gettext_noop(
            "The import stopped. Choose the same file again: it adds the rest. If it stops again,"
            " call technical support."
        )
        UNCONFIRMED = gettext_noop("Nobody confirmed it within a day: choose the file again.")
        REPLACED = gettext_noop("You chose another file of this list.")  # by show_exclusion_file
        OVERTAKEN = gettext_noop("Another file of this list was imported.")  # was stopped
        LEFT = gettext_noop(
            "It was stopped and nobody continued it within 7 days: choose the same file again, it"
            " adds the rest."
        )
        GIVEN_UP = gettext_noop(  # by leave_exclusion_file
            "Somebody left out the rest of this file: choose a file again to add it."
        )

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusion_files")
    name = models.CharField(max_length=LIST_LENGTH)  # of the list
    digest = models.CharField(max_length=64, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the import
    confirmation_key = models.UUIDField(unique=True, null=True)
    state = models.CharField(max_length=8, choices=State)
    lines = models.IntegerField()
    problems = models.IntegerField()  # lines that have one
    added = models.IntegerField()
    standing = models.IntegerField()
    missing = models.IntegerField()
    replaces = models.BooleanField()  # whether what it lacks ends
    lines_done = models.IntegerField()
    ends_done = models.IntegerField()
    ends_cancelled = models.IntegerField()
    origin = models.ForeignKey(ExclusionImport, models.PROTECT, null=True, related_name="+")
    fault = models.CharField(max_length=500, blank=True)  # in English
    faults = models.IntegerField()

    objects = OfCasino()

    class Meta:
        ordering = ["-id"]
        default_permissions = ()

    @property
    def is_moving(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_stopped(self) -> bool:
        return self.state == self.State.STOPPED

    @property
    def is_in_part(self) -> bool:
        """Whether entries of it may be missing that its import counts."""
        return self.origin_id is not None and self.state != self.State.READY

    @property
    def fault_in_words(self) -> str:
        return gettext(self.fault) if self.fault else ""

    @property
    def percent(self) -> int:
        total = self.lines + self.to_end
        return 100 * (self.lines_done + self.ends_done) // total if total else 0

    @property
    def to_end(self) -> int:
        """How many entries its import ends."""
        return self.origin.ended - self.ends_cancelled if self.origin is not None else 0


class ExclusionLine(models.Model):
    """A line of such a file until it is taken in. No process reads who it is.

    `body`: what it says, of one without a problem as an entry. `same_as`: the line that says the
    same. `ends`: behind all lines, an entry that ends as the list lacks it.
    """

    file = models.ForeignKey(ExclusionFile, models.CASCADE, db_index=False, related_name="waiting")
    number = models.IntegerField()  # as an editor counts
    body = models.JSONField()
    problem = models.CharField(max_length=300, blank=True)
    same_as = models.IntegerField(null=True)
    ends = models.ForeignKey(Exclusion, models.PROTECT, null=True, db_index=False, related_name="+")

    class Meta:
        default_permissions = ()
        indexes = [models.Index(F("file"), F("number"), name="exclusionline_in_order")]

    def __str__(self) -> str:
        return f"line {self.number} of file {self.file_id}"  # no name: this may stand in a log


class ExclusionStop(models.Model):
    """Who stopped an import that the worker was taking in, continued it, or left out the rest, and
    how much of it stood then. Written by functions of the database alone. Append-only."""

    class Kind(models.TextChoices):
        STOP = "stop", _("Stopped an import")
        CONTINUE = "continue", _("Continued an import")
        LEAVE = "leave", _("Left out the rest of an import")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusion_stops")
    origin = models.ForeignKey(ExclusionImport, models.PROTECT, related_name="stops")
    kind = models.CharField(max_length=8, choices=Kind)
    lines_done = models.IntegerField()
    ends_done = models.IntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True, null=True)

    objects = OfCasino()

    class Meta:
        ordering = ["-id"]
        default_permissions = ()


class ExclusionMatch(models.Model):
    """A player who was identified and is on a list. Written by the database alone. Append-only.

    `rule`: by the number of a document, or by name and date of birth.
    """

    class Rule(models.TextChoices):
        DOCUMENT = "document", _("the number of the document")
        NAME = "name", _("name and date of birth")

    identification = models.ForeignKey(
        Identification, models.PROTECT, db_index=False, related_name="exclusions"
    )
    exclusion = models.ForeignKey(Exclusion, models.PROTECT, related_name="matches")
    rule = models.CharField(max_length=10, choices=Rule)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            UniqueConstraint("identification", "exclusion", name="exclusion_matched_once"),
            CheckConstraint(condition=Q(rule__in=["document", "name"]), name="exclusion_rule"),
        ]


class ExclusionLook(models.Model):
    """Who looked at excluded persons, and when. Written by the database alone. Append-only."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusion_looks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    objects = OfCasino()

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
