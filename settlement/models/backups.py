"""Base backups that were made, and restores that were tried."""

from django.db import models
from django.db.models import CheckConstraint, F, Q


class BackupRun(models.Model):
    """One base backup or restore trial of the whole installation. Append-only.

    `fault`: what went wrong, in words; empty where all is good. `facts`: of a base backup what is
    kept after it, of a trial what was restored and how it compares
    (`settlement.backups.runs.facts_of`).
    """

    class Kind(models.TextChoices):
        BASE = "base"
        RESTORE = "restore"

    kind = models.CharField(max_length=8, choices=Kind)
    tool = models.CharField(max_length=16)
    backup = models.CharField(max_length=64, blank=True)  # the tool's name of the base backup
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    fault = models.TextField(blank=True)
    facts = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()
        constraints = [
            CheckConstraint(condition=Q(kind__in=["base", "restore"]), name="backup_run_of_a_kind")
        ]
        indexes = [models.Index(F("kind"), F("id").desc(), name="newest_backup_runs")]
