"""Witnesses are asked for cosignatures: a real one, and one that answers what no witness should."""

import datetime as dt
import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from config.celery import app
from jackpot.models import Checkpoint, WitnessAnswer, WitnessContact
from jackpot.models.transparency import CheckpointCause
from jackpot.transparency import checkpoints, cosignatures, notes, proofs, witness_client, witnesses
from jackpot.transparency.tasks import ask_witnesses, make_checkpoints
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Alarm, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.people.roles import acting_as
from tests.support.play.house import House
from tests.support.proof.transparency import sign_checkpoints
from tests.support.proof.witnesses import (
    NAME,
    ORIGIN,
    RunningWitness,
    ask,
    contact,
    cosigned_sizes,
    grow,
)
from verifier.notes import Note, PublicKey

pytestmark = pytest.mark.django_db


def test_each_checkpoint_is_cosigned_once(
    house: House, witness: RunningWitness, settings: Settings
) -> None:
    for rounds in (2, 3, 4):
        checkpoint = grow(house, rounds)
        ask()
        ask()
    assert cosigned_sizes() == [3, 6, 10]
    assert contact().size == checkpoint.size
    row = WitnessAnswer.objects.get(checkpoint=checkpoint)
    key = PublicKey.parse(settings.WITNESSES.split()[0])
    assert key.has_signed(Note.parse(checkpoint.note + row.text))
    assert proofs.with_cosignatures(checkpoint) == checkpoint.note + row.text
    assert abs(cosignatures.time_of(row.text) - timezone.now().timestamp()) < 60
    assert not Alarm.objects.filter(kind="witness").exists()


def test_it_is_asked_at_most_so_often_but_for_closes_and_reports(
    house: House, witness: RunningWitness, settings: Settings
) -> None:
    settings.WITNESS_EVERY_S = 3600.0
    first = grow(house)
    ask()
    grow(house)
    ask()
    assert cosigned_sizes() == [first.size]
    close = grow(house, cause=CheckpointCause.CLOSE)
    grow(house)
    report = grow(house, cause=CheckpointCause.REPORT)
    last = grow(house)
    ask()
    assert cosigned_sizes() == [first.size, close.size, report.size]
    WitnessContact.objects.update(asked_at=timezone.now() - dt.timedelta(seconds=3600))
    ask()
    assert cosigned_sizes()[3:] == [last.size]


def test_the_close_of_a_day_is_cosigned_at_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sign_checkpoints(settings)
    house = LedgerHouse(Clock(monkeypatch))
    key = notes.keys()[0].verifier_key(f"harbour.example/{house.system.code}")
    house.press("t3")
    house.post()
    house.clock.on(days=1)
    house.press("t3")
    house.post()
    make_checkpoints()
    house.system = JackpotSystem.objects.select_related("casino").get()
    reconcile(house.system)
    with RunningWitness(tmp_path, key) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        ask()
        subject = closes.period(house.system, "2026-10-30")
        assert subject is not None
        proposal = closes.propose(subject, person("ines"))
        closes.agree(proposal, Reauthenticated(person("mere")))
        house.post()
        checkpoints.make(house.system, CheckpointCause.REPORT)  # a report that comes first
        ask()
    of_close = Checkpoint.objects.get(cause=CheckpointCause.CLOSE)
    assert cosigned_sizes() == [of_close.size - 1, of_close.size]


def test_one_request_after_days_away(
    house: House, witness: RunningWitness, settings: Settings
) -> None:
    first = grow(house)
    ask()
    witness.kill()
    for _ in range(5):
        last = grow(house, 3)
        ask()
    row = contact()
    assert row.failures == 5
    assert "no answer" in row.fault
    assert not Alarm.objects.filter(kind="witness").exists()  # it is not silent for long
    settings.WITNESS_SILENT_AFTER_S = 0.0
    ask()
    assert "has not answered since" in Alarm.objects.get(kind="witness").message
    witness.start()
    ask()
    assert cosigned_sizes() == [first.size, last.size]
    row = contact()
    assert (row.failures, row.failing_since, row.fault) == (0, None, "")


def test_a_silent_witness_is_asked_ever_less_often(
    house: House, witness: RunningWitness, settings: Settings
) -> None:
    settings.WITNESS_EVERY_S = 60.0
    witness.kill()
    grow(house, cause=CheckpointCause.CLOSE)
    ask()
    waits = []
    for _ in range(5):
        row = contact()
        assert row.asked_at is not None
        (open_contact,) = witnesses._open([NAME])
        wait = next(
            seconds
            for seconds in range(1000)
            if witnesses._is_due(open_contact, row.asked_at + dt.timedelta(seconds=seconds))
        )
        waits.append(wait)
        WitnessContact.objects.update(asked_at=timezone.now() - dt.timedelta(seconds=wait))
        ask()
    assert waits == [60, 120, 240, 300, 300]


def test_a_witness_that_knows_more_than_we_remember_is_asked_from_there(
    house: House, witness: RunningWitness
) -> None:
    """The worker was killed before it could store; another one asks again."""
    grow(house, 5)
    ask()
    last = grow(house, 5)
    WitnessContact.objects.update(size=3)
    ask()
    assert contact().size == last.size
    WitnessContact.objects.update(size=0)
    ask()  # the very size: cosigned once more, kept once
    assert cosigned_sizes() == [6, 11]
    assert contact().size == last.size


def test_a_log_with_fewer_blocks_than_were_cosigned_is_refused(
    house: House, witness: RunningWitness
) -> None:
    key, body = notes.keys()[0], bytes(32)
    ahead = notes.signed(ORIGIN, 900, body, [key])
    reply = witness_client.ask(f"{witness.url}add-checkpoint", b"old 0\n\n" + ahead.encode())
    assert reply.status == 200
    checkpoint = grow(house)
    ask()
    ask()
    row = WitnessAnswer.objects.get()
    assert (row.status, row.checkpoint.size) == (409, checkpoint.size)
    assert row.text == "it has cosigned 900 blocks, there are fewer"
    assert row.latest == ahead + reply.text  # what it had cosigned, as it gives it out
    alarm = Alarm.objects.get(kind="witness")
    assert (alarm.kind, alarm.subject, alarm.count) == ("witness", f"main {NAME}", 2)


def test_who_does_not_know_the_log_refuses_and_cosigns_later(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    other = notes.keys()[0].verifier_key("harbour.example/other")
    with RunningWitness(tmp_path, other) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        grow(house)
        ask()
        last = grow(house)
        ask()
        (row,) = WitnessAnswer.objects.all()  # of the same answer the first
        assert row.status == 404
        assert contact().failures == 2
        assert "is not a log of this witness" in Alarm.objects.get(kind="witness").message
        witness.kill()
        knows = RunningWitness(tmp_path, notes.keys()[0].verifier_key(ORIGIN), port=witness.port)
        with knows:
            knows.start()
            ask()
    assert cosigned_sizes() == [last.size]


def published() -> list[str]:
    """What `checkpoint_key publish` prints: for inspectors and witnesses."""
    out = io.StringIO()
    call_command("checkpoint_key", "publish", stdout=out)
    return out.getvalue().split()


def test_keys_of_the_log_rotate_under_a_witness(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    """As operations.md says: rotate, give the new key to the witness, retire the old one."""
    settings.CHECKPOINT_SIGNING_KEY = ""
    settings.CHECKPOINT_SIGNING_KEY_FILE = str(tmp_path / "keys")
    call_command("checkpoint_key", "rotate", stdout=io.StringIO())
    (old,) = published()
    state = tmp_path / "witness"
    with RunningWitness(state, old) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        grow(house)
        ask()
        call_command("checkpoint_key", "rotate", stdout=io.StringIO())
        both = published()
        assert both[1:] == [old]
        grow(house)  # the witness has only the old key: that one signs, too
        ask()
        witness.kill()
        with RunningWitness(state, *both, port=witness.port) as knows_both:
            knows_both.start()
            call_command("checkpoint_key", "retire", stdout=io.StringIO())
            assert published() == both[:1]
            last = grow(house)
            ask()
        assert len(cosigned_sizes()) == 3
        assert contact().size == last.size
        assert not Alarm.objects.filter(kind="witness").exists()
        witness.start()  # an operator who forgot to give it the new key
        grow(house)
        ask()
    assert "no key of harbour.example/main signed" in Alarm.objects.get(kind="witness").message
    assert WitnessAnswer.objects.latest("pk").status == 403


def test_a_witness_cosigns_by_ml_dsa_beside_ed25519(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    """With either key in WITNESSES, or with both: what is known is checked and kept."""
    log = notes.keys()[0].verifier_key(ORIGIN)
    with RunningWitness(tmp_path, log, ml_dsa=True) as witness:
        lines = witness.start_with_keys()
        keys = list(map(PublicKey.parse, lines))
        for places in ([0, 1], [1], [0]):
            settings.WITNESSES = ", ".join(f"{lines[each]} {witness.url}" for each in places)
            checkpoint = grow(house)
            ask()
            row = WitnessAnswer.objects.get(checkpoint=checkpoint)
            note = Note.parse(proofs.with_cosignatures(checkpoint))
            assert [key.has_signed(note) for key in keys] == [each in places for each in (0, 1)]
            algorithms = [("Ed25519", "ML-DSA-44")[each] for each in places]
            assert cosignatures.algorithms_of(row.text) == algorithms
    assert contact().size == checkpoint.size
    assert not Alarm.objects.filter(kind="witness").exists()


def test_only_one_worker_asks_at_a_time(house: House, witness: RunningWitness) -> None:
    grow(house)
    witnesses.due()
    now = timezone.now()
    assert witnesses._claim(contact(), now)
    assert not witnesses._claim(contact(), now)
    assert witnesses.due() == []
    ask()
    assert cosigned_sizes() == []
    WitnessContact.objects.update(claimed_until=now)  # it died
    ask()
    assert len(cosigned_sizes()) == 1


def test_the_task_asks_each_witness_and_says_what_is_wrong(
    house: House, witness: RunningWitness, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    grow(house)
    with acting_as("worker"):
        ask_witnesses()
    assert len(cosigned_sizes()) == 1
    for wrong in (
        f"{settings.WITNESSES}/x, {settings.WITNESSES}",
        settings.WITNESSES.split()[0],
        "x+y+z http://127.0.0.1/",
        settings.WITNESSES.replace("http:", "file:"),
    ):
        settings.WITNESSES = wrong
        with acting_as("worker"):
            ask_witnesses()
    alarm = Alarm.objects.get(kind="witness", subject="WITNESSES")
    assert alarm.count == 4
