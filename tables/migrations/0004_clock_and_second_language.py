"""Whether a casino writes times by a clock of twelve hours, and the second language of its slips."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_formats_of_a_casino")]

    operations = [
        migrations.AddField(
            model_name="casino",
            name="clock",
            field=models.CharField(blank=True, db_default="", default="", max_length=12),
        ),
        migrations.AddField(
            model_name="casino",
            name="slip_language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddConstraint(
            model_name="casino",
            constraint=models.CheckConstraint(
                condition=models.Q(("clock__in", ["", "twelve"])), name="casino_clock"
            ),
        ),
    ]
