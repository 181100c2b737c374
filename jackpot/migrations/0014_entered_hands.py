"""Hands entered on the console: how a hit is paired with what its table's unit says later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0013_moving_tables"),
        ("tables", "0006_firmer_guards"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="hit",
            name="hit_state",
        ),
        migrations.AddField(
            model_name="hit",
            name="pairing",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                models.F("system"), condition=models.Q(("round__lt", 0)), name="hits_of_no_round"
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
                        ],
                    )
                ),
                name="hit_state",
            ),
        ),
    ]
