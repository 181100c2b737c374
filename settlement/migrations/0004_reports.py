"""Exports of reports."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "0003_drop")]

    operations = []
