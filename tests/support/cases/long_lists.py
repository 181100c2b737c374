"""Long lists of excluded persons: made up from a seed, read, confirmed and taken in."""

import datetime as dt
import io
import random
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from settlement.exclusions import long_files
from settlement.models import (
    Exclusion,
    ExclusionFile,
)
from settlement.tasks import take_in_exclusions
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import REGISTER
from tests.support.people.identification import NAME
from tests.support.people.roles import acting_as
from verifier.check import look

HEADING = "name,born,kind,from,until,reference,document,number\n"


def lines(count: int, seed: int, start: int = 0) -> Iterator[str]:
    """So many persons of a register, the same for a seed; of each its reference is its own."""
    for number in range(start, start + count):
        chance = random.Random(f"{seed} {number}")
        born = dt.date(1930, 1, 1) + dt.timedelta(days=chance.randrange(27_000))
        name = " ".join("".join(chance.choices("aeioulmnrst", k=7)).title() for _ in range(2))
        document = f"passport,P{number:08}" if chance.random() < 0.5 else ","
        kind = chance.choice(["self", "regulator"])
        yield f"{name},{born},{kind},2020-01-01,,R-{number},{document}\n"


def register(count: int, seed: int = 1, start: int = 0) -> bytes:
    return (HEADING + "".join(lines(count, seed, start))).encode()


WIREMUS = f"{NAME},1980-02-29,self,2020-05-01,,SE-118,passport,LK418805\n".encode()


def read(content: bytes, name: str = REGISTER) -> ExclusionFile:
    with acting_as("web"):
        return long_files.read(Casino.objects.get(), person("ines"), name, io.BytesIO(content))


def confirm(file: ExclusionFile, *, is_whole: bool = False, by: str = "ines") -> None:
    with acting_as("web"):
        long_files.confirm(file, person(by), is_whole=is_whole)


def at_the_worker() -> None:
    with acting_as("worker"):
        take_in_exclusions()


def findings() -> list[Any]:
    """Of the verifier."""
    with transaction.atomic():
        return look(connection.connection, settled=False).findings


def references() -> list[str]:
    return list(Exclusion.objects.order_by("pk").values_list("reference", flat=True))
