"""Claims, actions, proposals, payouts, evidence; the office; people, devices and their log-ins."""

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from settlement.models.records import LONGEST_ADDRESS, came_from
from tables.schema.steps import in_one_step

# Tables and people are looked for by the beginnings of words (settlement/search/finders.py).
_WORDS = "to_tsvector('simple'::regconfig, translate({columns}, '-_./@+', '      '))"
_WORD_INDEXES = {
    "tables_by_words": ("tables_gamingtable", ("code", "name")),
    "people_by_words": ("auth_user", ("username", "first_name", "last_name")),
}


def make_word_indexes(_apps, schema_editor):
    for name, (table, columns) in _WORD_INDEXES.items():
        words = _WORDS.format(columns=" || ' ' || ".join(columns))
        schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin ({words})")


def drop_word_indexes(_apps, schema_editor):
    for name in _WORD_INDEXES:
        schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("jackpot", "0001_tables"),
        ("tables", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        *in_one_step(
            migrations.CreateModel(
                name="AddressNotice",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("email", models.EmailField(max_length=254)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    (
                        "next_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("mailed_at", models.DateTimeField(null=True)),
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
                name="Badge",
                fields=[
                    (
                        "person",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="badge",
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("number", models.CharField(max_length=20, unique=True)),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="FileKey",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=200)),
                    ("public", models.BinaryField(unique=True)),
                    ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="Finding",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("limit", models.BigIntegerField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                ],
            ),
            migrations.CreateModel(
                name="Pin",
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
                    ("material", models.BinaryField()),
                    ("seal", models.CharField(max_length=43)),
                    (
                        "at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="Preference",
                fields=[
                    (
                        "person",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="preference",
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "theme",
                        models.CharField(
                            choices=[
                                ("dark", "Dark"),
                                ("light", "Light"),
                                ("system", "Setting of the device"),
                            ],
                            max_length=8,
                        ),
                    ),
                    (
                        "text_size",
                        models.CharField(
                            choices=[
                                ("normal", "Normal"),
                                ("large", "Large"),
                                ("larger", "Very large"),
                            ],
                            max_length=8,
                        ),
                    ),
                    (
                        "language",
                        models.CharField(blank=True, db_default="", default="", max_length=8),
                    ),
                    ("tour", models.PositiveSmallIntegerField(null=True)),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="ReadingsMark",
                fields=[
                    (
                        "system",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="+",
                            serialize=False,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    ("through", models.DateTimeField()),
                ],
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
            migrations.CreateModel(
                name="TableDaysMark",
                fields=[
                    (
                        "system",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="+",
                            serialize=False,
                            to="tables.jackpotsystem",
                        ),
                    ),
                    ("through", models.BigIntegerField(default=0)),
                ],
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
                                ("export_cancelled", "Cancelled an export"),
                                ("password_asked", "A new password asked for by mail"),
                                ("came_from", "Address, as reported by the web process"),
                                ("new_device", "New device"),
                                ("file_opened", "Opened a file of a claim"),
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
                                        "password_asked",
                                        "came_from",
                                        "new_device",
                                        "file_opened",
                                        "export_cancelled",
                                    ),
                                )
                            ),
                            name="access_note_is_of_the_web",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="BackupRun",
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
                            choices=[("base", "Base"), ("restore", "Restore")], max_length=8
                        ),
                    ),
                    ("tool", models.CharField(max_length=16)),
                    ("backup", models.CharField(blank=True, max_length=64)),
                    ("started_at", models.DateTimeField()),
                    ("ended_at", models.DateTimeField()),
                    ("fault", models.TextField(blank=True)),
                    ("facts", models.JSONField(default=dict)),
                ],
                options={
                    "default_permissions": (),
                    "indexes": [
                        models.Index(
                            models.F("kind"),
                            models.OrderBy(models.F("id"), descending=True),
                            name="newest_backup_runs",
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["base", "restore"])),
                            name="backup_run_of_a_kind",
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
                    ("number", models.BigIntegerField()),
                    ("opened_at", models.DateTimeField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="claims",
                            to="tables.jackpotsystem",
                        ),
                    ),
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
                        ("propose_aside", "Propose to skip the entry that halted a system"),
                        ("second_aside", "Approve skipping the entry that halted a system"),
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
                        ("propose_day_close", "Propose to close a gaming day or month"),
                        ("second_day_close", "Agree to close a gaming day or month"),
                        ("count_drop", "Enter the counted drop of tables"),
                        ("enter_balance", "Enter balances at the bank"),
                        ("explain_finding", "Explain a variance of drop or bank"),
                        ("sign_finding", "Sign off the explanation of a variance"),
                        ("view_dashboard", "See the dashboard of figures and charts"),
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
                    ("item", models.CharField(max_length=32)),
                    (
                        "answer",
                        models.CharField(
                            choices=[("yes", "Yes"), ("no", "No"), ("na", "N/A")], max_length=3
                        ),
                    ),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("evidence", models.JSONField(db_default={}, default=dict)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
                options={
                    "ordering": ["id"],
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
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("sha256", models.BinaryField()),
                    ("size", models.BigIntegerField()),
                    (
                        "person",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
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
                    ("caption", models.CharField(max_length=200)),
                    ("kind", models.CharField(max_length=10)),
                    ("size", models.IntegerField()),
                    ("sha256", models.BinaryField()),
                    ("content", models.BinaryField()),
                    ("command", models.BigIntegerField(null=True)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                                ("name_round", "entered the round of the hand"),
                                ("separate_hand", "decided that it is a separate hand"),
                                ("unpair_hand", "decided that the unit's hand is a different one"),
                            ],
                            max_length=20,
                        ),
                    ),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("report_entry", models.BigIntegerField(null=True)),
                    ("command", models.BigIntegerField(null=True)),
                    ("body", models.JSONField(default=dict)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
                options={
                    "ordering": ["id"],
                },
            ),
            migrations.CreateModel(
                name="ClosedDay",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("day", models.DateField()),
                    ("entry", models.BigIntegerField()),
                    ("through_seq", models.BigIntegerField()),
                    ("through_transfer", models.BigIntegerField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="closed_days",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="ClosedDayCheck",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("days", models.IntegerField()),
                    ("differences", models.JSONField(default=list)),
                    (
                        "system",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="closed_day_checks",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="DayMovement",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("reason", models.CharField(max_length=16)),
                    ("count", models.BigIntegerField()),
                    ("amount", models.BigIntegerField()),
                    (
                        "credit",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="jackpot.account",
                        ),
                    ),
                    (
                        "day",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="movements",
                            to="settlement.closedday",
                        ),
                    ),
                    (
                        "debit",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="jackpot.account",
                        ),
                    ),
                ],
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
                    ("card", models.CharField(max_length=2)),
                    ("found", models.BooleanField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="ticks",
                            to="settlement.claim",
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
                    "ordering": ["id"],
                },
            ),
            migrations.CreateModel(
                name="DisplayDay",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("display", models.CharField(max_length=32)),
                    ("day", models.DateField()),
                    ("readings", models.BigIntegerField()),
                    ("exact", models.BigIntegerField()),
                    ("apart", models.BigIntegerField()),
                    ("unknown", models.BigIntegerField()),
                    ("largest", models.BigIntegerField(null=True)),
                    ("slowest_ms", models.BigIntegerField(null=True)),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="EnrolmentCode",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(blank=True, max_length=64)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("expires_at", models.DateTimeField()),
                    ("used_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="enrolment_codes",
                            to=settings.AUTH_USER_MODEL,
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
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="EscalationPolicy",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("levels", models.CharField(blank=True, max_length=200)),
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
                },
            ),
            migrations.CreateModel(
                name="EventMark",
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
                        "handled",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.BigIntegerField(), default=list, size=None
                        ),
                    ),
                    ("newest", models.BigIntegerField(null=True)),
                    ("horizon", models.BigIntegerField(null=True)),
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
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
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
                name="ExclusionFile",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=100)),
                    ("digest", models.CharField(blank=True, max_length=64)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    ("confirmation_key", models.UUIDField(null=True, unique=True)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("read", "Being read"),
                                ("preview", "Not confirmed"),
                                ("running", "Running"),
                                ("stopped", "Stopped"),
                                ("done", "Imported"),
                                ("failed", "Failed"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("lines", models.IntegerField()),
                    ("problems", models.IntegerField()),
                    ("added", models.IntegerField()),
                    ("standing", models.IntegerField()),
                    ("missing", models.IntegerField()),
                    ("replaces", models.BooleanField()),
                    ("lines_done", models.IntegerField()),
                    ("ends_done", models.IntegerField()),
                    ("ends_cancelled", models.IntegerField()),
                    ("fault", models.CharField(blank=True, max_length=500)),
                    ("faults", models.IntegerField()),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="exclusion_files",
                            to="tables.casino",
                        ),
                    ),
                    (
                        "origin",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="settlement.exclusionimport",
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
                name="ExclusionLine",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("number", models.IntegerField()),
                    ("body", models.JSONField()),
                    ("problem", models.CharField(blank=True, max_length=300)),
                    ("same_as", models.IntegerField(null=True)),
                    (
                        "ends",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="settlement.exclusion",
                        ),
                    ),
                    (
                        "file",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="waiting",
                            to="settlement.exclusionfile",
                        ),
                    ),
                ],
                options={
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
                },
            ),
            migrations.AddField(
                model_name="exclusion",
                name="origin",
                field=models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="entries",
                    to="settlement.exclusionimport",
                ),
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
                name="ExclusionStop",
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
                                ("stop", "Stopped an import"),
                                ("continue", "Continued an import"),
                                ("leave", "Left out the rest of an import"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("lines_done", models.IntegerField()),
                    ("ends_done", models.IntegerField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(null=True, unique=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="exclusion_stops",
                            to="tables.casino",
                        ),
                    ),
                    (
                        "origin",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="stops",
                            to="settlement.exclusionimport",
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
                name="FactorDemand",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("demanded", models.BooleanField()),
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
                        "role",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="factor_demands",
                            to="auth.group",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="FindingStep",
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
                                ("take", "Taken"),
                                ("explain", "Explained"),
                                ("sign", "Signed off"),
                                ("return", "Sent back"),
                            ],
                            max_length=16,
                        ),
                    ),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "finding",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="steps",
                            to="settlement.finding",
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
                    ("reviewer", models.CharField(max_length=150)),
                    ("reference", models.CharField(max_length=150)),
                    ("camera", models.CharField(max_length=150)),
                    ("since", models.DateTimeField()),
                    ("until", models.DateTimeField()),
                    ("finding", models.CharField(max_length=1000)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="footage",
                            to="settlement.claim",
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
                    "ordering": ["id"],
                    "default_permissions": ("add",),
                },
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
                    ("remarks", models.CharField(blank=True, max_length=2000)),
                    ("body", models.JSONField()),
                    ("at", models.DateTimeField()),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="handovers",
                            to="tables.casino",
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
                    (
                        "outgoing",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
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
                    ("seat", models.SmallIntegerField(null=True)),
                    ("shares", models.SmallIntegerField(null=True)),
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
                    ("country", models.CharField(blank=True, max_length=2)),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="identifications",
                            to="settlement.claim",
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
                    "ordering": ["id"],
                    "default_permissions": ("add", "view"),
                    "permissions": [
                        ("propose_same_player", "Propose that two numbers are one player"),
                        ("second_same_player", "Agree that two numbers are one player"),
                    ],
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
                name="IdentificationLook",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                                ("filed", "To read a filed form"),
                            ],
                            max_length=10,
                        ),
                    ),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="looks",
                            to="settlement.claim",
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
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="IdleLimit",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("minutes", models.PositiveSmallIntegerField()),
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
                    (
                        "role",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="auth.group",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                },
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
                    ("entry", models.BigIntegerField(null=True)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
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
                ],
                options={
                    "ordering": ["-happened_at", "-id"],
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
                    ("note", models.CharField(max_length=1000)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "incident",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="end",
                            to="settlement.incident",
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
                },
            ),
            migrations.CreateModel(
                name="LogInProvider",
                fields=[
                    ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                    ("sealed", models.TextField(blank=True)),
                    ("at", models.DateTimeField()),
                    ("fault", models.CharField(blank=True, max_length=200)),
                    ("not_before", models.DateTimeField(null=True)),
                ],
                options={
                    "default_permissions": (),
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("id", 1)), name="one_log_in_provider"
                        )
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
                    ("count", models.PositiveSmallIntegerField()),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="missed_rounds_limits",
                            to="tables.casino",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="MoneyCount",
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
                            choices=[("count_drop", "Drop"), ("enter_balance", "Bank balance")],
                            max_length=16,
                        ),
                    ),
                    ("day", models.DateField()),
                    ("amount", models.BigIntegerField()),
                    ("expected", models.BigIntegerField()),
                    ("file", models.CharField(blank=True, max_length=64)),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("command", models.BigIntegerField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "corrects",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="corrected_by",
                            to="settlement.moneycount",
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
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="money_counts",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="money_counts",
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.AddField(
                model_name="finding",
                name="count",
                field=models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="finding",
                    to="settlement.moneycount",
                ),
            ),
            migrations.CreateModel(
                name="MailChange",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("email", models.EmailField(max_length=254)),
                    ("digest", models.CharField(max_length=64)),
                    ("sealed", models.TextField()),
                    ("mailed_digest", models.CharField(blank=True, db_default="", max_length=64)),
                    ("proof", models.BinaryField(null=True)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("expires_at", models.DateTimeField(null=True)),
                    ("used_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="mail_changes",
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
                name="Note",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("text", models.CharField(max_length=2000)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="notes",
                            to="settlement.claim",
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
                    "ordering": ["id"],
                    "default_permissions": ("add",),
                },
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
                        "casino",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.casino",
                        ),
                    ),
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
                name="PasswordCode",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(blank=True, max_length=64)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("expires_at", models.DateTimeField()),
                    ("used_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="password_codes",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "second",
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
                name="PasswordLink",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(max_length=64)),
                    ("sealed", models.TextField()),
                    ("mailed_digest", models.CharField(blank=True, db_default="", max_length=64)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("expires_at", models.DateTimeField(null=True)),
                    ("used_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="password_links",
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
                name="PasswordLogIn",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("until", models.DateTimeField()),
                    ("why", models.CharField(max_length=200)),
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
                ],
                options={
                    "default_permissions": (),
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
                    (
                        "claim",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="payouts",
                            to="settlement.claim",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Program",
                fields=[
                    (
                        "person",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="program",
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("purpose", models.CharField(max_length=200)),
                    (
                        "scopes",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.CharField(max_length=20), size=None
                        ),
                    ),
                    (
                        "systems",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.BigIntegerField(), null=True, size=None
                        ),
                    ),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    (
                        "casino",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="programs",
                            to="tables.casino",
                        ),
                    ),
                    (
                        "owner",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "default_permissions": (),
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
                                ("close_day", "close a gaming day"),
                                ("close_month", "close a month"),
                                ("release_excluded", "pay an excluded person"),
                                ("same_player", "count two numbers as one player"),
                            ],
                            max_length=32,
                        ),
                    ),
                    ("subject", models.CharField(max_length=32)),
                    ("body", models.JSONField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
                options={
                    "ordering": ["id"],
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
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
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
                    ("agreed", models.BooleanField()),
                    ("command", models.BigIntegerField(null=True)),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
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
                            to="settlement.proposal",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="ProviderLink",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("issuer", models.CharField(max_length=200)),
                    ("subject", models.CharField(max_length=255)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("ended_at", models.DateTimeField(null=True)),
                    ("seen_at", models.DateTimeField(null=True)),
                    ("auth_time", models.BigIntegerField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="provider_links",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="ProviderLogIn",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(max_length=64, unique=True)),
                    (
                        "purpose",
                        models.CharField(
                            choices=[
                                ("log_in", "Log In"),
                                ("unlock", "Unlock"),
                                ("confirm", "Confirm"),
                                ("link", "Link"),
                                ("invite", "Invite"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("address", models.CharField(blank=True, max_length=45)),
                    ("sealed", models.TextField()),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("claimed_at", models.DateTimeField(null=True)),
                    ("answered_at", models.DateTimeField(null=True)),
                    ("fault", models.CharField(blank=True, db_default="", max_length=20)),
                    ("answer", models.TextField(blank=True, db_default="")),
                    ("answer_digest", models.CharField(blank=True, db_default="", max_length=64)),
                    ("issuer", models.CharField(blank=True, db_default="", max_length=200)),
                    ("subject", models.CharField(blank=True, db_default="", max_length=255)),
                    ("used_at", models.DateTimeField(null=True)),
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
                ],
                options={
                    "ordering": ["id"],
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
                    ("held_until", models.DateTimeField(null=True)),
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
            migrations.CreateModel(
                name="Reconciliation",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="reconciliations",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
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
                    ("books", models.JSONField()),
                    (
                        "reconciliation",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="settlement.reconciliation",
                        ),
                    ),
                ],
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
                    ("source", models.CharField(max_length=40)),
                    ("row", models.BigIntegerField()),
                    ("said", models.TextField()),
                    ("command", models.BigIntegerField(null=True)),
                    (
                        "at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("by", models.CharField(db_default="", max_length=310)),
                    ("subject", models.CharField(db_default="", max_length=200)),
                    (
                        "address",
                        models.CharField(
                            db_default=django.db.models.functions.text.Left(
                                django.db.models.functions.comparison.Coalesce(
                                    models.Func(
                                        models.Value("jackpot.address"),
                                        models.Value(True),
                                        function="current_setting",
                                    ),
                                    models.Value(""),
                                ),
                                45,
                            ),
                            max_length=45,
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
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="RecoveryCode",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(max_length=64)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("used_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="recovery_codes",
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
                name="ReportSchedule",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("report", models.CharField(blank=True, max_length=40)),
                    ("of_return", models.CharField(blank=True, max_length=120)),
                    (
                        "moment",
                        models.CharField(
                            choices=[
                                ("day", "each gaming day"),
                                ("month", "each month"),
                                ("quarter", "each quarter"),
                                ("year", "each year"),
                            ],
                            max_length=7,
                        ),
                    ),
                    ("filters", models.JSONField(default=dict)),
                    ("formats", models.JSONField()),
                    ("mail_to", models.CharField(blank=True, max_length=500)),
                    ("folder", models.CharField(blank=True, max_length=80)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.casino",
                        ),
                    ),
                    (
                        "ended_by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="ReportExport",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("report", models.CharField(blank=True, max_length=40)),
                    ("of_return", models.CharField(blank=True, max_length=120)),
                    ("reports", models.JSONField(default=list)),
                    ("filters", models.JSONField()),
                    ("formats", models.JSONField()),
                    ("key", models.UUIDField(unique=True)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "Waiting"),
                                ("running", "Running"),
                                ("done", "Ready"),
                                ("failed", "Failed"),
                                ("cancelled", "Cancelled"),
                            ],
                            default="waiting",
                            max_length=10,
                        ),
                    ),
                    ("attempts", models.SmallIntegerField(default=0)),
                    ("alive_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    ("rows_total", models.BigIntegerField(null=True)),
                    ("rows_done", models.BigIntegerField(default=0)),
                    ("cancel_at", models.DateTimeField(null=True)),
                    ("fault", models.CharField(blank=True, max_length=500)),
                    ("manifest", models.JSONField(null=True)),
                    ("pins", models.JSONField(default=list)),
                    (
                        "source",
                        models.CharField(
                            blank=True,
                            choices=[("primary", "the database"), ("standby", "the standby")],
                            max_length=8,
                        ),
                    ),
                    (
                        "refusal",
                        models.CharField(
                            blank=True,
                            choices=[
                                ("silent", "the standby does not answer"),
                                (
                                    "promoted",
                                    "the standby accepts writes: it was promoted",
                                ),
                                ("strange", "the standby belongs to another database"),
                                ("behind", "the standby did not catch up in time"),
                                (
                                    "diverged",
                                    "the standby has another order than the database",
                                ),
                                ("lost", "the standby was lost while it was read"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("delivered_at", models.DateTimeField(null=True)),
                    ("deliver_at", models.DateTimeField(null=True)),
                    ("deliveries", models.SmallIntegerField(default=0)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
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
                    (
                        "schedule",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="exports",
                            to="settlement.reportschedule",
                        ),
                    ),
                ],
                options={
                    "ordering": ["-id"],
                    "default_permissions": (),
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
                    ("figures", models.JSONField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
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
                    ("granted", models.BooleanField()),
                    ("until", models.DateTimeField(null=True)),
                    ("by", models.CharField(max_length=310)),
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
                            related_name="role_changes",
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
                    ("permissions", models.JSONField()),
                    ("by", models.CharField(max_length=150)),
                    (
                        "at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
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
                    ("reason", models.CharField(blank=True, max_length=40)),
                    ("misdeal", models.CharField(blank=True, max_length=40)),
                    ("note", models.CharField(max_length=500)),
                    ("count", models.SmallIntegerField(default=0)),
                    ("day", models.DateField()),
                    ("command", models.BigIntegerField(null=True)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "request",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="ruling",
                            to="tables.tableevent",
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
                ],
                options={
                    "ordering": ["id"],
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
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
            ),
            migrations.CreateModel(
                name="SavedView",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("page", models.CharField(max_length=40)),
                    ("name", models.CharField(max_length=40)),
                    ("query", models.CharField(max_length=1000)),
                    ("is_default", models.BooleanField(default=False)),
                    (
                        "person",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ["name", "id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="SecondFactor",
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
                            choices=[("totp", "Authenticator app"), ("passkey", "Passkey")],
                            max_length=8,
                        ),
                    ),
                    ("name", models.CharField(max_length=60)),
                    ("material", models.BinaryField()),
                    ("count", models.BigIntegerField()),
                    ("wrong", models.PositiveSmallIntegerField(default=0)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("used_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
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
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="second_factors",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "permissions": [
                        ("reset_second_factor", "Propose a reset of second factors"),
                        ("set_factor_demand", "Say which roles need a second factor"),
                    ],
                    "default_permissions": (),
                },
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
                    ("amount", models.BigIntegerField(null=True)),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="second_manager_limits",
                            to="tables.casino",
                        ),
                    ),
                ],
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
                    (
                        "address",
                        models.CharField(db_default=came_from(), max_length=LONGEST_ADDRESS),
                    ),
                ],
                options={
                    "default_permissions": (),
                    "indexes": [
                        models.Index(models.F("at"), models.F("id"), name="security_events_by_time")
                    ],
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
                        "address",
                        models.CharField(
                            db_default=django.db.models.functions.text.Left(
                                django.db.models.functions.comparison.Coalesce(
                                    models.Func(
                                        models.Value("jackpot.address"),
                                        models.Value(True),
                                        function="current_setting",
                                    ),
                                    models.Value(""),
                                ),
                                45,
                            ),
                            max_length=45,
                        ),
                    ),
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
                        ("manage_screens", "Pair screens, put up slides, choose their look"),
                        ("replay_webhooks", "Have webhooks sent again"),
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
                                ("give_role", "assign a role"),
                                ("unlock", "let somebody log in again"),
                                ("reset_factors", "reset somebody’s second factors"),
                                ("mail_address", "change somebody’s mail address"),
                                ("new_password", "issue a code for somebody’s new password"),
                                ("factor_demand", "exempt a role from the second factor"),
                                (
                                    "second_manager",
                                    "change the amount above which two managers confirm",
                                ),
                                ("signatures", "change which acts are signed"),
                                (
                                    "missed_rounds",
                                    "change how many missed rounds one person credits",
                                ),
                                (
                                    "terms_factor",
                                    "change the factor from which figures are typed again",
                                ),
                                ("variance_limit", "change the variance that opens a finding"),
                                ("counting", "change whether drop or bank are counted"),
                                ("idle_limit", "change after how long the screen of a role locks"),
                                ("day_starts", "change the start of the gaming day"),
                                ("jurisdiction", "choose the jurisdiction pack"),
                                ("open_unrehearsed", "open the casino without a rehearsal"),
                                ("escalation", "change who is notified of waiting claims"),
                                ("report_schedule", "have a report sent out of the house"),
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
                    (
                        "address",
                        models.CharField(db_default=came_from(), max_length=LONGEST_ADDRESS),
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
                    (
                        "address",
                        models.CharField(db_default=came_from(), max_length=LONGEST_ADDRESS),
                    ),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.AddField(
                model_name="reportschedule",
                name="decision",
                field=models.OneToOneField(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="settlement.setupdecision",
                ),
            ),
            migrations.AddField(
                model_name="factordemand",
                name="decision",
                field=models.OneToOneField(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="settlement.setupdecision",
                ),
            ),
            migrations.CreateModel(
                name="SharedTablet",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60)),
                    ("digest", models.CharField(max_length=64, unique=True)),
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
                            related_name="tablets",
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
                        "made_by",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ["casino", "name", "id"],
                    "default_permissions": (),
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
                    ("proof", models.BinaryField(null=True)),
                    ("locked_at", models.DateTimeField(null=True)),
                    ("wrong_pins", models.PositiveSmallIntegerField(db_default=0, default=0)),
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
                    (
                        "tablet",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="settlement.sharedtablet",
                        ),
                    ),
                ],
                options={
                    "db_table": "console_session",
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
                                    "Approval, confirmation and payment of claims above the second manager’s amount; roles and log-ins that are given",
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
                },
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
                },
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
                name="SkipProposal",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("event", models.BigIntegerField(null=True)),
                    ("command", models.BigIntegerField(null=True)),
                    ("reason", models.CharField(max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
                options={
                    "db_table": "settlement_asideproposal",
                    "ordering": ["id"],
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
                    ("copy", models.SmallIntegerField()),
                    ("at", models.DateTimeField()),
                    ("digest", models.BinaryField()),
                    ("content", models.JSONField(null=True)),
                    (
                        "payout",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="prints",
                            to="settlement.payout",
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
                    ("since", models.DateTimeField()),
                    ("until", models.DateTimeField(null=True)),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField()),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="staff_plays",
                            to="tables.gamingtable",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
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
                    ("at", models.DateTimeField()),
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
                ],
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
                    ("agrees", models.BooleanField()),
                    ("note", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField()),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
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
                ],
            ),
            migrations.CreateModel(
                name="TableDay",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("day", models.DateField()),
                    ("contributed", models.BigIntegerField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.jackpotsystem",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.gamingtable",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Sharer",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("seat", models.SmallIntegerField()),
                    (
                        "kind",
                        models.CharField(
                            choices=[("added", "Added"), ("withdrawn", "Withdrawn")], max_length=10
                        ),
                    ),
                    ("amount", models.BigIntegerField()),
                    ("reason", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "claim",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="sharers",
                            to="settlement.claim",
                        ),
                    ),
                    (
                        "identification",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="settlement.identification",
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
                        "reverses",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="reversed_by",
                            to="settlement.sharer",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="FormFiling",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("form", models.CharField(max_length=120)),
                    ("number", models.SmallIntegerField()),
                    (
                        "kind",
                        models.CharField(
                            choices=[("filed", "Filed"), ("reversed", "Reversed")], max_length=8
                        ),
                    ),
                    ("amount", models.BigIntegerField()),
                    ("filed_on", models.DateField()),
                    ("reference", models.CharField(blank=True, max_length=100)),
                    ("reason", models.CharField(blank=True, max_length=500)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "payout",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="filings",
                            to="settlement.payout",
                        ),
                    ),
                    (
                        "sharer",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="filings",
                            to="settlement.sharer",
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
                        "reverses",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="reversed_by",
                            to="settlement.formfiling",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "permissions": [("file_form", "Enter that a form was filed")],
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="FilingFile",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("number", models.SmallIntegerField()),
                    (
                        "kind",
                        models.CharField(choices=[("pdf", "PDF"), ("xml", "XML")], max_length=8),
                    ),
                    ("size", models.IntegerField()),
                    ("sha256", models.BinaryField()),
                    ("content", models.BinaryField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "filing",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="files",
                            to="settlement.formfiling",
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
                    "ordering": ["number"],
                    "default_permissions": (),
                    "constraints": [
                        models.UniqueConstraint(
                            models.F("filing"),
                            models.F("number"),
                            name="files_of_a_filing_count_up",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("number__range", (1, 5))),
                            name="files_of_a_filing_are_few",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["pdf", "xml"])),
                            name="filing_file_kind",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="TaxRemittance",
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
                            choices=[("remit_tax", "Remitted"), ("reverse_remittance", "Reversed")],
                            max_length=20,
                        ),
                    ),
                    ("amount", models.BigIntegerField()),
                    ("reference", models.CharField(blank=True, max_length=100)),
                    ("reason", models.CharField(blank=True, max_length=500)),
                    ("command", models.BigIntegerField()),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    ("key", models.UUIDField(unique=True)),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "reverses",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="reversed_by",
                            to="settlement.taxremittance",
                        ),
                    ),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="remittances",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "permissions": [("remit_tax", "Enter withheld tax that was remitted")],
                    "default_permissions": (),
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
                    ("factor", models.PositiveSmallIntegerField()),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="terms_factors",
                            to="tables.casino",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="VarianceLimit",
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
                            choices=[("count_drop", "Drop"), ("enter_balance", "Bank balance")],
                            max_length=16,
                        ),
                    ),
                    ("amount", models.BigIntegerField()),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="variance_limits",
                            to="tables.casino",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="CountingRule",
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
                            choices=[("count_drop", "Drop"), ("enter_balance", "Bank balance")],
                            max_length=16,
                        ),
                    ),
                    ("is_counted", models.BooleanField()),
                    ("since", models.DateField()),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField()),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="counting_rules",
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
                            name="counting_takes_two_people",
                        )
                    ],
                },
            ),
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
                    ("old_secret", models.BinaryField(null=True)),
                    ("old_until", models.DateTimeField(null=True)),
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
                    ("number", models.BigIntegerField()),
                    (
                        "message",
                        models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID()),
                    ),
                    ("status", models.SmallIntegerField(null=True)),
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
                name="AccessToken",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60)),
                    (
                        "scopes",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.CharField(max_length=20), size=None
                        ),
                    ),
                    (
                        "systems",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.BigIntegerField(), null=True, size=None
                        ),
                    ),
                    ("digest", models.CharField(max_length=64, unique=True)),
                    (
                        "made_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("proof", models.BinaryField(null=True)),
                    ("expires_at", models.DateTimeField()),
                    ("revoked_at", models.DateTimeField(null=True)),
                    ("used_at", models.DateTimeField(null=True)),
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
                        "issued_by",
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
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="access_tokens",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ["-id"],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("expires_at__gt", models.F("made_at"))),
                            name="token_ends_later",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("scopes__len__gt", 0)), name="token_has_a_scope"
                        ),
                    ],
                },
            ),
            migrations.AddConstraint(
                model_name="claim",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("number"), name="one_claim_a_hit"
                ),
            ),
            migrations.AddConstraint(
                model_name="action",
                constraint=models.CheckConstraint(
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
                ),
            ),
            migrations.AddConstraint(
                model_name="closedday",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("day"), name="day_closed_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="daymovement",
                constraint=models.UniqueConstraint(
                    models.F("day"),
                    models.F("debit"),
                    models.F("credit"),
                    models.F("reason"),
                    name="movement_once_a_day",
                ),
            ),
            migrations.AddConstraint(
                model_name="daymovement",
                constraint=models.CheckConstraint(
                    condition=models.Q(("amount__gt", 0), ("count__gt", 0)),
                    name="movement_of_transfers",
                ),
            ),
            migrations.AddConstraint(
                model_name="displayday",
                constraint=models.UniqueConstraint(
                    models.F("system"),
                    models.F("day"),
                    models.F("table"),
                    models.F("display"),
                    name="display_day_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="escalationpolicy",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("levels", ""),
                        (
                            "levels__regex",
                            "^[1-9][0-9]{0,3}:(verify|confirm|pay)_claim(,[1-9][0-9]{0,3}:(verify|confirm|pay)_claim){0,4}$",
                        ),
                        _connector="OR",
                    ),
                    name="escalation_levels",
                ),
            ),
            migrations.AddConstraint(
                model_name="escalationpolicy",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="escalation_takes_two_people",
                ),
            ),
            migrations.AddConstraint(
                model_name="eventmark",
                constraint=models.UniqueConstraint(
                    models.F("source"),
                    models.F("system"),
                    name="event_mark_once",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddConstraint(
                model_name="exclusionend",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("reason", ""), _negated=True),
                        ("origin__isnull", False),
                        _connector="OR",
                    ),
                    name="end_of_exclusion_says_why",
                ),
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
                model_name="findingstep",
                constraint=models.UniqueConstraint(
                    models.F("finding"),
                    condition=models.Q(("kind", "sign")),
                    name="finding_signed_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="findingstep",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("kind__in", ["take", "sign"]),
                        models.Q(("note", ""), _negated=True),
                        _connector="OR",
                    ),
                    name="step_says_why",
                ),
            ),
            migrations.AddConstraint(
                model_name="handover",
                constraint=models.CheckConstraint(
                    condition=models.Q(("outgoing", models.F("incoming")), _negated=True),
                    name="handover_takes_two_people",
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
            migrations.AddIndex(
                model_name="exclusionline",
                index=models.Index(
                    models.F("file"), models.F("number"), name="exclusionline_in_order"
                ),
            ),
            migrations.AddIndex(
                model_name="identification",
                index=models.Index(
                    models.F("born"), models.F("document"), name="identifications_by_birth"
                ),
            ),
            migrations.AddConstraint(
                model_name="identification",
                constraint=models.CheckConstraint(
                    condition=models.Q(("country__regex", "^([A-Z]{2})?$")),
                    name="identification_country",
                ),
            ),
            migrations.AddConstraint(
                model_name="identification",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("seat__isnull", False), ("shares__isnull", False), _connector="XOR"
                    ),
                    name="identification_of_one_place",
                ),
            ),
            migrations.AddConstraint(
                model_name="identificationlook",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("purpose__in", ["verify", "decide", "pay", "review", "form", "filed"])
                    ),
                    name="look_purpose",
                ),
            ),
            migrations.AddConstraint(
                model_name="idlelimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("minutes__gte", 1), ("minutes__lte", 240)),
                    name="idle_minutes",
                ),
            ),
            migrations.AddConstraint(
                model_name="incident",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("entry__isnull", False), ("kind", "figures"), ("person", None)),
                        models.Q(
                            models.Q(("kind", "figures"), _negated=True),
                            ("entry", None),
                            ("person__isnull", False),
                        ),
                        _connector="OR",
                    ),
                    name="incident_of_person_or_order",
                ),
            ),
            migrations.AddConstraint(
                model_name="incident",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("entry"), name="one_incident_an_entry"
                ),
            ),
            migrations.AddConstraint(
                model_name="incident",
                constraint=models.CheckConstraint(
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
            ),
            migrations.AddConstraint(
                model_name="jurisdictionchoice",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="pack_takes_two_people",
                ),
            ),
            migrations.AddConstraint(
                model_name="missedroundslimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="missed_limit_takes_two_people",
                ),
            ),
            migrations.AddConstraint(
                model_name="moneycount",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("command"), name="count_of_one_command"
                ),
            ),
            migrations.AddConstraint(
                model_name="moneycount",
                constraint=models.UniqueConstraint(
                    models.F("table"),
                    models.F("day"),
                    condition=models.Q(("corrects__isnull", True), ("kind", "count_drop")),
                    name="drop_counted_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="moneycount",
                constraint=models.UniqueConstraint(
                    models.F("system"),
                    models.F("day"),
                    condition=models.Q(("corrects__isnull", True), ("kind", "enter_balance")),
                    name="balance_entered_once",
                ),
            ),
            migrations.AddConstraint(
                model_name="moneycount",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            ("amount__gte", 0), ("kind", "count_drop"), ("table__isnull", False)
                        ),
                        models.Q(("kind", "enter_balance"), ("table__isnull", True)),
                        _connector="OR",
                    ),
                    name="drop_is_of_a_table",
                ),
            ),
            migrations.AddConstraint(
                model_name="moneycount",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("corrects__isnull", True),
                        models.Q(("note", ""), _negated=True),
                        _connector="OR",
                    ),
                    name="correction_says_why",
                ),
            ),
            migrations.AddIndex(
                model_name="notification",
                index=models.Index(
                    models.F("person"),
                    condition=models.Q(("on_page", True), ("read_at__isnull", True)),
                    name="notifications_unread",
                ),
            ),
            migrations.AddIndex(
                model_name="notification",
                index=models.Index(models.F("at"), name="notifications_at"),
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
            migrations.AddConstraint(
                model_name="payout",
                constraint=models.UniqueConstraint(
                    models.F("claim"), models.F("line"), models.F("part"), name="one_payout_a_part"
                ),
            ),
            migrations.AddConstraint(
                model_name="payout",
                constraint=models.CheckConstraint(
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
            ),
            migrations.AddConstraint(
                model_name="payout",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("cash__gte", 0), ("chips__gte", 0), ("equivalent__gte", 0), ("tax__gte", 0)
                    ),
                    name="payout_parts_not_below_zero",
                ),
            ),
            migrations.AddConstraint(
                model_name="payout",
                constraint=models.CheckConstraint(
                    condition=models.Q(("residence__in", ["", "resident", "foreign"])),
                    name="payout_residence",
                ),
            ),
            migrations.AddConstraint(
                model_name="program",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        (
                            "scopes__contained_by",
                            [
                                "read:floor",
                                "read:claims",
                                "read:decisions",
                                "read:drop",
                                "read:exclusions",
                                "write:evidence",
                                "write:sharers",
                                "write:incidents",
                                "write:drop",
                                "write:webhooks",
                            ],
                        ),
                        ("scopes__len__gt", 0),
                    ),
                    name="program_has_scopes_of_programs",
                ),
            ),
            migrations.AddIndex(
                model_name="proposal",
                index=models.Index(
                    models.F("system"),
                    models.F("kind"),
                    models.F("subject"),
                    name="proposals_of_subject",
                ),
            ),
            migrations.AddIndex(
                model_name="proposal",
                index=models.Index(
                    "id", condition=models.Q(("kind", "same_player")), name="proposals_same_player"
                ),
            ),
            migrations.AddConstraint(
                model_name="proposalapproval",
                constraint=models.UniqueConstraint(
                    models.F("proposal"), models.F("person"), name="approved_once_by_each"
                ),
            ),
            migrations.AddConstraint(
                model_name="proposaldecision",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("agreed", True), ("command__isnull", False)),
                        models.Q(("agreed", False), ("command__isnull", True)),
                        _connector="OR",
                    ),
                    name="agreed_by_a_command",
                ),
            ),
            migrations.AddConstraint(
                model_name="providerlink",
                constraint=models.UniqueConstraint(
                    condition=models.Q(("ended_at", None)),
                    fields=("issuer", "subject"),
                    name="one_person_of_a_subject",
                ),
            ),
            migrations.AddConstraint(
                model_name="providerlink",
                constraint=models.UniqueConstraint(
                    condition=models.Q(("ended_at", None)),
                    fields=("person", "issuer"),
                    name="one_subject_there_of_a_person",
                ),
            ),
            migrations.AddIndex(
                model_name="providerlogin",
                index=models.Index(fields=["made_at"], name="provider_log_in_at"),
            ),
            migrations.AddConstraint(
                model_name="providerlogin",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("purpose__in", ("log_in", "unlock", "confirm", "link", "invite"))
                    ),
                    name="provider_log_in_purpose",
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
            migrations.AddIndex(
                model_name="reconciliation",
                index=models.Index(
                    models.F("system"),
                    models.OrderBy(models.F("id"), descending=True),
                    name="newest_reconciliation",
                ),
            ),
            migrations.AddIndex(
                model_name="record",
                index=models.Index(
                    models.F("system"),
                    models.F("id"),
                    condition=models.Q(("command", None)),
                    name="records_that_wait",
                ),
            ),
            migrations.AddIndex(
                model_name="record",
                index=models.Index(models.F("at"), models.F("id"), name="records_by_time"),
            ),
            migrations.AddIndex(
                model_name="record",
                index=models.Index(models.F("by"), models.F("at"), name="records_by_person"),
            ),
            migrations.AddIndex(
                model_name="record",
                index=models.Index(models.F("subject"), models.F("at"), name="records_by_subject"),
            ),
            migrations.AddConstraint(
                model_name="record",
                constraint=models.UniqueConstraint(
                    models.F("source"), models.F("row"), models.F("system"), name="record_once"
                ),
            ),
            migrations.AddIndex(
                model_name="reportexport",
                index=models.Index(
                    models.F("id"),
                    condition=models.Q(("state__in", ["waiting", "running"])),
                    name="exports_due",
                ),
            ),
            migrations.AddConstraint(
                model_name="reportexport",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("state__in", ["waiting", "running", "done", "failed", "cancelled"])
                    ),
                    name="export_state",
                ),
            ),
            migrations.AddConstraint(
                model_name="reportexport",
                constraint=models.UniqueConstraint(
                    models.F("schedule"), models.F("filters"), name="export_of_schedule_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="reportexport",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("of_return", ""), ("report__gt", "")),
                        models.Q(("of_return__gt", ""), ("report", "")),
                        _connector="OR",
                    ),
                    name="export_of_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="reportschedule",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("of_return", ""), ("report__gt", "")),
                        models.Q(("of_return__gt", ""), ("report", "")),
                        _connector="OR",
                    ),
                    name="schedule_of_one",
                ),
            ),
            migrations.AddConstraint(
                model_name="retypedfigures",
                constraint=models.UniqueConstraint(
                    models.F("proposal"), models.F("person"), name="retyped_once_by_each"
                ),
            ),
            migrations.AddIndex(
                model_name="rolepermissions",
                index=models.Index(
                    models.F("role"),
                    models.OrderBy(models.F("id"), descending=True),
                    name="newest_of_role",
                ),
            ),
            migrations.AddIndex(
                model_name="ruling",
                index=models.Index(models.F("table"), models.F("day"), name="rulings_of_day"),
            ),
            migrations.AddConstraint(
                model_name="ruling",
                constraint=models.CheckConstraint(
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
            ),
            migrations.AddConstraint(
                model_name="ruling",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("count__gt", 0), ("kind", "missed_rounds")),
                        models.Q(models.Q(("kind", "missed_rounds"), _negated=True), ("count", 0)),
                        _connector="OR",
                    ),
                    name="ruling_count",
                ),
            ),
            migrations.AddConstraint(
                model_name="savedview",
                constraint=models.UniqueConstraint(
                    models.F("person"), models.F("page"), models.F("name"), name="saved_view_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="savedview",
                constraint=models.UniqueConstraint(
                    condition=models.Q(("is_default", True)),
                    fields=("person", "page"),
                    name="one_default_view",
                ),
            ),
            migrations.AddConstraint(
                model_name="secondfactor",
                constraint=models.CheckConstraint(
                    condition=models.Q(("kind__in", ("totp", "passkey"))), name="second_factor_kind"
                ),
            ),
            migrations.AddConstraint(
                model_name="secondmanagerlimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("amount__isnull", True), ("amount__gte", 0), _connector="OR"
                    ),
                    name="limit_from_zero",
                ),
            ),
            migrations.AddConstraint(
                model_name="secondmanagerlimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="limit_takes_two_people",
                ),
            ),
            migrations.AddIndex(
                model_name="setupchange",
                index=models.Index(models.F("at"), models.F("id"), name="changes_by_time"),
            ),
            migrations.AddConstraint(
                model_name="consolesession",
                constraint=models.UniqueConstraint(
                    condition=models.Q(("locked_at", None)),
                    fields=("tablet",),
                    name="one_is_open_at_a_tablet",
                ),
            ),
            migrations.AddConstraint(
                model_name="signaturepolicy",
                constraint=models.CheckConstraint(
                    condition=models.Q(("acts__in", ["none", "large", "all"])),
                    name="acts_to_be_signed",
                ),
            ),
            migrations.AddConstraint(
                model_name="signature",
                constraint=models.UniqueConstraint(
                    models.F("source"), models.F("row"), name="signed_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="slipprint",
                constraint=models.UniqueConstraint(
                    models.F("payout"), models.F("copy"), name="one_print_a_copy"
                ),
            ),
            migrations.AddConstraint(
                model_name="slipprint",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("content__isnull", False), ("copy", 0)),
                        models.Q(("content__isnull", True), ("copy__gt", 0)),
                        _connector="OR",
                    ),
                    name="original_keeps_what_it_says",
                ),
            ),
            migrations.AddConstraint(
                model_name="staffplay",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                    ),
                    name="play_ends_later",
                ),
            ),
            migrations.AddConstraint(
                model_name="staffplayword",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("agrees", True), models.Q(("note", ""), _negated=True), _connector="OR"
                    ),
                    name="contradiction_says_why",
                ),
            ),
            migrations.AddConstraint(
                model_name="tableday",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("day"), models.F("table"), name="table_day_once"
                ),
            ),
            migrations.AddConstraint(
                model_name="formfiling",
                constraint=models.UniqueConstraint(
                    models.F("payout"),
                    models.F("form"),
                    models.F("number"),
                    name="filings_of_a_form_count_up",
                ),
            ),
            migrations.AddConstraint(
                model_name="sharer",
                constraint=models.CheckConstraint(
                    condition=models.Q(("amount__gt", 0)), name="sharer_above_zero"
                ),
            ),
            migrations.AddConstraint(
                model_name="sharer",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("kind", "added"), ("reverses__isnull", True)),
                        models.Q(
                            ("kind", "withdrawn"),
                            ("reverses__isnull", False),
                            models.Q(("reason", ""), _negated=True),
                        ),
                        _connector="OR",
                    ),
                    name="sharer_says_what_it_is",
                ),
            ),
            migrations.AddConstraint(
                model_name="formfiling",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            ("kind", "filed"),
                            ("reverses__isnull", True),
                            models.Q(("reference", ""), _negated=True),
                        ),
                        models.Q(
                            ("kind", "reversed"),
                            ("reverses__isnull", False),
                            models.Q(("reason", ""), _negated=True),
                        ),
                        _connector="OR",
                    ),
                    name="filing_says_what_it_is",
                ),
            ),
            migrations.AddConstraint(
                model_name="taxremittance",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("command"), name="remittance_of_one_command"
                ),
            ),
            migrations.AddConstraint(
                model_name="taxremittance",
                constraint=models.CheckConstraint(
                    condition=models.Q(("amount__gt", 0)), name="remittance_above_zero"
                ),
            ),
            migrations.AddConstraint(
                model_name="taxremittance",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            ("kind", "remit_tax"),
                            ("reverses__isnull", True),
                            models.Q(("reference", ""), _negated=True),
                        ),
                        models.Q(
                            ("kind", "reverse_remittance"),
                            ("reverses__isnull", False),
                            models.Q(("reason", ""), _negated=True),
                        ),
                        _connector="OR",
                    ),
                    name="remittance_says_what_it_is",
                ),
            ),
            migrations.AddConstraint(
                model_name="termsfactor",
                constraint=models.CheckConstraint(
                    condition=models.Q(("factor__gte", 1)), name="factor_from_one"
                ),
            ),
            migrations.AddConstraint(
                model_name="termsfactor",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="factor_takes_two_people",
                ),
            ),
            migrations.AddConstraint(
                model_name="variancelimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("amount__gte", 0)), name="variance_limit_from_zero"
                ),
            ),
            migrations.AddConstraint(
                model_name="variancelimit",
                constraint=models.CheckConstraint(
                    condition=models.Q(("second", models.F("first")), _negated=True),
                    name="variance_limit_takes_two_people",
                ),
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
            migrations.AddIndex(
                model_name="webhookdelivery",
                index=models.Index(
                    models.F("endpoint"),
                    condition=models.Q(("state", "dead")),
                    name="webhooks_given_up",
                ),
            ),
            migrations.AddIndex(
                model_name="webhookdelivery",
                index=models.Index(models.F("event"), name="webhooks_of_an_event"),
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
        ),
        migrations.RunPython(make_word_indexes, drop_word_indexes),
    ]
