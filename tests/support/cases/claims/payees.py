"""A bad beat that six players share, confirmed or not yet."""

from typing import Any

from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.bad_beats import BOARD, bad_beat
from tests.support.cases.hands.clocked_hands import ClockHouse
from tests.support.people.cast import ALL_YES
from tests.support.play.rules.division import hand

DEALT: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4, 5, 6], "button_seat": 5}


class SixPayees(ClockHouse):
    """At table 3 aces full of seat 2 are beaten by four kings of seat 4; all six take part.

    `evidence`: what the terms ask for, above how much.
    """

    def __init__(self, **evidence: int) -> None:
        super().__init__(bad_beat() | {"evidence": evidence})
        self.open("t3")
        self.press("t3")
        self.call("t3", tier="beat")
        self.say(
            "t3",
            messages.HandReported,
            round=self.rounds["t3"],
            boards=[BOARD.split()],
            hands=[
                messages.ReportedHand(**each)
                for each in (hand(2, "As Ad"), hand(4, "Kd Kc", won_pot=True))
            ],
            **DEALT,
        )
        self.post()
        claims.catch_up(self.system)
        self.claim = Claim.objects.get(number=1)

    def confirmed(self) -> "SixPayees":
        """Verified by sione, confirmed by mere: the cage can pay."""
        answers = ALL_YES | {"identity": "no"}
        note = {"identity": "Seats 2 and 4 went to the cage"}
        claims.answer_checklist(self.claim, person("sione"), answers, note)
        claims.verify(self.claim, person("sione"))
        claims.confirm(self.claim, Reauthenticated(person("mere")), self.hit(1).held)
        self.post()
        return self
