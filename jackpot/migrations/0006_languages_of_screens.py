"""In which languages screens speak, and what the house wrote in other languages."""

from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0005_network_of_a_screen")]

    operations = in_one_step(
        migrations.AddField(
            model_name="screen",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(
            model_name="screen",
            name="second_language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(model_name="slide", name="others", field=models.JSONField(null=True)),
        migrations.AddField(
            model_name="houselook", name="names", field=models.JSONField(null=True)
        ),
    )
