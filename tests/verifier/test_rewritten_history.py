"""A database rewritten as a whole, every hash computed again, signed by the house's own key.

Nothing in it disagrees with anything in it: the console itself wrote it. Who kept a checkpoint
from before, or is a witness, knows better, and shows both histories.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from demo.servers.installation import PROJECT
from jackpot.models import Account, Checkpoint, WitnessAnswer
from jackpot.transparency import notes, proofs
from jackpot.transparency.tasks import make_checkpoints
from tables.models import Alarm
from tests.support.people.cast import ClaimHouse
from tests.support.proof.transparency import KEY
from tests.support.proof.witnesses import NAME, ORIGIN, RunningWitness, ask
from tests.support.suite.databases import FreshDatabase, clone, used_by_django
from verifier import Report
from verifier.check import look
from verifier.journals import UnitRecords
from verifier.notes import Note, PublicKey
from verifier.order.log import NO_LOG, PublishedLog


class Evening:
    """Rounds at two tables, a prize, rounds again; checkpoints and witnesses as the worker does."""

    def __init__(self, rounds: int) -> None:
        """`rounds`: played before the prize was hit, so that they decide what it comes to."""
        self.house = ClaimHouse()
        for table in ("t3", "t7"):
            self.house.open(table)
        self.play(rounds)
        self.house.hit_royal()
        self.work()
        self.play(2)

    def play(self, rounds: int) -> None:
        for number in range(rounds):
            self.house.press("t3" if number % 2 else "t7")
            self.house.post()
            self.work()

    def work(self) -> None:
        make_checkpoints()
        ask()


def verified(database: FreshDatabase, log: PublishedLog = NO_LOG) -> Report:
    """What the verifier says of it."""
    with psycopg.connect(database.url) as connection:
        return look(connection, UnitRecords(log=log))


def held() -> int:
    return Account.objects.get(code="royal:held").balance


@dataclass(frozen=True)
class History:
    """A database whose evening was played, and what was given out of it."""

    database: FreshDatabase
    evening: Evening
    prize: int
    last: Checkpoint
    note: str  # of the last checkpoint, with cosignatures
    proof: str
    answers: list[WitnessAnswer]
    alarms: list[str]

    @classmethod
    def played(cls, database: FreshDatabase, rounds: int, more: int) -> "History":
        evening = Evening(rounds)
        evening.play(more)
        last = Checkpoint.objects.latest("size")
        return cls(
            database,
            evening,
            held(),
            last,
            proofs.with_cosignatures(last),
            proofs.of_newest_block(evening.house.system).to_text(),
            list(WitnessAnswer.objects.select_related("checkpoint").order_by("pk")),
            list(Alarm.objects.filter(kind="witness").values_list("message", flat=True)),
        )


@dataclass(frozen=True)
class Both:
    """The history that was, and the one that was made of it afterwards."""

    true: History
    forged: History
    witness: RunningWitness
    log_key: str
    witness_key: str
    folder: Path

    @property
    def keys(self) -> tuple[PublicKey, PublicKey]:
        return PublicKey.parse(self.log_key), PublicKey.parse(self.witness_key)

    @property
    def log(self) -> PublishedLog:
        """What an inspector brings."""
        return PublishedLog(self.keys, self.folder, witnesses=1)


@contextmanager
def of_the_house(**more: object) -> Iterator[None]:
    """The settings of the worker: whoever rewrites the database has the house's key, too."""
    usual = {
        "CHECKPOINT_ORIGIN": ORIGIN.partition("/")[0],
        "CHECKPOINT_SIGNING_KEY": KEY,
        "WITNESS_EVERY_S": 0.0,
        "CLAIM_WAIT_S": 0,
    }
    with override_settings(**usual, **more):
        yield


@pytest.fixture(scope="module")
def both(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Both]:
    place = tmp_path_factory.mktemp("both")
    log_key = notes.key_of(KEY).verifier_key(ORIGIN)
    with RunningWitness(place / "witness", log_key) as witness:
        witness_key = witness.start()
        witnesses = f"{witness_key} {witness.url}"
        folder = place / "checkpoints"
        with clone(template_database) as true, clone(template_database) as forged:
            with (
                used_by_django(true, django_db_blocker),
                of_the_house(WITNESSES=witnesses, CHECKPOINT_DIR=str(folder)),
            ):
                first = History.played(true, rounds=6, more=2)
            # Fewer rounds before the prize, more behind it: a smaller prize, a longer order. The
            # folder stands on a disk that the forger cannot reach.
            with (
                used_by_django(forged, django_db_blocker),
                of_the_house(WITNESSES=witnesses, CHECKPOINT_DIR=""),
            ):
                second = History.played(forged, rounds=2, more=9)
            with of_the_house(WITNESSES=witnesses, CHECKPOINT_DIR=str(folder)):
                yield Both(first, second, witness, log_key, witness_key, folder)


def test_the_witness_knows_the_true_history(both: Both) -> None:
    assert {answer.status for answer in both.true.answers} == {200}
    assert len(both.true.answers) > 5
    assert both.true.alarms == []
    report = verified(both.true.database, both.log)
    assert report.ok, report.lines()
    size = both.true.last.size
    assert f"system main: 1 of the witnesses know {size} of {size} blocks" in report.remarks


def test_the_witness_refuses_the_other_and_says_what_it_knows(both: Both) -> None:
    """As long as the other is shorter it names its own size; then no proof leads there."""
    assert both.forged.prize < both.true.prize
    assert both.forged.last.size > both.true.last.size
    ahead, refusal = both.forged.answers
    assert (ahead.status, ahead.latest) == (409, both.true.note)
    assert (refusal.status, refusal.latest) == (422, both.true.note)
    (alarm,) = both.forged.alarms
    assert "does not cosign the log of Main floor" in alarm


def test_by_itself_the_rewritten_database_is_without_fault(both: Both) -> None:
    report = verified(both.forged.database)
    assert report.ok, report.lines()
    report = verified(both.forged.database, PublishedLog(both.keys))
    assert report.ok, report.lines()


def test_beside_what_others_have_it_is_not(both: Both, tmp_path: Path) -> None:
    sentences = "\n".join(verified(both.forged.database, both.log).lines())
    rewritten = "its root is not that of the blocks: they were written again; the log's key signed"
    assert rewritten in sentences
    assert "no checkpoint was cosigned by 1 of them" in sentences
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "witness.txt").write_text(both.true.note + "\n")  # from its address
    published = PublishedLog(both.keys, tmp_path)
    sentences = "\n".join(verified(both.forged.database, published).lines())
    assert f"a checkpoint of witness.txt: {rewritten}" in sentences
    assert verified(both.true.database, published).ok


def test_the_witness_keeps_and_shows_both_through_a_kill(both: Both) -> None:
    both.witness.kill()
    both.witness.start()
    page = both.witness.page()
    assert "REFUSED" in page
    assert f"no proof that it grew from {both.true.last.size} to" in page
    for note in (both.true.last.note, both.forged.answers[-1].checkpoint.note):
        assert note in page
        assert both.keys[0].has_signed(Note.parse(note))


def test_a_proof_of_it_has_no_cosignature(both: Both, tmp_path: Path) -> None:
    for name, text, code in (("true", both.true.proof, 0), ("false", both.forged.proof, 1)):
        file = tmp_path / f"{name}.tlog-proof"
        file.write_text(text)
        keys = ["--key", both.log_key, "--key", both.witness_key, "--witnesses", "1"]
        command = [sys.executable, "-S", "-m", "verifier", "proof", str(file), *keys]
        assert subprocess.run(command, cwd=PROJECT, check=False).returncode == code, name


def test_the_true_history_goes_on(both: Both, django_db_blocker: DjangoDbBlocker) -> None:
    with used_by_django(both.true.database, django_db_blocker):
        both.true.evening.play(2)
        newest = Checkpoint.objects.latest("size")
        assert newest.size > both.true.last.size
        assert newest.answers.get(witness=NAME).status == 200
        assert not Alarm.objects.filter(kind="witness").exists()
