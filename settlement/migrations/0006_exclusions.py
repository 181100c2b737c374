"""Excluded persons: lists, entries, matches, looks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0005_withheld_tax"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="ExclusionImport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("replaces", models.BooleanField()),
                ("file", models.CharField(blank=True, max_length=64)),
                ("added", models.IntegerField()),
                ("known", models.IntegerField()),
                ("ended", models.IntegerField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusion_imports",
                        to="tables.casino",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [
                    ("view_exclusions", "Look at excluded persons"),
                    ("import_exclusions", "Import excluded persons and end entries"),
                    ("propose_excluded", "Propose to pay an excluded person"),
                    ("second_excluded", "Agree to pay an excluded person"),
                ],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("born", models.DateField(db_index=True)),
                (
                    "document",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("passport", "Passport"),
                            ("identity_card", "Identity card"),
                            ("driver_licence", "Driver licence"),
                            ("other", "Other document with a photograph"),
                        ],
                        max_length=20,
                    ),
                ),
                ("document_number", models.CharField(blank=True, max_length=60)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("self", "Self-exclusion"),
                            ("operator", "Excluded by the casino"),
                            ("regulator", "Excluded by the regulator"),
                        ],
                        max_length=16,
                    ),
                ),
                ("since", models.DateField()),
                ("until", models.DateField(null=True)),
                ("reference", models.CharField(max_length=60)),
                ("key", models.UUIDField(unique=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusions",
                        to="tables.casino",
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="settlement.exclusionimport",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ExclusionLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusion_looks",
                        to="tables.casino",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ExclusionMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("document", "the number of the document"),
                            ("name", "name and date of birth"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "exclusion",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="settlement.exclusion",
                    ),
                ),
                (
                    "identification",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusions",
                        to="settlement.identification",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ExclusionEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_day", models.DateField()),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "exclusion",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="end",
                        to="settlement.exclusion",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ends",
                        to="settlement.exclusionimport",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True),
                            ("origin__isnull", False),
                            _connector="OR",
                        ),
                        name="end_of_exclusion_says_why",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["self", "operator", "regulator"])),
                name="exclusion_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                ),
                name="exclusion_ends_after_it_begins",
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("name", ""), _negated=True),
                    models.Q(("reference", ""), _negated=True),
                ),
                name="exclusion_names_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusionmatch",
            constraint=models.UniqueConstraint(
                models.F("identification"), models.F("exclusion"), name="exclusion_matched_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusionmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("rule__in", ["document", "name"])), name="exclusion_rule"
            ),
        ),
    )
