"""`manage.py check_slip FILE.pdf`: did the house print this slip so?"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot.labels.claim_names import claim_name
from jackpot.labels.figures import with_code, write_exact
from settlement.core.errors import RuleBroken
from settlement.payments.slip_check import SlipCheck, check_slip
from settlement.people.rights.permissions import name_of


class Command(BaseCommand):
    help = (
        "Say whether a slip's PDF is a file that the house printed. Exit code 0: it is; 1: it was"
        " edited, or is unknown; 2: it cannot be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, **options: Any) -> None:
        try:
            check = check_slip(options["file"].read_bytes(), None)
        except (RuleBroken, OSError) as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        for line in _prints(check):
            self.stdout.write(line)
        if check.is_edited:
            raise CommandError(
                f"EDITED: the file says that it is slip {check.number},"
                " and is none of its prints, byte for byte."
            )
        if not check.is_printed:
            raise CommandError(
                f"UNKNOWN: the house printed no slip {check.number}."
                if check.number
                else "UNKNOWN: the file names no slip. Paper that was scanned cannot be checked."
            )
        self.stdout.write("PRINTED SO: the file is this print, byte for byte.")


def _prints(check: SlipCheck) -> list[str]:
    """What the house knows of the slip: all its prints, or the one that the file is."""
    slip, payout = check.slip, check.payout
    if slip is None or payout is None:
        return []
    amount = with_code(slip.currency, write_exact(payout.amount, slip.digits))
    log = f"; signed log of {slip.log_size} blocks" if slip.log_size else ""
    return [
        f"Slip {check.number}: claim {claim_name(payout.claim.system.code, payout.claim.number)},"
        f" {amount} paid {timezone.localtime(payout.at).isoformat(timespec='seconds')}",
        f"Checkpoint: entry {slip.entry}, block {slip.block}, hash {slip.hash}{log}",
        *(
            f"{f'Copy {each.copy}' if each.copy else 'Original'}, printed by"
            f" {name_of(each.person)}, {each.at.isoformat(timespec='seconds')}"
            for each in ([check.print] if check.print else check.prints)
        ),
    ]
