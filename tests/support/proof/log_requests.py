"""A log of twenty leaves without a house, and what it sends to a witness."""

import base64

from jackpot.transparency import merkle, notes

ORIGIN = "harbour.example/main"
LOG = notes.key_of("77" * 32)
HONEST = [merkle.leaf_hash(str(number).encode()) for number in range(20)]


def checkpoint(hashes: list[bytes], size: int, key: notes.LogKey = LOG, name: str = ORIGIN) -> str:
    root = merkle.root_of(merkle.append([], 0, hashes[:size]))
    return notes.signed(name, size, root, [key])


def path_of(hashes: list[bytes], old: int, size: int) -> list[bytes]:
    def find(height: int, index: int) -> bytes:
        leaves = hashes[index << height : (index + 1) << height]
        return merkle.root_of(merkle.append([], 0, leaves))

    return merkle.consistency_proof(old, size, find)


def request(hashes: list[bytes], old: int, size: int, note: str | None = None) -> bytes:
    lines = [f"old {old}"]
    lines += [base64.b64encode(step).decode() for step in path_of(hashes, min(old, size), size)]
    return "\n".join([*lines, "", note or checkpoint(hashes, size)]).encode()
