"""Where a request to be paired came from: one address alone does not take up all of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0004_screens"),
    ]

    operations = [
        migrations.AddField(
            model_name="screenrequest",
            name="network",
            field=models.CharField(db_default="", max_length=45),
        ),
    ]
