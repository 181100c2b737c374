"""Folders that the console writes into, and room on their disks and the database's."""

from __future__ import annotations

import os

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core.report_query import ask, bind
from settlement.doctor.examination import Point, Subject, attention, good, unseen, wrong
from tables.process.disks import LOW, TOO_LOW, room_of

_DATABASE = """
    SELECT pg_database_size(current_database()) AS bytes,
           (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS directory
"""


def look() -> None:
    """Each check looks at its own folder."""


FOLDERS = Subject("folders", gettext_noop("Folders and disks"), look, asks_database=False)


@FOLDERS.check(gettext_noop("Files of reports"))
def exports(_facts: None) -> Point:
    return _folder("EXPORT_DIR", is_made=True)


@FOLDERS.check(gettext_noop("Deliveries"))
def deliveries(_facts: None) -> Point:
    return _folder("DELIVERY_DIR")


@FOLDERS.check(gettext_noop("Checkpoints outside the database"))
def checkpoints(_facts: None) -> Point:
    return _folder("CHECKPOINT_DIR")


@FOLDERS.check(gettext_noop("Accounts of the broker"))
def broker_accounts(_facts: None) -> Point:
    return _folder("BROKER_ACCOUNTS_DIR")


@FOLDERS.check(gettext_noop("Backups"))
def backup_folder(_facts: None) -> Point:
    return _folder("BACKUP_DIR")


@FOLDERS.check(gettext_noop("Data of PostgreSQL"))
def database(_facts: None) -> Point:
    (facts,) = ask(bind(_DATABASE))
    size = _("The database takes %(size)s.") % {"size": filesizeformat(facts["bytes"])}
    directory = facts["directory"]
    if not directory or not os.path.isdir(directory):
        return unseen(
            size, _("Check on the database's machine that its disk has room for as much again.")
        )
    room = room_of(directory)
    if room.free < max(facts["bytes"], TOO_LOW * room.total):
        return attention(
            _("%(size)s Its disk has %(free)s left.")
            % {"size": size, "free": filesizeformat(room.free)},
            _("Double the room on its disk: a restore beside it needs that."),
        )
    return good(
        _("%(size)s Its disk has %(free)s left.")
        % {"size": size, "free": filesizeformat(room.free)}
    )


def _folder(setting: str, *, is_made: bool = False) -> Point:
    """How the folder of a setting is; `is_made`: the console makes it when it first needs it."""
    path = str(getattr(settings, setting))
    if not path:
        return unseen(_("%(setting)s is not set in this process.") % {"setting": setting})
    room = room_of(path)
    values = {"path": room.path, "setting": setting, "free": filesizeformat(room.free)}
    if not room.is_there and not is_made:
        return wrong(
            _("%(path)s does not exist.") % values,
            _("Make the folder, or put another one into %(setting)s.") % values,
        )
    if not room.is_writable:
        return attention(
            _("This process may not write into %(path)s.") % values,
            _("The worker must be able to: run this command there, and give it the folder."),
        )
    advice = _("Make room on that disk.")
    if room.free_part < TOO_LOW:
        return wrong(_("The disk of %(path)s has only %(free)s left.") % values, advice)
    if room.free_part < LOW:
        return attention(_("The disk of %(path)s has only %(free)s left.") % values, advice)
    return good(_("%(path)s: %(free)s free.") % values)
