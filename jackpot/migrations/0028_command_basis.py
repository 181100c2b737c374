"""A command names by a hash what people recorded until then, and so does its entry.

A floor above sets it (`settlement/migrations/0041_records.py`). `seal_records` is the console's own
and says nothing but that: it takes in what was recorded since the last command.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0027_held_rounds")]

    operations = [
        migrations.AddField(
            model_name="command", name="basis", field=models.BinaryField(null=True)
        ),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "seal_records"), _negated=True),
                    models.Q(("body", {}), ("first", "console"), ("second", None)),
                    _connector="OR",
                ),
                name="seal_says_nothing",
            ),
        ),
    ]
