"""Which jurisdiction pack a casino has, from which gaming day on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0027_saved_views")]

    operations = [
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
                    ("jurisdiction", "choose the jurisdiction pack"),
                ],
                max_length=32,
            ),
        ),
        migrations.CreateModel(
            name="JurisdictionChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pack", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("since", models.DateField()),
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
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="pack_takes_two_people",
                    )
                ],
            },
        ),
    ]
