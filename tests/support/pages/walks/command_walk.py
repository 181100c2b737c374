"""Which commands work under which role of the database, and for people of which role."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from django.core.management import CommandError, call_command, get_commands
from django.db import transaction
from django.db.utils import DatabaseError

from jackpot.models import Head
from settlement.core.errors import RuleBroken
from settlement.database_roles.grants import ROLES
from tests.support.pages.walks.role_walk import PEOPLE
from tests.support.people.roles import acting_as

OWNER = "owner"
APPS = ("tables", "jackpot", "settlement")
# As somebody at the server types them; {person} is tried with a person of each role. {new} is a
# file that is not there, {slip} one that the house never printed, {key} a key that waits.
CALLS: tuple[str, ...] = (
    "back_up",
    "begin_era --reason restored --by david",
    "check_slip {slip}",
    "checkpoint_key publish",
    "dispute_bundle main-1 --out {folder}",
    "doctor --json",
    "endorse_key ines {key} --by anna --note lost",
    "file_key publish",
    "file_key rotate",
    "grant_roles",
    "jurisdiction harbour",
    "log_proof main",
    "migrate --verbosity 0",
    "password_log_in sione --why away",
    "prove_backup",
    "provision list",
    "provision issue main/t3 --by hana",
    "replay --check-only",
    "reset_second_factor sione",
    "restore_journal main t3 --to {new}",
    "resume_system main",
    "retention",
    "run_intake",
    "run_poster",
    "seal_unit_keys",
    "set_missed_rounds harbour 5 --first sione --second mere",
    "set_second_manager harbour 25,000 --first sione --second mere",
    "set_terms_factor harbour 5 --first sione --second mere",
    "set_variance_limit harbour drop 5.00 --first sione --second mere",
    "simulate_tables --system main",
    "staff_role mere Cashier --by david",
    "trace main/t3",
    "trace main/t3/1/1",
)
NAMING: tuple[str, ...] = (
    "provision issue main/t3 --by {person}",
    "set_missed_rounds harbour 5 --first {person} --second sione",
    "set_second_manager harbour 25,000 --first {person} --second sione",
    "set_terms_factor harbour 5 --first {person} --second sione",
    "set_variance_limit harbour drop 5.00 --first {person} --second sione",
)
# Tried in a database of their own: the first commits, the second fills an empty one, the third is
# for an installation in which nobody is.
APART = (
    "archive --through {day} --to {new}",
    "open_archive {archive} --key {key} --into {url}",
    "setup",
)
# Commands that open no database, each with a call that shows it.
WITHOUT_DATABASE = {
    "checkpoint_key": "checkpoint_key new",
    "file_key": "file_key new",
    "makemessages": "makemessages --locale de",
    "push_key": "push_key",
    "restore_backup": "restore_backup --into {new}",
    "write_protocol": "write_protocol --folder {new}",
}
# What a command says that has looked and found nothing, which no role is refused for.
_ANSWERS = ("UNKNOWN: the house printed no slip MAIN-9-1-1",)


class Names(NamedTuple):
    """What stands in calls for what is there."""

    folder: Path
    slip: Path
    key: str

    def fill(self, call: str) -> str:
        new = self.folder / f"new-{next(_numbers)}"
        return call.format(
            folder=self.folder, slip=self.slip, key=self.key, new=new, person="{person}"
        )


_numbers = itertools.count(1)


def commands() -> set[str]:
    """The commands of the installation's own floors."""
    return {name for name, app in get_commands().items() if app in APPS}


def name_of(call: str) -> str:
    """The command that is called."""
    return call.split()[0]


def names_of(calls: Iterable[str]) -> set[str]:
    """The commands that are called."""
    return {name_of(call) for call in calls}


def by_database_role(names: Names) -> dict[str, dict[str, bool]]:
    """Which call works under which role."""
    return {
        call: {role: works(names.fill(call), None if role == OWNER else role) for role in roles()}
        for call in CALLS
    }


def roles() -> tuple[str, ...]:
    """The owner, and each role of a process."""
    return (OWNER, *ROLES)


def by_person() -> dict[str, dict[str, bool]]:
    """Which call takes a person of which role, as the owner."""
    people: Mapping[str, str] = {role: name for role, name in PEOPLE.items() if name}
    return {
        call: {role: works(call.format(person=name), None) for role, name in people.items()}
        for call in NAMING
    }


def works(call: str, role: str | None) -> bool:
    """Whether it ends without a refusal; what it did is undone."""
    with transaction.atomic():
        if call == "run_poster":  # what resume_system has to do would keep it from its own work
            Head.objects.update(halted_at=None, halted_on="")
        with acting_as(role):
            is_done = _ends(lambda: typed(call))
        transaction.set_rollback(True)
    return is_done


def typed(call: str) -> None:
    """Type it; nobody reads what it prints."""
    name, *arguments = call.split()
    call_command(name, *arguments, stdout=_Nowhere(), stderr=_Nowhere())


def _ends(work: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            work()
            transaction.set_rollback(True)
    except (DatabaseError, RuleBroken):
        return False
    except CommandError as refusal:
        return str(refusal).startswith(_ANSWERS)
    except SystemExit:  # the check-up has said what is wrong
        return True
    return True


class _Nowhere:
    """Takes what a command prints."""

    def write(self, _text: str) -> int:
        return 0

    def flush(self) -> None:
        """Nothing is kept."""

    def isatty(self) -> bool:
        return False
