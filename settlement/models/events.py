"""Up to where events were read, whoever they are for."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import UniqueConstraint

from tables.models import JackpotSystem


class EventMark(models.Model):
    """Up to where events were read from a source (`settlement.events.sources`).

    Where numbers are given before their commit: which above `through` were handled, the newest of
    them at a moment, and the first transaction that had not begun then. Once all before it have
    ended, none comes below `newest` any more.
    """

    source = models.CharField(max_length=10)
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    through = models.BigIntegerField()
    handled = ArrayField(models.BigIntegerField(), default=list)
    newest = models.BigIntegerField(null=True)
    horizon = models.BigIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            UniqueConstraint("source", "system", name="event_mark_once", nulls_distinct=False)
        ]
