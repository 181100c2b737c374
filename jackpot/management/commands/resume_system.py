"""`manage.py resume_system CODE`: post again after the cause of a halt was fixed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.models import Head


class Command(BaseCommand):
    help = "Resume a system that halted on an entry, after the fault was fixed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", help="code of the system")

    def handle(self, **options: Any) -> None:
        resumed = Head.objects.filter(
            system__code=options["system"], halted_at__isnull=False
        ).update(halted_at=None, halted_on="", halted_event=None, halted_command=None)
        if not resumed:
            raise CommandError(f"System {options['system']} is not halted.")
        self.stdout.write(f"System {options['system']} posts again.")
