"""Until when one process of the worker sends a notification."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0024_language_of_a_person")]

    operations = [
        migrations.AddField(
            model_name="notificationdelivery",
            name="held_until",
            field=models.DateTimeField(null=True),
        ),
    ]
