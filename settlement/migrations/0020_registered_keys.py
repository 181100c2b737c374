"""A key that the owner of the database endorsed, and what is signed where large acts are."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0019_screens"),
    ]

    operations = in_one_step(
        migrations.AlterField(
            model_name="signaturepolicy",
            name="acts",
            field=models.CharField(
                choices=[
                    ("none", "None"),
                    (
                        "large",
                        "Approval, confirmation and payment of claims above the second manager’s amount; roles and log-ins that are given",
                    ),
                    ("all", "All: verification, approval, confirmation, payment, agreement"),
                ],
                max_length=8,
            ),
        ),
        migrations.CreateModel(
            name="OwnerEndorsement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("by", models.CharField(max_length=150)),
                ("note", models.CharField(max_length=500)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "key",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="owner_endorsement",
                        to="settlement.signingkey",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
    )
