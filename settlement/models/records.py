"""What people recorded, row by row, under the hashes of the order."""

from django.db import models
from django.db.models import F, Q, UniqueConstraint

from tables.models import JackpotSystem


class Record(models.Model):
    """A row on which decisions rest, as it was when it was written. Set by the database alone.

    `said`: its columns as JSON, without what is personal or a file's content. The next command of
    the system takes all records that wait into its basis, and `command` becomes its number; after
    that, nothing of the row can be changed unseen.
    """

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_constraint=False, db_index=False, related_name="records"
    )
    source = models.CharField(max_length=40)  # the table
    row = models.BigIntegerField()  # its id there
    said = models.TextField()
    command = models.BigIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [UniqueConstraint("source", "row", "system", name="record_once")]
        indexes = [
            models.Index(F("system"), F("id"), condition=Q(command=None), name="records_that_wait")
        ]
