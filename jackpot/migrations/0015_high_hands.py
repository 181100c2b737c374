"""High hands: candidates, the ends of their periods, and the call that one has ended."""

from django.db import migrations, models
from django.db.models import Q

_STATES = ["held", "confirmed", "paid", "rejected", "reversed", "withdrawn", "paired", "outranked"]


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0014_entered_hands")]

    operations = [
        migrations.CreateModel(
            name="PeriodCall",
            fields=[
                (
                    "tier",
                    models.OneToOneField(
                        "jackpot.tier", models.PROTECT, primary_key=True, serialize=False
                    ),
                ),
                ("ends", models.DateTimeField()),
            ],
        ),
        migrations.AddField("tier", "period_from", models.DateTimeField(null=True)),
        migrations.AddField("hit", "strength", models.JSONField(null=True)),
        migrations.AddField("hit", "closing", models.BigIntegerField(null=True)),
        migrations.RemoveConstraint("hit", "hit_state"),
        migrations.AddConstraint(
            "hit", models.CheckConstraint(condition=Q(state__in=_STATES), name="hit_state")
        ),
        migrations.AddField("tierstep", "shown", models.BigIntegerField(null=True)),
        migrations.AddField("tierstep", "shown_at", models.BigIntegerField(null=True)),
        migrations.RemoveConstraint("tierstep", "step_kind"),
        migrations.AddConstraint(
            "tierstep",
            models.CheckConstraint(
                condition=Q(kind__in=["correction", "limit", "period"]), name="step_kind"
            ),
        ),
    ]
