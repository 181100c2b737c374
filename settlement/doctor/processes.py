"""Processes, by the signs of life that they leave in rows and files."""

from __future__ import annotations

import datetime as dt
import time
from pathlib import Path

from django.conf import settings
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.models import DisplayPulse, Head, Writer
from settlement.core.words.durations import duration
from settlement.devices import intakes as intake_states
from settlement.devices.unit_states import UnitState
from settlement.doctor.examination import Point, Subject, attention, good, series, unseen, wrong

# The beat refreshes displays every two seconds, by a worker.
PULSE_OLD = dt.timedelta(minutes=1)
BEAT_OLD_S = 60.0


def look() -> dt.datetime:
    """The time of the examination."""
    return timezone.now()


PROCESSES = Subject("processes", gettext_noop("Processes"), look)


@PROCESSES.check(gettext_noop("Intakes"))
def intakes(now: dt.datetime) -> Point:
    every = intake_states.intakes(now)
    last = [
        _("%(name)s of release %(release)s, %(ago)s ago")
        % {
            "name": each.name,
            "release": each.release,
            "ago": duration(round((now - each.heard_at).total_seconds())),
        }
        for each in every
        if each.heard_at is not None
    ]
    if not last:
        return unseen(_("No intake was heard in the last 30 days."))
    finding = _("Heard last: %(intakes)s.") % {"intakes": series(last)}
    is_any_online = any(each.state == UnitState.ONLINE for each in every)
    stood_in_for = [each.name for each in every if each.state == UnitState.STAND_IN]
    if not is_any_online and not stood_in_for:
        return wrong(
            finding, _("Start the intake (manage.py run_intake); its log says what it waits for.")
        )
    missed = [each.name for each in every if each.is_missed]
    advice = []  # what is to be done for one must not hide what is to be done for another
    if missed:
        advice.append(
            _("Start what is not heard: %(names)s. What is gone for good: revoke its credential.")
            % {"names": series(missed)}
        )
    if stood_in_for:
        advice.append(
            _("A stand-in listens: start %(names)s again.") % {"names": series(stood_in_for)}
        )
    if any(each.is_of_another_release for each in every):
        advice.append(
            _("This process is of release %(release)s: start the intake again in the same one.")
            % {"release": settings.CONSOLE_VERSION}
        )
    if not advice:
        return good(finding)
    say = attention if is_any_online or not missed else wrong
    return say(finding, " ".join(advice))


@PROCESSES.check(gettext_noop("Poster"))
def poster(now: dt.datetime) -> Point:
    names = list(Writer.objects.filter(until__gt=now).values_list("name", flat=True))
    if not names:
        return wrong(
            _("No poster is running: events are recorded but get no sequence number."),
            _("Start the poster (manage.py run_poster); its log says what it waits for."),
        )
    return good(_("At work: %(names)s.") % {"names": series(names)})


@PROCESSES.check(gettext_noop("Systems that halted"))
def halted(_now: dt.datetime) -> Point:
    rows = Head.objects.exclude(halted_at=None).select_related("system")
    names = [f"{each.system.code} ({each.halted_on})" for each in rows]
    if names:
        return wrong(
            _("Posting stopped: %(names)s.") % {"names": series(names)},
            _("Follow “Halts” in docs/operations.md: resume after a fix, or two people skip it."),
        )
    return good(_("No system halted."))


@PROCESSES.check(gettext_noop("Worker"))
def worker(now: dt.datetime) -> Point:
    newest = DisplayPulse.objects.aggregate(at=Max("at"))["at"]
    if newest is None:
        return unseen(_("No display value was ever made."))
    ago = {"seconds": max(0, round((now - newest).total_seconds()))}
    if now - newest > PULSE_OLD:
        return wrong(
            _("The last display value was made %(seconds)d s ago.") % ago,
            _("Check that worker and beat run, and the broker of tasks above."),
        )
    return good(_("The last display value was made %(seconds)d s ago.") % ago)


@PROCESSES.check(gettext_noop("Beat"))
def beat(_now: dt.datetime) -> Point:
    try:
        age = time.time() - Path(settings.BEAT_ALIVE_FILE).stat().st_mtime
    except OSError:
        return unseen(
            _("Its sign of life, BEAT_ALIVE_FILE, is not on this machine."),
            _("Run this command where beat runs; a worker that works shows that beat does."),
        )
    ago = {"seconds": round(age)}
    if age > BEAT_OLD_S:
        return wrong(
            _("It sent its last task %(seconds)d s ago.") % ago,
            _("Start beat (celery -A config beat), or the broker of tasks."),
        )
    return good(_("It sent its last task %(seconds)d s ago.") % ago)
