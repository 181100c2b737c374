"""Which tables are traced on request."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_intake_of_quarantine")]

    operations = [
        migrations.CreateModel(
            name="TraceRequest",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="tables.gamingtable",
                    ),
                ),
                ("until", models.DateTimeField()),
            ],
            options={"default_permissions": ()},
        ),
    ]
