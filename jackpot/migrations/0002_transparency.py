"""Leaves, checkpoints and cosignatures."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_tables")]

    operations = []
