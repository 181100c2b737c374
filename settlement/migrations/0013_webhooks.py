"""Webhooks: endpoints, events, deliveries, and up to where events were read."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0012_token_scopes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="WebhookEndpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("url", models.CharField(max_length=500)),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=30), size=None
                    ),
                ),
                (
                    "systems",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), null=True, size=None
                    ),
                ),
                ("secret", models.BinaryField()),
                ("key", models.UUIDField(unique=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("last_number", models.BigIntegerField(db_default=0, default=0)),
                ("failures", models.IntegerField(db_default=0, default=0)),
                ("not_before", models.DateTimeField(null=True)),
                ("claimed_until", models.DateTimeField(null=True)),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="tables.casino",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                "ordering": ["-id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="WebhookEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=30)),
                ("at", models.DateTimeField()),
                ("data", models.JSONField()),
                ("source", models.CharField(max_length=10)),
                ("row", models.BigIntegerField()),
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
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("delivered", "Delivered"),
                            ("dead", "Given up"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.IntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("wanted_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("status", models.SmallIntegerField(null=True)),
                ("fault", models.CharField(blank=True, max_length=200)),
                (
                    "endpoint",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="settlement.webhookendpoint",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="settlement.webhookevent",
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="WebhookMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=10)),
                ("through", models.BigIntegerField()),
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
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.AddConstraint(
            model_name="webhookevent",
            constraint=models.UniqueConstraint(
                models.F("source"),
                models.F("system"),
                models.F("row"),
                name="webhook_event_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                models.F("endpoint"),
                models.F("next_at"),
                condition=models.Q(("state", "waiting")),
                name="webhooks_that_wait",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                models.F("endpoint"),
                models.F("number"),
                name="webhook_delivery_once_per_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                models.F("endpoint"), models.F("event"), name="webhook_delivery_once_per_event"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "delivered", "dead"])),
                name="webhook_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookmark",
            constraint=models.UniqueConstraint(
                models.F("source"),
                models.F("system"),
                name="webhook_mark_once",
                nulls_distinct=False,
            ),
        ),
    )
