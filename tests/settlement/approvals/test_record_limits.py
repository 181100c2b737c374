"""A claim has so much of each kind that one person adds, and no more."""

import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from settlement.claims import workbench
from settlement.claims.decisions import stops
from settlement.claims.services import catch_up
from settlement.core import record_limits
from settlement.core.errors import Enough
from settlement.evidence import attachments, identification
from settlement.models import Action, Claim
from tests.support.cases.claims.evidence import JPEG, REVIEW
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.identification import PLAYER
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

_TEXTS = (f"Word {number}" for number in count())
# By kind: one more of it, and what whoever reads the refusal does then.
MORE: dict[str, tuple[Callable[[Claim], Any], str]] = {
    "dispute": (
        lambda claim: stops.open_stop(claim, person("sione"), "dispute", next(_TEXTS)),
        "at most 25 disputes: write what is new as a note",
    ),
    "hold_claim": (
        lambda claim: stops.open_stop(claim, person("ines"), "hold", next(_TEXTS)),
        "at most 25 holds: ask a game supervisor",
    ),
    "settlement_note": (
        lambda claim: workbench.add_note(claim, person("mere"), next(_TEXTS)),
        "at most 500 notes: put what is new into a PDF",
    ),
    "settlement_footage": (
        lambda claim: workbench.add_footage(claim, person("tane"), **REVIEW),
        "at most 100 reviews of footage: put what is new into a PDF",
    ),
    "settlement_attachment": (
        lambda claim: attachments.attach(claim, person("sione"), next(_TEXTS), JPEG),
        "at most 40 files: put several into one PDF",
    ),
    "settlement_identification": (
        lambda claim: identification.identify(
            claim, person("sione"), identification.PlayerIdentity(**PLAYER)
        ),
        "at most 200 identifications",
    ),
}


@pytest.fixture
def few() -> None:
    """Two of each kind, so that a test need not add hundreds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef('enough_of_a_claim'::regproc)")
        (source,) = cursor.fetchone()
        assert "TG_ARGV[0]::bigint" in source
        cursor.execute(source.replace("TG_ARGV[0]::bigint", "2"))


def claims() -> list[Claim]:
    house = ClaimHouse()
    house.hit_royal("t3")
    house.hit_royal("t7")
    catch_up(house.system)
    return list(Claim.objects.order_by("number"))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("kind", sorted(record_limits.MOST))
def test_what_is_too_much_of_one_claim_is_refused_with_what_to_do(kind: str) -> None:
    more, words = MORE[kind]
    full, other = claims()
    with acting_as("web"):
        more(full)
        more(full)
        actions = Action.objects.count()
        with pytest.raises(Enough, match=words):
            more(full)
        more(other)
    assert (
        Action.objects.filter(claim=full).count() == actions
    )  # nothing is left of what was refused


@pytest.mark.parametrize("role", ["web", "owner"])
def test_plain_sql_opens_no_more_stops_either(role: str) -> None:
    claim, _ = claims()
    rows = (
        "INSERT INTO settlement_action (claim_id, kind, person_id, at, body, key)"
        " SELECT %s, 'dispute', %s, now(), '{}', gen_random_uuid() FROM generate_series(1, %s)"
    )

    def add(number: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(rows, [claim.pk, person("sione").pk, number])

    def at_most() -> None:
        add(record_limits.MOST["dispute"])
        with pytest.raises(IntegrityError, match="enough: claim"):
            add(1)

    if role == "owner":
        at_most()
    else:
        with acting_as("web"):
            at_most()


def test_the_words_say_what_the_database_counts() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger"
            " WHERE tgfoid = 'enough_of_a_claim'::regproc"
        )
        limits = {}
        for table, text in cursor.fetchall():
            most, kind = re.findall(r"enough_of_a_claim\('(\d+)'(?:, '(\w+)')?\)", text)[0]
            limits[kind or table] = int(most)
    assert limits == record_limits.MOST
    assert MORE.keys() == limits.keys()
