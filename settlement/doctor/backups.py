"""Backups: whether they are made, whether the log is archived, and whether a restore was good."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.backups import runs, tool_choice
from settlement.backups.trial import ARCHIVED_WITHIN
from settlement.core.report_query import ask, bind
from settlement.doctor.examination import Point, Subject, attention, good, unseen, wrong

_ARCHIVED = """
    SELECT current_setting('archive_mode') AS mode, last_archived_time AS archived,
           last_failed_time AS failed
    FROM pg_stat_archiver
"""
MADE_LATE = 2  # intervals


def look() -> dict[str, Any]:
    """What the server says of its archive."""
    (row,) = ask(bind(_ARCHIVED))
    return row


BACKUPS = Subject("backups", gettext_noop("Backups"), look)


@BACKUPS.check(gettext_noop("Backup tool"))
def backup_tool(_facts: dict[str, Any]) -> Point:
    if tool_choice.is_chosen():
        return good(_("BACKUP_TOOL is %(tool)s.") % {"tool": settings.BACKUP_TOOL})
    return attention(
        _("BACKUP_TOOL is none: the console does not know whether there are backups."),
        _("Set BACKUP_TOOL to basebackup or pgbackrest, as docs/operations.md says."),
    )


@BACKUPS.check(gettext_noop("Archive of the write-ahead log"))
def archive(facts: dict[str, Any]) -> Point:
    advice = _(
        "Check what PostgreSQL's log says about archive_command, and the disk of the archive."
    )
    if facts["mode"] == "off":
        if not tool_choice.is_chosen():
            return unseen(_("archive_mode is off."))
        return wrong(
            _("archive_mode is off: what came after the base backup would be lost."),
            _("Set archive_mode and archive_command, as docs/operations.md says."),
        )
    archived, failed = facts["archived"], facts["failed"]
    if failed is not None and (archived is None or failed > archived):
        return wrong(_("The last segment could not be archived."), advice)
    if archived is None or timezone.now() - archived > ARCHIVED_WITHIN:
        return attention(
            _("No segment was archived for %(minutes)d minutes.")
            % {"minutes": ARCHIVED_WITHIN.total_seconds() // 60},
            _("Set archive_timeout to 60: then a quiet hour is in the archive, too."),
        )
    return good(
        _("The last segment was archived %(seconds)d s ago.")
        % {"seconds": (timezone.now() - archived).total_seconds()}
    )


@BACKUPS.check(gettext_noop("Base backup"))
def base_backup(_facts: dict[str, Any]) -> Point:
    if not tool_choice.is_chosen() or not settings.BACKUP_EVERY_H:
        return unseen(_("The console makes none."))
    newest = runs.newest_made()
    late = dt.timedelta(hours=MADE_LATE * settings.BACKUP_EVERY_H)
    if newest is None or timezone.now() - newest.ended_at > late:
        return wrong(
            _("No base backup was made recently."),
            _("Run manage.py back_up: it says what is missing. See that a worker has its queue."),
        )
    return good(_("The last one is from %(time)s UTC.") % {"time": _moment_text(newest.ended_at)})


@BACKUPS.check(gettext_noop("Restore trial"))
def restore(_facts: dict[str, Any]) -> Point:
    since = runs.unproved_since()
    newest = runs.newest(runs.Kind.RESTORE)
    if not tool_choice.is_chosen() or since is None:
        return unseen(_("Nothing was restored yet."))
    advice = _("Run manage.py prove_backup, and see the page Backups.")
    if timezone.now() - since > runs.UNPROVED_AFTER:
        return wrong(
            _("No restore has succeeded for %(days)d days.")
            % {"days": (timezone.now() - since).days},
            advice,
        )
    if newest is None:
        return attention(_("Nothing was restored yet."), advice)
    if (last := runs.last(runs.Kind.RESTORE)) and last.fault:
        return wrong(_("The last restore failed: %(fault)s") % {"fault": last.fault}, advice)
    return good(
        _("The last successful one is from %(time)s UTC.") % {"time": _moment_text(newest.ended_at)}
    )


def _moment_text(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M}"
