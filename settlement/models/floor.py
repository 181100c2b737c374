"""What happens on the floor besides claims: rulings on rounds, incidents, shift handovers."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tables.models import Casino, GamingTable, JackpotSystem, TableEvent
from tables.visibility.managers import OfCasino, OfSystem

COMPLETION = "completion"  # why a missed round is credited: its start is known


class Ruling(models.Model):
    """What one supervisor decided about a round, or about what a dealer asked for. Append-only.

    Where it moves money it stands behind a command of that name: the database asks for it.
    """

    class Kind(models.TextChoices):
        VOID = "void_round", gettext_lazy("declared the round void")
        CANCEL = "cancel_round", gettext_lazy("cancelled the round")
        MISSED = "missed_rounds", gettext_lazy("credited missed rounds")
        ACCEPT = "accept_rounds", gettext_lazy("accepted rounds that were held")
        REFUSE_HELD = "refuse_rounds", gettext_lazy("refused rounds that were held")
        ENTER = "enter_hand", gettext_lazy("entered a hand on the console")
        WITHDRAW = "withdraw_hand", gettext_lazy("proposed to reject the withdrawn hand")
        REFUSE = "refuse", gettext_lazy("refused the request")

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="rulings")
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, related_name="rulings")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    round = models.BigIntegerField(null=True)
    request = models.OneToOneField(TableEvent, models.PROTECT, null=True, related_name="ruling")
    reason = models.CharField(max_length=40, blank=True)  # a closed list of each kind
    misdeal = models.CharField(max_length=40, blank=True)  # of a void round: which of its reason
    note = models.CharField(max_length=500)
    count = models.SmallIntegerField(default=0)  # of missed rounds
    day = models.DateField()  # the gaming day: missed rounds have a limit for each
    command = models.BigIntegerField(null=True)  # its number, where it moves money
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one ruling

    objects = OfSystem()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(
                condition=Q(
                    kind__in=[
                        *("void_round", "cancel_round", "missed_rounds", "enter_hand"),
                        *("accept_rounds", "refuse_rounds"),
                    ],
                    command__isnull=False,
                )
                | Q(kind__in=["withdraw_hand", "refuse"], command=None, request__isnull=False),
                name="ruling_kind",
            ),
            CheckConstraint(
                condition=Q(kind="missed_rounds", count__gt=0)
                | ~Q(kind="missed_rounds") & Q(count=0),
                name="ruling_count",
            ),
        ]
        indexes = [models.Index(F("table"), F("day"), name="rulings_of_day")]

    @property
    def decision_words(self) -> str:
        """What was decided, in words."""
        if self.kind != self.Kind.MISSED:
            return self.get_kind_display()
        return _("credited %(missed)s") % {"missed": self.missed}

    @property
    def missed(self) -> str:
        """What was credited as missed, in words."""
        return missed_words(self.count, is_completion=self.reason == COMPLETION)


def missed_words(count: int, *, is_completion: bool) -> str:
    """What is credited as missed.

    >>> missed_words(3, is_completion=False), missed_words(1, is_completion=True)
    ('3 missed rounds', 'a missed completion')
    """
    if is_completion:
        return _("a missed completion")
    words = ngettext("%(count)s missed round", "%(count)s missed rounds", count)
    return words % {"count": count}


class Countersignature(models.Model):
    """A second person looked at missed rounds that one posted alone. Append-only."""

    ruling = models.OneToOneField(Ruling, models.PROTECT, related_name="countersignature")
    note = models.CharField(max_length=500, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)


class Incident(models.Model):
    """Something that went wrong on the floor (19.20), entered by staff or found in the order by the
    console. Append-only."""

    class Kind(models.TextChoices):
        BUTTON = "button", gettext_lazy("Jackpot button")
        HANDSET = "handset", gettext_lazy("Handset")
        DISPLAY = "display", gettext_lazy("Display")
        UNIT_OFFLINE = "unit_offline", gettext_lazy("Unit offline")
        OUTAGE = "outage", gettext_lazy("Console or broker outage")
        POWER = "power", gettext_lazy("Power")
        CLOCK = "clock", gettext_lazy("Clock")
        IDENTITY_CONFLICT = "identity_conflict", gettext_lazy("Identity conflict")
        SYSTEM_HALT = "system_halt", gettext_lazy("System halt")
        WRONG_NOTICE = "wrong_notice", gettext_lazy("Wrong notice")
        TAMPERING = "tampering", gettext_lazy("Suspected tampering")
        PROCEDURE = "procedure", gettext_lazy("Dealer procedure")
        FIGURES = "figures", gettext_lazy("Figures differ")  # the console finds it

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="incidents"
    )
    table = models.ForeignKey(GamingTable, models.PROTECT, null=True, related_name="incidents")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    happened_at = models.DateTimeField()
    note = models.CharField(max_length=1000)
    # Nobody entered what the console found; `entry` is where it did.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    entry = models.BigIntegerField(null=True)
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    objects = OfSystem()

    class Meta:
        ordering = ["-happened_at", "-id"]
        constraints = [
            CheckConstraint(
                condition=Q(kind="figures", person=None, entry__isnull=False)
                | ~Q(kind="figures") & Q(person__isnull=False, entry=None),
                name="incident_of_person_or_order",
            ),
            UniqueConstraint("system", "entry", name="one_incident_an_entry"),
            CheckConstraint(
                condition=Q(
                    kind__in=[
                        "button",
                        "handset",
                        "display",
                        "unit_offline",
                        "outage",
                        "power",
                        "clock",
                        "identity_conflict",
                        "system_halt",
                        "wrong_notice",
                        "tampering",
                        "procedure",
                        "figures",
                    ]
                ),
                name="incident_kind",
            ),
        ]


class IncidentEnd(models.Model):
    """How an incident was resolved. Append-only."""

    incident = models.OneToOneField(Incident, models.PROTECT, related_name="end")
    note = models.CharField(max_length=1000)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)


class Handover(models.Model):
    """What one shift left to the next, signed by both. Append-only.

    `body`: the sections as they stood, each a title with its items (`settlement.floor.handover`).
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="handovers")
    outgoing = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    incoming = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    remarks = models.CharField(max_length=2000, blank=True)
    body = models.JSONField()
    at = models.DateTimeField()  # set by the database
    key = models.UUIDField(unique=True)  # of the form: a double click is one handover

    objects = OfCasino()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(condition=~Q(outgoing=F("incoming")), name="handover_takes_two_people")
        ]
