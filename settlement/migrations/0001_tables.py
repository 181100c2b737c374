"""Claims, actions, proposals, rulings, payouts, staff play, evidence; people and their log-ins."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("auth", "__first__"),
        ("tables", "0001_tables"),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="access_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("proof", models.BinaryField(null=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("made_at"))),
                        name="token_ends_later",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="claims",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("opened_at", models.DateTimeField()),
            ],
            options={
                "permissions": [
                    ("verify_claim", "Complete the checklist and verify a claim"),
                    ("amend_claim", "Amend a reported hand"),
                    ("confirm_claim", "Confirm a verified claim"),
                    ("propose_rejection", "Propose to reject a claim"),
                    ("second_rejection", "Agree to reject a claim"),
                    ("pay_claim", "Pay a confirmed claim"),
                    ("export_reports", "Export histories, registers and roll-forwards"),
                    ("clear_alarm", "Clear an alarm with a note"),
                    ("close_gap", "Give up missing events of a table"),
                    ("propose_aside", "Propose to set aside what halted a system"),
                    ("second_aside", "Agree to set aside what halted a system"),
                    ("propose_adjustment", "Propose to adjust a pool"),
                    ("second_adjustment", "Agree to adjust a pool"),
                    ("propose_reversal", "Propose to reverse a confirmed or paid claim"),
                    ("second_reversal", "Agree to reverse a claim"),
                    ("withhold_payment", "Withhold a payment and release it"),
                    ("book_unclaimed", "Book a payment as unclaimed"),
                    ("propose_forfeit", "Propose that a payment is forfeited"),
                    ("second_forfeit", "Agree that a payment is forfeited"),
                    ("open_dispute", "Note a player's dispute of a claim"),
                    ("place_hold", "Place a regulator's hold on a claim"),
                    ("propose_resolution", "Propose to resolve a dispute"),
                    ("second_resolution", "Agree to resolve a dispute"),
                    ("propose_lift", "Propose to lift a regulator's hold"),
                    ("second_lift", "Agree to lift a regulator's hold"),
                    ("print_slip", "Print the slip of a payment"),
                    ("export_bundle", "Export the dispute bundle of a claim"),
                    ("propose_terms", "Propose new terms of a jackpot"),
                    ("second_terms", "Agree to new terms"),
                    ("suspend_jackpot", "Suspend a prize or a table, and resume it"),
                    ("propose_closing", "Propose to close a prize"),
                    ("second_closing", "Agree to close a prize"),
                    ("rule_round", "Rule on rounds and requests of dealers"),
                    ("credit_missed", "Credit missed rounds"),
                    ("second_missed", "Agree to missed rounds above the limit"),
                    ("countersign_missed", "Countersign missed rounds"),
                    ("report_incident", "Enter incidents"),
                    ("resolve_incident", "Resolve incidents"),
                    ("propose_move", "Propose to move a table to another system"),
                    ("second_move", "Agree to move a table"),
                    ("propose_boots", "Propose to reset the boot counter of a table"),
                    ("second_boots", "Agree to reset the boot counter of a table"),
                    ("enter_hand", "Enter a hand on the console"),
                    ("propose_order", "Propose to settle an order in question"),
                    ("second_order", "Agree to settle an order in question"),
                    ("propose_delegation", "Propose to delegate a decision on a claim"),
                    ("second_delegation", "Agree to delegate a decision on a claim"),
                    ("take_delegation", "Decide on a claim by delegation"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"), models.F("number"), name="one_claim_a_hit"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BundleExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bundles",
                        to="settlement.claim",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("sha256", models.BinaryField()),
                ("size", models.BigIntegerField()),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tables.gamingtable",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("void_round", "declared the round void"),
                            ("cancel_round", "cancelled the round"),
                            ("missed_rounds", "credited missed rounds"),
                            ("accept_rounds", "accepted rounds that were held"),
                            ("refuse_rounds", "refused rounds that were held"),
                            ("enter_hand", "entered a hand on the console"),
                            ("withdraw_hand", "proposed to reject the withdrawn hand"),
                            ("refuse", "refused the request"),
                        ],
                        max_length=20,
                    ),
                ),
                ("round", models.BigIntegerField(null=True)),
                (
                    "request",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling",
                        to="tables.tableevent",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("misdeal", models.CharField(blank=True, max_length=40)),
                ("note", models.CharField(max_length=500)),
                ("count", models.SmallIntegerField(default=0)),
                ("day", models.DateField()),
                ("command", models.BigIntegerField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(models.F("table"), models.F("day"), name="rulings_of_day")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("count__gt", 0), ("kind", "missed_rounds")),
                            models.Q(
                                models.Q(("kind", "missed_rounds"), _negated=True), ("count", 0)
                            ),
                            _connector="OR",
                        ),
                        name="ruling_count",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("command__isnull", False),
                                (
                                    "kind__in",
                                    [
                                        "void_round",
                                        "cancel_round",
                                        "missed_rounds",
                                        "enter_hand",
                                        "accept_rounds",
                                        "refuse_rounds",
                                    ],
                                ),
                            ),
                            models.Q(
                                ("command", None),
                                ("kind__in", ["withdraw_hand", "refuse"]),
                                ("request__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="ruling_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Countersignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "ruling",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="countersignature",
                        to="settlement.ruling",
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to="tables.gamingtable",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("button", "Jackpot button"),
                            ("handset", "Handset"),
                            ("display", "Display"),
                            ("unit_offline", "Unit offline"),
                            ("outage", "Console or broker outage"),
                            ("power", "Power"),
                            ("clock", "Clock"),
                            ("identity_conflict", "Identity conflict"),
                            ("system_halt", "System halt"),
                            ("wrong_notice", "Wrong notice"),
                            ("tampering", "Suspected tampering"),
                            ("procedure", "Dealer procedure"),
                            ("figures", "Figures differ"),
                        ],
                        max_length=20,
                    ),
                ),
                ("happened_at", models.DateTimeField()),
                ("note", models.CharField(max_length=1000)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("entry", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["-happened_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "button",
                                    "handset",
                                    "display",
                                    "unit_offline",
                                    "outage",
                                    "power",
                                    "clock",
                                    "identity_conflict",
                                    "system_halt",
                                    "wrong_notice",
                                    "tampering",
                                    "procedure",
                                    "figures",
                                ],
                            )
                        ),
                        name="incident_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("entry__isnull", False), ("kind", "figures"), ("person", None)
                            ),
                            models.Q(
                                models.Q(("kind", "figures"), _negated=True),
                                ("entry", None),
                                ("person__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="incident_of_person_or_order",
                    ),
                    models.UniqueConstraint(
                        models.F("system"), models.F("entry"), name="one_incident_an_entry"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="IncidentEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "incident",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="end",
                        to="settlement.incident",
                    ),
                ),
                ("note", models.CharField(max_length=1000)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Handover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="handovers",
                        to="tables.casino",
                    ),
                ),
                (
                    "outgoing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "incoming",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("remarks", models.CharField(blank=True, max_length=2000)),
                ("body", models.JSONField()),
                ("at", models.DateTimeField()),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outgoing", models.F("incoming")), _negated=True),
                        name="handover_takes_two_people",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Identification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="identifications",
                        to="settlement.claim",
                    ),
                ),
                ("seat", models.SmallIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("born", models.DateField()),
                (
                    "document",
                    models.CharField(
                        choices=[
                            ("passport", "Passport"),
                            ("identity_card", "Identity card"),
                            ("driver_licence", "Driver licence"),
                            ("other", "Other document with a photograph"),
                        ],
                        max_length=20,
                    ),
                ),
                ("document_number", models.CharField(max_length=60)),
                ("tax_number", models.CharField(blank=True, max_length=40)),
                ("address", models.CharField(blank=True, max_length=300)),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": ("add", "view"),
            },
        ),
        migrations.CreateModel(
            name="IdentificationLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="looks",
                        to="settlement.claim",
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("verify", "To verify the claim"),
                            ("decide", "To decide on the claim"),
                            ("pay", "To pay"),
                            ("review", "Review by compliance or a regulator"),
                            ("form", "To draft a form"),
                        ],
                        max_length=10,
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
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose__in", ["verify", "decide", "pay", "review", "form"])
                        ),
                        name="look_purpose",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Record",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("source", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("said", models.TextField()),
                ("command", models.BigIntegerField(null=True)),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("system"),
                        models.F("id"),
                        condition=models.Q(("command", None)),
                        name="records_that_wait",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("source"),
                        models.F("row"),
                        models.F("system"),
                        name="record_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RoleChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="auth.group",
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="role_changes",
                        to="tables.casino",
                    ),
                ),
                ("granted", models.BooleanField()),
                ("by", models.CharField(max_length=150)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="RolePermissions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="allowed",
                        to="auth.group",
                    ),
                ),
                ("permissions", models.JSONField()),
                ("by", models.CharField(max_length=150)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("role"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="newest_of_role",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AccessNote",
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
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("logged_out", "Logged out"),
                            ("failed", "Wrong password"),
                            ("locked", "Locked after wrong passwords"),
                            ("ended", "Log-in ended"),
                            ("refused", "Action refused"),
                            ("exported", "Exported a report"),
                            ("came_from", "Address, as the web process said"),
                        ],
                        max_length=20,
                    ),
                ),
                ("username", models.CharField(blank=True, max_length=150)),
                ("address", models.CharField(blank=True, max_length=45)),
                ("detail", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["at"], name="access_at")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "what__in",
                                (
                                    "logged_out",
                                    "failed",
                                    "locked",
                                    "ended",
                                    "refused",
                                    "exported",
                                    "came_from",
                                ),
                            )
                        ),
                        name="access_note_is_of_the_web",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ConsoleSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                (
                    "expire_date",
                    models.DateTimeField(db_index=True, verbose_name="expire date"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("proof", models.BinaryField(null=True)),
            ],
            options={
                "db_table": "console_session",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="RoleMark",
            fields=[
                ("role", models.CharField(max_length=63, primary_key=True, serialize=False)),
                ("mark", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("what", models.CharField(max_length=40)),
                ("username", models.CharField(max_length=150)),
                ("by", models.CharField(max_length=63)),
                ("detail", models.CharField(max_length=200)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="StaffPlay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="staff_plays",
                        to="tables.gamingtable",
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(null=True)),
                (
                    "said_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("until__isnull", True),
                            ("until__gte", models.F("since")),
                            _connector="OR",
                        ),
                        name="play_ends_later",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StaffPlayWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "play",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="word",
                        to="settlement.staffplay",
                    ),
                ),
                ("agrees", models.BooleanField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("agrees", True),
                            models.Q(("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="contradiction_says_why",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StaffPlayEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "play",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="end",
                        to="settlement.staffplay",
                    ),
                ),
                (
                    "said_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="SecondManagerLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_manager_limits",
                        to="tables.casino",
                    ),
                ),
                ("amount", models.BigIntegerField(null=True)),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("amount__isnull", True), ("amount__gte", 0), _connector="OR"
                        ),
                        name="limit_from_zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="limit_takes_two_people",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MissedRoundsLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="missed_rounds_limits",
                        to="tables.casino",
                    ),
                ),
                ("count", models.PositiveSmallIntegerField()),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="missed_limit_takes_two_people",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TermsFactor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="terms_factors",
                        to="tables.casino",
                    ),
                ),
                ("factor", models.PositiveSmallIntegerField()),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("factor__gte", 1)), name="factor_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="factor_takes_two_people",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckTick",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ticks",
                        to="settlement.claim",
                    ),
                ),
                ("card", models.CharField(max_length=2)),
                ("found", models.BooleanField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Footage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="footage",
                        to="settlement.claim",
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("reference", models.CharField(max_length=150)),
                ("camera", models.CharField(max_length=150)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("finding", models.CharField(max_length=1000)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="settlement.claim",
                    ),
                ),
                ("text", models.CharField(max_length=2000)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attachments",
                        to="settlement.claim",
                    ),
                ),
                ("caption", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=10)),
                ("size", models.IntegerField()),
                ("sha256", models.BinaryField()),
                ("content", models.BinaryField()),
                ("command", models.BigIntegerField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="Action",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="actions",
                        to="settlement.claim",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("amend", "amended the report"),
                            ("verify", "verified"),
                            ("approve", "approved as the first of two managers"),
                            ("confirm", "confirmed"),
                            ("propose_rejection", "proposed to reject"),
                            ("withdraw_rejection", "withdrew the rejection"),
                            ("second_rejection", "agreed to reject"),
                            ("pay", "paid"),
                            ("withhold", "withheld a payment"),
                            ("release", "released a payment"),
                            ("unclaimed", "booked a payment as unclaimed"),
                            ("dispute", "noted a dispute"),
                            ("hold_claim", "placed a regulator's hold"),
                            ("name_round", "said in which round the hand was"),
                            ("separate_hand", "said that it is a hand of its own"),
                            ("unpair_hand", "said that the unit's hand is another one"),
                        ],
                        max_length=20,
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
                ("at", models.DateTimeField(auto_now_add=True)),
                ("report_entry", models.BigIntegerField(null=True)),
                ("command", models.BigIntegerField(null=True)),
                ("body", models.JSONField(default=dict)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "amend",
                                    "verify",
                                    "approve",
                                    "confirm",
                                    "propose_rejection",
                                    "withdraw_rejection",
                                    "second_rejection",
                                    "pay",
                                    "withhold",
                                    "release",
                                    "unclaimed",
                                    "dispute",
                                    "hold_claim",
                                    "name_round",
                                    "separate_hand",
                                    "unpair_hand",
                                ],
                            )
                        ),
                        name="act_kind",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="settlement.claim",
                    ),
                ),
                ("item", models.CharField(max_length=32)),
                (
                    "answer",
                    models.CharField(
                        choices=[("yes", "Yes"), ("no", "No"), ("na", "N/A")], max_length=3
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("evidence", models.JSONField(db_default={}, default=dict)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SkipProposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="aside_proposals",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("event", models.BigIntegerField(null=True)),
                ("command", models.BigIntegerField(null=True)),
                ("reason", models.CharField(max_length=500)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "db_table": "settlement_asideproposal",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("adjust_pool", "adjust a pool"),
                            ("reverse_claim", "reverse a claim"),
                            ("reverse_rejection", "reverse a rejection"),
                            ("forfeit", "forfeit a payment"),
                            ("resolve_dispute", "resolve a dispute"),
                            ("lift_hold", "lift a regulator's hold"),
                            ("put_terms", "put terms into effect"),
                            ("close_tier", "close a prize"),
                            ("missed_rounds", "credit missed rounds"),
                            ("refuse_rounds", "refuse rounds that have figures"),
                            ("move_table", "move a table to another system"),
                            ("settle_order", "settle an order in question"),
                            ("reset_boots", "reset the boot counter of a table"),
                            ("delegate_claim", "delegate a decision"),
                        ],
                        max_length=32,
                    ),
                ),
                ("subject", models.CharField(max_length=32)),
                ("body", models.JSONField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        models.F("system"),
                        models.F("kind"),
                        models.F("subject"),
                        name="proposals_of_subject",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decision",
                        to="settlement.proposal",
                    ),
                ),
                ("agreed", models.BooleanField()),
                ("command", models.BigIntegerField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("agreed", True), ("command__isnull", False)),
                            models.Q(("agreed", False), ("command__isnull", True)),
                            _connector="OR",
                        ),
                        name="agreed_by_a_command",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalApproval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approvals",
                        to="settlement.proposal",
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
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("proposal"), models.F("person"), name="approved_once_by_each"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RetypedFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="retyped",
                        to="settlement.proposal",
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
                ("figures", models.JSONField()),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("proposal"), models.F("person"), name="retyped_once_by_each"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Payout",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payouts",
                        to="settlement.claim",
                    ),
                ),
                ("line", models.SmallIntegerField()),
                ("part", models.SmallIntegerField()),
                ("seat", models.SmallIntegerField()),
                ("entry_seq", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("cashier", models.CharField(max_length=150)),
                ("amount", models.BigIntegerField()),
                ("chips", models.BigIntegerField()),
                ("cash", models.BigIntegerField()),
                ("equivalent", models.BigIntegerField()),
                ("tax", models.BigIntegerField(default=0)),
                (
                    "residence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("resident", "Lives in this country"),
                            ("foreign", "Lives abroad"),
                        ],
                        max_length=10,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("claim"),
                        models.F("line"),
                        models.F("part"),
                        name="one_payout_a_part",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "amount",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("chips"), "+", models.F("cash")
                                        ),
                                        "+",
                                        models.F("equivalent"),
                                    ),
                                    "+",
                                    models.F("tax"),
                                ),
                            ),
                            ("amount__gt", 0),
                        ),
                        name="payout_parts_add_up",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cash__gte", 0),
                            ("chips__gte", 0),
                            ("equivalent__gte", 0),
                            ("tax__gte", 0),
                        ),
                        name="payout_parts_not_below_zero",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("residence__in", ["", "resident", "foreign"])),
                        name="payout_residence",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SlipPrint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "payout",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prints",
                        to="settlement.payout",
                    ),
                ),
                ("copy", models.SmallIntegerField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("digest", models.BinaryField()),
                ("content", models.JSONField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("payout"), models.F("copy"), name="one_print_a_copy"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("content__isnull", False), ("copy", 0)),
                            models.Q(("content__isnull", True), ("copy__gt", 0)),
                            _connector="OR",
                        ),
                        name="original_keeps_what_it_says",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reconciliation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reconciliations",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("up_to_seq", models.BigIntegerField()),
                ("from_block", models.BigIntegerField(default=0)),
                ("books_digest", models.BinaryField(null=True)),
                ("entries", models.BigIntegerField()),
                ("transfers", models.BigIntegerField()),
                ("blocks", models.BigIntegerField()),
                ("duration_ms", models.IntegerField()),
                ("differences", models.JSONField(default=list)),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("system"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="newest_reconciliation",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
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
                (
                    "reconciliation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="settlement.reconciliation",
                    ),
                ),
                ("books", models.JSONField()),
            ],
        ),
    )
