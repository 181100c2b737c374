"""In which language a casino speaks to people who chose none, and how it writes dates."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_devices")]

    operations = [
        migrations.AddField(
            model_name="casino",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(
            model_name="casino",
            name="dates",
            field=models.CharField(blank=True, db_default="", default="", max_length=12),
        ),
        migrations.AddConstraint(
            model_name="casino",
            constraint=models.CheckConstraint(
                condition=models.Q(("dates__in", ["", "month_first", "year_first"])),
                name="casino_dates",
            ),
        ),
    ]
