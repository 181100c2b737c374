"""What people gathered on a claim, in its dispute bundle; each bundle is recorded."""

import datetime as dt
import hashlib
import io
import json
import tempfile
import tracemalloc
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.bundles import bundle
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.core.errors import NotPermitted, WrongState
from settlement.evidence import attachments, identification
from settlement.floor import rulings
from settlement.models import Attachment, BundleExport, Claim
from tables.protocol import messages
from tests.support.cases.claims.evidence import JPEG, PDF, REVIEW
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.identification import PLAYER
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.proof.bundles import (
    KEY,
    built,
    exported,
    files_of,
    public,
    resigned,
    verifier_findings,
    write_key_down,
)
from tests.support.suite.kept_house import kept_house
from verifier import bundle as checking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
MEGABYTE = 1024 * 1024


class GatheredHouse(ClaimHouse):
    """Cards ticked off, footage, a note, two files, a player identified and looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.hit_royal()
        claims.catch_up(self.system)
        self.claim = Claim.objects.get()
        with acting_as("web"):
            sione = person("sione")
            workbench.count_deck(self.claim, sione, ["2s", "3s"])
            workbench.count_deck(self.claim, sione, [], ["3s"])
            workbench.add_footage(self.claim, person("tane"), **REVIEW)
            workbench.add_note(self.claim, sione, "The player in seat 4 saw it")
            attachments.attach(self.claim, sione, "The layout", JPEG)
            attachments.attach(self.claim, sione, "The form", PDF)
            identification.identify(self.claim, sione, identification.PlayerIdentity(**PLAYER))
            identification.look(self.claim, person("aroha"), "pay")


house = kept_house(GatheredHouse, BUNDLE_SIGNING_KEY=KEY)


def workbench_of(files: dict[str, bytes]) -> Any:
    return json.loads(files["workbench.json"])


def test_all_that_people_gathered_is_in_it(house: GatheredHouse) -> None:
    with acting_as("web"):
        archive = exported(house.claim, "ines")
    assert verifier_findings(archive) == []
    files = files_of(archive)
    workbench = workbench_of(files)
    ticks = [(tick["card"], tick["found"], tick["person"]) for tick in workbench["deck"]]
    assert ticks == [("2s", True, "sione"), ("3s", True, "sione"), ("3s", False, "sione")]
    (review,) = workbench["footage"]
    assert (review["reference"], review["since"]) == ("DVR-4411", "2026-11-21T10:10:00.000000Z")
    assert [note["text"] for note in workbench["notes"]] == ["The player in seat 4 saw it"]
    attached = {each["file"]: each["caption"] for each in workbench["attachments"]}
    assert attached == {"attachments/01.jpeg": "The layout", "attachments/02.pdf": "The form"}
    assert files["attachments/01.jpeg"] == JPEG
    assert workbench["attachments"][1]["sha256"] == hashlib.sha256(PDF).hexdigest()
    assert [(look["person"], look["purpose"]) for look in workbench["looks"]] == [("aroha", "pay")]


def test_what_dealers_asked_and_supervisors_ruled_is_in_it(house: GatheredHouse) -> None:
    """A dealer took the hand back and asked for a void; both were refused. Not another round's."""
    for round_ in (1, 2):
        house.say("t3", messages.HandWithdrawn, round=round_, reason="Wrong seat")
        house.say("t3", messages.VoidRequested, round=round_, reason="wrong_count", note="Six")
    house.post()
    hit = house.hit(1)
    with acting_as("web"):
        for request in rulings.requests_about(hit):
            rulings.refuse(request, person("sione"), "The cards are on the layout")
    archive = built(house.claim)
    assert verifier_findings(archive) == []
    files = files_of(archive)
    asked_for = [
        json.loads(body)["type"]
        for name, body in files.items()
        if name.endswith(("-hand_withdrawn.json", "-void_requested.json"))
    ]
    assert sorted(asked_for) == ["hand_withdrawn", "void_requested"]
    ruled = json.loads(files["approvals.json"])["rulings"]
    assert [(row["kind"], row["person"], row["note"]) for row in ruled] == [
        ("refuse", "sione", "The cards are on the layout")
    ] * 2
    assert all(f"sources/{row['asked']:012d}-" in str(files.keys()) for row in ruled)


def test_of_a_player_it_has_a_seal_that_only_the_house_can_open(house: GatheredHouse) -> None:
    archive = built(house.claim)
    (player,) = workbench_of(files_of(archive))["identified"]
    assert (player["seat"], player["person"]) == (3, "sione")
    for personal in (PLAYER["name"], PLAYER["document_number"], PLAYER["note"], "1980"):
        assert personal.encode() not in archive
    row = house.claim.identifications.get()  # as the owner
    fields = [row.key, row.seat, row.name, row.born, row.document, row.document_number, row.note]
    opened = "\n".join(map(str, fields))
    assert player["seal"] == hashlib.sha256(opened.encode()).hexdigest()
    identification.identify(
        house.claim, person("sione"), identification.PlayerIdentity(**{**PLAYER, "seat": 4})
    )
    with acting_as("web"):
        first, second = workbench_of(files_of(built(house.claim)))["identified"]
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            list(house.claim.identifications.values_list("key"))
    assert first["seal"] == player["seal"] != second["seal"]


def test_what_somebody_with_the_key_would_change(house: GatheredHouse) -> None:
    files = files_of(built(house.claim))
    workbench = workbench_of(files)
    assert verifier_findings(resigned(files)) == []
    other = {**files, "attachments/01.jpeg": JPEG + b"!"}
    assert verifier_findings(resigned(other)) == [
        "attachments/01.jpeg: it is not the file that was attached"
    ]
    less = {name: body for name, body in files.items() if name != "attachments/02.pdf"}
    (sentence,) = verifier_findings(resigned(less))
    assert sentence == "attachments/02.pdf: the workbench has it, the archive has not"
    more = {**files, "attachments/03.pdf": PDF}
    assert verifier_findings(resigned(more)) == ["attachments/03.pdf: nobody attached it"]
    twice = {**workbench, "attachments": [*workbench["attachments"], workbench["attachments"][0]]}
    assert "one file" in verifier_findings(resigned({**files, "workbench.json": dumped(twice)}))[0]
    nobody = {**workbench, "notes": [{**workbench["notes"][0], "person": ""}]}
    (sentence,) = verifier_findings(resigned({**files, "workbench.json": dumped(nobody)}))
    assert sentence == "notes: something of it is nobody's"


def dumped(document: Any) -> bytes:
    return json.dumps(document).encode()


def test_a_bundle_from_before_the_workbench_is_still_checked(house: GatheredHouse) -> None:
    files = files_of(built(house.claim))
    first = json.loads(files["manifest.json"]) | {"format": 1}
    rest = {k: v for k, v in files.items() if not k.startswith(("attachments/", "workbench"))}
    assert verifier_findings(resigned({**rest, "manifest.json": dumped(first)})) == []
    assert verifier_findings(resigned(rest)) != []


def test_no_bundle_is_made_of_a_file_that_was_changed(house: GatheredHouse) -> None:
    with owner_without_guards("settlement_attachment"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash")
        Attachment.objects.filter(kind="pdf").update(content=PDF + b"%%EOF")
    with pytest.raises(WrongState, match="changed in the database"):
        exported(house.claim, "ines")
    assert not BundleExport.objects.exists()


def test_each_bundle_is_recorded_for_good(house: GatheredHouse) -> None:
    with acting_as("web"):
        with pytest.raises(NotPermitted):
            exported(house.claim, "sione")
        archive = exported(house.claim, "ines")
        exported(house.claim, "mere")
    first, second = BundleExport.objects.all()
    assert (first.person, second.person) == (person("ines"), person("mere"))
    assert bytes(first.sha256) == hashlib.sha256(archive).digest() == bytes(second.sha256)
    assert first.size == len(archive)
    assert first.at <= second.at <= dt.datetime.now(dt.UTC)
    for refused in (first.save, first.delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            refused()


def test_files_are_read_one_at_a_time(house: GatheredHouse) -> None:
    """Eight files of 4 MB each: neither the house nor the checker holds as much as half of them."""
    for number in range(8):
        big = JPEG[:-2] + bytes([number]) * 4 * MEGABYTE + JPEG[-2:]
        attachments.attach(house.claim, person("sione"), f"Camera {number}", big)
    write_key_down()
    with tempfile.TemporaryFile() as archive:
        tracemalloc.start()
        try:
            bundle.build(house.claim, archive)
            assert checking.findings(archive, public()) == []
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert archive.seek(0, io.SEEK_END) > 32 * MEGABYTE
    assert most < 16 * MEGABYTE
