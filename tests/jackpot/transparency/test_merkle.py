"""The tree of RFC 6962: its published vectors, and proofs checked by two programs written apart."""

from hypothesis import given
from hypothesis import strategies as st

from jackpot.transparency import merkle
from tests.support.transparency import LEAVES, ROOTS
from verifier import merkle as apart

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
    """Published with the vectors: leaf 6 of 8, of which the path ends in the root of four."""
    path = [step.hex() for step in merkle.inclusion_proof(5, 8, find)]
    assert path == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


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
