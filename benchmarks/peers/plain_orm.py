"""A plain Django implementation: one message, one transaction, `get_or_create`,
`select_for_update`, Decimal, three tiers."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, ClassVar

import django
from django.conf import settings

from benchmarks.peers.subscriber import TIERS, Subscriber, arguments

MICROS = 1_000_000


def configure(database_url: str) -> None:
    """Django with nothing but these models."""
    import environ

    settings.configure(
        DATABASES={"default": environ.Env.db_url_config(database_url)},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
    )
    django.setup()


def make_take() -> Callable[[bytes], None]:
    """The models and their tables; what takes one message in one transaction."""
    from django.db import connection, models, transaction

    class TableEvent(models.Model):
        gaming_table = models.CharField(max_length=32)
        boot = models.BigIntegerField()
        seq = models.BigIntegerField()
        type = models.CharField(max_length=32)
        body = models.JSONField()
        received_at = models.DateTimeField(auto_now_add=True)
        objects: ClassVar[models.Manager[Any]] = models.Manager()

        class Meta:
            app_label = "plain"
            unique_together = ("gaming_table", "boot", "seq")

    class Pool(models.Model):
        code = models.CharField(max_length=32, unique=True)
        balance = models.DecimalField(max_digits=18, decimal_places=6, default=0)
        objects: ClassVar[models.Manager[Any]] = models.Manager()

        class Meta:
            app_label = "plain"

    class Contribution(models.Model):
        event = models.ForeignKey(TableEvent, models.PROTECT)
        pool = models.ForeignKey(Pool, models.PROTECT)
        amount = models.DecimalField(max_digits=18, decimal_places=6)
        balance_after = models.DecimalField(max_digits=18, decimal_places=6)
        objects: ClassVar[models.Manager[Any]] = models.Manager()

        class Meta:
            app_label = "plain"

    with connection.schema_editor() as editor:
        for model in (TableEvent, Pool, Contribution):
            editor.create_model(model)
    for code in TIERS:
        Pool.objects.create(code=code)
    return transaction.atomic(functools.partial(_take, TableEvent, Pool, Contribution))


def _take(events: Any, pools: Any, contributions: Any, body: bytes) -> None:
    payload = json.loads(body)
    event, is_new = events.objects.get_or_create(
        gaming_table=payload["table"],
        boot=payload["boot"],
        seq=payload["seq"],
        defaults={"type": payload["type"], "body": payload},
    )
    if not is_new or event.type != "round_started":
        return
    for code, micros in TIERS.items():
        pool = pools.objects.select_for_update().get(code=code)
        amount = Decimal(micros) / MICROS
        pool.balance += amount
        pool.save()
        contributions.objects.create(
            event=event, pool=pool, amount=amount, balance_after=pool.balance
        )


def main() -> None:
    mqtt_url, database_url = arguments()
    configure(database_url)
    take = make_take()
    subscriber = Subscriber(mqtt_url)
    while True:
        bodies = subscriber.batch(20)
        for body in bodies:
            take(body)
        subscriber.stored(len(bodies))


if __name__ == "__main__":
    main()
