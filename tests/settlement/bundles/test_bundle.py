"""The dispute bundle: the same bytes for the same state, and every changed byte is found."""

import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from jackpot.models import Entry
from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.core import signing
from settlement.core.errors import NotPermitted, WrongState
from settlement.models import BundleExport, Payout
from settlement.payments import services as payments
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.pseudo_locale import pseudo_locale
from tests.support.people.cast import ALL_YES
from tests.support.people.roles import acting_as
from tests.support.proof.bundles import (
    KEY,
    built,
    exported,
    files_of,
    public,
    resigned,
    verifier_findings,
    write_key_down,
    zipped,
)
from tests.support.suite.kept_house import kept_house
from verifier import bundle as checking
from verifier.ed25519 import is_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PROJECT = Path(__file__).resolve().parents[3]


class DisputedHouse(ConfirmedHouse):
    """Paid in part, disputed, and let go on."""

    def __init__(self) -> None:
        super().__init__()
        claims.pay(self.claim, Reauthenticated(person("aroha")), 1, {"cash": 600_000_000})
        self.post()
        claims.catch_up(self.system)
        slips.print_slip(
            Payout.objects.select_related("claim__system__casino").get(), person("aroha")
        )
        stops.open_stop(self.claim, person("sione"), "dispute", "Seat 4 says it was folded")
        self.post()
        stop = self.hit(1).stops[0]["entry"]
        proposal = stops.propose_end(self.claim, person("anahera"), stop, "Camera 4 is clear")
        stops.agree_end(proposal, Reauthenticated(person("david")))
        self.post()
        payments.withhold(self.claim, person("aroha"), 1, "No passport yet")
        self.post()


house = kept_house(DisputedHouse, BUNDLE_SIGNING_KEY=KEY)


def test_what_is_in_it(house: DisputedHouse) -> None:
    with acting_as("web"):
        archive = exported(house.claim, "ines")
    assert verifier_findings(archive) == []
    files = files_of(archive)
    text = files["derivation.txt"].decode()
    assert "Prize pool before the hit (19.8(c)): NZD 1,000.50" in text
    assert "Amount reserved: NZD 1,001.00" in text
    assert "Confirmed by sione and mere" in text
    steps = json.loads(files["derivation.json"])
    assert {step["micros"] for step in steps} >= {1_000_500_000, 1_001_000_000, 500_000}
    claim = json.loads(files["claim.json"])
    assert claim["confirmed"] == house.amount
    names = {name.partition("-")[2] for name in files if name.startswith("sources/")}
    assert names == {
        *("round_started.json", "hand_called.json", "hand_reported.json", "confirm_claim.json"),
        *("pay.json", "dispute.json", "resolve_dispute.json", "withhold.json"),
    }
    event = Entry.objects.get(type="hand_reported")
    raw = files[f"sources/{event.seq:012d}-hand_reported.json"]
    assert event.event is not None
    assert raw == bytes(event.event.body)
    assert hashlib.sha256(raw).digest() == bytes(event.body_hash)
    approvals = json.loads(files["approvals.json"])
    assert [action["kind"] for action in approvals["actions"]] == [
        *("verify", "confirm", "pay", "dispute", "withhold")
    ]
    assert len(approvals["checklist"]) == len(ALL_YES)
    assert approvals["proposals"][0]["decision"]["person"] == "david"
    (paid,) = json.loads(files["payouts.json"])
    assert (paid["amount"], paid["slips"][0]["copy"]) == (600_000_000, 0)
    assert json.loads(files["terms.json"])[0]["terms"]["tiers"][0]["code"] == "royal"


def test_the_same_state_gives_the_same_bytes(house: DisputedHouse) -> None:
    first = built(house.claim)
    house.press("t3")  # what is not about the claim changes nothing
    house.post()
    assert built(house.claim) == first
    with pseudo_locale():  # what whoever exports it reads
        assert built(house.claim) == first
    payments.release(house.claim, person("mere"), 1, "The passport is here")
    house.post()
    assert built(house.claim) != first


def test_every_changed_byte_is_found(house: DisputedHouse) -> None:
    archive, key = built(house.claim), public()
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    tail = range(len(archive) - 200, len(archive))
    for place in [*dice.sample(range(len(archive)), 300), *tail]:
        changed = bytearray(archive)
        changed[place] ^= 1 << dice.randrange(8)
        assert verifier_findings(bytes(changed), key), f"seed {seed}: byte {place}"
    assert verifier_findings(archive + b"\x00", key)
    assert verifier_findings(archive[:-1], key)


def test_what_a_forger_would_try(house: DisputedHouse) -> None:
    archive, key = built(house.claim), public()
    files = files_of(archive)
    forged = {**files, "claim.json": files["claim.json"].replace(b'"seat":3', b'"seat":4')}
    assert verifier_findings(zipped(forged), key) == ["claim.json was changed"]
    more = {**files, "note.txt": b"trust me"}
    assert verifier_findings(zipped(more), key) == ["note.txt is in no manifest"]
    less = {name: body for name, body in files.items() if name != "approvals.json"}
    assert verifier_findings(zipped(less), key) == ["approvals.json is missing"]
    other = bytes(32)
    assert "not signed by this key" in verifier_findings(archive, other)[0]


def test_parts_that_do_not_agree_are_found_even_when_signed(house: DisputedHouse) -> None:
    archive, key = built(house.claim), public()
    files = files_of(archive)
    block = next(name for name in files if name.startswith("blocks/"))
    call = next(name for name in files if name.endswith("hand_called.json"))
    paid = next(name for name in files if name.endswith("-pay.json"))
    for name, old, new, sentence in (
        (block, b'"royal', b'"loyal', "do not lead to its hash"),
        (call, b'"seats":[3]', b'"seats":[4]', "not the one that it took"),
        (paid, b"600000000", b"600000001", "not the one that it took"),
        ("payouts.json", b'"cash":600000000', b'"cash":1', "not what was handed over"),
        ("claim.json", b'"confirmed":1001000000', b'"confirmed":7', "do not come to what was"),
    ):
        assert old in files[name], name
        changed = resigned({**files, name: files[name].replace(old, new)})
        assert any(sentence in each for each in verifier_findings(changed, key)), name
    assert verifier_findings(resigned(files), key) == []


def test_the_command_and_the_check_offline(
    house: DisputedHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_key_down()
    call_command("dispute_bundle", "main-1", out=tmp_path)
    path = tmp_path / "dispute-main-1.zip"
    assert f"--key {signing.public_key()}" in capsys.readouterr().out
    first = path.read_bytes()
    offline = [sys.executable, "-S", "-m", "verifier.bundle", str(path)]  # without any package
    checked = subprocess.run(
        [*offline, "--key", signing.public_key()],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "as it was signed" in checked.stdout
    path.write_bytes(path.read_bytes()[:-3] + b"abc")
    assert checking.main([str(path), "--key", signing.public_key()]) == 1
    assert checking.main([str(tmp_path / "none.zip"), "--key", "ab"]) == 2
    record = BundleExport.objects.get()
    assert (record.person, record.size) == (None, len(first))
    assert bytes(record.sha256) == hashlib.sha256(first).digest()
    call_command("dispute_bundle", public_key=True)
    assert signing.public_key() in capsys.readouterr().out
    for name in ("main-9", "other-1", "main", ""):
        with pytest.raises(CommandError, match="There is no claim"):
            call_command("dispute_bundle", name)


def test_who_may_export_and_with_which_key(
    house: DisputedHouse, settings: Settings, tmp_path: Path
) -> None:
    for name in ("sione", "aroha", "tane"):
        with pytest.raises(NotPermitted):
            exported(house.claim, name)
    settings.BUNDLE_SIGNING_KEY = ""
    assert signing.public_key() == ""
    with pytest.raises(WrongState, match="No signing key is set"):
        exported(house.claim, "mere")
    settings.BUNDLE_SIGNING_KEY_FILE = str(tmp_path / "key")
    with pytest.raises(WrongState, match="cannot be read"):
        exported(house.claim, "mere")
    (tmp_path / "key").write_text(f"{signing.new_key()}\n")
    assert verifier_findings(exported(house.claim, "mere")) == []


def test_signatures_of_the_standard() -> None:
    """RFC 8032, section 7.1, tests 1 to 3; and what is no signature."""
    for key, message, signature in (
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ):
        public_, text, signed = (bytes.fromhex(text) for text in (key, message, signature))
        assert is_signed(public_, text, signed)
        assert not is_signed(public_, text + b"x", signed)
        assert not is_signed(public_, text, signed[:-1] + bytes([signed[-1] ^ 1]))
        assert not is_signed(public_, text, signed[:-1])
        assert not is_signed(bytes(31), text, signed)
        assert not is_signed(b"\xff" * 32, text, signed)
