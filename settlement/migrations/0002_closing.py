"""Closed days and months, and days of displays."""

import django.db.models.deletion
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [("settlement", "0001_tables"), ("jackpot", "0002_closes")]

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
                ]
            },
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
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
                ],
                max_length=32,
            ),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"),
                        models.F("day"),
                        models.F("table"),
                        models.F("display"),
                        name="display_day_once",
                    )
                ],
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
    )
