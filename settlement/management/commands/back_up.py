"""`manage.py back_up`: make a base backup now, and remove what is outdated."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from settlement.backups import runs
from settlement.backups.programs import BackupFault


class Command(BaseCommand):
    help = "Make a base backup by the tool that BACKUP_TOOL names, and remove what is outdated."

    def handle(self, **_options: Any) -> None:
        try:
            run = runs.back_up()
        except BackupFault as fault:
            raise CommandError(str(fault)) from fault
        if run.fault:
            raise CommandError(run.fault)
        for name in run.facts["removed"]:
            self.stdout.write(f"{name} is outdated and was removed.")
        self.stdout.write(f"{run.backup} was made: {filesizeformat(run.facts['size'])}.")
