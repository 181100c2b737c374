"""The log of a few blocks: each sentence that is said of checkpoints, tiles and cosignatures."""

import base64
import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import rows
from verifier import ed25519, merkle
from verifier.database.report import Report, Scope
from verifier.database.rows import Accounts, Block, Sealed, System
from verifier.notes import COSIGNATURE, ED25519, Checkpoint, PublicKey, Signature, cosigned, key_id
from verifier.order import cosignatures, tiles
from verifier.order import log as checked
from verifier.order.log import Log, PublishedLog

SYSTEM = System(7, "main", 2, era=1)
ACCOUNTS = Accounts({1: "operator", 2: "royal:pool", 3: "high:pool", 4: "royal:held"})
ORIGIN, WITNESS, SECRET = "harbour.example/main", "witness.example/w1", bytes(range(32))
AT = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
NO_KEY = "system main: no key of its log was given: signatures of its checkpoints were not checked"


def key(kind: int = ED25519, name: str = ORIGIN, secret: bytes = SECRET) -> PublicKey:
    public = bytes([kind]) + ed25519.public_key(secret)
    return PublicKey(name, key_id(name, public), kind, public[1:])


LOG, COSIGNER = key(), key(COSIGNATURE, WITNESS)


def line(of: PublicKey, text: str, at: int = 5, secret: bytes = SECRET) -> str:
    value = (
        at.to_bytes(8, "big") + ed25519.sign(secret, cosigned(of.kind, of.name, at, text))
        if of.is_of_witness
        else ed25519.sign(secret, text.encode())
    )
    return Signature(of.name, of.id, value).line()


def sealed(number: int, *transfers: Any) -> Sealed:
    hash_ = bytes([number]) * 32
    return Sealed(Block(number, 0, 0, 0, 0, 4, 3, "", b"", hash_), [], list(transfers))


# The first block feeds a pool, the second both and what is no pool, the third nothing.
BLOCKS = (
    sealed(1, (1, 1, 1, 2, 5, -5, 5, "", None)),
    sealed(2, (2, 2, 1, 3, 7, -12, 7, "", None), (3, 2, 2, 4, 1, 4, 1, "", None)),
    sealed(3),
)
LEAVES = [
    json.dumps(
        ["leaf", "main", number, f"{number:02x}" * 32, pools], separators=(",", ":")
    ).encode()
    for number, pools in (
        (1, [["royal", 5]]), (2, [["high", 7], ["royal", 4]]), (3, [["high", 7], ["royal", 4]]),
    )
]  # fmt: skip


def root(size: int) -> bytes:
    tree = merkle.GrowingTree()
    for leaf in LEAVES[:size]:
        tree.add(leaf)
    return tree.root()


def note(size: int, stated: bytes | None = None, *keys: PublicKey, signer: bytes = SECRET) -> str:
    encoded = base64.b64encode(root(size) if stated is None else stated).decode()
    text = f"{ORIGIN}\n{size}\n{encoded}\n"
    return f"{text}\n" + "".join(line(each, text, secret=signer) for each in keys or (LOG,))


def verdict(
    *stored: tuple[int, bytes, str], keys: tuple[PublicKey, ...] = (LOG,),
    folder: Path | None = None, older: int | None = None,
) -> tuple[list[str], list[str], int]:  # fmt: skip
    """Findings, remarks, and how many checkpoints were looked at."""
    report = Report()
    connection = rows({
        checked._ROWS: stored, checked._NEWEST: [] if older is None else [(older,)],
    })  # fmt: skip
    log = Log(connection, Scope(report, "main"), SYSTEM, ACCOUNTS, PublishedLog(keys, folder))
    for each in (*BLOCKS, Sealed(None, [], [(9, 9, 1, 2, 1, 0, 9, "", None)])):
        log.block(each)
    log.end()
    assert {kind for kind, _ in report.findings} <= {"log"}
    findings = [each.removeprefix("system main, ") for _, each in report.findings]
    return findings, report.remarks, report.counts["checkpoints"]


def row(size: int, **changes: Any) -> tuple[int, bytes, str]:
    return (changes.get("row_size", size), changes.get("row_root", root(size)),
            changes.get("note", note(size)))  # fmt: skip


def test_a_checkpoint_is_of_the_blocks() -> None:
    assert verdict(row(1), row(3)) == ([], [], 2)
    assert verdict() == ([], [], 0)
    assert verdict(row(1), keys=()) == ([], [NO_KEY], 1)


def test_what_is_said_of_a_checkpoint() -> None:
    other = "checkpoint 2: its note states another size or root than its row"
    assert verdict(row(2, row_size=2, row_root=b"x" * 32)) == ([other], [], 1)
    assert verdict(row(2, row_size=1)) == ([other.replace("2", "1", 1)], [], 1)
    rewritten = "checkpoint 2: its root is not that of the blocks: they were written again"
    forged = row(2, row_root=b"x" * 32, note=note(2, b"x" * 32))
    assert verdict(forged) == ([f"{rewritten}; the log's key signed it"], [], 1)
    assert verdict(forged, keys=()) == ([rewritten], [NO_KEY], 1)
    by_nobody = row(2, row_root=b"x" * 32, note=note(2, b"x" * 32, signer=bytes(32)))
    assert verdict(by_nobody) == (["checkpoint 2: no key of the log signed it", rewritten], [], 1)
    assert verdict(row(1, note="torn"))[0] == [
        "checkpoint 1: it is no checkpoint: a note ends with an empty line and its signatures"
    ]
    four = row(4, row_root=b"x" * 32, note=note(4, b"x" * 32))
    behind = "checkpoint 4: it is of 4 blocks, the order has 3; the log's key signed it"
    assert verdict(four) == ([behind], [], 0)
    assert verdict(row(3), row(1)) == (["checkpoint 1: it stands behind larger ones"], [], 2)


def test_only_so_many_signatures_are_checked() -> None:
    unsigned = row(2, note=note(2, signer=bytes(32)))
    assert verdict(unsigned)[0] == ["checkpoint 2: no key of the log signed it"]
    assert verdict(unsigned, older=2)[0] == []
    assert verdict(unsigned, older=1)[0] == ["checkpoint 2: no key of the log signed it"]
    assert verdict(unsigned, keys=(COSIGNER, key(name="harbour.example/other")))[0] == []


def test_files_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "2026-11-20.txt").write_text(note(1) + "\n" + note(2))
    (tmp_path / "main" / "2026-11-21.txt").write_text(note(3, b"x" * 32))
    (tmp_path / "main" / "witness.txt").write_text("Cosigned:\n\n" + note(2, b"y" * 32) + "\n")
    (tmp_path / "main" / "notes.md").write_text(note(1, b"z" * 32))
    rewritten = (
        "its root is not that of the blocks: they were written again; the log's key signed it"
    )
    assert verdict(row(1), folder=tmp_path) == ([
        f"a checkpoint of witness.txt: {rewritten}",
        f"a checkpoint of 2026-11-21.txt: {rewritten}",
    ], [], 5)  # fmt: skip
    assert verdict(folder=tmp_path / "nowhere") == ([], [], 0)


def test_what_an_inspector_brings(tmp_path: Path) -> None:
    assert PublishedLog.parse([], None) == PublishedLog()
    assert PublishedLog.parse([], str(tmp_path), 2) == PublishedLog((), tmp_path, 2)
    with pytest.raises(FileNotFoundError):
        PublishedLog.parse([], str(tmp_path / "nowhere"))


# --- tiles --------------------------------------------------------------------------------

HASHES = [hashlib.sha256(b"%d" % number).digest() for number in range(256 * 256 + 300)]


def root_of(hashes: list[bytes]) -> bytes:
    nodes = tiles._Peaks()
    for each in hashes:
        nodes.add(0, each)
    return nodes.root()


def said_of_tiles(
    size: int, *, stated: bytes | None = None, changed: dict[int, Any] | None = None,
    above: list[tuple[int, int, bytes]] | None = None, tail: list[bytes] | None = None,
) -> list[str]:  # fmt: skip
    """A tree of so many leaves; `changed`: tiles by their place, None: it is not there."""
    stored = []
    for index in range(size // 256):
        own = HASHES[256 * index : 256 * (index + 1)]
        stored.append((0, index, b"".join(own), root_of(own)))
    for index, each in sorted((changed or {}).items(), reverse=True):
        stored[index : index + 1] = [] if each is None else [each]
    end = HASHES[size - size % 256 : size] if tail is None else tail
    report = Report()
    connection = rows({
        tiles._NEWEST: [(size, root_of(HASHES[:size]) if stated is None else stated)],
        tiles._TILES: stored, tiles._ABOVE: above or [], tiles._TAIL: [(b"".join(end),)],
    })  # fmt: skip
    tiles.tiles(connection, Scope(report, "main"), SYSTEM)
    assert {kind for kind, _ in report.findings} <= {"log"}
    return [each.removeprefix("system main, ") for _, each in report.findings]


def test_tiles_make_the_root() -> None:
    for size in (1, 5, 256, 257, 600):
        assert said_of_tiles(size) == [], size
    assert said_of_tiles(300, tail=HASHES[200:300]) == []  # a checkpoint began before the tile
    wrong = "tiles: they do not make the root of the newest checkpoint, 300"
    assert said_of_tiles(300, stated=bytes(32)) == [wrong]
    assert said_of_tiles(300, tail=HASHES[256:299]) == [wrong]
    report = Report()
    tiles.tiles(rows({}), Scope(report, "main"), SYSTEM)
    assert not report.findings


def test_what_is_said_of_a_tile() -> None:
    own = HASHES[256:512]
    for number, wrong in enumerate(((0, 1, b"".join(own[::-1]), root_of(own)),
                                    (0, 1, b"".join(own), bytes(32)),
                                    (0, 2, b"".join(own), root_of(own)))):  # fmt: skip
        verdict_of_tiles = said_of_tiles(600, changed={1: wrong})
        index = 2 if number == 2 else 1
        assert (
            verdict_of_tiles[0]
            == f"tile {index}: it is missing before it, or not what its root says"
        )
        tree = "tiles: they do not make the root of the newest checkpoint, 600"
        assert verdict_of_tiles[1:] == ([tree] if number == 0 else [])
    assert said_of_tiles(600, changed={1: None}) == ["tiles: there are 1, and not 2"]


def test_tiles_of_tiles() -> None:
    size = 256 * 256 + 256
    roots = [root_of(HASHES[256 * each : 256 * (each + 1)]) for each in range(256)]
    good = (1, 0, root_of(roots))
    assert said_of_tiles(size, above=[good]) == []
    missing = "it is missing, or nothing of it is"
    assert said_of_tiles(size) == [f"tile 0 of level 1: {missing}"]
    assert said_of_tiles(size, above=[good, (1, 1, b""), (2, 0, b"")]) == [
        f"tile 1 of level 1: {missing}", f"tile 0 of level 2: {missing}",
    ]  # fmt: skip
    assert said_of_tiles(size, above=[(1, 0, bytes(32))]) == [
        "tile 0 of level 1: it is not that of its tiles"
    ]
    assert said_of_tiles(300, above=[(1, 0, bytes(32))]) == [f"tile 0 of level 1: {missing}"]


# --- cosignatures -------------------------------------------------------------------------


def answer(size: int, witness: str = WITNESS, text: str | None = None, at: dt.datetime = AT,
           of: PublicKey = COSIGNER) -> tuple[Any, ...]:  # fmt: skip
    stated = note(size)
    own = line(of, Checkpoint.parse(stated).note.text) if text is None else text
    return (size, at, stated, witness, own)


def said_of_witnesses(
    *answers: tuple[Any, ...], keys: tuple[PublicKey, ...] = (COSIGNER,), least: int = 0,
    newest: tuple[int, dt.datetime] | None = (3, AT),
) -> tuple[list[str], list[str]]:  # fmt: skip
    report = Report()
    connection = rows({
        cosignatures._ANSWERS: answers, cosignatures._NEWEST: [newest] if newest else [],
    })  # fmt: skip
    published = PublishedLog(keys, None, least)
    cosignatures.cosignatures(connection, Scope(report, "main"), SYSTEM, published)
    own = {each.name for each in keys}
    assert report.counts["cosignatures"] == sum(each[3] in own for each in answers)
    return [each.removeprefix("system main, ") for _, each in report.findings], report.remarks


def test_a_cosignature_is_the_witness_s() -> None:
    assert said_of_witnesses(answer(2), answer(3)) == ([], [])
    bad: tuple[list[str], list[str]] = (
        [f"checkpoint 2: the cosignature of {WITNESS} is not good"],
        [],
    )
    assert said_of_witnesses(answer(2, text="409 5")) == bad
    assert said_of_witnesses(answer(2, of=key(COSIGNATURE, "witness.example/w2"))) == bad
    assert said_of_witnesses(answer(2, text="409 5"), keys=()) == ([], [])
    forged = line(COSIGNER, "x\n1\ny\n", secret=bytes(32))
    by = f"checkpoint 2: the cosignature of {WITNESS} by key {COSIGNER.id.hex()} is not good"
    assert said_of_witnesses(answer(2, text=forged)) == ([by], [])


def test_so_many_witnesses_know_what_is_recent() -> None:
    second = key(COSIGNATURE, "witness.example/w2", bytes(32))
    text = Checkpoint.parse(note(2)).note.text
    of_second = answer(2, second.name, line(second, text, secret=bytes(32)))
    both = (COSIGNER, second)
    know = "system main: {} of the witnesses know {} of 3 blocks"
    assert said_of_witnesses(answer(2), least=1) == ([], [know.format(1, 2)])
    assert said_of_witnesses(answer(3), answer(2), least=1) == ([], [know.format(1, 3)])
    assert said_of_witnesses(answer(3), answer(2), of_second, keys=both, least=2) == (
        [], [know.format(2, 2)],
    )  # fmt: skip
    none: tuple[list[str], list[str]] = (["witnesses: no checkpoint was cosigned by 2 of them"], [])
    assert said_of_witnesses(answer(3), answer(2), keys=both, least=2) == none
    assert said_of_witnesses(least=1, newest=None) == ([], [])
    day = dt.timedelta(days=1)
    assert said_of_witnesses(answer(2), least=1, newest=(3, AT + day))[0] == []
    assert said_of_witnesses(answer(2), least=1, newest=(3, AT + day + dt.timedelta(seconds=1)))[
        0
    ] == ["witnesses: they know 2 blocks; checkpoints went on for over a day"]
