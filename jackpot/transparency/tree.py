"""The stored tree of a system: full subtrees of 256 as tiles, the rest in the checkpoints' leaves.

Tiles are made when their leaves are all there and never change. A tile of level 0 has the hashes of
256 leaves, one of level n the roots of 256 tiles below; each keeps its own root.
"""

from __future__ import annotations

import functools

from jackpot.models import Checkpoint, TreeTile
from jackpot.transparency import merkle

WIDTH = 256  # of a tile
BITS = 8


def add_tiles(system_id: int, before: int, tail: list[bytes], leaves: list[bytes]) -> list[bytes]:
    """Store the tiles that these leaves fill; `tail` are the leaves that no tile has yet.

    Returns the tail behind them. `before`: how many leaves there were.
    """
    rest = [*tail, *leaves]
    index = (before - len(tail)) // WIDTH
    while len(rest) >= WIDTH:
        _store(system_id, 0, index, rest[:WIDTH])
        rest, index = rest[WIDTH:], index + 1
    return rest


def _store(system_id: int, level: int, index: int, hashes: list[bytes]) -> None:
    root = merkle.root_of(merkle.append([], 0, hashes))
    stored = b"".join(hashes) if level == 0 else b""
    TreeTile.objects.create(system_id=system_id, level=level, index=index, hashes=stored, root=root)
    if (index + 1) % WIDTH == 0:
        above = index // WIDTH
        _store(system_id, level + 1, above, _roots(system_id, level, above * WIDTH, WIDTH))


def tail_of(system_id: int, size: int) -> list[bytes]:
    """The hashes of the leaves behind the last full tile of a tree of that size."""
    start = size - size % WIDTH
    rows = Checkpoint.objects.filter(system=system_id, size__gt=start, size__lte=size)
    joined = b"".join(bytes(row) for row in rows.order_by("size").values_list("leaves", flat=True))
    count = size - start
    return _parted(joined)[-count:] if count else []


class Tree:
    """The tree of a checkpoint, read from its rows. `find` gives the hash of a full node.

    Neighbours are read together and remembered: a proof costs some ten look-ups, not one a hash.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.system_id, self.size = checkpoint.system_id, checkpoint.size
        self._rows: dict[tuple[int, int], list[bytes]] = {}  # level, place: up to 256 hashes

    @functools.cached_property
    def _tail(self) -> list[bytes]:
        return tail_of(self.system_id, self.size)

    def find(self, height: int, index: int) -> bytes:
        level, bits = divmod(height, BITS)
        first, count = index << bits, 1 << bits
        hashes = self._leaves(first, count) if level == 0 else self._above(level, first, count)
        if len(hashes) != count:
            raise LookupError(f"node {index} at height {height} is not stored")
        return merkle.root_of(merkle.append([], 0, hashes))

    def _above(self, level: int, first: int, count: int) -> list[bytes]:
        place = first // WIDTH
        if (level, place) not in self._rows:
            self._rows[level, place] = _roots(self.system_id, level - 1, place * WIDTH, WIDTH)
        return self._rows[level, place][first % WIDTH : first % WIDTH + count]

    def _leaves(self, first: int, count: int) -> list[bytes]:
        start = self.size - self.size % WIDTH
        if first >= start:
            return self._tail[first - start : first - start + count]
        place = first // WIDTH
        if (0, place) not in self._rows:
            tile = TreeTile.objects.get(system=self.system_id, level=0, index=place)
            self._rows[0, place] = _parted(bytes(tile.hashes))
        return self._rows[0, place][first % WIDTH : first % WIDTH + count]


def _roots(system_id: int, level: int, first: int, count: int) -> list[bytes]:
    tiles = TreeTile.objects.filter(
        system=system_id, level=level, index__gte=first, index__lt=first + count
    )
    return [bytes(root) for root in tiles.order_by("index").values_list("root", flat=True)]


def _parted(joined: bytes) -> list[bytes]:
    return [joined[at : at + merkle.SIZE] for at in range(0, len(joined), merkle.SIZE)]
