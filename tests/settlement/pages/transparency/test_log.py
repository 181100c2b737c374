"""The page "Log", and the same over the API: checkpoints, keys, witnesses, refusals."""

import html
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from jackpot.models import Checkpoint, WitnessAnswer
from jackpot.models.transparency import CheckpointCause
from jackpot.transparency import checkpoints, folder, notes, proofs, public_keys, witnesses
from settlement.pages.transparency import views
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse, as_
from tests.support.proof.transparency import sign_checkpoints
from tests.support.proof.witnesses import NAME, ORIGIN, RunningWitness

pytestmark = pytest.mark.django_db
PAGE = "/log/"


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    sign_checkpoints(settings)
    settings.WITNESS_EVERY_S = 0.0
    house = ClaimHouse()
    house.press("t3")
    house.post()
    return house


@pytest.fixture
def witness(house: ClaimHouse, settings: Settings, tmp_path: Path) -> Iterator[RunningWitness]:
    with RunningWitness(tmp_path, notes.keys()[0].verifier_key(ORIGIN)) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        yield witness


def grow(house: ClaimHouse, cause: str = CheckpointCause.INTERVAL) -> Checkpoint:
    house.press("t3")
    house.post()
    checkpoint = checkpoints.make(house.system, cause)
    assert checkpoint is not None
    return checkpoint


def ask() -> None:
    for name in witnesses.due():
        witnesses.ask(name)


def test_before_there_is_a_key_it_says_what_to_do(house: ClaimHouse, settings: Settings) -> None:
    settings.CHECKPOINT_SIGNING_KEY = ""
    page = page_of("ines", PAGE)
    assert "Nothing signed yet" in page
    assert "checkpoint_key rotate" in page
    answer = as_("ines").get("/api/systems/main/log/").json()
    assert (answer["size"], answer["root_hash"], answer["signers"]) == (None, "", [])


def test_it_shows_how_the_log_stands(
    house: ClaimHouse, witness: RunningWitness, settings: Settings, tmp_path: Path
) -> None:
    settings.CHECKPOINT_DIR = str(tmp_path / "checkpoints")
    checkpoint = grow(house)
    folder.write_out(house.system)
    assert "No witness is asked" in page_of("ines", PAGE)
    ask()
    page = page_of("ines", PAGE)
    key = notes.keys()[0]
    for words in (
        "Main floor Signed",
        f"{ORIGIN}",
        bytes(checkpoint.root).hex(),
        key.key_id(ORIGIN).hex(),
        key.verifier_key(ORIGIN),
        f"has all up to {checkpoint.size} blocks",
        f"{NAME} Cosigns {checkpoint.size}",
    ):
        assert words in page
    house.press("t3")
    house.post()
    assert "Blocks are not signed" not in page_of("ines", PAGE)
    settings.CHECKPOINT_EVERY_S = 0
    assert "Main floor Blocks are not signed" in page_of("ines", PAGE)
    answer = as_("ines").get("/api/systems/main/log/").json()
    assert (answer["size"], answer["blocks"]) == (checkpoint.size, checkpoint.size + 1)
    assert answer["signers"][0]["public_key"] == key.verifier_key(ORIGIN)
    assert [each["size"] for each in answer["witnesses"]] == [checkpoint.size]


def test_checkpoints_are_listed_and_given_out(
    house: ClaimHouse, witness: RunningWitness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "ROWS", 2)
    for cause in ("interval", "close", "interval", "report"):
        last = grow(house, cause)
    ask()
    sizes = [last.size - back for back in range(4)]
    browser = logged_in("ines")
    for query, expected in (
        ("", sizes[:2]),
        (f"?before={sizes[1]}", sizes[2:]),
        ("?cause=interval", [sizes[1], sizes[3]]),
        ("?cause=close", [sizes[2]]),
        ("?cause=nothing&system=nowhere", sizes[:2]),
    ):
        rows = browser.get(PAGE + query).context["rows"]
        assert [row["size"] for row in rows] == expected, query
    answer = browser.get(f"/log/main/{last.size}/checkpoint.txt")
    text = proofs.with_cosignatures(last)
    assert answer.content.decode() == text
    assert text.count("— ") == 2
    assert "attachment" in answer["Content-Disposition"]
    assert browser.get("/log/main/999/checkpoint.txt").status_code == 404
    api = as_("ines")
    results = api.get("/api/systems/main/checkpoints/?cause=report").json()["results"]
    assert [(row["size"], row["note"]) for row in results] == [(last.size, text)]
    assert api.get("/api/systems/main/checkpoints/?cause=x").status_code == 400
    assert api.get("/api/systems/nowhere/checkpoints/").status_code == 404
    assert len(api.get("/api/systems/main/checkpoints/?limit=3").json()["results"]) == 3


def test_it_shows_by_which_algorithms_a_witness_cosigned(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    log = notes.keys()[0].verifier_key(ORIGIN)
    with RunningWitness(tmp_path, log, ml_dsa=True) as witness:
        lines = witness.start_with_keys()
        settings.WITNESSES = ", ".join(f"{line} {witness.url}" for line in lines)
        settings.CHECKPOINT_PUBLIC_KEYS = " ".join(lines)
        checkpoint = grow(house)
        assert "Ed25519, ML-DSA-44" not in page_of("ines", PAGE)
        ask()
    page = page_of("ines", PAGE)
    assert f"{NAME} Cosigns {checkpoint.size} Ed25519, ML-DSA-44" in page
    assert page.count("Ed25519, ML-DSA-44") == 2  # of the witness, and of the checkpoint
    answer = as_("ines").get("/api/systems/main/log/").json()
    assert answer["witnesses"][0]["algorithms"] == ["Ed25519", "ML-DSA-44"]
    assert [key.line for key in public_keys.published("main")[1:]] == lines


def test_a_refusal_is_shown_with_both_texts(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    """The house's own key signs another history: the witness keeps to the first one."""
    other = notes.signed(ORIGIN, 1, bytes(32), notes.keys())
    with RunningWitness(tmp_path, notes.keys()[0].verifier_key(ORIGIN)) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        first = witnesses.witness_client.ask(
            f"{witness.url}add-checkpoint", f"old 0\n\n{other}".encode()
        )
        checkpoint = grow(house)
        ask()
    page = logged_in("ines").get(PAGE).content.decode()
    for text in (other + first.text, checkpoint.note):
        assert html.escape(text.strip()) in page
    assert "Does not cosign" in page_of("ines", PAGE)
    assert "1 open alarm" in page_of("ines", PAGE)
    assert "does not cosign the log of Main floor" in page_of("ines", "/reconciliation/")
    (refusal,) = as_("ines").get("/api/systems/main/log/").json()["refusals"]
    assert (refusal["status"], refusal["note"]) == (422, checkpoint.note)
    assert refusal["cosigned_note"] == other + first.text
    assert WitnessAnswer.objects.count() == 1
