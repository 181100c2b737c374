"""python -m verifier proof FILE --key PUBLIC-KEY: does this file show what stood in the log?

Needs no database. A tlog-proof file (c2sp.org/tlog-proof@v1) has a leaf of the log, its path and a
checkpoint; a log-growth file two checkpoints and what leads from one to the other. Exit code 0: the
leaf stands in the log that the key signed, or that log has only grown; 1: it does not; 2: the file
could not be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verifier import growth
from verifier.merkle import ProofError, of_leaf, root_of_path
from verifier.notes import Checkpoint, NoteError, PublicKey, decoded, digest, size_of

HEADER = "c2sp.org/tlog-proof@v1"


def findings(document: str, keys: list[PublicKey], quorum: int = 0) -> tuple[str, list[str]]:
    """What the leaf says, and everything that is wrong with the proof.

    `quorum`: so many of the keys that are witnesses' must have cosigned. NoteError where the file
    has another form.
    """
    head, middle, note = document.partition("\n\n")
    first, *lines = head.split("\n")
    if first != HEADER or not middle:
        raise NoteError(f"it does not begin with {HEADER}")
    if not lines or not lines[0].startswith("extra "):
        raise NoteError("it has no leaf: the line `extra`")
    leaf = decoded(lines.pop(0).removeprefix("extra "))
    word, _, number = (lines.pop(0) if lines else "").partition(" ")
    if word != "index":
        raise NoteError("it does not say where the leaf stands: the line `index`")
    index = size_of(number)
    path = [digest(line) for line in lines]
    checkpoint = Checkpoint.parse(note)
    faults = []
    try:
        if root_of_path(index, checkpoint.size, of_leaf(leaf), path) != checkpoint.root:
            faults.append("the path does not lead from the leaf to the root of the checkpoint")
    except ProofError as fault:
        faults.append(f"the path does not fit: {fault}")
    faults += checkpoint.unsigned(keys, quorum)
    return leaf.decode(errors="replace"), faults


def unchecked(document: str, keys: list[PublicKey]) -> list[str]:
    """Signatures under the last checkpoint of a file that nothing here can check, in words."""
    text, middle, lines = document.rpartition("\n\n")
    return Checkpoint.parse(text.rpartition("\n\n")[2] + middle + lines).unchecked(keys)


def main(arguments: list[str]) -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier proof",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--key",
        action="append",
        required=True,
        help="public key of the log, NAME+ID+KEY, and of witnesses; several times",
    )
    parser.add_argument("--witnesses", type=int, default=0, help="so many must have cosigned")
    options = parser.parse_args(arguments)
    try:
        keys = [PublicKey.parse(key) for key in options.key]
        document = options.file.read_text()
        is_growth = document.startswith(growth.HEADER)
        look = growth.findings if is_growth else findings
        subject, faults = look(document, keys, options.witnesses)
        remarks = unchecked(document, keys)
    except (OSError, ValueError) as why:
        sys.stderr.write(f"The proof cannot be read: {why}\n")
        return 2
    good = "The log has only grown." if is_growth else "It stands in the log."
    sys.stdout.write("\n".join([subject, *(faults or [good]), *remarks]) + "\n")
    return 1 if faults else 0
