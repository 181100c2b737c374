"""A house with a claim to stop, and the page by which people stop it."""

from tests.support.pages.page_staff import ADDRESS, reply, verify
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

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
