"""The Merkle tree of RFC 6962, by its definitions: what has been appended, and what a proof shows.

A tree is the list of its full subtrees, (leaves, hash), from the largest to the smallest.
"""

from __future__ import annotations

import hashlib

NOTHING = hashlib.sha256(b"").digest()


def of_leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\0" + data).digest()


def of_pair(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.sha256(b"\1" + left + right).digest()


class GrowingTree:
    """A tree to which leaves are added; it remembers its full subtrees alone."""

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[tuple[int, bytes]] = []

    def add(self, data: bytes) -> None:
        """One more leaf."""
        subtrees = self._subtrees
        subtrees.append((1, of_leaf(data)))
        while len(subtrees) > 1 and subtrees[-1][0] == subtrees[-2][0]:
            count, right = subtrees.pop()
            _, left = subtrees.pop()
            subtrees.append((2 * count, of_pair(left, right)))
        self.size += 1

    def root(self) -> bytes:
        """The root of all leaves so far."""
        if not self._subtrees:
            return NOTHING
        root = self._subtrees[-1][1]
        for _, left in reversed(self._subtrees[:-1]):
            root = of_pair(left, root)
        return root


class ProofError(ValueError):
    """A proof does not have the hashes that it needs."""


def _left(count: int) -> int:
    """How many leaves stand on the left of a tree: the largest power of two below the count."""
    power = 1
    while power * 2 < count:
        power *= 2
    return power


def root_of_path(index: int, size: int, leaf: bytes, path: list[bytes]) -> bytes:
    """The root that a leaf's hash and its path make. ProofError where they make none."""
    if not 0 <= index < size:
        raise ProofError(f"a tree of {size} leaves has no leaf {index}")
    if size == 1:
        if path:
            raise ProofError("the path is too long")
        return leaf
    if not path:
        raise ProofError("the path is too short")
    left = _left(size)
    if index < left:
        return of_pair(root_of_path(index, left, leaf, path[:-1]), path[-1])
    return of_pair(path[-1], root_of_path(index - left, size - left, leaf, path[:-1]))


def grew(old: int, old_root: bytes, size: int, root: bytes, path: list[bytes]) -> bool:
    """Whether the path shows that the tree of `old` leaves is the beginning of the other."""
    if not 0 <= old <= size:
        return False
    if old == 0:
        return not path and (size > 0 or root == NOTHING)
    if old == size:
        return not path and old_root == root
    try:
        return _roots(old, size, path, True, old_root) == (old_root, root)
    except ProofError:
        return False


def _roots(
    old: int, size: int, path: list[bytes], is_left: bool, old_root: bytes
) -> tuple[bytes, bytes]:
    """SUBPROOF of RFC 6962, read backwards: the roots of the old part and of the whole."""
    if old == size:
        if is_left:
            if path:
                raise ProofError("the path is too long")
            return old_root, old_root
        if len(path) != 1:
            raise ProofError("the path has another length")
        return path[0], path[0]
    if not path:
        raise ProofError("the path is too short")
    left = _left(size)
    if old <= left:
        before, whole = _roots(old, left, path[:-1], is_left, old_root)
        return before, of_pair(whole, path[-1])
    before, whole = _roots(old - left, size - left, path[:-1], False, old_root)
    return of_pair(path[-1], before), of_pair(path[-1], whole)
