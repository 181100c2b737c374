"""A file's hash stands in the order: who changes the file with its row is found all the same."""

import hashlib
import json
import uuid
from typing import Any

import pytest
from django.db import connection

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.audit.attachments import changed_files
from settlement.claims import services as claims
from settlement.core.errors import OwnHand
from settlement.evidence import attachments
from settlement.models import Attachment, Claim
from settlement.people.rights import staff_play
from tests.support.cases.claims.evidence import JPEG, PNG
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.proof.bundles import KEY, built, files_of, resigned, verifier_findings
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
DIGEST = hashlib.sha256(JPEG).hexdigest()


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    with acting_as("web"):
        attachments.attach(claim(), person("sione"), "Layout", JPEG)
        at_the_end()
    return house


house = kept_house(build_house, BUNDLE_SIGNING_KEY=KEY)


def claim() -> Claim:
    return Claim.objects.select_related("system__casino").get()


def row(**changed: Any) -> Attachment:
    """A row as somebody who has the web process's password writes it."""
    columns = {"caption": "x", "kind": "png", "size": len(PNG), "content": PNG, "key": uuid.uuid4()}
    columns |= {"sha256": hashlib.sha256(PNG).digest(), "person": person("sione"), **changed}
    return Attachment.objects.create(claim=claim(), **columns)


def test_the_hash_takes_its_place_in_the_order(house: ClaimHouse) -> None:
    assert attachments.content_of(Attachment.objects.get())[1] == JPEG  # there at once
    before = house.balance("royal:pool")
    house.post()
    entry = Entry.objects.get(type="attach_file")
    assert (entry.hit, entry.outcome) == (1, {"hit": 1})
    assert house.balance("royal:pool") == before
    assert changed_files(house.system.pk) == []
    assert look(connection.connection, settled=False).ok


def test_plain_sql_attaches_nothing_past_the_order(house: ClaimHouse) -> None:
    body = {"hit": 1, "sha256": hashlib.sha256(PNG).hexdigest(), "size": len(PNG)}
    with acting_as("web"):
        for number in (None, Attachment.objects.get().command):
            with refused("no command takes the hash"):
                row(command=number)
        with refused("stands no file"):
            commands.queue(house.system, "attach_file", body, first="sione")
        with refused("actions: "):  # in somebody else's name
            row(command=commands.queue(house.system, "attach_file", body, first="mere"))


@pytest.mark.parametrize("posted", [False, True])
def test_a_file_changed_together_with_its_row_is_found(house: ClaimHouse, posted: bool) -> None:
    """At once, by reconciliation and verifier."""
    if posted:
        house.post()
    with owner_without_guards("settlement_attachment"):
        Attachment.objects.update(
            content=PNG, kind="png", size=len(PNG), sha256=hashlib.sha256(PNG).digest()
        )
    assert changed_files(house.system.pk) == [
        f"claim 1: file {Attachment.objects.get().pk} is not what was attached"
    ]
    report = look(connection.connection, settled=False)
    assert set(report.counts_by_kind) == ({"files", "records"} if posted else {"records"})


def test_a_file_that_is_gone_is_found(house: ClaimHouse) -> None:
    house.post()
    with owner_without_guards("settlement_attachment"):
        Attachment.objects.all().delete()
    assert changed_files(house.system.pk) == ["claim 1: a file that the order names is gone"]
    lines = str(look(connection.connection, settled=False).lines())
    assert "a file that the order names is gone" in lines


def test_the_bundle_has_the_entry_of_each_file(house: ClaimHouse) -> None:
    """Also whoever has the house's key cannot put another file in its place."""
    house.post()
    archive = built(claim())
    assert verifier_findings(archive) == []
    files = files_of(archive)
    workbench = json.loads(files["workbench.json"])
    (attached,) = workbench["attachments"]
    assert attached["entry"] == Entry.objects.get(type="attach_file").seq
    other = {**attached, "sha256": hashlib.sha256(PNG).hexdigest(), "size": len(PNG)}
    for attachment in (other, {**other, "entry": None}):
        forged = {**files, "attachments/01.jpeg": PNG}
        forged["workbench.json"] = json.dumps({**workbench, "attachments": [attachment]}).encode()
        (finding,) = verifier_findings(resigned(forged))
        assert "the file that it names is not the one that is here" in finding


def test_who_was_dealt_in_attaches_nothing(house: ClaimHouse) -> None:
    staff_play.name(claim(), person("sione"), person("mere"))
    with acting_as("web"), pytest.raises(OwnHand):
        attachments.attach(claim(), person("sione"), "Layout", PNG)
