"""Lists as a person wants them, under a name."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0026_dashboard"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedView",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("page", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=40)),
                ("query", models.CharField(max_length=1000)),
                ("is_default", models.BooleanField(default=False)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("person"),
                        models.F("page"),
                        models.F("name"),
                        name="saved_view_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_default", True)),
                        fields=("person", "page"),
                        name="one_default_view",
                    ),
                ],
            },
        ),
    ]
