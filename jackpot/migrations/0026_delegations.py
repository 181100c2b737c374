"""A decision on a claim is delegated by two people."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0025_forgotten_completions"),
        ("tables", "0014_boots_reset"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="command",
            name="command_takes_two_people",
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
                                "resolve_dispute",
                                "lift_hold",
                                "close_tier",
                                "move_table",
                                "receive_table",
                                "settle_order",
                                "reset_boots",
                                "delegate_claim",
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
    ]
