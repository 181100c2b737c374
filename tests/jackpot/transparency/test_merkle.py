"""The tree of RFC 6962: its published vectors, and proofs checked by two programs written apart."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.transparency import merkle
from tests.support.proof.transparency import LEAVES, ROOTS
from verifier import merkle as apart

# What transparency-dev/merkle says of proofs, good ones and spoilt ones.
VECTORS = json.loads((Path(__file__).parent / "merkle_vectors.json").read_text())
HASHES = [merkle.leaf_hash(leaf) for leaf in LEAVES]


def find(height: int, index: int) -> bytes:
    """A full node, straight from the leaves."""
    width = 1 << height
    hashes = LEAF_HASHES[index * width : (index + 1) * width]
    assert len(hashes) == width
    while len(hashes) > 1:
        hashes = [merkle.node_hash(*hashes[at : at + 2]) for at in range(0, len(hashes), 2)]
    return hashes[0]


DATA = [*LEAVES, *(str(number).encode() for number in range(92))]
LEAF_HASHES = [merkle.leaf_hash(leaf) for leaf in DATA]


def test_roots_are_those_of_the_vectors() -> None:
    tree = apart.GrowingTree()
    assert tree.root() == merkle.root_of([])
    for size, root in enumerate(ROOTS, 1):
        tree.add(LEAVES[size - 1])
        peaks = merkle.append([], 0, HASHES[:size])
        assert merkle.root_of(peaks).hex() == tree.root().hex() == root
        assert merkle.range_hash(0, size, find).hex() == root
        assert merkle.append(merkle.append([], 0, HASHES[:3]), 3, HASHES[3:size]) == peaks or (
            size < 3
        )


def test_paths_are_those_of_the_vectors() -> None:
    """Each proof that the project has as good is the one that is made here."""
    counts = {"inclusion": 0, "consistency": 0}
    for each in VECTORS["inclusion"]:
        if not each["wantErr"] and each["treeSize"] <= len(LEAVES):
            assert merkle.inclusion_proof(each["leafIdx"], each["treeSize"], find) == steps(each)
            counts["inclusion"] += 1
    for each in VECTORS["consistency"]:
        if not each["wantErr"] and each["size1"] > 0:
            assert merkle.consistency_proof(each["size1"], each["size2"], find) == steps(each)
            counts["consistency"] += 1
    assert counts == {"inclusion": 6, "consistency": 6}


@pytest.mark.parametrize(
    "each",
    [each for each in VECTORS["inclusion"] if each["root"]],  # a checkpoint has one
    ids=lambda each: each["name"],
)
def test_inclusions_are_judged_as_the_project_does(each: dict[str, Any]) -> None:
    leaf, root = base64.b64decode(each["leafHash"]), base64.b64decode(each["root"])
    place = each["leafIdx"], each["treeSize"], leaf, steps(each)
    assert (merkle.root_by_inclusion(*place) == root) is not each["wantErr"]
    assert (_root_apart(*place) == root) is not each["wantErr"]


@pytest.mark.parametrize("each", VECTORS["consistency"], ids=lambda each: each["name"])
def test_growth_is_judged_as_the_project_does(each: dict[str, Any]) -> None:
    old_root, root = base64.b64decode(each["root1"]), base64.b64decode(each["root2"])
    old, size, path = each["size1"], each["size2"], steps(each)
    is_wrong = each["wantErr"]
    if old == 0:  # the project has no answer; tlog-witness says what a witness answers
        is_wrong = bool(path) or size == 0
    assert merkle.is_consistent(old, size, old_root, root, path) is not is_wrong
    assert apart.grew(old, old_root, size, root, path) is not is_wrong


def steps(vector: dict[str, Any]) -> list[bytes]:
    return [base64.b64decode(step) for step in vector["proof"] or ()]


@given(st.lists(st.integers(0, 300), max_size=8))
def test_trees_that_grow_in_pieces_have_one_root(pieces: list[int]) -> None:
    """Peaks that are added to, against a tree that takes one leaf after the other."""
    tree, peaks = apart.GrowingTree(), list[bytes]()
    for count in pieces:
        leaves = [f"{tree.size + number}".encode() for number in range(count)]
        peaks = merkle.append(peaks, tree.size, map(merkle.leaf_hash, leaves))
        for leaf in leaves:
            tree.add(leaf)
        assert merkle.root_of(peaks) == tree.root()
        assert len(peaks) == tree.size.bit_count()


@given(st.data())
def test_an_inclusion_is_shown_and_a_change_is_not(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(DATA)))
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion_proof(index, size, find)
    root = merkle.range_hash(0, size, find)
    leaf = LEAF_HASHES[index]
    assert merkle.root_by_inclusion(index, size, leaf, path) == root
    assert apart.root_of_path(index, size, leaf, path) == root
    assert merkle.root_by_inclusion(index, size, bytes(32), path) != root
    assert apart.root_of_path(index, size, bytes(32), path) != root
    for wrong in (path[1:], [*path, leaf]):
        assert path == [] == wrong or merkle.root_by_inclusion(index, size, leaf, wrong) != root
        assert path == [] == wrong or _root_apart(index, size, leaf, wrong) != root


def _root_apart(index: int, size: int, leaf: bytes, path: list[bytes]) -> bytes | None:
    try:
        return apart.root_of_path(index, size, leaf, path)
    except apart.ProofError:
        return None


@given(st.data())
def test_growth_is_shown_and_a_rewritten_past_is_not(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(DATA)))
    old = data.draw(st.integers(0, size))
    path = merkle.consistency_proof(old, size, find)
    before, after = merkle.range_hash(0, old, find), merkle.range_hash(0, size, find)
    assert merkle.is_consistent(old, size, before, after, path)
    assert apart.grew(old, before, size, after, path)
    forged = bytes(32)
    if old:
        assert not merkle.is_consistent(old, size, forged, after, path)
        assert not apart.grew(old, forged, size, after, path)
    if 0 < old < size:
        assert not merkle.is_consistent(old, size, before, forged, path)
        assert not apart.grew(old, before, size, forged, path)
    for wrong in (path[1:], [*path, before]):
        if wrong != path:
            assert not merkle.is_consistent(old, size, before, after, wrong)
            assert not apart.grew(old, before, size, after, wrong)
