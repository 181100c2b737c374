"""Resets of second factors by two people, and links for forgotten passwords."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0020_registered_keys"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="EnrolmentCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(blank=True, max_length=64)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="PasswordLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("sealed", models.TextField()),
                ("mailed_digest", models.CharField(blank=True, db_default="", max_length=64)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.AlterModelOptions(
            name="secondfactor",
            options={
                "default_permissions": (),
                "ordering": ["id"],
                "permissions": [
                    ("reset_second_factor", "Propose a reset of second factors"),
                    ("set_factor_demand", "Say which roles need a second factor"),
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name="accessnote",
            name="access_note_is_of_the_web",
        ),
        migrations.AlterField(
            model_name="accessnote",
            name="what",
            field=models.CharField(
                choices=[
                    ("logged_out", "Logged out"),
                    ("failed", "Wrong password"),
                    ("locked", "Locked after wrong passwords"),
                    ("ended", "Log-in ended"),
                    ("refused", "Action refused"),
                    ("exported", "Exported a report"),
                    ("password_asked", "A new password asked for by mail"),
                    ("came_from", "Address, as the web process said"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="setupproposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invite", "invite somebody"),
                    ("give_role", "give a role"),
                    ("unlock", "let somebody log in again"),
                    ("reset_factors", "reset somebody’s second factors"),
                    ("second_manager", "change the amount above which two managers confirm"),
                    ("signatures", "change which acts are signed"),
                    ("missed_rounds", "change how many missed rounds one person credits"),
                    ("terms_factor", "change the factor from which figures are typed again"),
                    ("variance_limit", "change the variance that opens a finding"),
                    ("idle_limit", "change after how long the screen of a role locks"),
                    ("day_starts", "change the start of the gaming day"),
                ],
                max_length=32,
            ),
        ),
        migrations.AddConstraint(
            model_name="accessnote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "what__in",
                        (
                            "logged_out",
                            "failed",
                            "locked",
                            "ended",
                            "refused",
                            "exported",
                            "password_asked",
                            "came_from",
                        ),
                    )
                ),
                name="access_note_is_of_the_web",
            ),
        ),
        migrations.AddField(
            model_name="enrolmentcode",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="enrolment_codes",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="enrolmentcode",
            name="second",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="passwordlink",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="password_links",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    )
