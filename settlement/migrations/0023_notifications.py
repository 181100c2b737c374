"""Notifications, and marks of the sources that only they and webhooks read."""

from typing import Any

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import SchemaStep

# What stands there already is not told.
_MARKS = """
    INSERT INTO settlement_eventmark (source, system_id, through, handled)
    SELECT one.source, s.id, one.through, '{}'::bigint[]
    FROM tables_jackpotsystem s CROSS JOIN LATERAL (VALUES
        ('proposals', coalesce((SELECT max(id) FROM settlement_proposal), 0)),
        ('findings', coalesce((SELECT max(id) FROM settlement_finding), 0))
    ) AS one (source, through)
    ON CONFLICT DO NOTHING
"""


def _mark(_apps: object, editor: Any) -> None:
    editor.execute(_MARKS)


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0022_shared_tablets"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        SchemaStep(
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
                        ("new_device", "New device"),
                    ],
                    max_length=20,
                ),
            ),
            migrations.CreateModel(
                name="Notification",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("kind", models.CharField(max_length=30)),
                    ("permission", models.CharField(max_length=40)),
                    ("data", models.JSONField()),
                    ("at", models.DateTimeField()),
                    ("source", models.CharField(max_length=10)),
                    ("row", models.BigIntegerField()),
                    ("on_page", models.BooleanField()),
                    ("read_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
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
                ],
                options={
                    "ordering": ["-id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="NotificationChoice",
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
                    ("ways", models.JSONField(default=dict)),
                    ("quiet_from", models.TimeField(null=True)),
                    ("quiet_until", models.TimeField(null=True)),
                    ("urgent_breaks", models.BooleanField(default=True)),
                ],
                options={
                    "default_permissions": (),
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(
                                    ("quiet_from__isnull", True), ("quiet_until__isnull", True)
                                ),
                                models.Q(
                                    ("quiet_from__isnull", False), ("quiet_until__isnull", False)
                                ),
                                _connector="OR",
                            ),
                            name="quiet_hours_begin_and_end",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Occasion",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("kind", models.CharField(max_length=30)),
                    ("key", models.CharField(max_length=100, unique=True)),
                    ("data", models.JSONField()),
                    (
                        "at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
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
                name="PushSubscription",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("url", models.CharField(max_length=500, unique=True)),
                    ("public_key", models.CharField(max_length=100)),
                    ("secret", models.CharField(max_length=40)),
                    ("device", models.CharField(blank=True, max_length=60)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
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
                name="NotificationDelivery",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "Queued"),
                                ("delivered", "Delivered"),
                                ("dead", "Failed"),
                            ],
                            default="waiting",
                            max_length=10,
                        ),
                    ),
                    ("attempts", models.IntegerField(default=0)),
                    ("next_at", models.DateTimeField()),
                    ("wanted_at", models.DateTimeField()),
                    ("ended_at", models.DateTimeField(null=True)),
                    ("fault", models.CharField(blank=True, max_length=200)),
                    (
                        "channel",
                        models.CharField(
                            choices=[("mail", "Mail"), ("push", "Push")], max_length=4
                        ),
                    ),
                    (
                        "notification",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="deliveries",
                            to="settlement.notification",
                        ),
                    ),
                    (
                        "subscription",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="settlement.pushsubscription",
                        ),
                    ),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.AddIndex(
                model_name="notification",
                index=models.Index(
                    models.F("person"),
                    condition=models.Q(("on_page", True), ("read_at__isnull", True)),
                    name="notifications_unread",
                ),
            ),
            migrations.AddConstraint(
                model_name="notification",
                constraint=models.UniqueConstraint(
                    models.F("person"),
                    models.F("source"),
                    models.F("system"),
                    models.F("row"),
                    name="notification_once",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddIndex(
                model_name="notificationdelivery",
                index=models.Index(
                    models.F("next_at"),
                    condition=models.Q(("state", "waiting")),
                    name="notifications_that_wait",
                ),
            ),
            migrations.AddConstraint(
                model_name="notificationdelivery",
                constraint=models.UniqueConstraint(
                    models.F("notification"),
                    models.F("channel"),
                    models.F("subscription"),
                    name="notified_once_by_each_way",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddConstraint(
                model_name="notificationdelivery",
                constraint=models.CheckConstraint(
                    condition=models.Q(("state__in", ["waiting", "delivered", "dead"])),
                    name="notification_state",
                ),
            ),
            migrations.RemoveConstraint(model_name="accessnote", name="access_note_is_of_the_web"),
            migrations.AddConstraint(
                model_name="accessnote",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        (
                            "what__in",
                            (
                                *("logged_out", "failed", "locked", "ended", "refused", "exported"),
                                *("password_asked", "came_from", "new_device"),
                            ),
                        )
                    ),
                    name="access_note_is_of_the_web",
                ),
            ),
        ),
        migrations.RunPython(_mark, migrations.RunPython.noop),
    ]
