"""Proofs as files: made from the stored tree, checked by the verifier as a program of its own."""

import base64
import io
import json
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given
from hypothesis import settings as search
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from jackpot.models import Account, Block, Checkpoint
from jackpot.transparency import checkpoints, merkle, notes, proofs, tree
from jackpot.transparency.leaves import leaf_of, leaves_of
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import cosign, log_of, sign_checkpoints
from verifier import merkle as apart
from verifier.witness.witness import Witness

pytestmark = pytest.mark.django_db
PROJECT = Path(__file__).resolve().parents[3]
WITNESS = "witness.example/w1"


@pytest.fixture
def house(settings: Settings) -> House:
    """Some rounds in two checkpoints."""
    sign_checkpoints(settings)
    house = House(royal_terms())
    house.open("t3")
    for _ in range(2):
        for _ in range(3):
            house.press("t3")
            house.post()
        checkpoints.make(house.system)
    return house


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness", WITNESS, [])


def verified(file: Path, *keys: str, witnesses: int = 0) -> tuple[int, str]:
    """What `python -m verifier proof` says, with none of our settings."""
    options = [option for key in keys for option in ("--key", key)]
    command = [sys.executable, "-m", "verifier", "proof", str(file), *options]
    command += ["--witnesses", str(witnesses)]
    run = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, check=False, env={"PATH": ""}
    )
    return run.returncode, run.stdout + run.stderr


def house_key(system: str = "main") -> str:
    return notes.keys()[0].verifier_key(notes.origin_of(system))


def test_the_newest_block_is_shown_with_the_value_of_each_pool(
    house: House, witness: Witness, tmp_path: Path
) -> None:
    newest = checkpoints.latest(house.system)
    assert newest is not None
    cosign(witness, newest)
    with acting_as("web"):
        proof = proofs.of_newest_block(house.system)
    leaf = json.loads(proof.leaf.to_bytes())
    pool = Account.objects.get(code="royal:pool").balance
    block = Block.objects.get(number=newest.size)
    assert leaf == ["leaf", "main", newest.size, bytes(block.hash).hex(), [["royal", pool]]]
    file = tmp_path / "meter.tlog-proof"
    file.write_text(proof.to_text())
    keys = house_key(), witness.public_key()
    assert verified(file, *keys, witnesses=1) == (
        0,
        f"{proof.leaf.to_bytes().decode()}\nIt stands in the log.\n",
    )
    assert verified(file, *keys, witnesses=2)[0] == 1


def test_each_block_has_a_proof_whatever_came_after_it(house: House, tmp_path: Path) -> None:
    newest = checkpoints.latest(house.system)
    assert newest is not None
    for leaf in leaves_of(house.system.pk, "main", {}, 0, newest.size):
        assert leaf_of("main", Block.objects.get(number=leaf.block)) == leaf
        proof = proofs.of_block(house.system, leaf.block)
        assert proof.leaf == leaf
        root = apart.root_of_path(
            leaf.block - 1, newest.size, apart.of_leaf(leaf.to_bytes()), proof.path
        )
        assert root == bytes(newest.root)
    for number in (0, newest.size + 1):
        with pytest.raises(proofs.NoProof, match="covers blocks 1 to"):
            proofs.of_block(house.system, number)


def changed_leaf(text: str) -> str:
    """The pool of the leaf one micro higher."""
    line = next(line for line in text.splitlines() if line.startswith("extra "))
    leaf = json.loads(base64.b64decode(line.removeprefix("extra ")))
    leaf[4][0][1] += 1
    other = json.dumps(leaf, separators=(",", ":"), ensure_ascii=False)
    return text.replace(line, f"extra {base64.b64encode(other.encode()).decode()}")


def changed_base64(text: str, line: str, place: int = 10) -> str:
    """One letter of that line another one."""
    letter = "A" if line[place] != "A" else "B"
    return text.replace(line, line[:place] + letter + line[place + 1 :])


@pytest.mark.parametrize("what", ["value", "path", "index", "signature", "origin", "size", "root"])
def test_each_tampering_of_a_proof_is_refused(what: str, house: House, tmp_path: Path) -> None:
    text = proofs.of_block(house.system, 3).to_text()
    head, _, _ = text.partition("\n\n")
    origin, size, root, _, signature = text.split("\n\n", 1)[1].splitlines()[:5]
    tampered = {
        "value": changed_leaf,
        "path": lambda text: changed_base64(text, head.splitlines()[3]),
        "index": lambda text: text.replace("index 2", "index 3"),
        "signature": lambda text: changed_base64(text, signature, len(origin) + 20),
        "origin": lambda text: text.replace(origin, "harbour.example/side"),
        "size": lambda text: text.replace(f"{origin}\n{size}\n", f"{origin}\n{int(size) + 1}\n"),
        "root": lambda text: changed_base64(text, root),
    }[what](text)
    assert tampered != text
    file = tmp_path / "meter.tlog-proof"
    for document, status in ((text, 0), (tampered, 1)):
        file.write_text(document)
        code, words = verified(file, house_key())
        assert code == status, words


def test_growth_is_shown_and_each_tampering_of_it_refused(
    house: House, witness: Witness, tmp_path: Path
) -> None:
    first, last = Checkpoint.objects.order_by("size")
    cosign(witness, first)
    cosign(witness, last)
    with acting_as("web"):
        text = proofs.growth(house.system, first.size)
    keys = house_key(), witness.public_key()
    file = tmp_path / "growth.txt"
    file.write_text(text)
    assert verified(file, *keys, witnesses=1) == (
        0,
        f"harbour.example/main: from {first.size} to {last.size} blocks\nThe log has only grown.\n",
    )
    step = text.splitlines()[1]
    for tampered, status in (
        (changed_base64(text, step), 1),
        (text.replace(step + "\n", ""), 1),
        (text.replace(last.note, first.note), 1),
        (text.replace(first.note, first.note.replace("main", "side")), 1),
        (text.replace(f"\n{last.size}\n", f"\n{last.size + 1}\n"), 1),
        (text.replace(first.note, ""), 2),
        (text.replace(step, "AAAA"), 2),
    ):
        assert tampered != text
        file.write_text(tampered)
        assert verified(file, *keys)[0] == status, tampered
    assert proofs.growth(house.system, last.size).splitlines()[1] == ""  # nothing came since
    for old, size in ((first.size + 1, None), (last.size, first.size)):
        with pytest.raises(proofs.NoProof):
            proofs.growth(house.system, old, size)


def test_what_a_witness_refused_is_no_cosignature(house: House, witness: Witness) -> None:
    newest = checkpoints.latest(house.system)
    assert newest is not None
    cosign(witness, newest, status=409)
    assert proofs.of_newest_block(house.system).cosignatures == {}


def test_a_proof_costs_some_ten_look_ups_however_long_the_log(
    settings: Settings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """70,123 leaves: three levels of tiles."""
    sign_checkpoints(settings)
    system = House(royal_terms(), code="long").system
    hashes = log_of(system, [40_000, 70_001, 70_123])
    newest, first = checkpoints.latest(system), Checkpoint.objects.get(size=40_000)
    assert newest is not None
    for index in (0, 255, 256, 40_000, 65_535, 65_536, 70_122):
        with django_assert_max_num_queries(8):
            path = merkle.inclusion_proof(index, newest.size, tree.Tree(newest).find)
        root = apart.root_of_path(index, newest.size, hashes[index], path)
        assert root == bytes(newest.root)
    with django_assert_max_num_queries(8):
        path = merkle.consistency_proof(first.size, newest.size, tree.Tree(newest).find)
    assert apart.grew(first.size, bytes(first.root), newest.size, bytes(newest.root), path)
    with django_assert_max_num_queries(12):  # checkpoints, cosignatures and all
        proofs.growth(system, first.size)


@given(data=st.data())
@search(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_proofs_of_any_stored_tree_hold(data: st.DataObject, settings: Settings) -> None:
    """Trees of random sizes, made in random steps; checked by the program written apart."""
    sign_checkpoints(settings)
    system = House(royal_terms(), code=uuid.uuid4().hex).system  # a fresh one each time
    sizes = sorted(data.draw(st.sets(st.integers(1, 1500), min_size=1, max_size=5)))
    hashes = log_of(system, sizes)
    newest = checkpoints.latest(system)
    assert newest is not None
    index = data.draw(st.integers(0, newest.size - 1))
    path = merkle.inclusion_proof(index, newest.size, tree.Tree(newest).find)
    root = bytes(newest.root)
    assert apart.root_of_path(index, newest.size, hashes[index], path) == root
    old = Checkpoint.objects.get(system=system, size=data.draw(st.sampled_from(sizes)))
    path = merkle.consistency_proof(old.size, newest.size, tree.Tree(newest).find)
    assert apart.grew(old.size, bytes(old.root), newest.size, root, path)


def test_the_command_writes_both_kinds(house: House, tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("log_proof", "main", stdout=out)
    assert out.getvalue() == proofs.of_newest_block(house.system).to_text()
    file = tmp_path / "block.tlog-proof"
    call_command("log_proof", "main", "--block", "2", "--output", str(file))
    assert file.read_text() == proofs.of_block(house.system, 2).to_text()
    first = Checkpoint.objects.order_by("size")[0].size
    call_command("log_proof", "main", "--from", str(first), "--output", str(file))
    assert verified(file, house_key())[0] == 0
    for options in (["side"], ["main", "--block", "99"], ["main", "--from", "99"]):
        with pytest.raises(CommandError):
            call_command("log_proof", *options)


def test_before_the_first_checkpoint_there_is_nothing_to_show() -> None:
    with pytest.raises(proofs.NoProof, match="no checkpoint yet"):
        proofs.of_newest_block(House(royal_terms()).system)
