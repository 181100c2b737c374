"""Access tokens have scopes and systems. Those of before read everything that their person may."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step

_READING = ["read:floor", "read:claims", "read:decisions", "read:drop", "read:exclusions"]


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0011_search"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.AddField(
            model_name="accesstoken",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=20), default=_READING, size=None
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="systems",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), null=True, size=None
            ),
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="ended_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="accesstoken",
            constraint=models.CheckConstraint(
                condition=models.Q(("scopes__len__gt", 0)), name="token_has_a_scope"
            ),
        ),
    )
