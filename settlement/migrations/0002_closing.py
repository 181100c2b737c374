"""Closed days and months."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "0001_tables")]

    operations = []
