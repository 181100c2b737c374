"""Closes of days and months."""

from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_tables")]

    operations = in_one_step(
        migrations.RemoveConstraint(
            model_name="command",
            name="command_takes_two_people",
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
    )
