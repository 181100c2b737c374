"""The order and the ledger: entries, blocks, accounts, transfers, hits; displays and screens."""

import django.contrib.postgres.fields
import django.db.models.constraints
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models

from tables.schema.steps import in_one_step
from tables.schema.storage_parameters import KeepInSlices, VacuumBySlices


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tables", "0001_tables"),
    ]

    operations = [
        *in_one_step(
            migrations.CreateModel(
                name="DisplayPulse",
                fields=[
                    (
                        "system",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            serialize=False,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    ("at", models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name="DisplaySilence",
                fields=[
                    (
                        "table",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            serialize=False,
                            to="tables.gamingtable",
                        ),
                    ),
                    ("since", models.DateTimeField()),
                    ("until", models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name="Head",
                fields=[
                    (
                        "system",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            serialize=False,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    ("seq", models.BigIntegerField(default=0)),
                    ("transfer_number", models.BigIntegerField(default=0)),
                    ("hit_number", models.BigIntegerField(default=0)),
                    ("terms_number", models.BigIntegerField(default=0)),
                    ("block_number", models.BigIntegerField(default=0)),
                    (
                        "block_hash",
                        models.BinaryField(
                            default=b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
                        ),
                    ),
                    ("epoch", models.BigIntegerField(default=0)),
                    ("writer", models.CharField(blank=True, max_length=100)),
                    ("lease_until", models.DateTimeField(null=True)),
                    ("halted_at", models.DateTimeField(null=True)),
                    ("halted_on", models.CharField(blank=True, max_length=200)),
                    ("halted_event", models.BigIntegerField(null=True)),
                    ("halted_command", models.BigIntegerField(null=True)),
                ],
            ),
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
                    ("names", models.JSONField(null=True)),
                    ("picture", models.BinaryField(null=True)),
                    ("picture_type", models.CharField(blank=True, max_length=20)),
                    ("picture_digest", models.CharField(blank=True, max_length=64)),
                    (
                        "font_name",
                        models.CharField(blank=True, db_default="", default="", max_length=60),
                    ),
                    ("font_file", models.BinaryField(null=True)),
                    (
                        "font_digest",
                        models.CharField(blank=True, db_default="", default="", max_length=64),
                    ),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="Tier",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("code", models.CharField(max_length=32)),
                    ("jackpot", models.CharField(max_length=32)),
                    ("fed_pool", models.BigIntegerField(default=0)),
                    ("fed_reserve", models.BigIntegerField(default=0)),
                    ("fed_overflow", models.BigIntegerField(default=0)),
                    ("period_from", models.DateTimeField(null=True)),
                    ("rolled", models.BigIntegerField(default=0)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="tiers",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
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
                    (
                        "language",
                        models.CharField(blank=True, db_default="", default="", max_length=8),
                    ),
                    (
                        "second_language",
                        models.CharField(blank=True, db_default="", default="", max_length=8),
                    ),
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
                    ("network", models.CharField(db_default="", max_length=45)),
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
                name="TableState",
                fields=[
                    (
                        "table",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="state",
                            serialize=False,
                            to="tables.gamingtable",
                        ),
                    ),
                    ("session", models.JSONField(null=True)),
                    ("boot", models.BigIntegerField(null=True)),
                    ("seq", models.BigIntegerField(null=True)),
                    ("presses", models.JSONField(null=True)),
                ],
            ),
            migrations.CreateModel(
                name="Writer",
                fields=[
                    ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                    ("until", models.DateTimeField()),
                    ("fold_version", models.IntegerField(null=True)),
                    ("rules_version", models.IntegerField(null=True)),
                ],
            ),
            migrations.CreateModel(
                name="Checkpoint",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("size", models.BigIntegerField()),
                    ("root", models.BinaryField()),
                    ("note", models.TextField()),
                    ("at", models.DateTimeField()),
                    (
                        "cause",
                        models.CharField(
                            choices=[
                                ("interval", "Interval"),
                                ("close", "Close"),
                                ("report", "Report"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("leaves", models.BinaryField()),
                    ("peaks", models.JSONField()),
                    ("pools", models.JSONField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="checkpoints",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Command",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("number", models.BigIntegerField()),
                    ("kind", models.CharField(max_length=32)),
                    ("body", models.JSONField()),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150, null=True)),
                    ("issued_at", models.DateTimeField()),
                    ("key", models.UUIDField(unique=True)),
                    ("basis", models.BinaryField(null=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="CommandQueue",
                fields=[
                    (
                        "system",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            serialize=False,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    ("last_number", models.BigIntegerField(default=0)),
                    ("taken", models.BigIntegerField(default=0)),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("last_number__gte", models.F("taken")), ("taken__gte", 0)
                            ),
                            name="queue_order",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Cursor",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "table",
                            "boot",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("boot", models.BigIntegerField()),
                    ("through", models.BigIntegerField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="DarkCall",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("since", models.DateTimeField()),
                    ("until", models.DateTimeField()),
                    ("entry", models.BigIntegerField(null=True)),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to="tables.gamingtable"
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="DisplayMessage",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("system_seq", models.BigIntegerField()),
                    ("at", models.DateTimeField()),
                    ("payload", models.JSONField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="display_messages",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Entry",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "seq",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("seq", models.BigIntegerField()),
                    ("at", models.DateTimeField()),
                    ("kind", models.CharField(max_length=8)),
                    ("type", models.CharField(max_length=32)),
                    ("boot", models.BigIntegerField(null=True)),
                    ("event_seq", models.BigIntegerField(null=True)),
                    ("command", models.BigIntegerField(null=True)),
                    ("round", models.BigIntegerField(null=True)),
                    ("hit", models.BigIntegerField(null=True)),
                    ("body_hash", models.BinaryField()),
                    ("body", models.JSONField(null=True)),
                    ("outcome", models.JSONField()),
                    (
                        "event",
                        models.OneToOneField(
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.tableevent",
                        ),
                    ),
                    (
                        "system",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Gap",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("boot", models.BigIntegerField()),
                    ("from_seq", models.BigIntegerField()),
                    ("to_seq", models.BigIntegerField()),
                    ("entry_seq", models.BigIntegerField()),
                    ("arrived", models.BigIntegerField(default=0)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="gaps",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="PeriodCall",
                fields=[
                    (
                        "tier",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            serialize=False,
                            to="jackpot.tier",
                        ),
                    ),
                    ("ends", models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name="Hit",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("number", models.BigIntegerField()),
                    ("place", models.BigIntegerField()),
                    ("acts_at", models.BigIntegerField()),
                    ("at", models.DateTimeField()),
                    ("round", models.BigIntegerField()),
                    ("terms", models.BigIntegerField()),
                    ("state", models.CharField(max_length=10)),
                    ("held", models.BigIntegerField(default=0)),
                    ("confirmed", models.BigIntegerField(default=0)),
                    ("before_pool", models.BigIntegerField(null=True)),
                    ("before_reserve", models.BigIntegerField(null=True)),
                    ("before_overflow", models.BigIntegerField(null=True)),
                    ("before_rolled", models.BigIntegerField(null=True)),
                    ("fed", models.JSONField()),
                    ("moved_fed", models.JSONField(null=True)),
                    ("values", models.JSONField()),
                    ("shown", models.JSONField()),
                    ("shown_seq", models.BigIntegerField(null=True)),
                    ("report", models.JSONField(null=True)),
                    ("report_entry", models.BigIntegerField(null=True)),
                    ("corrected", models.JSONField(null=True)),
                    ("strength", models.JSONField(null=True)),
                    ("closing", models.BigIntegerField(null=True)),
                    ("called_seats", models.JSONField(default=list)),
                    ("payees", models.JSONField(default=list)),
                    ("stops", models.JSONField(default=list)),
                    ("pairing", models.JSONField(db_default={}, default=dict)),
                    ("clock", models.JSONField(null=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="hits",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to="tables.gamingtable"
                        ),
                    ),
                    (
                        "tier",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="jackpot.tier",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Account",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("code", models.CharField(max_length=64)),
                    ("balance", models.BigIntegerField(default=0)),
                    ("moved_through", models.BigIntegerField(db_default=0)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="accounts",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "tier",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="accounts",
                            to="jackpot.tier",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="RoundState",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "table",
                            "round",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("round", models.BigIntegerField()),
                    ("terms", models.BigIntegerField()),
                    ("game", models.CharField(max_length=20, null=True)),
                    ("deck", models.SmallIntegerField(null=True)),
                    ("dealt", models.SmallIntegerField(null=True)),
                    ("started", models.BigIntegerField(null=True)),
                    ("completed", models.BigIntegerField(null=True)),
                    ("void", models.BigIntegerField(null=True)),
                    ("pot", models.BigIntegerField(null=True)),
                    ("hit", models.BigIntegerField(null=True)),
                    ("cancelled", models.BigIntegerField(null=True)),
                    ("priced", models.SmallIntegerField(null=True)),
                    ("uncalled", models.BigIntegerField(null=True)),
                    ("commission", models.BigIntegerField(null=True)),
                    ("taken", models.BigIntegerField(null=True)),
                    ("awaits", models.BooleanField(db_default=False)),
                    ("differs", models.BigIntegerField(null=True)),
                    ("pace", models.SmallIntegerField(null=True)),
                    ("accepted", models.BigIntegerField(null=True)),
                    ("stakes", models.CharField(max_length=200, null=True)),
                    ("flop", models.BooleanField(null=True)),
                    ("counted", models.SmallIntegerField(null=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
                        ),
                    ),
                ],
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
                name="SkipDecision",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("command", models.BigIntegerField(null=True)),
                    ("reason", models.CharField(max_length=500)),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "event",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="set_aside",
                            to="tables.tableevent",
                        ),
                    ),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="set_aside",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
                options={
                    "db_table": "jackpot_setaside",
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
                    ("others", models.JSONField(null=True)),
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
            migrations.CreateModel(
                name="Terms",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("number", models.BigIntegerField()),
                    ("jackpot", models.CharField(max_length=32)),
                    ("document", models.JSONField()),
                    ("effective_seq", models.BigIntegerField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="terms",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="TierStep",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "tier",
                            "place",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("place", models.BigIntegerField()),
                    ("kind", models.CharField(max_length=10)),
                    ("fed_pool", models.BigIntegerField()),
                    ("fed_reserve", models.BigIntegerField()),
                    ("fed_overflow", models.BigIntegerField()),
                    ("pool", models.BigIntegerField(default=0)),
                    ("reserve", models.BigIntegerField(default=0)),
                    ("pool_limit", models.BigIntegerField(null=True)),
                    ("shown", models.BigIntegerField(null=True)),
                    ("shown_at", models.BigIntegerField(null=True)),
                    ("prize", models.BigIntegerField(default=0)),
                    (
                        "tier",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="jackpot.tier",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Transfer",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("number", models.BigIntegerField()),
                    ("entry_seq", models.BigIntegerField()),
                    ("amount", models.BigIntegerField()),
                    ("debit_after", models.BigIntegerField()),
                    ("credit_after", models.BigIntegerField()),
                    ("reason", models.CharField(max_length=16)),
                    ("hit", models.BigIntegerField(null=True)),
                    (
                        "credit",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="credits",
                            to="jackpot.account",
                        ),
                    ),
                    (
                        "debit",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="debits",
                            to="jackpot.account",
                        ),
                    ),
                    (
                        "system",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="TreeTile",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("level", models.SmallIntegerField()),
                    ("index", models.BigIntegerField()),
                    ("hashes", models.BinaryField()),
                    ("root", models.BinaryField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="WitnessAnswer",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("witness", models.CharField(max_length=200)),
                    ("at", models.DateTimeField()),
                    ("status", models.SmallIntegerField()),
                    ("text", models.TextField()),
                    ("latest", models.TextField(blank=True)),
                    (
                        "checkpoint",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="answers",
                            to="jackpot.checkpoint",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="WitnessContact",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("witness", models.CharField(max_length=200)),
                    ("size", models.BigIntegerField(default=0)),
                    ("asked_at", models.DateTimeField(null=True)),
                    ("claimed_until", models.DateTimeField(null=True)),
                    ("failures", models.IntegerField(default=0)),
                    ("failing_since", models.DateTimeField(null=True)),
                    ("fault", models.TextField(blank=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Block",
                fields=[
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "system",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("number", models.BigIntegerField()),
                    ("first_seq", models.BigIntegerField()),
                    ("last_seq", models.BigIntegerField()),
                    ("first_transfer", models.BigIntegerField()),
                    ("last_transfer", models.BigIntegerField()),
                    ("fold_version", models.IntegerField()),
                    ("rules_version", models.IntegerField()),
                    ("at", models.DateTimeField()),
                    ("previous", models.BinaryField()),
                    ("hash", models.BinaryField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("first_seq__gte", 1),
                                ("last_seq__gte", models.F("first_seq")),
                                ("number__gte", 1),
                                ("first_transfer__gte", 1),
                                (
                                    "last_transfer__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("first_transfer"), "-", models.Value(1)
                                    ),
                                ),
                            ),
                            name="block_from_one",
                        )
                    ],
                },
            ),
            migrations.AddIndex(
                model_name="checkpoint",
                index=models.Index(
                    models.F("system"),
                    models.F("size"),
                    condition=models.Q(("cause", "interval"), _negated=True),
                    name="checkpoints_with_a_cause",
                ),
            ),
            migrations.AddConstraint(
                model_name="checkpoint",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("size"), name="checkpoint_once_per_size"
                ),
            ),
            migrations.AddConstraint(
                model_name="checkpoint",
                constraint=models.CheckConstraint(
                    condition=models.Q(("size__gte", 1)), name="checkpoint_from_one"
                ),
            ),
            migrations.AddConstraint(
                model_name="command",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            (
                                "kind__in",
                                [
                                    "put_terms",
                                    "confirm_claim",
                                    "reject_claim",
                                    "reverse_claim",
                                    "forfeit",
                                    "adjust_pool",
                                    "reverse_rejection",
                                    "resolve_dispute",
                                    "lift_hold",
                                    "close_tier",
                                    "move_table",
                                    "receive_table",
                                    "settle_order",
                                    "reset_boots",
                                    "delegate_claim",
                                    "close_day",
                                    "close_month",
                                    "release_excluded",
                                    "same_player",
                                ],
                            ),
                            _negated=True,
                        ),
                        models.Q(
                            ("second__isnull", False),
                            models.Q(("second", models.F("first")), _negated=True),
                        ),
                        _connector="OR",
                    ),
                    name="command_takes_two_people",
                ),
            ),
            migrations.AddConstraint(
                model_name="command",
                constraint=models.CheckConstraint(
                    condition=models.Q(("number__gte", 1)), name="command_from_one"
                ),
            ),
            migrations.AddConstraint(
                model_name="command",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("kind", "seal_records"), _negated=True),
                        models.Q(("body", {}), ("first", "console"), ("second", None)),
                        _connector="OR",
                    ),
                    name="seal_says_nothing",
                ),
            ),
            migrations.AddConstraint(
                model_name="cursor",
                constraint=models.CheckConstraint(
                    condition=models.Q(("boot__gte", 1), ("through__gte", 0)),
                    name="cursor_from_zero",
                ),
            ),
            migrations.AddConstraint(
                model_name="darkcall",
                constraint=models.UniqueConstraint(
                    models.F("table"),
                    condition=models.Q(("entry__isnull", True)),
                    name="dark_call_once",
                ),
            ),
            migrations.AddIndex(
                model_name="displaymessage",
                index=models.Index(
                    models.F("system"),
                    models.OrderBy(models.F("id"), descending=True),
                    name="newest_display_message",
                ),
            ),
            migrations.AddIndex(
                model_name="displaymessage",
                index=models.Index(
                    models.F("system"),
                    models.F("system_seq"),
                    models.F("id"),
                    name="display_message_of_entry",
                ),
            ),
            migrations.AddIndex(
                model_name="entry",
                index=models.Index(
                    models.F("system"),
                    models.F("hit"),
                    condition=models.Q(("hit__isnull", False)),
                    name="entries_of_hit",
                ),
            ),
            migrations.AddIndex(
                model_name="entry",
                index=models.Index(
                    models.F("system"),
                    models.F("table"),
                    models.F("boot"),
                    models.F("event_seq"),
                    condition=models.Q(("type__in", ["hand_called", "hand_reported"])),
                    name="entries_of_hands",
                ),
            ),
            migrations.AddIndex(
                model_name="entry",
                index=models.Index(
                    models.F("system"),
                    models.F("seq"),
                    condition=models.Q(
                        ("type__in", ["rounds_missed", "void_requested", "hand_withdrawn"])
                    ),
                    name="entries_of_requests",
                ),
            ),
            migrations.AddIndex(
                model_name="entry",
                index=models.Index(
                    models.F("system"),
                    models.F("seq"),
                    condition=models.Q(("type__in", ["close_day", "close_month"])),
                    name="entries_of_closes",
                ),
            ),
            migrations.AddConstraint(
                model_name="entry",
                constraint=models.UniqueConstraint(
                    models.F("system"),
                    models.F("command"),
                    condition=models.Q(("command__isnull", False)),
                    name="command_posted_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="entry",
                constraint=models.CheckConstraint(
                    condition=models.Q(("seq__gte", 1)), name="entry_from_one"
                ),
            ),
            migrations.AddIndex(
                model_name="gap",
                index=models.Index(
                    models.F("system"),
                    models.F("table"),
                    models.F("boot"),
                    models.F("to_seq"),
                    name="gaps_of_stream",
                ),
            ),
            migrations.AddIndex(
                model_name="gap",
                index=models.Index(
                    models.F("system"),
                    condition=models.Q(
                        (
                            "arrived__lt",
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("to_seq"), "-", models.F("from_seq")
                                ),
                                "+",
                                models.Value(1),
                            ),
                        )
                    ),
                    name="gaps_open",
                ),
            ),
            migrations.AddConstraint(
                model_name="gap",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("boot__gte", 1),
                        ("from_seq__gte", 1),
                        ("to_seq__gte", models.F("from_seq")),
                        ("arrived__gte", 0),
                        ("entry_seq__gte", 1),
                    ),
                    name="gap_from_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="tier",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("code"), name="tier_once_per_system"
                ),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(
                    models.F("system"),
                    models.F("acts_at"),
                    condition=models.Q(("state", "held")),
                    name="hits_open",
                ),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(models.F("system"), models.F("place"), name="hits_by_place"),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(models.F("tier"), models.F("acts_at"), name="hits_of_tier"),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(
                    models.F("system"),
                    condition=models.Q(("stops", []), _negated=True),
                    name="hits_stopped",
                ),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(
                    models.F("system"),
                    condition=models.Q(("round__lt", 0)),
                    name="hits_of_no_round",
                ),
            ),
            migrations.AddIndex(
                model_name="hit",
                index=models.Index(
                    models.F("system"),
                    condition=models.Q(("corrected__isnull", False)),
                    name="hits_corrected",
                ),
            ),
            migrations.AddConstraint(
                model_name="hit",
                constraint=models.UniqueConstraint(
                    deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                    fields=("system", "table", "round", "tier"),
                    name="one_claim_a_hand_and_tier",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddConstraint(
                model_name="hit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("acts_at__gte", 1), ("number__gte", 1), ("place__gte", 1)),
                    name="hit_from_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="hit",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        (
                            "state__in",
                            [
                                "held",
                                "confirmed",
                                "paid",
                                "rejected",
                                "reversed",
                                "withdrawn",
                                "paired",
                                "outranked",
                            ],
                        )
                    ),
                    name="hit_state",
                ),
            ),
            migrations.AddConstraint(
                model_name="hit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("confirmed__gte", 0), ("confirmed__lte", models.F("held"))),
                    name="hit_confirmed",
                ),
            ),
            migrations.AddConstraint(
                model_name="account",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("code"), name="account_once_per_system"
                ),
            ),
            migrations.AddConstraint(
                model_name="account",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("balance__gte", 0),
                        ("code__in", ["operator", "pot", "commission", "drop", "rounding"]),
                        _connector="OR",
                    ),
                    name="only_sources_below_zero",
                ),
            ),
            migrations.AddIndex(
                model_name="roundstate",
                index=models.Index(
                    models.F("system"),
                    models.F("table"),
                    models.F("round"),
                    condition=models.Q(("priced", None), ("started", None), ("void", None)),
                    name="rounds_unpressed",
                ),
            ),
            migrations.AddIndex(
                model_name="roundstate",
                index=models.Index(
                    models.F("system"),
                    models.F("table"),
                    models.F("round"),
                    condition=models.Q(("awaits", True), ("completed", None), ("void", None)),
                    name="rounds_uncompleted",
                ),
            ),
            migrations.AddIndex(
                model_name="roundstate",
                index=models.Index(
                    models.F("system"),
                    condition=models.Q(("differs__isnull", False)),
                    name="rounds_that_differ",
                ),
            ),
            migrations.AddIndex(
                model_name="roundstate",
                index=models.Index(
                    models.F("system"),
                    models.F("table"),
                    models.F("round"),
                    condition=models.Q(
                        ("accepted", None), ("cancelled", None), ("pace__isnull", False)
                    ),
                    name="rounds_held",
                ),
            ),
            migrations.AddIndex(
                model_name="screen",
                index=models.Index(
                    models.F("casino"),
                    condition=models.Q(("ended_at", None)),
                    name="screens_that_show",
                ),
            ),
            migrations.AddConstraint(
                model_name="skipdecision",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("command"), name="command_set_aside_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="skipdecision",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("event__isnull", True), ("command__isnull", True), _connector="XOR"
                    ),
                    name="set_aside_names_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="skipdecision",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="set_aside_takes_two_people",
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
            migrations.AddConstraint(
                model_name="terms",
                constraint=models.CheckConstraint(
                    condition=models.Q(("effective_seq__gte", 1), ("number__gte", 1)),
                    name="terms_from_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="tierstep",
                constraint=models.CheckConstraint(
                    condition=models.Q(("kind__in", ["correction", "limit", "period"])),
                    name="step_kind",
                ),
            ),
            migrations.AddConstraint(
                model_name="tierstep",
                constraint=models.CheckConstraint(
                    condition=models.Q(("place__gte", 1)), name="step_from_one"
                ),
            ),
            migrations.AddIndex(
                model_name="transfer",
                index=models.Index(models.F("credit"), models.F("number"), name="transfers_to"),
            ),
            migrations.AddIndex(
                model_name="transfer",
                index=models.Index(
                    models.F("debit"),
                    models.F("number"),
                    condition=models.Q(("reason", "contribution"), _negated=True),
                    name="rare_transfers_from",
                ),
            ),
            migrations.AddIndex(
                model_name="transfer",
                index=models.Index(
                    models.F("credit"),
                    models.F("number"),
                    condition=models.Q(("reason", "contribution"), _negated=True),
                    name="rare_transfers_to",
                ),
            ),
            migrations.AddConstraint(
                model_name="transfer",
                constraint=models.CheckConstraint(
                    condition=models.Q(("entry_seq__gte", 1), ("number__gte", 1)),
                    name="transfer_from_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="transfer",
                constraint=models.CheckConstraint(
                    condition=models.Q(("amount__gt", 0)), name="transfer_positive"
                ),
            ),
            migrations.AddConstraint(
                model_name="transfer",
                constraint=models.CheckConstraint(
                    condition=models.Q(("debit", models.F("credit")), _negated=True),
                    name="transfer_two_accounts",
                ),
            ),
            migrations.AddConstraint(
                model_name="treetile",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("level"), models.F("index"), name="tree_tile_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="treetile",
                constraint=models.CheckConstraint(
                    condition=models.Q(("index__gte", 0), ("level__gte", 0)),
                    name="tree_tile_from_zero",
                ),
            ),
            migrations.AddIndex(
                model_name="witnessanswer",
                index=models.Index(models.F("witness"), models.F("id"), name="answers_of_witness"),
            ),
            migrations.AddIndex(
                model_name="witnessanswer",
                index=models.Index(
                    models.F("id"),
                    condition=models.Q(("status", 200), _negated=True),
                    name="refusals_of_witnesses",
                ),
            ),
            migrations.AddConstraint(
                model_name="witnessanswer",
                constraint=models.UniqueConstraint(
                    models.F("checkpoint"),
                    models.F("witness"),
                    models.F("status"),
                    name="witness_answers_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="witnesscontact",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("witness"), name="witness_contact_once"
                ),
            ),
        ),
        # They grow with every round: vacuumed and frozen by slices.
        VacuumBySlices("Entry"),
        VacuumBySlices("Transfer"),
        VacuumBySlices("Block"),
        VacuumBySlices("RoundState"),
        VacuumBySlices("DisplayMessage"),
        # A video is read by ranges.
        KeepInSlices("Slide", "picture"),
    ]
