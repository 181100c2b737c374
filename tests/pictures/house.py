"""The invented house whose pages are photographed: one of each thing that somebody has to do."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.utils import timezone

from settlement.claims import services as claims
from settlement.exclusions.entries import ExclusionList, Person, take_in
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.alarms import raise_alarm
from tables.protocol import messages
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.people.api_keys import ADJUST
from tests.support.people.cast import ALL_YES, REASON, as_

NAMES = {
    "sione": "Sione Fale",
    "anahera": "Anahera Moana",
    "mere": "Mere Tane",
    "david": "David Okafor",
    "aroha": "Aroha Ngata",
    "tane": "Tane Rewi",
    "ines": "Ines Marin",
    "hana": "Hana Reti",
}
_POSTS = [
    ("anahera", "claims/main-4/propose-rejection/", REASON),
    ("tane", "incidents/", {"kind": "button", "note": "Button stuck, unit replaced"}),
    ("sione", "pools/main/royal/propose-adjustment/", ADJUST),
]


def photographed() -> SixPayees:
    """Claim 1 can be paid, 2 verified, 3 confirmed, 4 rejected by a second
    person; 5 is paid."""
    house = SixPayees().confirmed()
    house.system.casino.refresh_from_db()
    for name, words in NAMES.items():
        first, last = words.split()
        User.objects.filter(username=name).update(first_name=first, last_name=last)
    for _ in range(4):
        house.hit_royal("t7")
    claims.catch_up(house.system)
    third = Claim.objects.get(number=3)
    claims.answer_checklist(third, person("sione"), ALL_YES, {})
    claims.verify(third, person("sione"))
    fifth = Claim.objects.get(number=5)
    claims.answer_checklist(fifth, person("sione"), ALL_YES, {})
    claims.verify(fifth, person("sione"))
    claims.confirm(fifth, Reauthenticated(person("mere")), house.hit(5).held)
    house.post()
    claims.pay(fifth, Reauthenticated(person("aroha")), 1, {"cash": house.hit(5).held})
    house.post()
    house.say("t3", messages.VoidRequested, round=house.rounds["t3"], reason="wrong_count", note="")
    house.post()
    for who, address, body in _POSTS:
        at = {"system": "main", "table": "t3", "happened_at": timezone.now().isoformat()}
        answer = as_(who).post(
            f"/api/{address}", (at if "incidents" in address else {}) | body, format="json"
        )
        assert answer.status_code in (200, 201, 202), answer.content
        house.post()
    raise_alarm("presses", "t3", "Table 3: no press for 20 minutes", house.system)
    persons = [Person("Max Muster", dt.date(1980, 1, 1), "self", dt.date(2026, 1, 1), "E-17")]
    take_in(house.system.casino, person("ines"), ExclusionList("register.csv", persons))
    return house
