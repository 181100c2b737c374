"""What stops a claim: disputes and a regulator's hold, with the entries that ended them."""

from django.db import migrations, models
from django.db.models import F, Q

_TWO_PEOPLE = [
    *("put_terms", "confirm_claim", "reject_claim", "reverse_claim", "forfeit", "adjust_pool"),
    *("resolve_dispute", "lift_hold"),
]


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0008_supplements")]

    operations = [
        migrations.RemoveConstraint(model_name="command", name="command_takes_two_people"),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.CheckConstraint(
                condition=~Q(kind__in=_TWO_PEOPLE)
                | (Q(second__isnull=False) & ~Q(second=F("first"))),
                name="command_takes_two_people",
            ),
        ),
        migrations.AddField(model_name="hit", name="stops", field=models.JSONField(default=list)),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                models.F("system"),
                condition=models.Q(("stops", []), _negated=True),
                name="hits_stopped",
            ),
        ),
    ]
