"""Shared by tests: stops."""

from tests.support.cast import ClaimHouse
from tests.support.kept_house import kept_house
from tests.support.page_staff import ADDRESS, reply, verify

STOP = f"{ADDRESS}stop/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def stop(house: ClaimHouse, by: str, kind: str, reason: str) -> str:
    page = reply(by, STOP, kind=kind, reason=reason)
    house.post()
    return page
