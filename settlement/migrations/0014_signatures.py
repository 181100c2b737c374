"""Keys with which people sign their acts, the signatures, and which acts a house wants signed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0013_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
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
                    ("day_starts", "change the start of the gaming day"),
                ],
                max_length=32,
            ),
        ),
        migrations.CreateModel(
            name="SigningKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("factor", models.BigIntegerField()),
                ("name", models.CharField(max_length=60)),
                ("credential_id", models.BinaryField(unique=True)),
                (
                    "algorithm",
                    models.SmallIntegerField(choices=[(-7, "ES256"), (-257, "RS256")]),
                ),
                ("public_key", models.BinaryField()),
                ("origin", models.CharField(max_length=200)),
                ("is_first", models.BooleanField(default=False)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signing_keys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SigningKeyEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=150)),
                (
                    "key",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="end",
                        to="settlement.signingkey",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SignaturePolicy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "acts",
                    models.CharField(
                        choices=[
                            ("none", "None"),
                            (
                                "large",
                                "Approval, confirmation and payment of claims above the second manager’s amount",
                            ),
                            (
                                "all",
                                "All: verification, approval, confirmation, payment, agreement",
                            ),
                        ],
                        max_length=8,
                    ),
                ),
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
                        condition=models.Q(("acts__in", ["none", "large", "all"])),
                        name="acts_to_be_signed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Signature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("statement", models.TextField()),
                ("authenticator_data", models.BinaryField()),
                ("client_data", models.BinaryField()),
                ("signature", models.BinaryField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "key",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signatures",
                        to="settlement.signingkey",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(models.F("source"), models.F("row"), name="signed_once")
                ],
            },
        ),
    )
