"""Every subject in the order in which it is examined: what the others stand on comes first."""

from __future__ import annotations

from typing import Any

from django.db import DatabaseError

from settlement.doctor import server
from settlement.doctor.backlog import BACKLOG
from settlement.doctor.backups import BACKUPS
from settlement.doctor.certificates import CERTIFICATES
from settlement.doctor.clocks import CLOCKS
from settlement.doctor.examination import Examiner, Result, State, Subject, examine
from settlement.doctor.folders import FOLDERS
from settlement.doctor.keys import KEYS
from settlement.doctor.mail_and_languages import OUTWARD
from settlement.doctor.mqtt_broker import BROKER, TRIAL
from settlement.doctor.people import PEOPLE
from settlement.doctor.processes import PROCESSES
from settlement.doctor.rights import RIGHTS
from settlement.doctor.server import SERVER
from settlement.doctor.task_queue import TASKS

SUBJECTS: tuple[Subject[Any], ...] = (
    *(SERVER, RIGHTS, BROKER, TRIAL, TASKS, PROCESSES, BACKLOG),
    *(BACKUPS, CLOCKS, FOLDERS, CERTIFICATES, KEYS, PEOPLE, OUTWARD),
)


def by_command() -> list[Result]:
    """All points, as far as this process's role of the database goes."""
    try:
        is_owner = server.is_owner(server.look())
    except DatabaseError:
        is_owner = False  # the first point says what is wrong
    return examine(SUBJECTS, Examiner(is_owner))


def on_page() -> list[Result]:
    """The points that a request may look at; the others say who examines them."""
    return examine(SUBJECTS, Examiner(is_owner=False, on_page=True))


def is_wrong(results: list[Result]) -> bool:
    """Whether somebody must act before the installation may go on."""
    return any(each.state == State.WRONG for each in results)
