"""What units and displays say is vacuumed and frozen by slices."""

from django.db import migrations

from tables.storage_parameters import VacuumBySlices


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_tables")]

    operations = [VacuumBySlices("TableEvent"), VacuumBySlices("DisplayReading")]
