"""What contributions of a round may ask: its stakes, the players counted, whether a flop came."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0028_command_basis"),
    ]

    operations = [
        migrations.AddField(
            model_name="roundstate",
            name="counted",
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="roundstate",
            name="flop",
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name="roundstate",
            name="stakes",
            field=models.CharField(max_length=200, null=True),
        ),
    ]
