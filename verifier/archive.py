"""python -m verifier.archive FOLDER --key PUBLIC-KEY: are these files the archive that was signed?

Needs no database. Exit code 0: they are; 1: there are findings; 2: they could not be read.
The signature is that of a key given, made while the house signed with it; every file is that of the
manifest, byte for byte, and there is no other; each has the columns and as many rows as was signed;
the head of every order stands at the entry and block that the manifest names, and the close that it
names is in the order. With --log-key the checkpoints that it names are what the logs signed, and
its proofs lead from the blocks into these logs. What the rows say, `python -m verifier` looks at
once the archive is opened in an empty database.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from verifier.export import (
    MANIFEST,
    SIGNATURE,
    Keys,
    add_keys,
    checkpoints_of,
    digest_of,
    idle_keys,
    log_faults,
    signed_body,
    unchecked,
)
from verifier.file_keys import keys_of
from verifier.notes import PublicKey

FORMAT = 1  # of manifest and files, as the console writes them
csv.field_size_limit(2**31 - 1)  # a file of a claim is one field


class UnknownFormat(ValueError):
    """An archive of a format that is not read here; the message says what reads it."""


def findings(folder: Path, keys: Keys, log_keys: Sequence[PublicKey] = ()) -> list[str]:
    """Everything that is wrong with an archive; empty: it is as it was signed.

    UnknownFormat where a release signed it that writes another one.
    """
    body, faults = signed_body(folder, keys)
    if body is None:
        return faults
    if body.get("kind") != "archive":
        return ["the manifest is that of something else"]
    if body["format"] != FORMAT:
        raise UnknownFormat(
            f"Release {body['release']} wrote this archive in format {body['format']}, and format"
            f" {FORMAT} is read here: read it with that release or a later one."
        )
    entries = {each["name"]: each for each in body["files"]}
    there = {path.name for path in folder.iterdir()} - {MANIFEST, SIGNATURE}
    faults += [f"{name} is missing" for name in sorted(entries.keys() - there)]
    faults += [f"{name} is not of this archive" for name in sorted(there - entries.keys())]
    whole = set()
    for name in sorted(entries.keys() & there):
        wrong = _file(folder / name, entries[name])
        faults += [f"{name} {wrong}"] if wrong else []
        whole.update([] if wrong else [entries[name]["table"]])
    if {"jackpot_head", "jackpot_entry", "tables_jackpotsystem"} <= whole:
        faults += _orders(folder, body)
    return faults + [fault for each in body["checkpoints"] for fault in log_faults(each, log_keys)]


def _file(path: Path, entry: dict[str, Any]) -> str:
    """What is wrong with a file; empty where nothing is."""
    if digest_of(path) != entry["sha256"]:
        return "is not the file that was signed"
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
            rows = csv.reader(text)
            columns = next(rows, [])
            count = sum(1 for _ in rows)
    except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as fault:
        return f"cannot be read: {fault!r}"
    if columns != entry["columns"]:
        return "has other columns than the manifest says"
    return "" if count == entry["rows"] else f"has {count} rows, the manifest says {entry['rows']}"


def _orders(folder: Path, body: dict[str, Any]) -> list[str]:
    """Whether the files hold the orders up to where the manifest says, with their closes."""
    codes = {row["id"]: row["code"] for row in _rows(folder, "tables_jackpotsystem")}
    heads = {
        codes.get(row["system_id"], ""): (
            int(row["seq"]),
            int(row["block_number"]),
            row["block_hash"].removeprefix("\\x"),
        )
        for row in _rows(folder, "jackpot_head")
    }
    faults = [
        f"the order of {each['system']} does not stand where the manifest says"
        for each in body["checkpoints"]
        if heads.get(each["system"]) != (each["entry"], each["block"], each["hash"])
    ]
    hashes = {(code, close["entry"]): close["body_hash"] for code, close in body["closes"].items()}
    for row in _rows(folder, "jackpot_entry") if hashes else ():
        place = (codes.get(row["system_id"], ""), int(row["seq"]))
        if row["type"] == "close_day" and hashes.get(place) == row["body_hash"].removeprefix("\\x"):
            del hashes[place]
    return faults + [
        f"the close of {body['through']} is not in the order of {code}" for code, _ in hashes
    ]


def _rows(folder: Path, table: str) -> Iterator[dict[str, str]]:
    with gzip.open(folder / f"{table}.csv.gz", "rt", encoding="utf-8", newline="") as text:
        yield from csv.DictReader(text)


def remarks(folder: Path) -> str:
    """What systems are, by the codes that the manifest signs."""
    body = json.loads((folder / MANIFEST).read_bytes())
    codes = sorted({each["system"] for each in body.get("checkpoints", ())})
    return "".join(
        f"The system {code} is a rehearsal: its money is not real, and nobody was paid.\n"
        for code in codes
        if code.startswith("rehearsal-")
    )


def main(arguments: list[str] | None = None) -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier.archive",
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
    except UnknownFormat as why:
        sys.stderr.write(f"{why}\n")
        return 2
    except (OSError, ValueError, KeyError) as why:
        sys.stderr.write(f"The archive cannot be read: {why!r}\n")
        return 2
    if points and (idle := idle_keys(points, log_keys)):
        sys.stderr.write(f"No log of this archive has the key {', '.join(idle)}.\n")
        return 2
    sys.stderr.write("".join(f"{sentence}\n" for sentence in unchecked(points, log_keys)))
    message = "\n".join(faults) or "The archive is as it was signed."
    sys.stdout.write(f"{message}\n{remarks(options.folder)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
