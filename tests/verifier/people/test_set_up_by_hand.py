"""Agreements to set-up as a few rows: what stands behind a rule, a role and a log-in."""

import datetime as dt
import json
from typing import Any

from tests.support.proof.rows_by_hand import rows
from verifier.people import role_history
from verifier.people import set_up_agreements as checked

AT = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
SECOND, MARGIN, HOUR = dt.timedelta(seconds=1), dt.timedelta(seconds=10), dt.timedelta(hours=1)
PEOPLE = [(5, "mere"), (6, "david"), (6, "dave")]  # david was dave once


def agreed(kind: str, *, row: int = 1, casino: int | None = 9, by: int = 6,
           at: dt.datetime = AT, **body: Any) -> checked.Agreement:  # fmt: skip
    decisions = [(row, 50, kind, json.dumps(body), casino, "harbour", by, "david", at)]
    (agreement,) = checked.agreements(rows({checked._AGREED: decisions}))
    return agreement


def test_an_agreement_is_an_act() -> None:
    agreement = agreed("signatures", acts="all")
    assert agreement.act == {
        "act": "agree_set_up", "casino": "harbour", "kind": "signatures", "body": {"acts": "all"},
        "proposal": 50, "person": 6,
    }  # fmt: skip
    assert (agreement.row, agreement.name, agreement.body) == (1, "david", {"acts": "all"})
    assert agreement._replace(act={"body": [1]}).body == {}


def said_of_rules(*agreements: checked.Agreement, asks: bool = True, **changed: Any) -> list[Any]:
    rule: dict[str, Any] = {"row": 3, "casino": 9, "value": "all", "at": AT, "second": "david"}
    kind = changed.pop("kind", "signatures")
    queries: dict[str, list[tuple[Any, ...]]] = {each: [] for _, each in checked._RULES.values()}
    queries[checked._RULES[kind][1]] = [tuple((rule | changed).values())]
    connection = rows({checked._NAMES: PEOPLE, **queries})
    return list(checked.rules(connection, agreements, lambda *_: asks))


def test_behind_a_rule_stands_its_agreement() -> None:
    good = agreed("signatures", acts="all")
    nobody = [("the rule signatures of number 3", "nobody agreed to it: david is named, acts all")]
    assert said_of_rules(good) == []
    assert said_of_rules() == nobody
    assert said_of_rules(asks=False) == []
    assert said_of_rules(good, second="dave") == []
    for other in (
        agreed("second_manager", acts="all"), agreed("signatures", acts="none"),
        agreed("signatures", acts="all", casino=8), agreed("signatures", acts="all", by=5),
        agreed("signatures", acts="all", at=AT + MARGIN + SECOND),
        agreed("signatures", acts="all", at=AT - MARGIN - SECOND), agreed("signatures"),
    ):  # fmt: skip
        assert said_of_rules(other) == nobody
        assert said_of_rules(other, good) == []
    for at in (AT + MARGIN, AT - MARGIN):
        assert said_of_rules(agreed("signatures", acts="all", at=at)) == []
    limit = [
        ("the rule second_manager of number 3", "nobody agreed to it: david is named, amount 5")
    ]
    amount = agreed("second_manager", amount=5)
    assert said_of_rules(amount, kind="second_manager", value=5) == []
    assert said_of_rules(good, kind="second_manager", value=5) == limit


# --- roles --------------------------------------------------------------------------------

JOINED = AT - HOUR


def said_of_roles(
    *agreements: checked.Agreement, permissions: tuple[str, ...] = ("confirm_claim",),
    asks: bool = True, **changed: Any,
) -> list[Any]:  # fmt: skip
    grant = {"row": 3, "person": 5, "username": "mere", "joined": JOINED, "role": 1,
             "name": "Casino manager", "casino": 9, "by": "hana", "at": AT} | changed  # fmt: skip
    held = [(5, 1, 9, True, None, JOINED)]
    connection = rows({
        checked._NAMES: PEOPLE, checked._GRANTS: [tuple(grant.values())],
        role_history._CHANGES: held,
        role_history._PERMISSIONS: [(1, list(permissions), JOINED)],
    })  # fmt: skip
    return list(checked.roles(connection, agreements, lambda *_: asks))


def test_behind_a_role_that_agrees_stands_its_agreement() -> None:
    nobody = [("the role Casino manager of mere (number 3)", "nobody agreed to it: hana is named")]
    good = agreed("give_role", role=1, person=5)
    assert said_of_roles(good) == []
    assert said_of_roles() == nobody
    assert said_of_roles(asks=False) == []
    for right in ("second_x", "second_set_up", "administer_people", "confirm_claim"):
        assert said_of_roles(permissions=("x", right)) == nobody
    assert said_of_roles(permissions=("pay_claim", "x_second_")) == []
    for other in (
        agreed("give_role", role=2, person=5), agreed("give_role", role=1, person=6),
        agreed("give_role", role=1, person=5, casino=8), agreed("take_role", role=1, person=5),
        agreed("give_role", role=1, person=5, at=AT + MARGIN + SECOND),
        agreed("give_role", role=1, person=5, at=AT - MARGIN - SECOND),
    ):  # fmt: skip
        assert said_of_roles(other) == nobody
    assert said_of_roles(agreed("give_role", role=1, person=5, at=AT - MARGIN)) == []


def test_an_invitation_gives_a_role() -> None:
    nobody = [("the role Casino manager of mere (number 3)", "nobody agreed to it: hana is named")]

    def of(at: dt.datetime, joined: dt.datetime = AT, name: str = "mere") -> list[Any]:
        return said_of_roles(agreed("invite", role=1, username=name, at=at), joined=joined)

    days = 72 * HOUR
    assert of(AT) == of(AT - days - MARGIN) == of(AT + MARGIN) == []
    assert of(AT - days - MARGIN - SECOND) == of(AT + MARGIN + SECOND) == nobody
    assert of(AT, name="david") == nobody
    assert of(AT, joined=AT - MARGIN) == []
    assert of(AT, joined=AT - MARGIN - SECOND) == nobody  # was here before


def test_behind_a_log_in_that_was_opened_stands_its_agreement() -> None:
    nobody = [("the log-in of mere, opened again (number 3)", "nobody agreed to it: hana is named")]
    good = agreed("unlock", person=5)
    assert said_of_roles(good, role=None) == []
    assert said_of_roles(role=None) == nobody
    assert said_of_roles(role=None, permissions=("x",)) == []
    for other in (
        good._replace(kind="give_role"), good._replace(act={"body": {"person": 6}}),
        good._replace(at=AT + MARGIN + SECOND), good._replace(at=AT - MARGIN - SECOND),
    ):  # fmt: skip
        assert said_of_roles(other, role=None) == nobody
    assert said_of_roles(good._replace(at=AT + MARGIN), role=None) == []


def test_one_agreement_stands_behind_one_thing() -> None:
    good = agreed("signatures", acts="all")
    query = checked._RULES["signatures"][1]
    both = [(3, 9, "all", AT, "david"), (4, 9, "all", AT, "david")]
    connection = rows({checked._NAMES: PEOPLE, query: both})
    assert [place for place, _ in checked.rules(connection, [good], lambda *_: True)] == [
        "the rule signatures of number 4"
    ]
