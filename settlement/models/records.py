"""What people recorded, row by row, under the hashes of the order."""

from django.db import models
from django.db.models import F, Func, Q, UniqueConstraint, Value
from django.db.models.functions import Coalesce, Left, Now

from tables.models import JackpotSystem

LONGEST_ADDRESS = 45  # an IPv6 address that ends like an IPv4 one


def came_from() -> Left:
    """From which address the request came, as the web process said (`people.presence`)."""
    setting = Func(Value("jackpot.address"), Value(True), function="current_setting")
    return Left(Coalesce(setting, Value("")), LONGEST_ADDRESS)


class Record(models.Model):
    """A row on which decisions rest, as it was when it was written. Set by the database alone.

    `said`: its columns as JSON, without what is personal or a file's content. The next command of
    the system takes all records that wait into its basis, and `command` becomes its number; after
    that, nothing of the row can be changed unseen.

    For the audit trail, and under no hash: `at`; `by` and `subject`, which follow from `said`
    (`record_says_who`); `address`, as the web process said.
    """

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_constraint=False, db_index=False, related_name="records"
    )
    source = models.CharField(max_length=40)  # the table
    row = models.BigIntegerField()  # its id there
    said = models.TextField()
    command = models.BigIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())
    by = models.CharField(max_length=310, db_default="")  # a log-in, or two: "mere and david"
    subject = models.CharField(max_length=200, db_default="")  # main-14, main/t3, main:royal
    address = models.CharField(max_length=LONGEST_ADDRESS, db_default=came_from())

    class Meta:
        default_permissions = ()
        constraints = [UniqueConstraint("source", "row", "system", name="record_once")]
        indexes = [
            models.Index(F("system"), F("id"), condition=Q(command=None), name="records_that_wait"),
            models.Index(F("at"), F("id"), name="records_by_time"),
            models.Index(F("by"), F("at"), name="records_by_person"),
            models.Index(F("subject"), F("at"), name="records_by_subject"),
        ]
