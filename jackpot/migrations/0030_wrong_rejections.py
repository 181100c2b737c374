"""A rejection is reversed by two people; what was reported after a decision is kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0029_fed_rounds"),
        ("tables", "0014_boots_reset"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="command",
            name="command_takes_two_people",
        ),
        migrations.AddField(
            model_name="hit",
            name="corrected",
            field=models.JSONField(null=True),
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
