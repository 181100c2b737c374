"""`manage.py password_log_in`: one person logs in by password for a while, where passwords log
nobody in (PASSWORD_LOG_IN)."""

import datetime as dt
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import ConsoleSession, PasswordLogIn, SecurityEvent
from tables.alarms import raise_alarm

_MOST_HOURS = 72


class Command(BaseCommand):
    help = (
        "Let a person log in by password, at /login/?emergency, for some hours, while the log-in"
        " provider lets nobody in; --end closes it before. Run by the database's owner; it raises"
        " an alarm. Who has no password gets one by manage.py changepassword first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="log-in name")
        parser.add_argument("--hours", type=int, default=4, help="for how long; 4 where not said")
        parser.add_argument("--why", required=True, help="why, and who decided it")
        parser.add_argument("--end", action="store_true", help="end it now, and their log-ins")

    @transaction.atomic
    def handle(self, **options: Any) -> None:
        name, hours, why = options["person"], options["hours"], options["why"]
        person = get_user_model().objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"There is no person {name}.")
        if options["end"]:
            self._end(person, why)
            return
        if not person.is_active:
            raise CommandError(f"{name} is locked, and stays so: let them in again first.")
        if not 1 <= hours <= _MOST_HOURS:
            raise CommandError(f"Give 1 to {_MOST_HOURS} hours.")
        now = timezone.now()
        until = now + dt.timedelta(hours=hours)
        PasswordLogIn.objects.create(person=person, until=until, why=why[:200])
        SecurityEvent.objects.create(
            at=now, what="password_log_in", username=name, by="owner", detail=why[:200]
        )
        raise_alarm(
            "password_log_in",
            name,
            HouseAlarm.PASSWORD_LOG_IN % {"name": name, "hours": hours, "why": why},
        )
        self.stdout.write(f"{name} logs in by password at /login/?emergency for {hours} hours.")
        if not person.has_usable_password():
            self.stdout.write(f"{name} has no password: run manage.py changepassword {name}.")

    def _end(self, person: Any, why: str) -> None:
        now, name = timezone.now(), person.get_username()
        if not PasswordLogIn.objects.filter(person=person, until__gt=now).update(until=now):
            raise CommandError(f"{name} logs in by password no longer.")
        ConsoleSession.objects.filter(person=person).delete()
        SecurityEvent.objects.create(
            at=now, what="password_log_in_ended", username=name, by="owner", detail=why[:200]
        )
        self.stdout.write(f"{name} logs in by password no more; all their log-ins have ended.")
