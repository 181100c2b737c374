"""Drop and bank: counts, findings, limits of variances."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0003_exports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.AlterModelOptions(
            name="claim",
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
                    ("propose_day_close", "Propose to close a gaming day or month"),
                    ("second_day_close", "Agree to close a gaming day or month"),
                    ("count_drop", "Enter the counted drop of tables"),
                    ("enter_balance", "Enter balances at the bank"),
                    ("explain_finding", "Explain a variance of drop or bank"),
                    ("sign_finding", "Sign off the explanation of a variance"),
                ]
            },
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
                (
                    "count",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="finding",
                        to="settlement.moneycount",
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
                "constraints": [
                    models.UniqueConstraint(
                        models.F("finding"),
                        condition=models.Q(("kind", "sign")),
                        name="finding_signed_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["take", "sign"]),
                            models.Q(("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="step_says_why",
                    ),
                ],
            },
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
                    models.Q(("amount__gte", 0), ("kind", "count_drop"), ("table__isnull", False)),
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
    )
