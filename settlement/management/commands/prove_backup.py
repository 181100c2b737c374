"""`manage.py prove_backup`: restore the newest backup beside the house, and look at it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from settlement.backups import runs
from settlement.backups.programs import BackupFault


class Command(BaseCommand):
    help = (
        "Restore the newest backup into a folder of its own, up to the last moment of the archive;"
        " compare it with the live order, let the verifier look and rehearse begin_era. The live"
        " database is only read."
    )

    def handle(self, **_options: Any) -> None:
        try:
            run = runs.prove()
        except BackupFault as fault:
            raise CommandError(str(fault)) from fault
        facts = run.facts
        moment = facts["target"] or "the end of the base backup"
        self.stdout.write(f"{run.backup}, to {moment}, {filesizeformat(facts['size'])}")
        for each in facts["steps"]:
            self.stdout.write(f"  {each['step']}: {each['seconds']:.1f} s")
        for each in facts["systems"]:
            self.stdout.write(
                f"  {each['system']}: block {each['restored_block']} of {each['live_block']},"
                f" a disaster now would take {each['blocks_behind']} blocks"
            )
        if run.fault:
            raise CommandError(run.fault)
        self.stdout.write("The backup is good.")
