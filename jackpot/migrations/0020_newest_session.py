"""Which event the session of a table stands on: an older one that comes late changes nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0019_fixed_high_hands"),
    ]

    operations = [
        migrations.AddField(
            model_name="tablestate",
            name="boot",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="tablestate",
            name="seq",
            field=models.BigIntegerField(null=True),
        ),
    ]
