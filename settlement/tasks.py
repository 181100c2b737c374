"""Work of settlement that Celery triggers; each task derives it from rows and may run twice."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from settlement.archives import retention
from settlement.audit import after_restore, reconciliation, recorded_rows
from settlement.backups import runs as backups
from settlement.backups.programs import AtWorkError
from settlement.claims import services as claims
from settlement.closing import closes, display_days, movements, table_days
from settlement.core.errors import WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.database_roles import passwords as role_passwords
from settlement.devices import accounts, expiry
from settlement.doctor import watch as watch_installation
from settlement.events import reading
from settlement.exclusions import long_files, paid_persons
from settlement.floor import incidents, table_transfer
from settlement.jurisdiction import watch
from settlement.notifications import notices, occasions
from settlement.notifications import sending as notice_sending
from settlement.payments import form_filings
from settlement.people.log_ins import forgotten_password, mail_changes
from settlement.people.programs import programs
from settlement.people.provider import answers, house, metadata
from settlement.people.staff import persons
from settlement.rehearsals import watch as watch_rehearsal_play
from settlement.reports import delivery, exports, schedules
from settlement.screens import silence
from settlement.webhooks import outbox, sending
from tables.alarms import raise_alarm
from tables.models import JackpotSystem

log = logging.getLogger(__name__)


@shared_task(time_limit=60)
def open_claims(system_id: int) -> None:
    """Open a claim for each hit that has none and register payouts, on one system: the writer
    hints after a commit."""
    claims.catch_up(JackpotSystem.objects.get(pk=system_id))


@shared_task
def catch_up() -> None:
    """Open a claim for each hit that has none, on every system, and incidents that stand in the
    order; see that all are reconciled."""
    for system in JackpotSystem.objects.all():
        claims.catch_up(system)
        after_restore.flag_hands(system)
        reconciliation.raise_if_overdue(system, settings.RECONCILE_EVERY_S)
    incidents.find_in_the_order()


@shared_task
def finish_moves() -> None:
    """Finish every move of a table that two people agreed to and the order carried out."""
    table_transfer.finish_all()


@shared_task
def mail_password_links() -> None:
    """Mail every link for a forgotten password, or another mail address, that was asked for; tell
    addresses that are no more somebody's."""
    forgotten_password.mail_links()
    mail_changes.mail_links()


@shared_task(time_limit=60)
def answer_provider_log_ins() -> None:
    """Ask the log-in provider about everybody who came back from it."""
    answers.answer_all()


@shared_task(time_limit=60)
def read_log_in_provider() -> None:
    """Read what the log-in provider says of itself, and remove old log-ins."""
    if house.is_offered():
        metadata.watch()
    answers.prune()


@shared_task
def seal_records() -> None:
    """Take into the order what people recorded since the last command of their system."""
    for system in JackpotSystem.objects.all():
        recorded_rows.seal(system)


@shared_task
def watch_roles() -> None:
    """Raise an alarm for each role that is not as it was made."""
    role_passwords.watch()


@shared_task
def watch_rules() -> None:
    """Raise an alarm for each casino whose rules nobody can read, or are of a year before, and for
    forms that were not filed in time."""
    watch.raise_for_rules()
    form_filings.raise_for_overdue()


@shared_task
def watch_payments() -> None:
    """Raise an alarm for each player who was paid and is found on a list of excluded persons
    afterwards, or whom the rules of the place ask to be identified and nobody did."""
    paid_persons.raise_for_paid()
    watch.raise_for_unidentified()


@shared_task(time_limit=None)  # a whole one takes as long as the order is
def reconcile() -> None:
    """Recompute every system from where it was last found in order; whole ones when due."""
    for system_id in JackpotSystem.objects.values_list("id", flat=True):
        reconcile_one(system_id, whole=False)


@shared_task(time_limit=None)
def reconcile_one(system_id: int, *, whole: bool = True) -> None:
    """Recompute one system."""
    system = JackpotSystem.objects.select_related("casino").get(pk=system_id)
    try:
        reconciliation.reconcile(system, whole=whole)
    except WrongState as busy:
        log.info("%s", busy)


@shared_task
def keep_closed_days() -> None:
    """Keep closed days and days of displays and tables in short; raise an alarm for each day and
    month that is open too long after its end."""
    for system in JackpotSystem.objects.for_money().select_related("casino"):
        movements.keep_closed_days(system)
        display_days.keep_display_days(system)
        table_days.keep_table_days(system)
        for each in closes.late(system, settings.UNCLOSED_AFTER_H):
            text = HouseAlarm.OPEN_MONTH if each.is_month else HouseAlarm.OPEN_DAY
            words = text % {"system": system.name, "period": each.name}
            raise_alarm(each.alarm, closes.alarm_subject(each), words, system)


@shared_task(time_limit=None)  # it reads the whole ledger
def compare_closed_days() -> None:
    """Compute all closed days again from transfers, and the last of displays, and compare: once a
    night of each casino. A night that was missed is an alarm."""
    for system in JackpotSystem.objects.for_money().select_related("casino"):
        if movements.is_comparison_due(system):
            movements.compare(system)
        else:
            movements.raise_for_missed_night(system)


@shared_task(time_limit=None)  # one takes as long as the report is
def write_exports() -> None:
    """Write the reports that people and schedules asked for, one after another; deliver them."""
    schedules.ask_for_due()
    while exports.run_next():
        delivery.deliver()
    delivery.deliver()


@shared_task(time_limit=720)  # a minute, and the longest statement (10 min) after it
def take_in_exclusions() -> None:
    """Take in long lists of excluded persons that somebody confirmed, step by step."""
    long_files.take_in()


@shared_task
def write_broker_accounts() -> None:
    """Let the broker have the accounts of devices as they are now, where it has others."""
    accounts.keep_accounts()


@shared_task
def watch_credentials() -> None:
    """Raise an alarm for each certificate of a device and token of a program that ends soon, and
    for people without their second factor."""
    expiry.raise_for_ending(timezone.now())
    programs.watch(timezone.now())
    watch_installation.raise_for_factors(timezone.now())


@shared_task
def watch_screens() -> None:
    """Raise an alarm for each screen that is not heard while its casino is open."""
    silence.raise_for_silent(timezone.now())


@shared_task
def watch_rehearsals() -> None:
    """Raise an alarm where play of an open casino goes into a rehearsal that passed."""
    watch_rehearsal_play.raise_for_played()


@shared_task(time_limit=None)  # as long as the database is large
def keep_backups() -> None:
    """Make a base backup and try a restore, where one is due."""
    try:
        backups.keep()
    except AtWorkError as busy:
        log.info("%s", busy)
    finally:
        watch_installation.raise_for_disks()


@shared_task
def watch_safety() -> None:
    """Raise an alarm where no restore has been good for too long, or a disk is full soon."""
    backups.raise_if_unproved()
    watch_installation.raise_for_disks()


@shared_task
def watch_standby() -> None:
    """Raise an alarm where what is committed is on one disk of two."""
    watch_installation.raise_for_standby()


@shared_task
def end_roles() -> None:
    """Write down the end of roles whose time is over."""
    persons.end_roles_past_their_time()


@shared_task
def prune_exports() -> None:
    """Remove files of reports, unconfirmed lists and deliveries of webhooks past their age."""
    retention.prune()
    long_files.prune()
    outbox.prune()
    notices.prune()


@shared_task
def collect_webhooks() -> None:
    """Make events and notifications of what happened, and have each endpoint that waits for some
    sent them."""
    reading.collect(outbox.give_out, notices.give_out)
    for endpoint in sending.due():  # looked for again by then
        send_webhooks.apply_async((endpoint,), expires=5)


@shared_task
def watch_occasions() -> None:
    """Note claims that wait too long, units that fell silent, and reports that are ready."""
    occasions.watch()


@shared_task(time_limit=120)
def send_notifications() -> None:
    """Mail and push what waits for people, after their quiet hours."""
    notice_sending.send_due()


@shared_task(time_limit=120)
def send_webhooks(endpoint: int) -> None:
    """Send what is due for one endpoint."""
    sending.send(endpoint)
