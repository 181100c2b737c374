"""A table may leave for another system: its row stays, and says where it went."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_firmer_guards"),
    ]

    operations = [
        migrations.AddField(
            model_name="gamingtable",
            name="moved_entry",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="gamingtable",
            name="moved_to",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moved_from",
                to="tables.gamingtable",
            ),
        ),
        migrations.AddConstraint(
            model_name="gamingtable",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("moved_entry", None), ("moved_to", None)),
                    models.Q(
                        ("in_service", False),
                        ("moved_entry__isnull", False),
                        ("moved_to__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="moved_table_is_out_of_service",
            ),
        ),
    ]
