"""Which tables are traced whatever the share of the others."""

from django.db import models

from tables.visibility.managers import OfTable


class TraceRequest(models.Model):
    """All events of a table are traced until then. The owner's (`manage.py trace`)."""

    table = models.OneToOneField("tables.GamingTable", models.CASCADE, primary_key=True)
    until = models.DateTimeField()

    objects = OfTable()

    class Meta:
        default_permissions = ()
