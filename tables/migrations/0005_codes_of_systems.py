"""The code of a system is written in small letters and reads as no rehearsal, whoever makes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_clock_and_second_language")]

    operations = [
        migrations.AddConstraint(
            model_name="jackpotsystem",
            constraint=models.CheckConstraint(
                condition=models.Q(("code", "rehearsal"), _negated=True),
                name="system_code_is_no_rehearsal",
            ),
        ),
        migrations.AddConstraint(
            model_name="jackpotsystem",
            constraint=models.CheckConstraint(
                condition=models.Q(("code__regex", "^[a-z0-9-]{1,32}$")),
                name="system_code_is_written_small",
            ),
        ),
    ]
