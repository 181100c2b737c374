"""Set-up by pages: the record of changes, invitations, proposals, the code of the first run."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("settlement", "0007_second_factors"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="SetUpCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="rolechange",
            name="until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="rolechange",
            name="by",
            field=models.CharField(max_length=310),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("username", models.CharField(max_length=150)),
                ("first_name", models.CharField(max_length=150)),
                ("last_name", models.CharField(max_length=150)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("until", models.DateTimeField(null=True)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("alone", models.BooleanField()),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="tables.casino",
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
                (
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auth.group",
                    ),
                ),
                (
                    "second",
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
                "ordering": ["-id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SetUpChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("by", models.CharField(max_length=310)),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.CharField(max_length=200)),
                ("what", models.CharField(max_length=20)),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                (
                    "casino",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="set_up_changes",
                        to="tables.casino",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [
                    ("set_up_casino", "Set up casinos, jackpot systems and tables"),
                    ("administer_people", "Invite people, lock them, propose their roles"),
                    ("view_set_up", "See who may do what, and every change of set-up"),
                    ("propose_set_up", "Propose limits and the start of the day"),
                    ("second_set_up", "Agree to roles, limits and the start of the day"),
                ],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SetUpProposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("invite", "invite somebody"),
                            ("give_role", "give a role"),
                            ("unlock", "let somebody log in again"),
                            (
                                "second_manager",
                                "change the amount above which two managers confirm",
                            ),
                            (
                                "missed_rounds",
                                "change how many missed rounds one person credits",
                            ),
                            (
                                "terms_factor",
                                "change the factor from which figures are typed again",
                            ),
                            ("variance_limit", "change the variance that opens a finding"),
                            ("day_starts", "change the start of the gaming day"),
                        ],
                        max_length=32,
                    ),
                ),
                ("body", models.JSONField()),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="set_up_proposals",
                        to="tables.casino",
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
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SetUpDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("agreed", models.BooleanField()),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
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
                (
                    "proposal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decision",
                        to="settlement.setupproposal",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
    )
