"""Promise: the stored tree of a log is the one that its newest checkpoint states.

Proofs are made from it: a wrong node shows nothing of the blocks, and makes witnesses refuse.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask, stream
from verifier.merkle import of_pair

KIND = "log"
WIDTH, HEIGHT = 256, 8  # leaves of a tile, and the height of its root
_NEWEST = """
    SELECT size, root FROM jackpot_checkpoint WHERE system_id = %s ORDER BY size DESC LIMIT 1
"""
_TILES = """
    SELECT level, index, hashes, root FROM jackpot_treetile
    WHERE system_id = %s AND level = 0 ORDER BY index
"""
_ABOVE = """
    SELECT level, index, root FROM jackpot_treetile
    WHERE system_id = %s AND level > 0 ORDER BY level, index
"""
_TAIL = """
    SELECT leaves FROM jackpot_checkpoint WHERE system_id = %s AND size > %s ORDER BY size
"""


class _Peaks:
    """The full subtrees of a tree, (height, hash), the largest first."""

    def __init__(self) -> None:
        self._nodes: list[tuple[int, bytes]] = []

    def add(self, height: int, node: bytes) -> None:
        nodes = self._nodes
        nodes.append((height, node))
        while len(nodes) > 1 and nodes[-1][0] == nodes[-2][0]:
            height, right = nodes.pop()
            nodes.append((height + 1, of_pair(nodes.pop()[1], right)))

    def root(self) -> bytes:
        *others, (_, root) = self._nodes
        for _, node in reversed(others):
            root = of_pair(node, root)
        return root


def tiles(connection: Connection, scope: Scope, system: System) -> None:
    """Each tile by itself, and all of them together against the newest checkpoint."""
    newest = ask(connection, _NEWEST, [system.id])
    if not newest:
        return
    size, root = newest[0]
    tree, roots = _Peaks(), list[bytes]()
    for _, index, hashes, stated in stream(connection, _TILES, [system.id]):
        due_root = _root_of(_parted(bytes(hashes)))
        if index != len(roots) or due_root != bytes(stated):
            scope.add(KIND, f"tile {index}", "it is missing before it, or not what its root says")
        roots.append(bytes(stated))
        tree.add(HEIGHT, due_root)
    if len(roots) != size // WIDTH:
        scope.add(KIND, "tiles", f"there are {len(roots)}, and not {size // WIDTH}")
        return
    _above(connection, scope, system, roots)
    tail = b"".join(
        bytes(row[0]) for row in ask(connection, _TAIL, [system.id, size - size % WIDTH])
    )
    leaves = _parted(tail)
    for leaf in leaves[len(leaves) - size % WIDTH :]:
        tree.add(0, leaf)
    if tree.root() != bytes(root):
        scope.add(KIND, "tiles", f"they do not make the root of the newest checkpoint, {size}")


def _above(connection: Connection, scope: Scope, system: System, roots: list[bytes]) -> None:
    """Tiles of tiles: only their root is stored."""
    stated = {
        (level, index): bytes(root) for level, index, root in ask(connection, _ABOVE, [system.id])
    }
    level, due_roots = 1, dict[tuple[int, int], bytes]()
    while len(roots) >= WIDTH:
        roots = [_root_of(roots[at : at + WIDTH]) for at in range(0, len(roots) - WIDTH + 1, WIDTH)]
        due_roots |= {(level, index): root for index, root in enumerate(roots)}
        level += 1
    for place in sorted(stated.keys() ^ due_roots.keys()):
        scope.add(
            KIND, f"tile {place[1]} of level {place[0]}", "it is missing, or nothing of it is"
        )
    for place in sorted(stated.keys() & due_roots.keys()):
        if stated[place] != due_roots[place]:
            scope.add(KIND, f"tile {place[1]} of level {place[0]}", "it is not that of its tiles")


def _root_of(nodes: Iterable[bytes]) -> bytes:
    tree = _Peaks()
    for node in nodes:
        tree.add(0, node)
    return tree.root() if tree._nodes else b""


def _parted(joined: bytes) -> list[bytes]:
    return [joined[at : at + 32] for at in range(0, len(joined), 32)]
