"""python -m verifier.bundle FILE --key PUBLIC-KEY: is this dispute bundle what the house signed?

Needs no database. Exit code 0: it is; 1: there are findings; 2: it could not be read.
The signature is that of the key given; every file is that of the manifest, and there is no other;
the archive is, byte for byte, what these files make; blocks lead to their hashes, follow one
another where they are neighbours, and hold the entries of the claim; events and commands are those
that the entries took; the payees come to what was confirmed, and payouts to what was handed over;
the files that people attached are those of which they were told, with hash and size, and those that
entries of the order name; what people
gathered and answered names somebody.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO, Any

from verifier.ed25519 import is_signed

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
FOLDER = "attachments/"  # what people attached
PIECE = 1024 * 1024  # bytes
_PACKED = "the archive is not what its files make: it was changed or packed again"
METHODS = ("chips", "cash", "equivalent")


def findings(archive: IO[bytes], public: bytes) -> list[str]:
    """Everything that is wrong with a bundle; empty: it is as it was signed.

    What people attached is read in pieces: only the other files are held in memory.
    """
    try:
        with zipfile.ZipFile(archive) as opened, tempfile.TemporaryFile() as again:
            entries = opened.infolist()
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                return [_PACKED]
            hashes = _made_again(opened, again)
            if len(entries) != len(hashes) or not _same(archive, again):
                return [_PACKED]
            sizes = {entry.filename: entry.file_size for entry in entries}
            files = {name: opened.read(name) for name in hashes if not name.startswith(FOLDER)}
    except Exception as fault:  # noqa: BLE001 - a damaged archive fails in many ways
        return [f"the archive cannot be opened: {fault}"]
    manifest = files.get(MANIFEST, b"")
    try:
        signature = bytes.fromhex(files.get(SIGNATURE, b"").decode())
    except ValueError:
        signature = b""
    if not is_signed(public, manifest, signature):
        return ["the manifest is not signed by this key"]
    said = json.loads(manifest)
    found = _listed(hashes, said["files"])
    if found:
        return found
    try:
        found = [*_blocks(files), *_sources(files), *_sums(files)]
        return found if said["format"] == 1 else [*found, *_gathered(files, hashes, sizes)]
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        return [f"a document has another form than agreed: {fault!r}"]


def _made_again(opened: zipfile.ZipFile, out: IO[bytes]) -> dict[str, str]:
    """The only archive that these files make; the SHA-256 of each file, in small digits."""
    hashes = {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(set(opened.namelist())):
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            entry.file_size = opened.getinfo(path).file_size
            digest = hashlib.sha256()
            with opened.open(path) as source, archive.open(entry, "w") as copy:
                while piece := source.read(PIECE):
                    digest.update(piece)
                    copy.write(piece)
            hashes[path] = digest.hexdigest()
    return hashes


def _same(one: IO[bytes], other: IO[bytes]) -> bool:
    one.seek(0)
    other.seek(0)
    while piece := one.read(PIECE):
        if piece != other.read(PIECE):
            return False
    return not other.read(1)


def _listed(hashes: dict[str, str], listed: dict[str, str]) -> list[str]:
    found = []
    there = hashes.keys() - {MANIFEST, SIGNATURE}
    found += [f"{path} is missing" for path in sorted(listed.keys() - there)]
    found += [f"{path} is in no manifest" for path in sorted(there - listed.keys())]
    found += [
        f"{path} was changed"
        for path in sorted(there & listed.keys())
        if hashes[path] != listed[path]
    ]
    return found


def _blocks(files: dict[str, bytes]) -> list[str]:
    found, before = [], None
    for block in json.loads(files["blocks.json"]):
        name, number = f"blocks/{block['number']:012d}.jsonl", block["number"]
        header = json.loads(files[name].partition(b"\n")[0])
        if hashlib.sha256(files[name]).hexdigest() != block["hash"]:
            found.append(f"block {number}: its lines do not lead to its hash")
        if header[2] != number or header[-1] != block["previous"]:
            found.append(f"block {number}: its header is that of another block")
        if before and before["number"] + 1 == number and before["hash"] != block["previous"]:
            found.append(f"block {number} does not follow the one before it")
        before = block
    return found


def _entries(files: dict[str, bytes]) -> dict[int, list[Any]]:
    """The entries of all blocks, by their numbers."""
    found = {}
    for name, body in files.items():
        if name.startswith("blocks/"):
            lines = [json.loads(line) for line in body.split(b"\n")]
            found.update({line[1]: line for line in lines if line[0] == "entry"})
    return found


def _sources(files: dict[str, bytes]) -> list[str]:
    """Each entry of the claim is in a block, with the event or command that it took."""
    found, entries = [], _entries(files)
    sources = {
        int(name.removeprefix("sources/").partition("-")[0]): body
        for name, body in files.items()
        if name.startswith("sources/")
    }
    for seq in json.loads(files["claim.json"])["entries"]:
        if seq not in entries:
            found.append(f"entry {seq} is in no block")
        elif seq not in sources:
            found.append(f"entry {seq}: its event or command is missing")
        elif hashlib.sha256(sources[seq]).hexdigest() != entries[seq][11]:
            found.append(f"entry {seq}: its event or command is not the one that it took")
    return found


def _sums(files: dict[str, bytes]) -> list[str]:
    claim, payouts = json.loads(files["claim.json"]), json.loads(files["payouts.json"])
    found = []
    if sum(line["amount"] for line in claim["payees"]) != claim["confirmed"]:
        found.append("the payees do not come to what was confirmed")
    for line in claim["payees"]:
        paid = [each for each in payouts if each["line"] == line["line"]]
        for method in METHODS:
            if sum(each[method] for each in paid) != line["parts"][method]:
                found.append(f"line {line['line']}: the payouts are not what was handed over")
                break
    return found


def _gathered(files: dict[str, bytes], hashes: dict[str, str], sizes: dict[str, int]) -> list[str]:
    """The files are those that were attached, and no other; what people did names them."""
    told, found = json.loads(files["workbench.json"]), []
    attached = {each["file"]: (each["sha256"], each["size"]) for each in told["attachments"]}
    there = {name: (hashes[name], sizes[name]) for name in hashes if name.startswith(FOLDER)}
    if len(attached) != len(told["attachments"]):
        found.append("two attachments of the workbench are one file")
    for path in sorted(attached.keys() | there.keys()):
        if path not in there:
            found.append(f"{path}: the workbench has it, the archive has not")
        elif path not in attached:
            found.append(f"{path}: nobody attached it")
        elif attached[path] != there[path]:
            found.append(f"{path}: it is not the file that was attached")
    in_order = _files_of_the_order(files)
    named = {
        each["entry"]: (each["sha256"], each["size"])
        for each in told["attachments"]
        if each.get("entry") is not None  # none: from before hashes stood there, or on its way
    }
    found += [
        f"entry {seq}: the file that it names is not the one that is here"
        for seq in sorted(in_order.keys() | named.keys())
        if in_order.get(seq) != named.get(seq)
    ]
    said = json.loads(files["approvals.json"])
    done = {kind: said[kind] for kind in ("checklist", "rulings") if kind in said}
    for kind, rows in {**done, **told}.items():
        if not all(row["person"] and row["at"] for row in rows):
            found.append(f"{kind}: something of it is nobody's")
    return found


def _files_of_the_order(files: dict[str, bytes]) -> dict[int, tuple[str, int]]:
    """Hash and size of each file that an entry of the claim names."""
    claim, found = json.loads(files["claim.json"])["number"], {}
    for name, body in files.items():
        if name.startswith("sources/") and name.endswith("-attach_file.json"):
            _, said, *_ = json.loads(body)
            if said["hit"] == claim:
                seq = int(name.removeprefix("sources/").partition("-")[0])
                found[seq] = (said["sha256"], said["size"])
    return found


def main(arguments: list[str] | None = None) -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier.bundle",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--key", required=True, help="the house's public key, 64 hexadecimal digits"
    )
    given = parser.parse_args(arguments)
    try:
        public = bytes.fromhex(given.key)
        with given.file.open("rb") as archive:
            found = findings(archive, public)
    except (OSError, ValueError) as why:
        sys.stderr.write(f"The bundle cannot be read: {why}\n")
        return 2
    said = "\n".join(found) or "The bundle is as it was signed, and its parts agree."
    sys.stdout.write(f"{said}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
