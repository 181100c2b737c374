"""`manage.py seal_unit_keys`: seal the keys of units with the first key of UNIT_KEYS_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from tables import keys
from tables.process.sealing_keys import SealingKeyFault


class Command(BaseCommand):
    help = (
        "Seal each key of a unit with the first key of UNIT_KEYS_KEY, where another of them sealed"
        " it, so that the older ones can go. Run by the database's owner."
    )

    def handle(self, **_options: Any) -> None:
        try:
            with transaction.atomic():
                count, shut = keys.seal_anew()
        except SealingKeyFault as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"Sealed with the first key: the keys of {count} more tables.")
        if shut:
            raise CommandError(
                f"These stay shut: {', '.join(shut)}. Put the key that sealed them into"
                " UNIT_KEYS_KEY, behind the first, or issue their units another key."
            )
