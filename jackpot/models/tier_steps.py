"""What a tier met besides hits, each at its place: a projection that the fold goes on from; and
the call for the end of a period, which becomes one of them."""

from django.db import models
from django.db.models import CheckConstraint, Q


class TierStep(models.Model):
    """What a tier's replay meets besides hits: a correction, a new limit, or the end of a period
    of a high hand, with what displays showed then. Append-only."""

    pk = models.CompositePrimaryKey("tier", "place")
    tier = models.ForeignKey("jackpot.Tier", models.PROTECT, db_index=False)
    place = models.BigIntegerField()
    kind = models.CharField(max_length=10)
    fed_pool = models.BigIntegerField()  # the tier's counters there
    fed_reserve = models.BigIntegerField()
    fed_overflow = models.BigIntegerField()
    pool = models.BigIntegerField(default=0)  # given, or below zero taken back
    reserve = models.BigIntegerField(default=0)
    pool_limit = models.BigIntegerField(null=True)
    shown = models.BigIntegerField(null=True)
    shown_at = models.BigIntegerField(null=True)
    # Of a period: what the next fixed prize is more by if nobody won this one.
    prize = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(kind__in=["correction", "limit", "period"]), name="step_kind"
            ),
            CheckConstraint(condition=Q(place__gte=1), name="step_from_one"),
        ]


class PeriodCall(models.Model):
    """Celery's word to the writer that a period of a high hand has ended, whoever plays or not."""

    tier = models.OneToOneField("jackpot.Tier", models.PROTECT, primary_key=True)
    ends = models.DateTimeField()
