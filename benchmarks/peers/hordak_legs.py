"""django-hordak posting the same legs: one transaction an event, a credit and a debit a tier."""

import json
from urllib.parse import urlsplit

import django
from django.conf import settings

from benchmarks.peers.subscriber import CURRENCY, TIERS, Subscriber, arguments

MICROS = 1_000_000


def configure(database_url: str) -> None:
    """Django with hordak alone, its tables made by its own migrations."""
    where = urlsplit(database_url)
    settings.configure(
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": where.path.lstrip("/"),
                "USER": where.username,
                "PASSWORD": where.password,
                "HOST": where.hostname,
                "PORT": where.port,
            }
        },
        INSTALLED_APPS=["django.contrib.contenttypes", "mptt", "django_extensions", "hordak"],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        DEFAULT_CURRENCY=CURRENCY,
        HORDAK_INTERNAL_CURRENCY=CURRENCY,
        CURRENCIES=[CURRENCY],
        HORDAK_DECIMAL_PLACES=6,
        HORDAK_MAX_DIGITS=18,
        USE_TZ=True,
    )
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def main() -> None:
    mqtt_url, database_url = arguments()
    configure(database_url)
    from django.db import transaction
    from hordak.models import Account, AccountType, Leg, Transaction
    from moneyed import Money

    operator = Account.objects.create(
        name="operator", code="1", type=AccountType.expense, currencies=[CURRENCY]
    )
    pools = {
        tier: Account.objects.create(
            name=tier, code=str(place), type=AccountType.liability, currencies=[CURRENCY]
        )
        for place, tier in enumerate(TIERS, start=2)
    }
    amounts = {tier: Money(micros, CURRENCY) / MICROS for tier, micros in TIERS.items()}

    @transaction.atomic
    def post(body: bytes) -> None:
        event = json.loads(body)
        if event["type"] != "round_started":
            return
        identity = f"{event['system']} {event['table']} {event['boot']} {event['seq']}"
        posted = Transaction.objects.create(description=identity)
        for tier, pool in pools.items():
            Leg.objects.create(transaction=posted, account=operator, debit=amounts[tier])
            Leg.objects.create(transaction=posted, account=pool, credit=amounts[tier])

    subscriber = Subscriber(mqtt_url)
    while True:
        bodies = subscriber.batch(20)
        for body in bodies:
            post(body)
        subscriber.stored(len(bodies))


if __name__ == "__main__":
    main()
