"""Whoever changes a checkpoint, a cosignature, the tree or the folder is found, and it is named."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from pytest_django import DjangoDbBlocker, Settings

from jackpot.models import Checkpoint
from jackpot.transparency import checkpoints, folder, notes, tree
from settlement.database_roles.grants import PREFIX
from tables.models import JackpotSystem
from tests.support.proof.evening_hands import Hands, Played
from tests.support.proof.transparency import cosign, sign_checkpoints
from tests.support.suite.databases import FreshDatabase, clone, used_by_django
from verifier import Report
from verifier.check import look
from verifier.journals import UnitRecords
from verifier.notes import PublicKey
from verifier.order import tiles
from verifier.order.log import PublishedLog
from verifier.witness.witness import Witness

LEAVES = 9  # of each checkpoint


@dataclass(frozen=True)
class Signed:
    """The evening with checkpoints, each cosigned, in the database and in a folder."""

    database: FreshDatabase
    log: PublishedLog
    folder: Path

    def look(self, connection: "psycopg.Connection[tuple[object, ...]]") -> Report:
        return look(connection, UnitRecords(log=self.log))


@pytest.fixture
def signed(
    evening: Played,
    django_db_blocker: DjangoDbBlocker,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Signed]:
    """Tiles of four, so that there are tiles of tiles."""
    for module, width, bits in ((tree, "WIDTH", "BITS"), (tiles, "WIDTH", "HEIGHT")):
        monkeypatch.setattr(module, width, 4)
        monkeypatch.setattr(module, bits, 2)
    monkeypatch.setattr(checkpoints, "MOST_LEAVES", LEAVES)
    key = sign_checkpoints(settings)
    settings.CHECKPOINT_DIR = str(tmp_path / "checkpoints")
    witness = Witness(tmp_path / "witness", "witness.example/w1", [], with_ml_dsa=True)
    with clone(evening.database.name) as database:
        with used_by_django(database, django_db_blocker):
            system = JackpotSystem.objects.get()
            checkpoints.make(system)
            folder.write_out(system)
            for checkpoint in Checkpoint.objects.all():
                cosign(witness, checkpoint)
        keys = key, *map(PublicKey.parse, witness.public_keys())
        log = PublishedLog(keys, Path(settings.CHECKPOINT_DIR), witnesses=1)
        (file,) = (Path(settings.CHECKPOINT_DIR) / "main").glob("*.txt")
        yield Signed(database, log, file)


@pytest.fixture
def connection(signed: Signed) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with psycopg.connect(signed.database.url) as connection:
        yield connection
        connection.rollback()


def sentences(report: Report) -> str:
    return "\n".join(report.lines())


def test_it_is_without_fault(
    signed: Signed, connection: "psycopg.Connection[tuple[object, ...]]"
) -> None:
    connection.execute(f"SET ROLE {PREFIX}reporting")
    report = signed.look(connection)
    assert report.ok, report.lines()
    count = report.counts["cosignatures"]
    assert count > 3
    assert report.counts["checkpoints"] == 2 * count
    assert "1 of the witnesses know" in sentences(report)


IN_THE_DATABASE = {
    "the root of a row": (
        "UPDATE jackpot_checkpoint SET root = sha256(root) WHERE size = 9",
        "checkpoint 9: its note states another size or root than its row",
    ),
    "the size of a row": (
        "UPDATE jackpot_checkpoint SET size = 10 WHERE size = 9",
        "checkpoint 10: its note states another size or root than its row",
    ),
    "the note": (
        "UPDATE jackpot_checkpoint SET note = replace(note, E'\\n9\\n', E'\\n10\\n'),"
        " size = 10 WHERE size = 9",
        "checkpoint 10: its root is not that of the blocks",
    ),
    "the signature": (
        "UPDATE jackpot_checkpoint SET note = (SELECT split_part(a.note, '— ', 1) || '— ' ||"
        " split_part(b.note, '— ', 2) FROM jackpot_checkpoint a, jackpot_checkpoint b"
        " WHERE a.size = 9 AND b.size = 18) WHERE size = 9",
        "checkpoint 9: no key of the log signed it",
    ),
    "a cosignature": (
        "UPDATE jackpot_witnessanswer SET text = (SELECT text FROM jackpot_witnessanswer a"
        " JOIN jackpot_checkpoint c ON c.id = a.checkpoint_id WHERE c.size = 18)"
        " WHERE checkpoint_id = (SELECT id FROM jackpot_checkpoint WHERE size = 9)",
        "checkpoint 9: the cosignature of witness.example/w1 by key ",
    ),
    "a text for a cosignature": (
        "UPDATE jackpot_witnessanswer SET text = 'yes'"
        " WHERE checkpoint_id = (SELECT id FROM jackpot_checkpoint WHERE size = 9)",
        "checkpoint 9: the cosignature of witness.example/w1 is not good",
    ),
    "a cosignature of ML-DSA-44 beside a good one of Ed25519": (
        "UPDATE jackpot_witnessanswer SET text = split_part(text, E'\\n', 1) || E'\\n' || (SELECT"
        " split_part(text, E'\\n', 2) || E'\\n' FROM jackpot_witnessanswer a"
        " JOIN jackpot_checkpoint c ON c.id = a.checkpoint_id WHERE c.size = 18)"
        " WHERE checkpoint_id = (SELECT id FROM jackpot_checkpoint WHERE size = 9)",
        "checkpoint 9: the cosignature of ML-DSA-44 of witness.example/w1 by key ",
    ),
    "a cosignature of Ed25519 beside a good one of ML-DSA-44": (
        "UPDATE jackpot_witnessanswer SET text = (SELECT split_part(text, E'\\n', 1) || E'\\n'"
        " FROM jackpot_witnessanswer a JOIN jackpot_checkpoint c ON c.id = a.checkpoint_id"
        " WHERE c.size = 18) || split_part(text, E'\\n', 2) || E'\\n'"
        " WHERE checkpoint_id = (SELECT id FROM jackpot_checkpoint WHERE size = 9)",
        "checkpoint 9: the cosignature of witness.example/w1 by key ",
    ),
    "all cosignatures are gone": (
        "DELETE FROM jackpot_witnessanswer",
        "witnesses: no checkpoint was cosigned by 1 of them",
    ),
    "the witness was away for days": (
        "UPDATE jackpot_checkpoint SET at = at - interval '2 days' WHERE size = 9;"
        "DELETE FROM jackpot_witnessanswer"
        " WHERE checkpoint_id <> (SELECT id FROM jackpot_checkpoint WHERE size = 9)",
        "witnesses: they know 9 blocks; checkpoints went on for over a day",
    ),
    "a tile": (
        "UPDATE jackpot_treetile SET hashes = sha256('x') || substr(hashes, 33)"
        " WHERE level = 0 AND index = 1",
        "tile 1: it is missing before it, or not what its root says",
    ),
    "a tile with its root": (
        "UPDATE jackpot_treetile t SET hashes = o.hashes, root = o.root FROM jackpot_treetile o"
        " WHERE (t.level, t.index, o.level, o.index) = (0, 5, 0, 6)",
        "tiles: they do not make the root of the newest checkpoint",
    ),
    "a tile is gone": (
        "DELETE FROM jackpot_treetile WHERE level = 0 AND index = 1",
        "tiles: there are",
    ),
    "a tile of tiles": (
        "UPDATE jackpot_treetile SET root = sha256(root) WHERE level = 1 AND index = 0",
        "tile 0 of level 1: it is not that of its tiles",
    ),
    "a tile of tiles is gone": (
        "DELETE FROM jackpot_treetile WHERE level = 1 AND index = 0",
        "tile 0 of level 1: it is missing, or nothing of it is",
    ),
    "the newest checkpoints are gone, with the last blocks": (
        "DELETE FROM jackpot_witnessanswer WHERE checkpoint_id IN (SELECT id FROM"
        " jackpot_checkpoint WHERE size > 9); DELETE FROM jackpot_checkpoint WHERE size > 9;"
        " DELETE FROM jackpot_block WHERE number > 9",
        "blocks, the order has 9",
    ),
}


@pytest.mark.parametrize("what", IN_THE_DATABASE)
def test_a_change_in_the_database_is_found(
    signed: Signed, connection: "psycopg.Connection[tuple[object, ...]]", what: str
) -> None:
    changes, sentence = IN_THE_DATABASE[what]
    hands = Hands(connection, signed.folder)
    hands.tamper(*filter(str.strip, changes.split(";")))
    report = signed.look(connection)
    assert sentence in sentences(report)
    assert "log" in report.counts_by_kind


def other_root(text: str) -> str:
    return re.sub(r"(\n9\n)[^\n]{3}", r"\1AAA", text, count=1)


IN_THE_FOLDER: dict[str, tuple[Callable[[str], str], str]] = {
    "a root": (other_root, "no key of the log signed it"),
    "a size": (lambda text: text.replace("\n9\n", "\n10\n"), "its root is not that of the blocks"),
    "an order": (lambda text: "\n\n".join(reversed(halves(text))), "it stands behind larger ones"),
}


def halves(text: str) -> list[str]:
    """The first two checkpoints."""
    first, second, *_ = re.findall(r"harbour\S*\n\d+\n\S+\n\n— [^\n]*\n", text)
    return [first, second]


@pytest.mark.parametrize("what", IN_THE_FOLDER)
def test_a_change_in_the_folder_is_found(
    signed: Signed, connection: "psycopg.Connection[tuple[object, ...]]", what: str
) -> None:
    change, sentence = IN_THE_FOLDER[what]
    text = signed.folder.read_text()
    signed.folder.write_text(change(text))
    assert signed.folder.read_text() != text
    report = sentences(signed.look(connection))
    assert f"a checkpoint of {signed.folder.name}" in report
    assert sentence in report


def test_whoever_has_no_key_is_told(
    signed: Signed, connection: "psycopg.Connection[tuple[object, ...]]"
) -> None:
    report = look(connection, UnitRecords(log=PublishedLog(signed.log.keys[1:])))
    assert report.ok, report.lines()
    assert "no key of its log was given" in sentences(report)
    other = PublicKey.parse(notes.key_of("99" * 32).verifier_key("harbour.example/main"))
    report = look(connection, UnitRecords(log=PublishedLog((other,))))
    assert "no key of the log signed it" in sentences(report)
