"""Checkpoints: each from the one before, signed, in the database and in the folder."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from jackpot.models import Account, Block, Checkpoint, TreeTile
from jackpot.transparency import checkpoints, folder, merkle, notes, tree
from jackpot.transparency.tasks import make_checkpoints
from tables.models import Alarm
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import KEY, sign_checkpoints
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.journals import UnitRecords
from verifier.merkle import root_of_path
from verifier.notes import Checkpoint as Published
from verifier.notes import PublicKey
from verifier.order.log import PublishedLog

pytestmark = pytest.mark.django_db


def build_house() -> House:
    house = House(royal_terms())
    house.open("t3")
    return house


house = kept_house(build_house)


def play(house: House, rounds: int = 1) -> None:
    """Rounds of table 3, each posted by itself."""
    for _ in range(rounds):
        house.press("t3")
        house.post()


def test_without_a_key_or_a_new_block_there_is_none(house: House, settings: Settings) -> None:
    assert checkpoints.make(house.system) is None
    assert checkpoints.latest(house.system) is None
    sign_checkpoints(settings)
    play(house)
    checkpoint = checkpoints.make(house.system)
    assert checkpoint == checkpoints.latest(house.system)
    assert checkpoints.make(house.system) is None


def test_it_states_blocks_and_pools_and_is_signed(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    key = sign_checkpoints(settings)
    settings.CHECKPOINT_DIR = str(tmp_path)
    for _ in range(2):
        play(house, 2)
        with acting_as("worker"):
            make_checkpoints()
            make_checkpoints()
    checkpoint = checkpoints.latest(house.system)
    assert checkpoint is not None
    assert checkpoint.size == Block.objects.count()
    assert checkpoint.pools == {"royal": Account.objects.get(code="royal:pool").balance}
    published = Published.parse(checkpoint.note)
    assert (published.origin, published.size) == ("harbour.example/main", checkpoint.size)
    assert published.root == bytes(checkpoint.root)
    assert key.has_signed(published.note)
    (file,) = (tmp_path / "main").glob("*.txt")
    both = Checkpoint.objects.order_by("size")
    assert file.read_text() == "".join(each.note + "\n" for each in both)
    report = look(
        connection.connection, settled=False, units=UnitRecords(log=PublishedLog((key,), tmp_path))
    )
    assert report.ok, report.lines()
    assert report.counts["checkpoints"] == 4  # each in both places


@pytest.mark.parametrize("cut", [1, 60, 150])
def test_a_torn_checkpoint_is_written_once_more(
    house: House, settings: Settings, tmp_path: Path, cut: int
) -> None:
    """The disk was full in the middle of the first checkpoint of a new day."""
    sign_checkpoints(settings)
    settings.CHECKPOINT_DIR = str(tmp_path)
    for _ in range(2):
        play(house)
        make_checkpoints()
    (file,) = (tmp_path / "main").glob("*.txt")
    text = file.read_text()
    first, second = (each.note + "\n" for each in Checkpoint.objects.order_by("size"))
    assert text == first + second
    file.write_text(first)
    newer = file.with_name("2999-01-01.txt")
    newer.write_bytes(second.encode()[:-cut])
    assert folder.last_size(house.system) == 2
    folder._sizes.clear()  # the worker was killed; another one goes on
    make_checkpoints()
    assert (file.read_text(), newer.read_text()) == (first, second)
    newer.write_text("x" * 20_000)  # somebody else's
    assert folder.last_size(house.system) is None
    folder._sizes.clear()
    make_checkpoints()
    assert newer.read_text() == "x" * 20_000
    assert Alarm.objects.filter(kind="checkpoints").exists()


def test_the_verifier_names_what_is_not_of_the_blocks(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    key = sign_checkpoints(settings)
    play(house)
    size, root = Block.objects.count(), bytes(32)
    place = tmp_path / "main"
    place.mkdir()
    lines = [
        notes.signed("harbour.example/main", size, root, notes.keys()),
        notes.signed("harbour.example/main", size + 7, root, []) + key_line("harbour.example/main"),
    ]
    (place / "2026-11-24.txt").write_text("\n".join([*lines, ""]))
    report = look(
        connection.connection, settled=False, units=UnitRecords(log=PublishedLog((key,), tmp_path))
    )
    sentences = "\n".join(report.lines())
    assert "its root is not that of the blocks: they were written again; the log's key" in sentences
    assert f"it is of {size + 7} blocks, the order has {size}" in sentences
    assert "no key of the log signed it" in sentences


def key_line(origin: str) -> str:
    """The signature of something else."""
    return notes.keys()[0].sign(origin, "something else")


def test_tiles_hold_the_whole_tree(
    house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tiles of four in the place of 256, so that three levels fill up."""
    monkeypatch.setattr(tree, "WIDTH", 4)
    monkeypatch.setattr(tree, "BITS", 2)
    monkeypatch.setattr(checkpoints, "MOST_LEAVES", 7)
    sign_checkpoints(settings)
    play(house, 18)
    first = checkpoints.make(house.system)
    assert first is not None
    play(house, 3)
    last = checkpoints.make(house.system)
    assert last is not None
    assert set(TreeTile.objects.values_list("level", flat=True)) == {0, 1}
    find = tree.Tree(last).find
    assert merkle.range_hash(0, last.size, find) == bytes(last.root)
    assert merkle.range_hash(0, first.size, find) == bytes(first.root)
    leaves = b"".join(bytes(each.leaves) for each in Checkpoint.objects.order_by("size"))
    for index in range(last.size):
        leaf = leaves[32 * index : 32 * (index + 1)]
        path = merkle.inclusion_proof(index, last.size, find)
        assert root_of_path(index, last.size, leaf, path) == bytes(last.root)
    path = merkle.consistency_proof(first.size, last.size, find)
    roots = bytes(first.root), bytes(last.root)
    assert merkle.is_consistent(first.size, last.size, *roots, path)


def test_what_cannot_be_signed_or_written_raises_an_alarm(house: House, settings: Settings) -> None:
    settings.CHECKPOINT_SIGNING_KEY = "no-key"
    play(house)
    make_checkpoints()
    alarm = Alarm.objects.get(kind="checkpoints")
    assert "checkpoint_key new" in alarm.message


def test_keys_are_made_rotated_and_published(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    settings.CHECKPOINT_ORIGIN = "harbour.example"
    settings.CHECKPOINT_SIGNING_KEY_FILE = str(tmp_path / "keys")
    with pytest.raises(CommandError, match="No key is set"):
        call_command("checkpoint_key", "publish")
    call_command("checkpoint_key", "rotate", stdout=io.StringIO())
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o600
    call_command("checkpoint_key", "rotate", "--ml-dsa", stdout=io.StringIO())
    with pytest.raises(CommandError, match="last Ed25519 key stays"):
        call_command("checkpoint_key", "retire")
    call_command("checkpoint_key", "rotate", stdout=io.StringIO())
    out = io.StringIO()
    call_command("checkpoint_key", "publish", stdout=out)
    published = [PublicKey.parse(line) for line in out.getvalue().split()]
    play(house)
    checkpoint = checkpoints.make(house.system)
    assert checkpoint is not None
    note = Published.parse(checkpoint.note).note
    assert [key.has_signed(note) for key in published] == [True, True, True]
    _, post_quantum, _ = notes.keys()
    assert len(note.signatures[1].value) == 2420
    post_quantum.private.public_key().verify(note.signatures[1].value, note.text.encode())
    call_command("checkpoint_key", "retire", stdout=io.StringIO())
    assert len(notes.key_lines()) == 2


def test_a_key_that_is_set_is_not_written_over(settings: Settings) -> None:
    settings.CHECKPOINT_SIGNING_KEY = KEY
    with pytest.raises(CommandError, match="Name the file"):
        call_command("checkpoint_key", "rotate")
