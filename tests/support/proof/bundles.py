"""Dispute bundles as a test makes, opens, changes and checks them."""

import hashlib
import io
import json
import zipfile

from settlement.audit import file_keys
from settlement.bundles import bundle
from settlement.core import signing
from settlement.models import Claim
from tests.support.cases.confirmed_house import person
from tests.support.people.roles import acting_as
from verifier import bundle as checking

KEY = "11" * 32


def public() -> bytes:
    return bytes.fromhex(signing.public_key())


def write_key_down() -> None:
    """The key that is set is written down, as its owner does."""
    with acting_as(None):
        file_keys.begin()


def built(claim: Claim) -> bytes:
    write_key_down()
    out = io.BytesIO()
    bundle.build(claim, out)
    return out.getvalue()


def exported(claim: Claim, name: str) -> bytes:
    write_key_down()
    out = io.BytesIO()
    bundle.export(claim, person(name), out)
    return out.read()


def verifier_findings(archive: bytes, key: bytes | None = None) -> list[str]:
    """What the program that shares no code says of it."""
    return checking.findings(io.BytesIO(archive), key or public())


def zipped(files: dict[str, bytes]) -> bytes:
    """As the house packs them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[path])
    return out.getvalue()


def files_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def resigned(files: dict[str, bytes]) -> bytes:
    """A bundle by somebody who has the key, and changes what rows said."""
    manifest = json.loads(files["manifest.json"])
    files = {k: v for k, v in files.items() if not k.startswith("manifest.")}
    manifest["files"] = {k: hashlib.sha256(v).hexdigest() for k, v in files.items()}
    manifest_bytes = json.dumps(manifest).encode()
    signature = signing.sign(manifest_bytes).hex().encode()
    return zipped({**files, "manifest.json": manifest_bytes, "manifest.sig": signature})
