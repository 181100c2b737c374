"""Which commands work under which role of the database, and for people of which role."""

from collections.abc import Callable, Mapping
from pathlib import Path

from django.core.management import CommandError, call_command, get_commands
from django.db import transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from jackpot.models import Head
from settlement.core.errors import RuleBroken
from settlement.database_roles.grants import ROLES
from tests.support.pages.walks.role_walk import PEOPLE
from tests.support.people.access.factors import give_app
from tests.support.people.roles import acting_as

OWNER = "owner"
APPS = ("tables", "jackpot", "settlement")
# As somebody at the server types them; {person} is tried with a person of each role.
CALLS: tuple[str, ...] = (
    "begin_era --reason restored --by david",
    "dispute_bundle main-1 --out {folder}",
    "grant_roles",
    "jurisdiction harbour",
    "password_log_in sione --why away",
    "provision list",
    "provision issue main/t3 --by hana",
    "replay --check-only",
    "reset_second_factor sione",
    "resume_system main",
    "retention",
    "seal_unit_keys",
    "set_missed_rounds harbour 5 --first sione --second mere",
    "set_second_manager harbour 25,000 --first sione --second mere",
    "set_terms_factor harbour 5 --first sione --second mere",
    "set_variance_limit harbour drop 5.00 --first sione --second mere",
    "staff_role mere Cashier --by david",
)
NAMING: tuple[str, ...] = (
    "provision issue main/t3 --by {person}",
    "set_missed_rounds harbour 5 --first {person} --second sione",
    "set_second_manager harbour 25,000 --first {person} --second sione",
    "set_terms_factor harbour 5 --first {person} --second sione",
    "set_variance_limit harbour drop 5.00 --first {person} --second sione",
)
# What this house cannot show, each with the reason.
ELSEWHERE = {
    "archive": "needs a month that was closed, and only reads",
    "back_up": "copies the files of a server, under a role of its own",
    "check_slip": "reads a slip's file, and of the database only its prints",
    "checkpoint_key": "works on a file of keys, and not on the database",
    "doctor": "runs under any role and says what it may not see",
    "endorse_key": "needs a key that waits, and that nobody is left who endorses it",
    "file_key": "works on a file with a key, and as the owner writes its public part down",
    "log_proof": "needs a signed checkpoint, and only reads",
    "makemessages": "for developers, without a database",
    "migrate": "changes tables, as their owner",
    "open_archive": "fills another database, as its owner",
    "prove_backup": "restores a backup beside the house; of the database it only reads",
    "push_key": "prints new keys, without a database",
    "restore_backup": "makes files for a server that is to start on them, without a database",
    "restore_journal": "makes a file for a table unit, and only reads",
    "run_intake": "a process, under the role intake",
    "run_poster": "a process, under the role poster",
    "setup": "for an empty installation, which its own tests open",
    "simulate_tables": "for the demo",
    "trace": "asks for a table's traces, as the owner, or prints an id",
    "write_protocol": "for developers, without a database",
}


def commands() -> set[str]:
    """The commands of the installation's own floors."""
    return {name for name, app in get_commands().items() if app in APPS}


def prepare() -> None:
    """What some of them need: a factor to reset, a system to resume."""
    give_app("sione")
    Head.objects.update(halted_at=timezone.now(), halted_on=1)


def by_database_role(folder: Path) -> dict[str, dict[str, bool]]:
    """Which call works under which role."""
    return {
        call: {
            role: _works(call.format(folder=folder), None if role == OWNER else role)
            for role in (OWNER, *ROLES)
        }
        for call in CALLS
    }


def by_person() -> dict[str, dict[str, bool]]:
    """Which call takes a person of which role, as the owner."""
    people: Mapping[str, str] = {role: name for role, name in PEOPLE.items() if name}
    return {
        call: {role: _works(call.format(person=name), None) for role, name in people.items()}
        for call in NAMING
    }


def _works(call: str, role: str | None) -> bool:
    """Whether it ends without a refusal; what it did is undone."""
    name, *arguments = call.split()
    with acting_as(role):
        return _ends(lambda: call_command(name, *arguments, stdout=_Nowhere(), stderr=_Nowhere()))


def _ends(work: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            work()
            transaction.set_rollback(True)
    except (CommandError, DatabaseError, RuleBroken):
        return False
    return True


class _Nowhere:
    """Takes what a command prints."""

    def write(self, _text: str) -> int:
        return 0

    def flush(self) -> None:
        """Nothing is kept."""

    def isatty(self) -> bool:
        return False
