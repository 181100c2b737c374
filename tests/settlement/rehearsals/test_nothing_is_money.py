"""A whole rehearsal leaves every figure of the real systems as it was, to the last byte."""

import json
import uuid
from collections.abc import Callable
from typing import Any

from jackpot.display.names import names_of
from jackpot.models import Screen
from jackpot.screens.content import systems_of
from jackpot.screens.wins import winners
from settlement.approvals.capacities import visible_to
from settlement.closing import checklist, closes
from settlement.closing.movements import compare
from settlement.core.gaming_day import DAY
from settlement.dashboard.figures import balances, drop_by_day, hits_by_month
from settlement.dashboard.waiting_times import waits
from settlement.events import reading
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.persons_day import lists
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import (
    Notification,
    NotificationDelivery,
    Payout,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)
from settlement.notifications import notices
from settlement.payments.register import payout_register
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.search.search import search
from settlement.tasks import keep_closed_days
from settlement.webhooks import outbox
from tables.models import Alarm, JackpotSystem
from tables.visibility.scope import only
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth, month
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.people.cast import as_

__all__ = ["month"]

# Who did what stands in them, the making of a rehearsal too; what is decided in one does not.
_WHO_DID_WHAT = {"audit-trail"}
_LISTS = ("systems", "pools", "claims", "incidents", "proposals", "stops", "requests", "rulings")


def _reports(month: OfficeMonth) -> Any:
    filters = Filters(month.system.casino, FRIDAY, SUNDAY + 3 * DAY)
    return {
        code: [
            # In the order of the report; at one moment of the stopped clock there is none.
            sorted(map(repr, definition.rows(filters, 100_000))),
            definition.totals(definition.report(filters)),
        ]
        for code, definition in reports().items()
        if code not in _WHO_DID_WHAT
    }


def _dashboard(month: OfficeMonth) -> Any:
    filters = Filters(month.system.casino, FRIDAY, SUNDAY + 3 * DAY)
    keys = [each.pk for each in filters.systems]
    return [
        balances(keys).of,
        hits_by_month(filters.casino, keys),
        drop_by_day(keys, FRIDAY, SUNDAY),
        waits(filters, keys),
    ]


def _forms(month: OfficeMonth) -> Any:
    casino = month.system.casino
    last = SUNDAY + 3 * DAY
    return forms_due(PaidOnDays(casino, FRIDAY, last)), lists(PaidOnDays(casino, FRIDAY, last))


def _closes(month: OfficeMonth) -> Any:
    return [
        (each.code, closes.next_due(each), checklist.points(each, SUNDAY))
        for each in JackpotSystem.objects.for_money().order_by("pk")
    ]


def _register(month: OfficeMonth) -> Any:
    register = payout_register(
        month.system.casino, Filters(month.system.casino, FRIDAY, SUNDAY + DAY).days, ""
    )
    return register.rows(10_000)


def _screens(month: OfficeMonth) -> Any:
    screen = Screen(casino=month.system.casino, systems=None)
    return winners(systems_of(screen), names_of(month.system.casino.pk))


def _api(month: OfficeMonth) -> Any:
    client = as_("ines")
    answers = [client.get(f"/api/{each}/") for each in _LISTS]
    assert {each.status_code for each in answers} == {200}
    return [each.content for each in answers]


def _search(month: OfficeMonth) -> Any:
    return search(person("ines"), "rehearsal"), search(person("ines"), "royal")


FIGURES: dict[str, Callable[[OfficeMonth], Any]] = {
    "reports": _reports,
    "dashboard": _dashboard,
    "forms": _forms,
    "closes": _closes,
    "register": _register,
    "screens": _screens,
    "API": _api,
    "search": _search,
}


def _figures(month: OfficeMonth) -> dict[str, str]:
    """All of it as somebody reads it who may read everything, and as a process that sees all, two
    days later, when days are closed or overdue."""
    now = month.clock.now
    month.clock.on(days=2)
    keep_closed_days()
    for system in JackpotSystem.objects.for_money():
        compare(system)
    figures = {}
    for scope in (visible_to(person("ines")), None):
        with only(scope):
            for name, figure in FIGURES.items():
                key = f"{name}, {'a person' if scope else 'a process'}"
                figures[key] = json.dumps(repr(figure(month)), sort_keys=True)
    month.clock.now = now
    return figures


def test_a_whole_rehearsal_leaves_every_figure_as_it_was(month: OfficeMonth) -> None:
    WebhookEndpoint.objects.create(
        casino=month.system.casino,
        person=person("hana"),
        name="all",
        url="https://receiver.example/",
        secret=b"x",
        key=uuid.uuid4(),
        events=["hit.held", "claim.verified", "claim.confirmed", "claim.paid", "alarm.raised"],
    )
    collect = (outbox.give_out, notices.give_out)
    before = _figures(month)
    while reading.collect(*collect):
        pass
    payouts = Payout.objects.count()
    figures = _counts()
    house = RehearsalHouse(month)
    payout = house.take_to_the_end()
    assert payout.amount > 0
    assert Payout.objects.count() == payouts + 1  # it is there, and counts nowhere
    while reading.collect(*collect):
        pass
    after = _figures(month)
    for name in before:
        assert after[name] == before[name], name
    assert _counts() == figures
    assert Notification.objects.filter(system=house.system).exists()  # told in the page alone
    assert CODE not in json.dumps(list(WebhookEvent.objects.values_list("data", flat=True)))
    assert not Alarm.objects.filter(system=house.system, kind__in=closes.ALARMS).exists()


def _counts() -> tuple[int, int, int]:
    """What left the console, and what waits to."""
    kinds = (WebhookEvent, WebhookDelivery, NotificationDelivery)
    events, deliveries, mails = (kind.objects.count() for kind in kinds)
    return events, deliveries, mails
