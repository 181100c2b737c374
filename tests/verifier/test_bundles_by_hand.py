"""Dispute bundles of a few rows, forged by hand: each sentence that is said of them, whole."""

import base64
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.proof.signed_files import PUBLIC, SECRET
from verifier import ed25519
from verifier.bundle import findings, main, print_of

PACKED = "the archive is not what its files make: it was changed or packed again"
PHOTO, SLIP = b"a photograph", b"%PDF of a slip"
COMMAND = json.dumps(["attach_file", {"hit": 1, "sha256": "aa", "size": 3}]).encode()
EVENT = b'{"type":"hand_called"}'


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def lines(number: int, previous: str, *entries: tuple[int, bytes]) -> bytes:
    """A block's lines: its header, and its entries by number and source."""
    header = ["block", "main", number, 0, 0, 0, 0, 4, 3, "at", previous]
    rows = [["entry", seq, *[None] * 9, sha(source)] for seq, source in entries]
    return b"\n".join(json.dumps(each).encode() for each in (header, *rows))


FIRST = lines(1, "00" * 32, (4, EVENT))
SECOND = lines(2, sha(FIRST), (5, COMMAND))


def parts() -> dict[str, Any]:
    """What a bundle holds, as it should be."""
    signer = {"person": "mere", "at": "2026-11-21"}
    attached = {"file": "attachments/1.jpg", "sha256": sha(PHOTO), "size": len(PHOTO)}
    return {
        "blocks.json": [
            {"number": 1, "hash": sha(FIRST), "previous": "00" * 32},
            {"number": 2, "hash": sha(SECOND), "previous": sha(FIRST)},
        ],
        "claim.json": {
            "system": "main",
            "number": 2,
            "entries": [4, 5],
            "confirmed": 30,
            "payees": [{"line": 1, "amount": 30, "parts": {"cash": 20, "tax": 10}}],
        },
        "payouts.json": [
            {"line": 1, "part": 1, "cash": 20, "slips": []},
            {"line": 1, "part": 2, "tax": 10, "slips": [
                {"sha256": sha(SLIP), "copy": copy, "person": "aroha", "at": "noon"}
                for copy in (0, 1)
            ]},
            {"line": 2, "part": 1, "slips": []},
        ],
        "workbench.json": {"attachments": [attached | signer], "notes": [signer]},
        "approvals.json": {"actions": [{"signature": None}], "checklist": [signer], "rulings": []},
        "attachments/1.jpg": PHOTO,
        "blocks/000000000001.jsonl": FIRST,
        "blocks/000000000002.jsonl": SECOND,
        "sources/4-hand_called.json": EVENT,
        "sources/5-attach_file.json": COMMAND,
    }  # fmt: skip


def packed(files: dict[str, bytes]) -> bytes:
    """The only archive that these files make."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, files[name])
    return out.getvalue()


def bundle(system: str = "main", manifest: dict[str, str] | None = None, **changes: Any) -> bytes:
    """A signed bundle; `changes`: what other files hold, None: they are not there."""
    format_ = changes.pop("format", 2)
    content = {name: value for name, value in (parts() | changes).items() if value is not None}
    files = {
        name: value if isinstance(value, bytes) else json.dumps(value).encode()
        for name, value in content.items()
    }
    hashes = {name: sha(value) for name, value in files.items()} | (manifest or {})
    text = json.dumps({"format": format_, "system": system, "files": hashes}).encode()
    files["manifest.json"] = text
    files["manifest.sig"] = ed25519.sign(SECRET, text).hex().encode()
    return packed(files)


def verdict(archive: bytes) -> list[str]:
    return findings(io.BytesIO(archive), PUBLIC)


def of(name: str, **changes: Any) -> dict[str, Any]:
    """A part with other fields."""
    return {f"{name}.json": parts()[f"{name}.json"] | changes}


def block(place: int, **changes: Any) -> dict[str, Any]:
    blocks = parts()["blocks.json"]
    blocks[place] |= changes
    return {"blocks.json": blocks}


PAYEE = parts()["claim.json"]["payees"][0]
ATTACHED = parts()["workbench.json"]["attachments"][0]
FORGED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    "a block's hash": (
        block(1, hash="00"), ["block 2: its lines do not lead to its hash"],
    ),
    "a block's own number": (
        {**block(1, number=3), "blocks/000000000003.jsonl": SECOND},
        ["block 3: its header is that of another block"],
    ),
    "what a block follows": (
        block(1, previous="11" * 32),
        ["block 2: its header is that of another block",
         "block 2 does not follow the one before it"],
    ),
    "an entry of no block": (of("claim", entries=[4, 5, 6]), ["entry 6 is in no block"]),
    "no source": (
        {"sources/4-hand_called.json": None}, ["entry 4: its event or command is missing"],
    ),
    "another source": (
        {"sources/4-hand_called.json": b"{}"},
        ["entry 4: its event or command is not the one that it took"],
    ),
    "another amount": (
        of("claim", confirmed=31), ["the payees do not come to what was confirmed"],
    ),
    **{
        f"other payouts, {part}": (
            of("claim", payees=[PAYEE | {"parts": {"cash": 20, "tax": 10} | {part: 1}}]),
            ["line 1: the payouts are not what was handed over"],
        )
        for part in ("chips", "cash", "equivalent", "tax")
    },
    "a file that is not there": (
        {"attachments/1.jpg": None},
        ["attachments/1.jpg: the workbench has it, the archive has not"],
    ),
    "a file of nobody's": (
        {"attachments/2.jpg": b"x"}, ["attachments/2.jpg: nobody attached it"],
    ),
    **{
        f"another file, {name}": (
            of("workbench", attachments=[ATTACHED | {name: value}]),
            ["attachments/1.jpg: it is not the file that was attached"],
        )
        for name, value in (("sha256", "00"), ("size", 1))
    },
    "one file twice": (
        of("workbench", attachments=[ATTACHED, ATTACHED]),
        ["two attachments of the workbench are one file"],
    ),
    "an attachment that no entry names": (
        of("workbench", attachments=[ATTACHED | {"entry": 5}]),
        ["entry 5: the file that it names is not the one that is here"],
    ),
    "an entry that names a file": (
        {"sources/5-attach_file.json": COMMAND.replace(b'"hit": 1', b'"hit": 2'),
         "blocks/000000000002.jsonl": lines(2, sha(FIRST), (5, COMMAND.replace(b"1,", b"2,")))},
        ["block 2: its lines do not lead to its hash",
         "entry 5: the file that it names is not the one that is here"],
    ),
    "a note of nobody's": (
        of("workbench", notes=[{"person": "", "at": "noon"}]),
        ["notes: something of it is nobody's"],
    ),
    "an answer of no time": (
        of("approvals", checklist=[{"person": "mere", "at": ""}]),
        ["checklist: something of it is nobody's"],
    ),
    "a ruling of nobody's": (
        of("approvals", rulings=[{"person": None, "at": "noon"}]),
        ["rulings: something of it is nobody's"],
    ),
    "the first format has nothing gathered": (
        {"format": 1, **of("workbench", notes=[{"person": "", "at": ""}])}, [],
    ),
    "no claim": (
        {"claim.json": None}, ["a document has another form than agreed: KeyError('claim.json')"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_what_is_said_of_a_bundle(what: str) -> None:
    changes, sentences = FORGED[what]
    assert verdict(bundle(**changes)) == sentences


def signed_action(**changes: Any) -> dict[str, Any]:
    """What mere did, signed by a passkey; `changes`: what the bundle says otherwise of it."""
    key = SoftPasskey("https://house.example")
    action = {"kind": "pay", "report_entry": 9, "said": {"cash": 5}, "number": 3, "key": "k"}
    act = {"act": "pay", "system": "main", "claim": 2, "report": 9, "body": {"cash": 5},
           "person": 3, "key": "k", "name": "mere"}  # fmt: skip
    document = {"acts": [act], "at": "2026-11-21T10:00:00Z", "v": 1}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    options = {"challenge": challenge.rstrip(b"=").decode(), "statement": text}
    answer = json.loads(key.signs_act(options))["response"]
    numbers = key.key.public_key().public_numbers()

    def digits(name: str) -> str:
        return base64.urlsafe_b64decode(answer[name] + "=" * (-len(answer[name]) % 4)).hex()

    signature = {
        "origin": "https://house.example", "algorithm": -7, "statement": text,
        "public_key": f"{numbers.x:064x}{numbers.y:064x}",
        "authenticator_data": digits("authenticatorData"),
        "client_data": digits("clientDataJSON"), "signature": digits("signature"),
    }  # fmt: skip
    of_key = {name: changes.pop(name) for name in [*changes] if name in signature}
    return {"person": "mere", **action, "signature": signature | of_key} | changes


@pytest.mark.parametrize(
    "changes",
    [{}, {"kind": "confirm"}, {"report_entry": 8}, {"said": {"cash": 6}}, {"number": 4},
     {"key": "l"}, {"origin": "https://other.example"}, {"algorithm": -257},
     {"statement": "{}"}, {"public_key": "00" * 64}, {"authenticator_data": "00" * 37},
     {"client_data": "00"}, {"signature": "00" * 70}],
)  # fmt: skip
def test_what_a_passkey_signed_is_the_action_beside_it(changes: dict[str, Any]) -> None:
    archive = bundle(**of("approvals", actions=[{"signature": None}, signed_action(**changes)]))
    kind = changes.get("kind", "pay")
    says = [f"{kind} by mere: the signature does not hold"] if changes else []
    assert verdict(archive) == says


def test_what_its_manifest_says_otherwise() -> None:
    manifest = {"more.json": "00", "claim.json": "11"}
    assert verdict(bundle(manifest=manifest)) == ["more.json is missing", "claim.json was changed"]
    files = dict.fromkeys(["more.json"], b"")
    with zipfile.ZipFile(io.BytesIO(bundle())) as opened:
        files |= {name: opened.read(name) for name in opened.namelist()}
    assert verdict(packed(files)) == ["more.json is in no manifest"]


def test_what_was_packed_again(tmp_path: Path) -> None:
    good = bundle()
    assert verdict(good + b"\0") == [PACKED]
    assert verdict(b"\0" + good) == [PACKED]
    with zipfile.ZipFile(io.BytesIO(good)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        assert verdict(out.getvalue()) == [PACKED]
    assert verdict(b"no archive") == ["the archive cannot be opened: File is not a zip file"]
    for signature in (b"", b"no digits", b"00" * 64):
        forged = packed(files | {"manifest.sig": signature})
        assert verdict(forged) == ["the manifest is not signed by this key"]


def test_which_print_a_slip_is() -> None:
    archive = io.BytesIO(bundle())
    assert print_of(archive, b"another") is None
    assert print_of(archive, SLIP) == "the original of slip MAIN-2-1-2, printed by aroha at noon"
    payouts = parts()["payouts.json"]
    payouts[1]["slips"] = payouts[1]["slips"][1:]
    archive = io.BytesIO(bundle(**{"payouts.json": payouts}))
    assert print_of(archive, SLIP) == "copy 1 of slip MAIN-2-1-2, printed by aroha at noon"


@pytest.mark.parametrize(
    ("content", "slip", "expected"),
    [
        (bundle(), None, (0, "The bundle is as it was signed, and its parts agree.\n", "")),
        (bundle("rehearsal-a"), None,
         (0, "The bundle is as it was signed, and its parts agree.\nThe system rehearsal-a is a"
          " rehearsal: its money is not real, and nobody was paid.\n", "")),
        (bundle(), SLIP,
         (0, "The bundle is as it was signed, and its parts agree.\nslip.pdf is the original of"
          " slip MAIN-2-1-2, printed by aroha at noon.\n", "")),
        (bundle(), b"x", (1, "slip.pdf is no print of a slip of this claim\n", "")),
        (bundle(**of("claim", confirmed=1)), SLIP,
         (1, "the payees do not come to what was confirmed\n", "")),
        (None, None, (2, "", "The bundle cannot be read: ")),
    ],
)  # fmt: skip
def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
    content: bytes | None, slip: bytes | None, expected: tuple[int, str, str],
) -> None:  # fmt: skip
    file, pdf = tmp_path / "bundle.zip", tmp_path / "slip.pdf"
    if content is not None:
        file.write_bytes(content)
    words = [str(file), "--key", PUBLIC.hex()]
    if slip is not None:
        pdf.write_bytes(slip)
        words += ["--slip", str(pdf)]
    code, out, begin = expected
    assert main(words) == code
    output = capsys.readouterr()
    assert (output.out, output.err.startswith(begin), bool(output.err)) == (out, True, bool(begin))
