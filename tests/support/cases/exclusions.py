"""Excluded persons, and players who are on a list."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from settlement.evidence import identification
from settlement.exclusions import entries, release
from settlement.exclusions.entries import ExclusionList, Person
from settlement.models import Claim, ExclusionImport, Proposal
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.identification import NAME, NUMBER, PLAYER
from tests.support.people.roles import acting_as

REGISTER = "National register"
WHY = "The order was lifted on 3 May, letter of the regulator"
WIREMU = Person(
    name=NAME,
    born=PLAYER["born"],
    kind="self",
    since=dt.date(2020, 5, 1),
    reference="SE-118",
    document="passport",
    document_number=NUMBER,
)


def excluded(
    claim: Claim, *persons: Person, whole: bool = False, **changed: Any
) -> ExclusionImport:
    """Compliance takes these in; without any, the player of `people.identification`."""
    exclusions = ExclusionList(REGISTER, persons or [replace(WIREMU, **changed)], whole)
    with acting_as("web"):
        return entries.take_in(claim.system.casino, person("ines"), exclusions)


def identified(claim: Claim, by: str = "sione", **changed: Any) -> None:
    with acting_as("web"):
        identification.identify(
            claim, person(by), identification.PlayerIdentity(**{**PLAYER, **changed})
        )


def released(house: ConfirmedHouse, by: str = "mere", agreed_by: str = "ines") -> Proposal:
    with acting_as("web"):
        proposal = release.propose(house.claim, person(by), 3, WHY)
        release.agree(proposal, Reauthenticated(person(agreed_by)))
    house.post()
    return proposal
