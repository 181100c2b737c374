"""python -m verifier.export FOLDER --key PUBLIC-KEY: are these files of a report, or of all reports
of a return, what was signed?

Needs no database. Exit code 0: they are; 1: there are findings; 2: they could not be read.
The signature is that of a key given, made while the house signed with it; every file is that of the
manifest, byte for byte, there is no other, and each report has one; the rows of a CSV are as many
as the manifest says, and come to its totals. With --log-key the checkpoints that the manifest names
are what the logs signed, and its proofs lead from the blocks that it names into these logs.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from verifier import proof
from verifier.file_keys import FileKey, keys_of, signer_of, unsigned
from verifier.notes import Checkpoint, NoteError, PublicKey

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
OF_REPORT, OF_RETURN = 1, 2  # formats of manifests
PIECE = 1024 * 1024  # bytes
Keys = bytes | Sequence[FileKey]  # bytes: one key of which nothing else is known


def findings(folder: Path, keys: Keys, log_keys: Sequence[PublicKey] = ()) -> list[str]:
    """Everything that is wrong with an export; empty: it is as it was signed.

    `log_keys`: of the logs whose checkpoints are to be looked at.
    """
    body, faults = signed_body(folder, keys)
    if body is None:
        return faults
    if body.get("format") not in (OF_REPORT, OF_RETURN):
        return [*faults, f"the manifest has the format {body.get('format')!r}, not 1 or 2"]
    # Of a return the manifest has a part for each report; of one report it is that itself.
    parts = body["reports"] if body["format"] == OF_RETURN else [body]
    faults += _part_faults(parts)
    entries = {each["name"]: (each, part) for part in parts for each in part["files"]}
    there = {path.name for path in folder.iterdir()} - {MANIFEST, SIGNATURE}
    faults += [f"{name} is missing" for name in sorted(entries.keys() - there)]
    faults += [f"{name} is not of this export" for name in sorted(there - entries.keys())]
    for name in sorted(entries.keys() & there):
        entry, part = entries[name]
        if digest_of(folder / name) != entry["sha256"]:
            faults.append(f"{name} is not the file that was signed")
        elif name.endswith(".csv"):
            faults += _sums(folder / name, entry, part)
    return faults + [fault for each in body["checkpoints"] for fault in log_faults(each, log_keys)]


def _part_faults(parts: Sequence[dict[str, Any]]) -> list[str]:
    """Reports of which the manifest names no file, and files that it names twice."""
    faults = [] if parts else ["the manifest names no report"]
    faults += [f"{part['report']} has no file" for part in parts if not part["files"]]
    names = Counter(each["name"] for part in parts for each in part["files"])
    return faults + [f"{name} is named {count} times" for name, count in names.items() if count > 1]


def signed_body(folder: Path, keys: Keys) -> tuple[dict[str, Any] | None, list[str]]:
    """What the manifest of a folder says, and what is wrong with its key and time; None where no
    key given signed it."""
    manifest = (folder / MANIFEST).read_bytes()
    try:
        signature = bytes.fromhex((folder / SIGNATURE).read_text())
    except (ValueError, OSError):
        signature = b""
    file_keys = [FileKey(keys)] if isinstance(keys, bytes) else keys
    key = signer_of(manifest, signature, file_keys)
    if key is None:
        return None, unsigned(manifest, signature, file_keys)
    body: dict[str, Any] = json.loads(manifest)
    return body, key.faults(body)


def checkpoints_of(folder: Path) -> list[dict[str, Any]]:
    """Where the orders stood, as the manifest of a folder says it."""
    points: list[dict[str, Any]] = json.loads((folder / MANIFEST).read_bytes())["checkpoints"]
    return points


def log_faults(point: dict[str, Any], keys: Sequence[PublicKey]) -> list[str]:
    """What is wrong with the checkpoint of a system; nothing where no key of its log is given."""
    system, log = point["system"], point.get("log")
    mine = [key for key in keys if _is_of(key, system)]
    if not mine:
        return []
    if log is None:
        return [f"the manifest names no checkpoint of {system}"]
    try:
        checkpoint = Checkpoint.parse(log["note"])
    except NoteError as fault:
        return [f"the checkpoint of {system} cannot be read: {fault}"]
    faults = []
    if (checkpoint.size, checkpoint.root.hex()) != (log["size"], log["root"]):
        faults.append("size and root beside it are not its own")
    faults += checkpoint.unsigned(mine)
    return [
        *(f"the checkpoint of {system}: {fault}" for fault in faults),
        *(f"the proof of {system}: {fault}" for fault in _proof_faults(point, mine)),
    ]


def _proof_faults(point: dict[str, Any], keys: list[PublicKey]) -> list[str]:
    """Whether the block and hash of a system are a leaf of its log, under the checkpoint beside
    them, or a later one where that does not cover them."""
    if not point["block"]:
        return []
    document = point.get("proof")
    if not document:
        return [f"nothing shows that block {point['block']} is in the log"]
    try:
        leaf, faults = proof.findings(document, keys)
        checkpoint = Checkpoint.parse(document.partition("\n\n")[2])
        stated = json.loads(leaf)[:4]
    except (ValueError, TypeError) as fault:
        return [f"it cannot be read: {fault}"]
    if stated != ["leaf", point["system"], point["block"], point["hash"]]:
        faults.append(f"it is not of block {point['block']} with the hash that the manifest names")
    log = point["log"]
    if log["size"] >= point["block"] and checkpoint.root.hex() != log["root"]:
        faults.append("it leads to another checkpoint than the manifest names")
    return faults


def idle_keys(points: Sequence[dict[str, Any]], keys: Sequence[PublicKey]) -> list[str]:
    """Names of keys that are of no log of these systems: given by mistake."""
    systems = [each["system"] for each in points]
    return [key.name for key in keys if not any(_is_of(key, system) for system in systems)]


def unchecked(points: Sequence[dict[str, Any]], keys: Sequence[PublicKey]) -> list[str]:
    """What nothing here has checked of the checkpoints, in words."""
    sentences = []
    for each in points:
        system, log = each["system"], each.get("log")
        if not any(_is_of(key, system) for key in keys):
            sentences.append(
                f"the checkpoint of {system} was not checked: give the key of its log by --log-key"
            )
        elif log:
            with contextlib.suppress(NoteError):  # which is found
                sentences += Checkpoint.parse(log["note"]).unchecked(list(keys))
    return sentences


def _is_of(key: PublicKey, system: str) -> bool:
    return key.name.endswith(f"/{system}")


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in small hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _sums(path: Path, entry: dict[str, Any], body: dict[str, Any]) -> list[str]:
    places = {
        source: place
        for place, (source, _) in enumerate(body["columns"])
        if source in body["totals"]
    }
    sums = dict.fromkeys(places, Decimal(0))
    count = 0
    try:
        for row in _rows(path, entry["head_lines"], entry["foot_lines"]):
            count += 1
            for source, place in places.items():
                sums[source] += Decimal(row[place] or 0)
    except (InvalidOperation, IndexError, ValueError) as fault:
        return [f"{path.name}: row {count} cannot be read: {fault!r}"]
    faults = []
    if count != body["rows"]:
        faults.append(f"{path.name} has {count} rows, the manifest says {body['rows']}")
    for source, total in sums.items():
        if total != Decimal(body["totals"][source]):
            faults.append(
                f"{path.name}: {source} comes to {total},"
                f" the manifest says {body['totals'][source]}"
            )
    return faults


def _rows(path: Path, above: int, below: int) -> Iterator[list[str]]:
    """The rows between the headings and the lines at the end."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        for _ in range(above + 1):
            next(lines)
        held: list[list[str]] = []
        for row in lines:
            held.append(row)
            if len(held) > below:
                yield held.pop(0)


def add_keys(parser: argparse.ArgumentParser) -> None:
    """The options by which keys of files are given."""
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        help="public key of files: 64 hexadecimal digits, or NAME+ID+KEY with its time",
    )
    parser.add_argument(
        "--keys",
        action="append",
        default=[],
        type=Path,
        help="a file of them, as `file_key publish` prints it",
    )


def main(arguments: list[str] | None = None) -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier.export",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    add_keys(parser)
    parser.add_argument(
        "--log-key", action="append", default=[], help="public key of a system's log, NAME+ID+KEY"
    )
    options = parser.parse_args(arguments)
    try:
        log_keys = [PublicKey.parse(key) for key in options.log_key]
        keys = keys_of(options.key, options.keys)
        faults = findings(options.folder, keys, log_keys)
        points = checkpoints_of(options.folder) if signed_body(options.folder, keys)[0] else []
    except (OSError, ValueError, KeyError, StopIteration) as why:
        sys.stderr.write(f"The export cannot be read: {why!r}\n")
        return 2
    if points and (idle := idle_keys(points, log_keys)):
        sys.stderr.write(f"No log of this export has the key {', '.join(idle)}.\n")
        return 2
    sys.stderr.write("".join(f"{sentence}\n" for sentence in unchecked(points, log_keys)))
    message = "\n".join(faults) or "The files are as they were signed, and their sums agree."
    sys.stdout.write(f"{message}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
