"""People who decide claims while everything around them dies: `python -m tests.crash.people`.

They verify, confirm, pay and reject through the services, one claim after the other, by seeded
dice. After an outage they send the same form again, with the same key.
"""

import argparse
import logging
import random
import threading
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import django

log = logging.getLogger("people")

BETWEEN_TWO_CLAIMS_S = 0.2
OUTAGE_S = 0.2
REJECTED = 0.4  # of the claims


class People:
    """Mere verifies, David confirms, Lucia pays; Mere and David reject."""

    def __init__(self, seed: str) -> None:
        self._dice = random.Random(seed)
        self._pause = threading.Event()
        self.mere, self.david, self.lucia = map(self._log_in, ("mere", "david", "lucia"))

    def _log_in(self, name: str) -> Any:
        """All of them are at this screen: the database is shown each one's password."""
        from demo.casino.seed_data import PASSWORD
        from settlement.people import passwords
        from settlement.people.shared import presence

        credentials = {"username": name, "password": PASSWORD}
        user = self._insist(lambda _key: passwords.Backend().authenticate(None, **credentials))
        self._insist(lambda _key: presence.show_password(user))
        return user

    def decide_next(self) -> None:
        """The oldest claim of each system that nobody has decided."""
        from jackpot.models import Hit
        from settlement.claims import services as claims
        from settlement.models import Claim
        from tables.models import JackpotSystem

        for system in JackpotSystem.objects.all():
            claims.catch_up(system)
            hit = Hit.objects.filter(system=system, state="held").order_by("number").first()
            claim = hit and Claim.objects.filter(system=system, number=hit.number).first()
            if claim:  # a hit of this very moment has none yet
                self._decide(claim)

    def _decide(self, claim: Any) -> None:
        from settlement.core.errors import RuleBroken

        try:
            if self._dice.random() < REJECTED:
                self._reject(claim, "R11")
            else:
                self._settle(claim)
        except RuleBroken as reason:
            log.info("claim %s: %s", claim.number, reason)
            self._reject(claim, "R01")

    def _settle(self, claim: Any) -> None:
        from settlement.claims import services as claims
        from settlement.people.rights.permissions import Reauthenticated
        from simulation import answers

        self._insist(lambda _key: answers.answer(claim, self.mere))
        self._insist(lambda key: claims.verify(claim, self.mere, key=key))
        david = Reauthenticated(self.david)
        held = self._insist(lambda _key: claims.hit_of(claim)).held
        self._insist(lambda key: claims.confirm(claim, david, held, key=key))
        for payee in self._insist(lambda _key: claims.hit_of(claim)).payees:
            self._insist(partial(self._pay, claim, payee))

    def _pay(self, claim: Any, payee: dict[str, Any], key: uuid.UUID) -> None:
        from settlement.claims import services as claims
        from settlement.people.rights.permissions import Reauthenticated

        claims.pay(
            claim, Reauthenticated(self.lucia), payee["seat"], {"cash": payee["amount"]}, key=key
        )

    def _reject(self, claim: Any, reason: str) -> None:
        from settlement.claims import services as claims
        from settlement.core.errors import RuleBroken
        from settlement.people.rights.permissions import Reauthenticated

        david = Reauthenticated(self.david)
        values: dict[str, Any] = {"reason": reason, "evidence": "camera 12", "affected": True}
        try:
            hit = self._insist(lambda _key: claims.hit_of(claim))
            proposal = self._insist(lambda _key: claims.open_proposal(claim, hit))
            if proposal is not None and proposal.report_entry != hit.report_entry:
                withdraw = partial(claims.withdraw_rejection, claim, self.mere, note="reported")
                self._insist(lambda key: withdraw(key=key))
                proposal = None
            if proposal is None:
                propose = partial(claims.propose_rejection, claim, self.mere, **values)
                self._insist(lambda key: propose(key=key))
            self._insist(lambda key: claims.second_rejection(claim, david, key=key))
        except RuleBroken as refused:
            log.info("claim %s is not rejected: %s", claim.number, refused)

    def _insist(self, action: Callable[[uuid.UUID], Any]) -> Any:
        """Do it again after each outage, under the key of the first time, until it is done."""
        from django.db import Error, connection

        from tables.process.transient_errors import is_outage

        key = uuid.UUID(int=self._dice.getrandbits(128), version=4)
        while True:
            try:
                return action(key)
            except Error as error:
                if not is_outage(error):
                    raise
                log.info("again after an outage: %s", str(error).strip())
                connection.close()
                self._pause.wait(OUTAGE_S)

    def work(self, hold: Path, rest: Path) -> None:
        """For ever; while `hold` is there nobody decides anything, and `rest` repeats it."""
        while True:
            self._pause.wait(BETWEEN_TWO_CLAIMS_S)
            try:
                held = hold.read_text()
            except FileNotFoundError:
                self._insist(lambda _key: self.decide_next())
                continue
            if self._insist(lambda _key: self._are_answered()):
                rest.write_text(held)

    def _are_answered(self) -> bool:
        """Whether the writer took every decision, and all that was paid is on the register."""
        from django.db.models import F

        from jackpot.models import CommandQueue
        from settlement.claims import services as claims
        from tables.models import JackpotSystem

        if CommandQueue.objects.exclude(taken=F("last_number")).exists():
            return False
        for system in JackpotSystem.objects.all():
            claims.catch_up(system)
        return True


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hold", type=Path, required=True)
    parser.add_argument("--rest", type=Path, required=True)
    parser.add_argument("--seed", required=True)
    options = parser.parse_args()
    django.setup()
    People(options.seed).work(options.hold, options.rest)


if __name__ == "__main__":
    main()
