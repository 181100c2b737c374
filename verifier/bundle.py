"""python -m verifier.bundle FILE --key PUBLIC-KEY: is this dispute bundle what the house signed?

With --slip SLIP.pdf also: did the house print this slip of the claim so, before it made the bundle?

Needs no database. Exit code 0: it is; 1: there are findings; 2: it could not be read.
The signature is that of the key given; every file is that of the manifest, and there is no other;
the archive is, byte for byte, what these files make; blocks lead to their hashes, follow one
another where they are neighbours, and hold the entries of the claim; events and commands are those
that the entries took; the payees come to what was confirmed, and payouts to what was handed over;
the files that people attached are those that were recorded, with hash and size, and those that
entries of the order name; what people
gathered and answered names somebody, and what a passkey signed is the action beside it.
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
from verifier.file_keys import FileKey
from verifier.webauthn import acts_of, fault_of, nameless
from verifier.webauthn import is_signed as is_signed_by_key

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
FOLDER = "attachments/"  # what people attached
PIECE = 1024 * 1024  # bytes
_PACKED = "the archive is not what its files make: it was changed or packed again"
PARTS = ("chips", "cash", "equivalent", "tax")  # tax: only where some was withheld


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
    document = json.loads(manifest)
    faults = _manifest_faults(hashes, document["files"])
    if faults:
        return faults
    try:
        faults = [*_blocks(files), *_sources(files), *_sums(files)]
        return faults if document["format"] == 1 else [*faults, *_gathered(files, hashes, sizes)]
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


def _manifest_faults(hashes: dict[str, str], manifest: dict[str, str]) -> list[str]:
    faults = []
    there = hashes.keys() - {MANIFEST, SIGNATURE}
    faults += [f"{path} is missing" for path in sorted(manifest.keys() - there)]
    faults += [f"{path} is in no manifest" for path in sorted(there - manifest.keys())]
    faults += [
        f"{path} was changed"
        for path in sorted(there & manifest.keys())
        if hashes[path] != manifest[path]
    ]
    return faults


def _blocks(files: dict[str, bytes]) -> list[str]:
    faults, before = [], None
    for block in json.loads(files["blocks.json"]):
        name, number = f"blocks/{block['number']:012d}.jsonl", block["number"]
        header = json.loads(files[name].partition(b"\n")[0])
        if hashlib.sha256(files[name]).hexdigest() != block["hash"]:
            faults.append(f"block {number}: its lines do not lead to its hash")
        if header[2] != number or header[-1] != block["previous"]:
            faults.append(f"block {number}: its header is that of another block")
        if before and before["number"] + 1 == number and before["hash"] != block["previous"]:
            faults.append(f"block {number} does not follow the one before it")
        before = block
    return faults


def _entries(files: dict[str, bytes]) -> dict[int, list[Any]]:
    """The entries of all blocks, by their numbers."""
    entries = {}
    for name, body in files.items():
        if name.startswith("blocks/"):
            lines = [json.loads(line) for line in body.split(b"\n")]
            entries.update({line[1]: line for line in lines if line[0] == "entry"})
    return entries


def _sources(files: dict[str, bytes]) -> list[str]:
    """Each entry of the claim is in a block, with the event or command that it took."""
    faults, entries = [], _entries(files)
    sources = {
        int(name.removeprefix("sources/").partition("-")[0]): body
        for name, body in files.items()
        if name.startswith("sources/")
    }
    for seq in json.loads(files["claim.json"])["entries"]:
        if seq not in entries:
            faults.append(f"entry {seq} is in no block")
        elif seq not in sources:
            faults.append(f"entry {seq}: its event or command is missing")
        elif hashlib.sha256(sources[seq]).hexdigest() != entries[seq][11]:
            faults.append(f"entry {seq}: its event or command is not the one that it took")
    return faults


def _sums(files: dict[str, bytes]) -> list[str]:
    claim, payouts = json.loads(files["claim.json"]), json.loads(files["payouts.json"])
    faults = []
    if sum(line["amount"] for line in claim["payees"]) != claim["confirmed"]:
        faults.append("the payees do not come to what was confirmed")
    for line in claim["payees"]:
        paid = [each for each in payouts if each["line"] == line["line"]]
        for part in PARTS:
            if sum(each.get(part, 0) for each in paid) != line["parts"].get(part, 0):
                faults.append(f"line {line['line']}: the payouts are not what was handed over")
                break
    return faults


def _gathered(files: dict[str, bytes], hashes: dict[str, str], sizes: dict[str, int]) -> list[str]:
    """The files are those that were attached, and no other; what people did names them."""
    workbench, faults = json.loads(files["workbench.json"]), []
    attached = {each["file"]: (each["sha256"], each["size"]) for each in workbench["attachments"]}
    there = {name: (hashes[name], sizes[name]) for name in hashes if name.startswith(FOLDER)}
    if len(attached) != len(workbench["attachments"]):
        faults.append("two attachments of the workbench are one file")
    for path in sorted(attached.keys() | there.keys()):
        if path not in there:
            faults.append(f"{path}: the workbench has it, the archive has not")
        elif path not in attached:
            faults.append(f"{path}: nobody attached it")
        elif attached[path] != there[path]:
            faults.append(f"{path}: it is not the file that was attached")
    in_order = _files_of_the_order(files)
    by_seq = {
        each["entry"]: (each["sha256"], each["size"])
        for each in workbench["attachments"]
        if each.get("entry") is not None  # none: from before hashes stood there, or on its way
    }
    faults += [
        f"entry {seq}: the file that it names is not the one that is here"
        for seq in sorted(in_order.keys() | by_seq.keys())
        if in_order.get(seq) != by_seq.get(seq)
    ]
    approvals = json.loads(files["approvals.json"])
    parts = {kind: approvals[kind] for kind in ("checklist", "rulings") if kind in approvals}
    for kind, rows in {**parts, **workbench}.items():
        if not all(row["person"] and row["at"] for row in rows):
            faults.append(f"{kind}: something of it is nobody's")
    return [*faults, *_signatures(json.loads(files["claim.json"]), approvals["actions"])]


def _signatures(claim: dict[str, Any], actions: list[dict[str, Any]]) -> list[str]:
    """What people signed with their passkeys is what they did. Whose a key is, the house says."""
    faults = []
    for action in actions:
        signed = action.get("signature")
        if signed is None:
            continue
        act = {
            "act": action["kind"],
            "system": claim["system"],
            "claim": claim["number"],
            "report": action["report_entry"],
            "body": action["said"],
            "person": action["number"],
            "key": action["key"],
        }
        names = ("public_key", "authenticator_data", "client_data", "signature")
        public, device, client, signature = (bytes.fromhex(signed[name]) for name in names)
        challenge = hashlib.sha256(signed["statement"].encode()).digest()
        if (
            act not in [nameless(each) for each in acts_of(signed["statement"])]
            or fault_of(signed["origin"], challenge, device, client)
            or not is_signed_by_key(signed["algorithm"], public, device, client, signature)
        ):
            faults.append(f"{action['kind']} by {action['person']}: the signature does not hold")
    return faults


def _files_of_the_order(files: dict[str, bytes]) -> dict[int, tuple[str, int]]:
    """Hash and size of each file that an entry of the claim names."""
    claim, named_files = json.loads(files["claim.json"])["number"], {}
    for name, body in files.items():
        if name.startswith("sources/") and name.endswith("-attach_file.json"):
            _, command, *_ = json.loads(body)
            if command["hit"] == claim:
                seq = int(name.removeprefix("sources/").partition("-")[0])
                named_files[seq] = (command["sha256"], command["size"])
    return named_files


def print_of(archive: IO[bytes], pdf: bytes) -> str | None:
    """Which print of a slip of the claim a file is, by a bundle without findings; None: none."""
    digest = hashlib.sha256(pdf).hexdigest()
    with zipfile.ZipFile(archive) as opened:
        claim, payouts = (json.loads(opened.read(f"{name}.json")) for name in ("claim", "payouts"))
    for payout in payouts:
        for each in payout["slips"]:
            if each["sha256"] == digest:
                system = claim["system"].upper()
                slip = f"{system}-{claim['number']}-{payout['line']}-{payout['part']}"
                print_name = f"copy {each['copy']}" if each["copy"] else "the original"
                return f"{print_name} of slip {slip}, printed by {each['person']} at {each['at']}"
    return None


def _remark(archive: IO[bytes]) -> str:
    """What its system is, by the code that its manifest signs."""
    with zipfile.ZipFile(archive) as opened:
        system = json.loads(opened.read(MANIFEST))["system"]
    if not system.startswith("rehearsal-"):
        return ""
    return f"\nThe system {system} is a rehearsal: its money is not real, and nobody was paid."


def main(arguments: list[str] | None = None) -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier.bundle",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--key", required=True, help="public key of files: 64 hexadecimal digits, or NAME+ID+KEY"
    )
    parser.add_argument("--slip", type=Path, help="the PDF of a slip of this claim", metavar="PDF")
    options = parser.parse_args(arguments)
    remark = ""
    try:
        public = FileKey.parse(options.key).key
        slip = options.slip.read_bytes() if options.slip else None
        with options.file.open("rb") as archive:
            faults = findings(archive, public)
            if not faults:
                remark = _remark(archive)
                printed = print_of(archive, slip) if slip is not None else None
                if printed is not None:
                    remark += f"\n{options.slip.name} is {printed}."
                elif slip is not None:
                    faults.append(f"{options.slip.name} is no print of a slip of this claim")
    except (OSError, ValueError) as why:
        sys.stderr.write(f"The bundle cannot be read: {why}\n")
        return 2
    message = "\n".join(faults) or f"The bundle is as it was signed, and its parts agree.{remark}"
    sys.stdout.write(f"{message}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
