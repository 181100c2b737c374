"""Claims that are confirmed in parts, corrections at their own place, limits of pools."""

import django.db.models.deletion
from django.db import migrations, models

from tables.guards import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0007_writers"),
        ("tables", "0005_eras"),
    ]

    operations = [
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
                (
                    "tier",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="jackpot.tier",
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
            ],
        ),
        migrations.RemoveConstraint(
            model_name="command",
            name="command_takes_two_people",
        ),
        migrations.RemoveConstraint(
            model_name="hit",
            name="hit_state",
        ),
        migrations.AddField(
            model_name="hit",
            name="confirmed",
            field=models.BigIntegerField(default=0),
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
            model_name="hit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["held", "confirmed", "paid", "rejected", "reversed"])
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
            model_name="tierstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["correction", "limit"])), name="step_kind"
            ),
        ),
        append_only("jackpot_tierstep"),
    ]
