"""A house whose people have mail addresses, and what they are notified of."""

from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils.html import strip_tags
from pytest_django import Settings

from settlement import tasks
from settlement.models import Notification
from tests.support.people.cast import ClaimHouse

ORIGIN = "https://console.example"


def a_house(settings: Settings) -> ClaimHouse:
    settings.CONSOLE_ORIGIN = ORIGIN
    house = ClaimHouse()
    for user in User.objects.all():
        user.email = f"{user.username}@example.org"
        user.save(update_fields=["email"])
    return house


def beat() -> None:
    """As the worker's tasks come, one after the other."""
    tasks.watch_occasions()
    tasks.collect_webhooks()
    tasks.send_notifications()


def kinds_of(name: str) -> list[str]:
    rows = Notification.objects.filter(person__username=name).order_by("id")
    return list(rows.values_list("kind", flat=True))


def mailed() -> list[tuple[str, str]]:
    return [(each.to[0].partition("@")[0], str(each.subject)) for each in mail.outbox]


def in_bell(client: Client) -> str:
    return " ".join(strip_tags(client.get("/notifications/new/").content.decode()).split())
