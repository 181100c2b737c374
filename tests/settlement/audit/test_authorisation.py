"""The database asks for the actions of real people behind a command of a running process."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from settlement.models import Action
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import action, at_the_end, house, queue, refused
from tests.support.people.roles import acting_as

__all__ = ["house"]

pytestmark = pytest.mark.django_db


DECISIONS = [
    ("confirm_claim", "sione", "mere"),
    ("reject_claim", "sione", "mere"),
    ("amend_hand", "sione", None),
    ("pay", "aroha", None),
]


@pytest.mark.parametrize(("kind", "first", "second"), DECISIONS)
def test_names_without_actions_are_refused(
    house: ClaimHouse, kind: str, first: str, second: str | None
) -> None:
    with acting_as("web"), refused("actions: behind"):
        queue(house, kind, first, second)


@pytest.mark.parametrize("second", ["stranger", "tane"])
def test_terms_take_two_active_people(house: ClaimHouse, second: str) -> None:
    User.objects.filter(username="tane").update(is_active=False)
    with acting_as("web"), refused("who is no active person"):
        queue(house, "put_terms", "ines", second)
    with acting_as("web"), refused("actions: behind"):
        queue(house, "put_terms", "ines", "mere")  # and nothing that the one proposed to the other


def test_the_acts_must_be_those_of_the_people_named(house: ClaimHouse) -> None:
    with acting_as("web"):
        action(house, "sione", "verify")
        with refused("actions: behind"):
            number = queue(house, "confirm_claim", "sione", "mere")
            action(house, "david", "confirm", number)
        with refused("actions: behind"):
            number = queue(house, "confirm_claim", "anahera", "mere")
            action(house, "mere", "confirm", number)
        with refused("actions: behind"):
            number = queue(house, "confirm_claim", "sione", "mere", report_entry=1)
            action(house, "mere", "confirm", number)
        number = queue(house, "confirm_claim", "sione", "mere")
        action(house, "mere", "confirm", number)
        at_the_end()


SAYS = [
    ("amend_hand", "amend", {"report": {"boards": []}}, {"report": {"boards": [1]}}),
    ("pay", "pay", {"line": 1, "parts": {"cash": 1}}, {"line": 1, "parts": {"cash": 2}}),
    ("withhold", "withhold", {"line": 1, "note": "why"}, {"line": 2, "reason": "why"}),
    ("dispute", "dispute", {"note": "why"}, {"reason": "why not"}),
    ("name_round", "name_round", {"note": "x", "round": 7}, {"note": "x", "round": 8}),
]


@pytest.mark.parametrize(("kind", "of", "content", "body"), SAYS)
def test_a_command_says_what_was_done(
    house: ClaimHouse, kind: str, of: str, content: dict[str, Any], body: dict[str, Any]
) -> None:
    who = "sione" if of in ("amend", "name_round") else "aroha"

    def both(body: dict[str, Any]) -> None:
        number = queue(house, kind, who, None, **body)
        action(house, who, of, number, content)

    agreed = {**content} if "note" not in body and "reason" not in body else {**body, **content}
    if "reason" in body:
        agreed["reason"] = agreed.pop("note")
    with acting_as("web"):
        with refused(f"says something else than {who} did"):
            both(body)
        both(agreed)
        at_the_end()


def test_a_command_is_of_the_kind_of_its_action(house: ClaimHouse) -> None:
    """What somebody said of releasing a payment is no word for withholding it."""
    with acting_as("web"), refused("says something else than aroha did"):
        number = queue(house, "withhold", "aroha", None, line=1, reason="why")
        action(house, "aroha", "withhold", number, {"line": 2, "note": "why not"})
        action(house, "aroha", "release", number, {"line": 1, "note": "why"})


def test_a_rejection_says_what_was_proposed(house: ClaimHouse) -> None:
    body = {"reason": "R04", "evidence": "camera 12", "affected": True}

    def agree(**changes: Any) -> None:
        number = queue(house, "reject_claim", "sione", "mere", **body | changes)
        proposal = Action.objects.get(kind="propose_rejection").key
        action(house, "mere", "second_rejection", number, {"proposal": str(proposal)})

    with acting_as("web"):
        action(house, "sione", "propose_rejection", body=body)
        with refused("says something else than mere did"):
            agree(evidence="camera 13")
        with refused("says something else than mere did"):
            action(house, "sione", "withdraw_rejection")
            agree()
        agree()
        at_the_end()
