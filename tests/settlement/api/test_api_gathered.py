"""What people gather on a claim, by the API."""

import pytest

from settlement.evidence import attachments
from settlement.models import Claim, DeckTick
from tests.support.cases.claims.evidence import JPEG
from tests.support.cases.confirmed_house import person
from tests.support.people.api_footage import REVIEW
from tests.support.people.cast import ClaimHouse, action, read
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

ADDRESS = "/api/claims/main-1/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


def test_the_deck_is_ticked_off() -> None:
    answer = action("sione", "deck", found=["9s", "8s"])
    assert answer.status_code == 200
    assert answer.json()["deck_count"]["found"] == ["8s", "9s"]
    count = action("anahera", "deck", taken_back=["9s"]).json()["deck_count"]
    assert (count["found"], len(count["missing"]), count["is_whole"]) == (["8s"], 44, False)
    refusal = action("sione", "deck", found=["As"])
    assert (refusal.status_code, refusal.json()["code"]) == (422, "bad_count")
    assert action("mere", "deck", found=["7s"]).status_code == 403
    assert DeckTick.objects.count() == 3


def test_footage_and_notes_are_added() -> None:
    assert action("tane", "footage", **REVIEW).status_code == 200
    assert action("aroha", "notes", text="Waits in the lounge").status_code == 200
    sheet = read(ADDRESS)
    assert {name: sheet["footage"][0][name] for name in REVIEW} == REVIEW
    assert sheet["footage"][0]["person"] == "tane"
    assert [(note["text"], note["person"]) for note in sheet["notes"]] == [
        ("Waits in the lounge", "aroha")
    ]
    assert action("aroha", "footage", **REVIEW).status_code == 403
    assert action("tane", "footage", reviewer="x").status_code == 422


def test_a_file_is_named_by_its_hash_without_its_content() -> None:
    assert read(ADDRESS)["files"] == []  # opens the claim, too
    attachments.attach(Claim.objects.get(), person("sione"), "Layout", JPEG)
    (file,) = read(ADDRESS)["files"]
    assert (file["caption"], file["media"], file["size"]) == ("Layout", "image/jpeg", len(JPEG))
    assert len(file["sha256"]) == 64
    assert "content" not in file
