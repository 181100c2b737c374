"""The security log of the doors: append-only, with the time of the database."""

import django.db.models.functions.datetime
from django.db import migrations, models

from tables.guards import append_only


class Migration(migrations.Migration):
    dependencies = [("settlement", "0049_permission_then")]

    operations = [
        migrations.CreateModel(
            name="AccessNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("logged_in", "Logged in"),
                            ("logged_out", "Logged out"),
                            ("failed", "Wrong password"),
                            ("locked", "Locked after wrong passwords"),
                            ("password", "Changed the password"),
                            ("ended", "Log-in ended"),
                            ("refused", "Act refused"),
                            ("exported", "Exported a report"),
                        ],
                        max_length=20,
                    ),
                ),
                ("username", models.CharField(blank=True, max_length=150)),
                ("address", models.CharField(blank=True, max_length=45)),
                ("detail", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["at"], name="access_at")],
            },
        ),
        append_only("settlement_accessnote"),
    ]
