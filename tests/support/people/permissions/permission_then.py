"""Every record that needs a permission, and which permissions allow it."""

import uuid
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db import connection

from settlement.claims import services as claims
from settlement.models import Proposal, Ruling
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house
from tests.support.suite.sql_files import permissions

REQUIRED = permissions()


WRITE = """
    INSERT INTO settlement_record (system_id, source, row, said) VALUES (%s, %s, %s, %s)
"""


def permitted(source: str, column: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """What a row may say beside its person, and which permissions allow it."""
    required = REQUIRED[source][column]
    if isinstance(required, dict):
        for kind, each in required.items():
            yield {"kind": kind}, [each]
    else:
        yield {}, ([required] if isinstance(required, str) else required)


CASES = [
    (source, column, fields, allowed)
    for source, columns in REQUIRED.items()
    for column in columns
    for fields, allowed in permitted(source, column)
]


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    with connection.cursor() as cursor:  # of this test alone: no process writes records
        cursor.execute("GRANT INSERT ON settlement_record TO jackpot_web")
        cursor.execute("GRANT ALL ON SEQUENCE settlement_record_id_seq TO jackpot_web")
    return house


house = kept_house(build_house)


def behind(source: str, fields: dict[str, Any], house: ClaimHouse) -> dict[str, Any]:
    """The row that a decision or a countersignature is about."""
    kind = fields.get("kind", "")
    mere = User.objects.get(username="mere")
    if source == "settlement_proposaldecision":
        of, _, agreed = kind.partition(" ")
        proposal = Proposal.objects.create(
            system=house.system, kind=of, subject="", body={}, person=mere, key=uuid.uuid4()
        )
        return {"proposal_id": proposal.pk, "agreed": agreed == "true"}
    if source == "settlement_countersignature":
        ruling = Ruling.objects.create(
            system=house.system,
            table=house.system.tables.get(code="t3"),
            kind=kind,
            note="Camera 12",
            count=int(kind == "missed_rounds"),
            day="2026-11-21",
            command=1,
            person=mere,
            key=uuid.uuid4(),
        )
        return {"ruling_id": ruling.pk}
    return fields
