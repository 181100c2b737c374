"""`manage.py endorse_key`: endorse a signing key where nobody is left who could."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.core.errors import RuleBroken
from settlement.signatures.endorsements import endorse_as_owner


class Command(BaseCommand):
    help = (
        "Endorse the passkey of a person, which signs from then on: only where nobody is left who"
        " endorses it with a key of theirs. Run by the database's owner; it raises an alarm."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="log-in name")
        parser.add_argument("fingerprint", help="of the key, as the person reads it on their page")
        parser.add_argument("--by", required=True, help="who decided it, such as “anna and david”")
        parser.add_argument("--note", required=True, help="why nobody else can")

    def handle(self, **options: Any) -> None:
        try:
            key = endorse_as_owner(
                options["person"], options["fingerprint"], by=options["by"], note=options["note"]
            )
        except RuleBroken as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{options['person']}: {key} signs from now on.")
