"""Base backups and restore trials: when they are due, what is kept of them, and the alarm."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db.models import Min
from django.utils import timezone

from jackpot.models import Entry, Head
from settlement.backups import tool_choice, trial
from settlement.backups.programs import AtWorkError, BackupFault
from settlement.backups.tool import Backup
from settlement.backups.trial import Trial
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import BackupRun
from tables.alarms import raise_alarm

ALARM = "backup_unproved"
PROVED_EVERY = dt.timedelta(days=7)
AGAIN_AFTER = dt.timedelta(hours=20)  # that a trial failed
UNPROVED_AFTER = dt.timedelta(days=8)
Kind = BackupRun.Kind


def back_up() -> BackupRun:
    """Make a base backup now, remove what is outdated, and note it. AtWorkError where another
    process makes one."""
    tool = tool_choice.tool()
    started_at = timezone.now()
    name, fault, facts = "", "", dict[str, Any]()
    try:
        backups = tool.back_up()
        name, facts["size"] = backups.name, backups.size
        facts["removed"] = tool.remove_outdated()
        facts["kept"] = [_row_of(each) for each in tool.backups()]
    except AtWorkError:
        raise
    except (BackupFault, OSError) as why:
        fault = str(why)
        says = HouseAlarm.OUTDATED_BACKUPS if name else HouseAlarm.NO_BACKUP
        raise_alarm(ALARM, "base backup", says % {"backup": name, "fault": fault})
    return BackupRun.objects.create(
        kind=Kind.BASE,
        tool=tool.name,
        backup=name,
        started_at=started_at,
        ended_at=timezone.now(),
        fault=fault,
        facts=facts,
    )


def prove() -> BackupRun:
    """Try a restore now, and note it. AtWorkError where another trial is at work."""
    started_at = timezone.now()
    tried = trial.carry_out(tool_choice.tool())
    if tried.fault:
        raise_alarm(ALARM, "restore trial", HouseAlarm.BAD_BACKUP % {"fault": tried.fault})
    return BackupRun.objects.create(
        kind=Kind.RESTORE,
        tool=tried.tool,
        backup=tried.backup.name if tried.backup else "",
        started_at=started_at,
        ended_at=timezone.now(),
        fault=tried.fault,
        facts=facts_of(tried),
    )


def facts_of(tried: Trial) -> dict[str, Any]:
    """What a row keeps of a trial: times as ISO 8601, sizes in bytes."""
    return {
        "made_at": tried.backup.ended_at.isoformat() if tried.backup else None,
        "target": tried.target.isoformat() if tried.target else None,
        "size": tried.size,
        "steps": [{"step": name, "seconds": seconds} for name, seconds in tried.steps],
        "systems": tried.systems,
    }


def keep() -> None:
    """What is due now: a base backup, then a trial."""
    if not tool_choice.is_chosen():
        return
    now = timezone.now()
    if settings.BACKUP_EVERY_H and _is_older(
        newest_made(), now - dt.timedelta(hours=settings.BACKUP_EVERY_H)
    ):
        back_up()
    is_tried = not _is_older(last(Kind.RESTORE), now - AGAIN_AFTER)
    is_proved = not _is_older(newest(Kind.RESTORE), now - PROVED_EVERY)
    if not is_proved and not is_tried and Entry.objects.exists():
        prove()


def last(kind: str) -> BackupRun | None:
    """The last one of a kind, whatever came of it."""
    return BackupRun.objects.filter(kind=kind).order_by("-id").first()


def newest_made() -> BackupRun | None:
    """The newest that made a base backup, also where something went wrong after that."""
    backups = BackupRun.objects.filter(kind=Kind.BASE).exclude(backup="")
    return backups.order_by("-id").first()


def newest(kind: str) -> BackupRun | None:
    """The newest good one of a kind."""
    return BackupRun.objects.filter(kind=kind, fault="").order_by("-id").first()


def unproved_since() -> dt.datetime | None:
    """Since when no restore was good: the newest that was, or the first entry of the order; None
    where there is nothing to lose yet."""
    proved = newest(Kind.RESTORE)
    if proved is not None:
        return proved.ended_at
    # By system: the key of entries begins with it, and without it all of them are read.
    first = Entry.objects.filter(system__in=Head.objects.values("system"), seq=1)
    first_at: dt.datetime | None = first.aggregate(at=Min("at"))["at"]
    return first_at


def raise_if_unproved() -> None:
    """An alarm where nobody knows whether backups are good: a disaster would show it."""
    since = unproved_since()
    if not tool_choice.is_chosen() or since is None or timezone.now() - since < UNPROVED_AFTER:
        return
    days = (timezone.now() - since).days
    says = HouseAlarm.NO_PROOF % {"days": days, "since": f"{since:%Y-%m-%d}"}
    raise_alarm(ALARM, "overdue", says)


def _is_older(run: BackupRun | None, moment: dt.datetime) -> bool:
    return run is None or run.ended_at < moment


def _row_of(backup: Backup) -> dict[str, Any]:
    return {
        "name": backup.name,
        "ended_at": backup.ended_at.isoformat(),
        "size": backup.size,
    }
