"""A person has a link at each log-in provider; when they logged in there last."""

from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0032_escalation"),
    ]

    operations = in_one_step(
        migrations.RemoveConstraint(model_name="providerlink", name="one_subject_of_a_person"),
        migrations.AddField(
            model_name="providerlink",
            name="seen_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="providerlink",
            name="auth_time",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="providerlink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("person", "issuer"),
                name="one_subject_there_of_a_person",
            ),
        ),
    )
