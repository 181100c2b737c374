"""A file that shows how a log grew: two of its checkpoints, and the hashes that lead from one to
the other. Written by the console, checked by `python -m verifier proof`."""

from __future__ import annotations

from verifier.merkle import grew
from verifier.notes import Checkpoint, NoteError, PublicKey, digest

HEADER = "log-growth@v1"


def findings(document: str, keys: list[PublicKey], quorum: int = 0) -> tuple[str, list[str]]:
    """From which size to which, and everything that is wrong.

    `quorum`: so many of the keys that are witnesses' must have cosigned each checkpoint. NoteError
    where the file has another form.
    """
    parts = document.split("\n\n")
    if len(parts) != 5:
        raise NoteError("it does not have two checkpoints")
    head, *notes = parts
    first, *lines = head.split("\n")
    if first != HEADER:
        raise NoteError(f"it does not begin with {HEADER}")
    path = [digest(line) for line in lines]
    old = Checkpoint.parse(f"{notes[0]}\n\n{notes[1]}\n")
    new = Checkpoint.parse(f"{notes[2]}\n\n{notes[3]}")
    faults = []
    if old.origin != new.origin:
        faults.append(f"the checkpoints are of two logs: {old.origin} and {new.origin}")
    if not grew(old.size, old.root, new.size, new.root, path):
        faults.append("the hashes do not lead from the first checkpoint to the second")
    for checkpoint in (old, new):
        faults += [f"of {checkpoint.size}: {fault}" for fault in checkpoint.unsigned(keys, quorum)]
    return f"{new.origin}: from {old.size} to {new.size} blocks", faults
