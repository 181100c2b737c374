"""The name of a message is drawn at random: numbers come again after a restore from a backup."""

from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0015_audit_trail")]

    operations = [
        migrations.AddField(
            model_name="webhookdelivery",
            name="message",
            field=models.UUIDField(db_default=RandomUUID()),
        ),
    ]
