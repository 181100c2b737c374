"""Displays that are dark: how long nothing was read back, and the call that it is too long."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0015_high_hands"),
        ("tables", "0007_moved_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="DisplaySilence",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        "tables.gamingtable", models.PROTECT, primary_key=True, serialize=False
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="DarkCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table", models.ForeignKey("tables.gamingtable", models.PROTECT)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("entry", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.AddConstraint(
            "darkcall",
            models.UniqueConstraint(
                "table", name="dark_call_once", condition=Q(entry__isnull=True)
            ),
        ),
    ]
