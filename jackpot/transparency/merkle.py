"""The Merkle tree of RFC 6962 (2.1): hashes of leaves and nodes, roots and proofs. Pure.

A node stands at a height (leaves: 0) and an index, and covers the leaves from `index << height` on.
Whoever asks for a proof hands in a function that finds the hash of a node that is full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

Find = Callable[[int, int], bytes]  # height, index -> hash
SIZE = 32  # bytes of a hash
EMPTY = hashlib.sha256().digest()  # the root of no leaves


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def append(peaks: list[bytes], size: int, leaves: Iterable[bytes]) -> list[bytes]:
    """The peaks of a tree of `size` leaves after more hashes of leaves.

    A peak is the root of a full subtree, one for each bit of the size, the largest first.
    """
    peaks = list(peaks)
    for leaf in leaves:
        full, node = size, leaf
        while full & 1:
            node = node_hash(peaks.pop(), node)
            full >>= 1
        peaks.append(node)
        size += 1
    return peaks


def root_of(peaks: list[bytes]) -> bytes:
    """The root of the tree with these peaks."""
    if not peaks:
        return EMPTY
    *left, root = peaks
    for peak in reversed(left):
        root = node_hash(peak, root)
    return root


def range_hash(first: int, end: int, find: Find) -> bytes:
    """MTH(D[first:end]) of RFC 6962; `first` is where a subtree of that tree may begin."""
    count = end - first
    if count == 0:
        return EMPTY
    if count & (count - 1) == 0:
        height = count.bit_length() - 1
        return find(height, first >> height)
    middle = first + _split(count)
    return node_hash(range_hash(first, middle, find), range_hash(middle, end, find))


def inclusion_proof(index: int, size: int, find: Find) -> list[bytes]:
    """The audit path of a leaf, from the leaf to the root. ValueError where there is no such."""
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    path: list[bytes] = []
    first, end = 0, size
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            path.append(range_hash(middle, end, find))
            end = middle
        else:
            path.append(range_hash(first, middle, find))
            first = middle
    return path[::-1]


def consistency_proof(old: int, size: int, find: Find) -> list[bytes]:
    """What shows that the first `old` leaves are the same. ValueError where it is no growth."""
    if not 0 <= old <= size:
        raise ValueError(f"A tree of {size} leaves has no earlier one of {old}.")
    if old in (0, size):
        return []
    path: list[bytes] = []
    first, end, is_whole = 0, size, True
    while old != end:
        middle = first + _split(end - first)
        if old <= middle:
            path.append(range_hash(middle, end, find))
            end = middle
        else:
            path.append(range_hash(first, middle, find))
            first, is_whole = middle, False
    if not is_whole:
        path.append(range_hash(first, end, find))
    return path[::-1]


def root_by_inclusion(index: int, size: int, leaf: bytes, path: list[bytes]) -> bytes | None:
    """The root to which the path leads (RFC 9162, 2.1.3.2); None: it fits no such tree."""
    if not 0 <= index < size:
        return None
    node, last, result = index, size - 1, leaf
    for step in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            result = node_hash(step, result)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            result = node_hash(result, step)
        node, last = node >> 1, last >> 1
    return result if last == 0 else None


def is_consistent(old: int, size: int, old_root: bytes, root: bytes, path: list[bytes]) -> bool:
    """Whether the path shows that the old tree became the new one (RFC 9162, 2.1.4.2)."""
    if old == 0:  # no proof is needed (C2SP tlog-witness)
        return not path and (size > 0 or (size == 0 and root == EMPTY))
    if old == size:
        return not path and old_root == root
    if not 0 < old < size or not path:
        return False
    steps = path if old & (old - 1) else [old_root, *path]
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    before = after = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            before, after = node_hash(step, before), node_hash(step, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, step)
        node, last = node >> 1, last >> 1
    return last == 0 and before == old_root and after == root


def _split(count: int) -> int:
    """The largest power of two below the count."""
    return 1 << (count - 1).bit_length() - 1
