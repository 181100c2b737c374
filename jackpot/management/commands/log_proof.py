"""`manage.py log_proof SYSTEM`: a proof from the log of a system as a small file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.transparency import proofs
from tables.models import JackpotSystem


class Command(BaseCommand):
    help = (
        "Show that the newest block, or --block N, stands in the log under the newest checkpoint;"
        " or with --from SIZE that the log has only grown since the checkpoint of so many blocks."
        " `python -m verifier proof FILE` checks it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", help="code of the system")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--block", type=int, metavar="N")
        what.add_argument("--from", type=int, metavar="SIZE", dest="old")
        parser.add_argument("--to", type=int, metavar="SIZE", help="instead of the newest")
        parser.add_argument("--output", type=Path, metavar="FILE", help="instead of the screen")

    def handle(self, **options: Any) -> None:
        system = JackpotSystem.objects.filter(code=options["system"]).first()
        if system is None:
            raise CommandError(f"There is no system {options['system']}.")
        try:
            text = _proof(system, options)
        except proofs.NoProof as why:
            raise CommandError(str(why)) from why
        if options["output"]:
            options["output"].write_text(text)
        else:
            self.stdout.write(text, ending="")


def _proof(system: JackpotSystem, options: dict[str, Any]) -> str:
    if options["old"] is not None:
        return proofs.growth(system, options["old"], options["to"])
    if options["block"] is not None:
        return proofs.of_block(system, options["block"]).to_text()
    return proofs.of_newest_block(system).to_text()
