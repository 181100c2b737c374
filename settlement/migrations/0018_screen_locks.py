"""Sessions that are locked, PINs that open them, and after how long the screen of a role locks."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("settlement", "0017_webhook_retention"),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="Pin",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("material", models.BinaryField()),
                ("seal", models.CharField(max_length=43)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="consolesession",
            name="locked_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="consolesession",
            name="wrong_pins",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="setupproposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invite", "invite somebody"),
                    ("give_role", "give a role"),
                    ("unlock", "let somebody log in again"),
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
        migrations.CreateModel(
            name="IdleLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("minutes", models.PositiveSmallIntegerField()),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.casino",
                    ),
                ),
                (
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auth.group",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("minutes__gte", 1), ("minutes__lte", 240)),
                        name="idle_minutes",
                    )
                ],
            },
        ),
    )
