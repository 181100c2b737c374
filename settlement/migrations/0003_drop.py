"""Counted drop, bank balances, findings."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "0002_closing")]

    operations = []
