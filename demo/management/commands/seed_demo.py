"""`manage.py seed_demo`: the demo's casino, its tables, jackpots and people."""

from typing import Any

from django.core.management.base import BaseCommand

from demo.casino.seed_data import PASSWORD, PEOPLE, create_seed_data


class Command(BaseCommand):
    help = "Make the demo's casino where it is missing; safe to run again."

    def handle(self, *_args: Any, **_options: Any) -> None:
        create_seed_data(self.stdout.write)
        names = ", ".join(person.username for person in PEOPLE)
        self.stdout.write(self.style.SUCCESS(f"Log-ins: {names}; password {PASSWORD}"))
        self.stdout.write("The terms take effect as soon as the poster runs.")
