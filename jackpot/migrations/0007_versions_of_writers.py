"""A poster says which versions of fold and rules it knows: an update hands over once all know it."""

from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0006_languages_of_screens")]

    operations = in_one_step(
        migrations.AddField("writer", "fold_version", models.IntegerField(null=True)),
        migrations.AddField("writer", "rules_version", models.IntegerField(null=True)),
    )
