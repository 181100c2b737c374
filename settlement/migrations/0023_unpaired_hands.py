"""A pairing can be undone: who did it stands behind the command, as for the pairing itself."""

from django.conf import settings
from django.db import migrations, models

from settlement.guards import by_act


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0022_worker_finishes_moves"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="act",
            name="act_kind",
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
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
        migrations.AddConstraint(
            model_name="act",
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
        by_act("unpairing_has_its_act", "unpair_hand"),
    ]
