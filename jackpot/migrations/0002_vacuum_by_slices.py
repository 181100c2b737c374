"""What every round adds to is vacuumed and frozen by slices."""

from django.db import migrations

from tables.storage_parameters import VacuumBySlices


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_tables")]

    operations = [
        VacuumBySlices("Entry"),
        VacuumBySlices("Transfer"),
        VacuumBySlices("Block"),
        VacuumBySlices("RoundState"),
        VacuumBySlices("DisplayMessage"),
    ]
