"""What was made at a close goes where its schedule says: into a folder, by mail, or both.

Each until it has arrived: what fails is tried again, later and later, and raises an alarm. A mail
that left in the moment in which its worker died leaves once more.
"""

from __future__ import annotations

import datetime as dt
import re
import shutil
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import ReportExport, ReportSchedule
from settlement.people.shared.database_calls import ask
from settlement.reports.exports import files_of, folder_of, title_of
from tables.alarms import raise_alarm

ALARM = "report_delivery"
MOST_MAILED = 10 * 1024 * 1024  # bytes of all files: larger ones are named, not sent
LONGEST_WAIT = dt.timedelta(hours=1)
# A folder within DELIVERY_DIR.
FOLDER = re.compile(r"(?=.{1,80}$)[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)*")


def has_folders() -> bool:
    """Whether the installation names a folder into which schedules deliver."""
    return bool(settings.DELIVERY_DIR)


def deliver() -> None:
    """Everything that is ready and due."""
    while _deliver_next():
        pass


def place_of(export: ReportExport) -> Path | None:
    """The folder into which its files are copied, of its own; None: it is only mailed."""
    schedule = export.schedule
    if schedule is None or not schedule.folder or not has_folders():
        return None
    first, last = export.filters["from"], export.filters["to"]
    days = first if first == last else f"{first}-to-{last}"
    return Path(settings.DELIVERY_DIR) / schedule.folder / f"{export.name}-{days}-{export.pk}"


@transaction.atomic
def _deliver_next() -> bool:
    """The row is locked meanwhile, so that no other worker delivers it, too."""
    rows = ReportExport.objects.select_for_update(skip_locked=True, of=("self",))
    export = (
        rows.filter(Q(deliver_at=None) | Q(deliver_at__lte=timezone.now()))
        .filter(state=ReportExport.State.READY, schedule__isnull=False, delivered_at=None)
        .exclude(schedule__mail_to="", schedule__folder="")
        .select_related("schedule", "casino")
        .first()
    )
    if export is None or export.schedule is None:
        return False
    try:
        _require_readers(export.schedule)
        _copy(export)
        if export.schedule.mail_to:
            message_of(export, export.schedule.mail_to.split()).send()
    except OSError as fault:
        _put_off(export, fault)
    else:
        export.delivered_at, export.fault = timezone.now(), ""
    export.save(update_fields=["delivered_at", "deliver_at", "deliveries", "fault"])
    return True


def _require_readers(schedule: ReportSchedule) -> None:
    """OSError, so that it waits with an alarm, where one person alone had it mailed to somebody who
    may export reports no more."""
    if schedule.decision_id is None and is_outside(schedule.mail_to, schedule.casino_id):
        raise OSError(
            _(
                "an address is of nobody any more who may export reports: end the schedule, and add"
                " one that a second person approves"
            )
        )


def is_outside(addresses: str, casino: int) -> bool:
    """Whether one of the addresses, apart by white space, is of nobody who may export reports."""
    return bool(ask("outside_addresses", addresses, casino))


def _copy(export: ReportExport) -> None:
    """All files under the folder's name, or none."""
    place = place_of(export)
    if place is None or place.exists():
        return
    part = place.with_name(f".{place.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(folder_of(export), part)
    part.rename(place)


def _put_off(export: ReportExport, fault: OSError) -> None:
    wait = min(dt.timedelta(minutes=2**export.deliveries), LONGEST_WAIT)
    export.deliveries = min(export.deliveries + 1, 12)
    export.deliver_at, export.fault = timezone.now() + wait, str(fault)[:500]
    where = place_of(export)
    raise_alarm(
        ALARM,
        f"{export.casino.code} {export.name} {export.pk}",
        (HouseAlarm.UNDELIVERED_TO if where else HouseAlarm.UNDELIVERED_REPORT)
        % {
            "casino": export.casino.name,
            "report": export.name,
            "export": export.pk,
            "place": where,
            "fault": fault,
        },
        export.casino.systems.order_by("pk").first(),
    )


def message_of(export: ReportExport, addresses: list[str]) -> EmailMessage:
    """The mail of an export, with its files where they are small enough."""
    files = files_of(export)
    is_small = sum(each.stat().st_size for each in files) <= MOST_MAILED
    title = title_of(export)
    lines = [
        _("%(title)s, %(casino)s, %(first)s to %(last)s.")
        % {
            "title": title,
            "casino": export.casino.name,
            "first": export.filters["from"],
            "last": export.filters["to"],
        },
        _("The files are on the console under Reports, Files, number %(number)s.")
        % {"number": export.pk},
    ]
    message = EmailMessage(title, "\n\n".join(lines), settings.DEFAULT_FROM_EMAIL, bcc=addresses)
    for each in files if is_small else ():
        message.attach(each.name, each.read_bytes(), "application/octet-stream")
    return message
