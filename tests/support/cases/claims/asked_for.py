"""The evidence that terms ask for, as people add it to a claim: identity and footage."""

import datetime as dt

from settlement.claims import workbench
from settlement.evidence import identification
from settlement.models import Claim, Identification
from tests.support.cases.confirmed_house import person
from tests.support.people.roles import acting_as

SUITS = {"s": 8, "h": 13, "d": 12, "c": 12}


def claim() -> Claim:
    return Claim.objects.get(number=1)


def identify(seat: int = 3) -> None:
    with acting_as("web"):
        identification.identify(
            claim(),
            person("aroha"),
            identification.PlayerIdentity(
                seat=seat,
                name="Tane Rua",
                born=dt.date(1980, 1, 1),
                document=Identification.Document.PASSPORT,
                document_number="N-1",
            ),
        )


def review() -> None:
    at = dt.datetime(2026, 11, 21, 10, 15, tzinfo=dt.UTC)
    with acting_as("web"):
        workbench.add_footage(
            claim(),
            person("tane"),
            reviewer="Tane",
            camera="12",
            since=at,
            until=at,
            reference="V-1",
            finding="As reported",
        )
