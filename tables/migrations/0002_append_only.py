"""The inbox, the quarantine, readings and closed gaps are never rewritten."""

from django.db import migrations

from tables.guards import CREATE_FUNCTION, append_only


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_identity_and_inbox")]

    operations = [
        CREATE_FUNCTION,
        append_only("tables_tableevent"),
        append_only("tables_quarantine"),
        append_only("tables_displayreading"),
        append_only("tables_closedgap"),
    ]
