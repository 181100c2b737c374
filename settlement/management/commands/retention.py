"""`manage.py retention [--remove]`: how old things are, what the law asks, what may go."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.archives.retention import holdings, remove
from settlement.core.errors import RuleBroken
from tables.models import Casino


class Command(BaseCommand):
    help = (
        "Say of each kind of record how old the oldest is, how long the law of the place asks to"
        " keep it, and what may go. With --remove files of reports go that are past their age;"
        " nothing else ever does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true")

    def handle(self, **options: Any) -> None:
        try:
            for casino in Casino.objects.order_by("code"):
                self._of(casino, is_removing=options["remove"])
        except RuleBroken as refusal:
            raise CommandError(str(refusal)) from refusal

    def _of(self, casino: Casino, *, is_removing: bool) -> None:
        self.stdout.write(f"{casino.code}:")
        for each in holdings(casino):
            oldest = f"the oldest of {each.oldest}" if each.oldest else "none"
            years = f"at least {each.years} years" if each.years else "for good, no rule"
            going = f"{len(each.removable)} may go" if each.removable else "nothing goes"
            self.stdout.write(f"  {each.records}: {oldest}; kept {years}; {going}")
            for export in each.removable if is_removing else ():
                remove(export)
                self.stdout.write(f"    removed the files of export {export.pk}")
