"""The log-in provider: what it says of itself, who is linked, and who came back from it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0029_tour"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="LogInProvider",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("sealed", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("fault", models.CharField(blank=True, max_length=200)),
                ("not_before", models.DateTimeField(null=True)),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="one_log_in_provider"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PasswordLogIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("until", models.DateTimeField()),
                ("why", models.CharField(max_length=200)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ProviderLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("issuer", models.CharField(max_length=200)),
                ("subject", models.CharField(max_length=255)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="provider_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("issuer", "subject"),
                        name="one_person_of_a_subject",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("person",),
                        name="one_subject_of_a_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProviderLogIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("log_in", "Log In"),
                            ("unlock", "Unlock"),
                            ("confirm", "Confirm"),
                            ("link", "Link"),
                            ("invite", "Invite"),
                        ],
                        max_length=8,
                    ),
                ),
                ("address", models.CharField(blank=True, max_length=45)),
                ("sealed", models.TextField()),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("claimed_at", models.DateTimeField(null=True)),
                ("answered_at", models.DateTimeField(null=True)),
                ("fault", models.CharField(blank=True, db_default="", max_length=20)),
                ("answer", models.TextField(blank=True, db_default="")),
                ("answer_digest", models.CharField(blank=True, db_default="", max_length=64)),
                ("issuer", models.CharField(blank=True, db_default="", max_length=200)),
                ("subject", models.CharField(blank=True, db_default="", max_length=255)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "indexes": [models.Index(fields=["made_at"], name="provider_log_in_at")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose__in", ("log_in", "unlock", "confirm", "link", "invite"))
                        ),
                        name="provider_log_in_purpose",
                    )
                ],
            },
        ),
    )
