"""Long files of excluded persons sent by the API: in two steps, with each fault by its line."""

import base64
import uuid
from typing import Any

import pytest
from django.test import RequestFactory

from jackpot.web.body_limits import large_body_of
from settlement.api.exclusions.files import MOST_BYTES
from settlement.core.errors import KeyUsed
from settlement.exclusions import long_files
from settlement.models import Exclusion, ExclusionEnd, ExclusionFile, ExclusionStop
from settlement.people.rights.roles import grant
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER
from tests.support.cases.long_lists import at_the_worker, register
from tests.support.people.cast import PASSWORD, as_
from tests.support.people.identification import NAME
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase

FILES = "/api/exclusions/harbour/files/"


@pytest.fixture
def house(fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch) -> ConfirmedHouse:
    """A step is of ten."""
    monkeypatch.setattr(long_files, "AT_ONCE", 10)
    return ConfirmedHouse()


def send_file(content: bytes, who: str = "ines", key: uuid.UUID | None = None) -> Any:
    headers = {"Idempotency-Key": str(key)} if key else {}
    body = {"list": REGISTER, "csv": content.decode()}
    return as_(who).post(FILES, body, format="json", headers=headers)


def test_a_file_is_sent_confirmed_stopped_and_continued(house: ConfirmedHouse) -> None:
    answer = send_file(register(25))
    assert answer.status_code == 202
    there = answer["Location"]
    assert there == f"/api/exclusion-files/{ExclusionFile.objects.get().pk}/"
    status = as_("ines").get(there).json()
    assert status == answer.json()
    assert (status["state"], status["lines"], status["problems"], status["added"]) == (
        "preview",
        25,
        0,
        25,
    )
    at_the_worker()
    assert not Exclusion.objects.exists()
    ines = as_("ines")
    for _ in range(2):
        confirmed = ines.post(f"{there}confirm/", {"is_whole": True}, format="json")
        assert (confirmed.status_code, confirmed.json()["state"]) == (202, "running")
    with acting_as("worker"):
        long_files._step(status["number"])
    assert as_("ines").get(there).json()["lines_done"] == 10
    for _ in range(2):
        assert ines.post(f"{there}stop/").json()["state"] == "stopped"
    at_the_worker()
    for _ in range(2):
        assert ines.post(f"{there}continue/").status_code == 202
    at_the_worker()
    status = as_("ines").get(there).json()
    assert (status["state"], status["lines_done"]) == ("done", 25)
    assert [(each["kind"], each["person"]) for each in status["stops"]] == [
        ("continue", "ines"),
        ("stop", "ines"),
    ]
    assert ines.post(f"{there}stop/").status_code == 409
    assert Exclusion.objects.count() == 25
    second = send_file(register(25, start=100)).json()
    assert (second["added"], second["standing"], second["missing"]) == (25, 0, 25)
    address = f"/api/exclusion-files/{second['number']}/"
    ines.post(f"{address}confirm/", {"is_whole": True}, format="json")
    assert ines.get(address).json()["to_end"] == 25
    at_the_worker()
    assert ines.get(address).json()["ends_done"] == 25
    assert ExclusionEnd.objects.count() == 25
    numbers = [row["number"] for row in ines.get(FILES).json()["results"]]
    assert numbers == [second["number"], status["number"]]


def test_every_bad_line_is_named_and_nobody_on_it(house: ConfirmedHouse) -> None:
    content = register(8) + f"{NAME},1780-02-29,self,2025-01-01,,SE-2,,\n".encode()
    answer = send_file(content)
    (fault,) = answer.json()["faults"]
    assert fault == {"line": 10, "problem": "This date of birth is not possible."}
    assert NAME not in answer.content.decode()
    there = answer["Location"]
    assert as_("ines").post(f"{there}confirm/", {}, format="json").status_code == 409
    unread = send_file(b"name,born\nA B,1980-01-01\n")
    assert (unread.status_code, "first line names the columns" in unread.content.decode()) == (
        422,
        True,
    )
    assert ExclusionFile.objects.count() == 1


def test_the_same_key_is_the_same_file(house: ConfirmedHouse) -> None:
    key = uuid.uuid4()
    numbers = {send_file(register(9), key=key).json()["number"] for _ in range(2)}
    assert numbers == {ExclusionFile.objects.get().pk}
    other = send_file(register(10), key=key)
    assert (other.status_code, other.json()["code"]) == (422, "key_used")


def test_a_key_is_of_one_act_on_one_file(house: ConfirmedHouse) -> None:
    """A late answer that is asked for again does not undo what came after it."""
    there, other = (
        send_file(register(25, start=start))["Location"] for start in (0, 100)
    )  # of one list: the later one takes the place of the one before

    def act(what: str, key: uuid.UUID, at: str = "", **body: Any) -> Any:
        headers = {"Idempotency-Key": str(key)}
        return as_("ines").post(f"{at or other}{what}/", body, format="json", headers=headers)

    confirmed, stopped, continued = (uuid.uuid4() for _ in range(3))
    assert act("confirm", confirmed).json()["state"] == "running"
    with acting_as("worker"):
        long_files._step(ExclusionFile.objects.latest("pk").pk)
    assert act("stop", stopped).json()["state"] == "stopped"
    assert act("confirm", confirmed).json()["state"] == "stopped"  # sent again
    assert act("continue", continued).json()["state"] == "running"
    assert act("stop", stopped).json()["state"] == "running"
    assert act("stop", uuid.uuid4()).json()["state"] == "stopped"
    assert act("continue", continued).json()["state"] == "stopped"
    for answer in (
        act("confirm", confirmed, there),
        act("confirm", confirmed, is_whole=True),
        act("stop", stopped, there),
        act("continue", continued, there),
        act("continue", stopped),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "key_used")
    assert ExclusionStop.objects.count() == 3


def test_of_two_requests_at_once_with_a_key_the_later_one_is_told(house: ConfirmedHouse) -> None:
    """It looked for the key before the other one was written."""
    send_file(register(9), key=(key := uuid.uuid4()))
    with acting_as("web"), pytest.raises(KeyUsed, match="a moment ago"):
        long_files._call(
            "open_exclusion_file", Casino.objects.get().pk, REGISTER, person("ines").pk, key
        )


def test_the_rest_of_a_stopped_file_is_left_out(house: ConfirmedHouse) -> None:
    there, ines = send_file(register(25))["Location"], as_("ines")
    ines.post(f"{there}confirm/", {}, format="json")
    assert ines.post(f"{there}leave/").status_code == 409
    with acting_as("worker"):
        long_files._step(ExclusionFile.objects.get().pk)
    ines.post(f"{there}stop/")
    key = {"Idempotency-Key": f"{uuid.uuid4()}"}
    for _ in range(2):
        status = ines.post(f"{there}leave/", headers=key).json()
        assert (status["state"], status["lines_done"]) == ("failed", 10)
        assert "Somebody left out the rest" in status["fault"]
    assert [each["kind"] for each in status["stops"]] == ["leave", "stop"]
    assert ines.post(f"{there}continue/").status_code == 409


def test_it_is_for_who_may_import(house: ConfirmedHouse) -> None:
    there = send_file(register(9))["Location"]
    for name in ("mere", "aroha", "hana"):
        assert send_file(register(9), name).status_code == 403
        assert as_(name).get(there).status_code in (403, 404)
        for act in ("confirm", "stop", "continue", "leave"):
            assert as_(name).post(f"{there}{act}/", {}, format="json").status_code == 403
    grant(person("david"), "Compliance")
    assert as_("david").get(there).status_code == 404  # nobody but ines confirmed it yet
    assert as_("ines").get("/api/exclusion-files/999/").status_code == 404


def test_a_body_as_large_as_the_file_on_the_page_is_let_in(house: ConfirmedHouse) -> None:
    """By password or log-in of who may import, found out before it is read."""
    large = large_body_of(FILES)
    assert large is not None
    assert large.most_bytes == MOST_BYTES > long_files.MOST_BYTES
    for who, password, is_let_in in (
        ("ines", PASSWORD, True),
        ("ines", "guessed", False),
        ("mere", PASSWORD, False),
    ):
        credentials = base64.b64encode(f"{who}:{password}".encode()).decode()
        request = RequestFactory().post(FILES, headers={"Authorization": f"Basic {credentials}"})
        assert large.may(request) is is_let_in, (who, password)
    assert not large.may(RequestFactory().post(FILES))
