"""Promotional screens: requests to be paired, screens, their reports, slides, the house's look."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0003_transparency"),
        ("tables", "0001_tables"),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="HouseLook",
            fields=[
                (
                    "casino",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="house_look",
                        serialize=False,
                        to="tables.casino",
                    ),
                ),
                ("background", models.CharField(max_length=7)),
                ("text", models.CharField(max_length=7)),
                ("accent", models.CharField(max_length=7)),
                ("font", models.CharField(max_length=12)),
                ("picture", models.BinaryField(null=True)),
                ("picture_type", models.CharField(blank=True, max_length=20)),
                ("picture_digest", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Screen",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("place", models.CharField(blank=True, max_length=60)),
                (
                    "systems",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), null=True, size=None
                    ),
                ),
                (
                    "layouts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=12), size=None
                    ),
                ),
                ("seconds", models.SmallIntegerField()),
                ("turn", models.SmallIntegerField()),
                ("sound", models.BooleanField()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("version", models.IntegerField(db_default=1, default=1)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="screens",
                        to="tables.casino",
                    ),
                ),
            ],
            options={
                "ordering": ["casino", "name", "id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ScreenRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=8, unique=True)),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ScreenReport",
            fields=[
                (
                    "screen",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="screen_report",
                        serialize=False,
                        to="jackpot.screen",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("body", models.JSONField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Slide",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_line", models.BooleanField()),
                ("title", models.CharField(blank=True, max_length=60)),
                ("text", models.CharField(blank=True, max_length=300)),
                ("picture", models.BinaryField(null=True)),
                ("picture_type", models.CharField(blank=True, max_length=20)),
                ("picture_digest", models.CharField(blank=True, max_length=64)),
                ("seconds", models.SmallIntegerField()),
                (
                    "days",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(), size=None
                    ),
                ),
                ("starts", models.TimeField(null=True)),
                ("ends", models.TimeField(null=True)),
                ("first_day", models.DateField(null=True)),
                ("last_day", models.DateField(null=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slides",
                        to="tables.casino",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.AddIndex(
            model_name="screen",
            index=models.Index(
                models.F("casino"),
                condition=models.Q(("ended_at", None)),
                name="screens_that_show",
            ),
        ),
        migrations.AddIndex(
            model_name="slide",
            index=models.Index(
                models.F("casino"),
                condition=models.Q(("ended_at", None)),
                name="slides_that_show",
            ),
        ),
    )
