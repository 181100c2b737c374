"""Base backups that were made, and restores that were tried."""

from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [("settlement", "0034_programs")]

    operations = in_one_step(
        migrations.CreateModel(
            name="BackupRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("base", "Base"), ("restore", "Restore")], max_length=8
                    ),
                ),
                ("tool", models.CharField(max_length=16)),
                ("backup", models.CharField(blank=True, max_length=64)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("fault", models.TextField(blank=True)),
                ("facts", models.JSONField(default=dict)),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("kind"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="newest_backup_runs",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["base", "restore"])),
                        name="backup_run_of_a_kind",
                    )
                ],
            },
        ),
    )
