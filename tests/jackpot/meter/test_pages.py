"""The public pages: what they say, and nothing else."""

import datetime as dt
import html
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from jackpot.display import values as display
from jackpot.models import Block, Checkpoint, Head, WitnessContact
from jackpot.transparency import checkpoints, notes, public_addresses, public_keys
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.pages.pseudo_locale import ill_set, pseudo_locale, unmarked
from tests.support.pages.public_meter import TIER, answer_to, play
from tests.support.play.books import royal_terms
from tests.support.play.fixed_high_hands import fixed_terms
from tests.support.play.house import House
from tests.support.proof.transparency import cosign
from verifier.witness.witness import Witness

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_static_files")]
PROJECT = Path(__file__).resolve().parents[3]


def lines_of(answer: Any) -> list[str]:
    """All text of a page, line by line, as somebody reads it."""
    text = re.sub(r"(?s)<head>.*?</head>|<!DOCTYPE html>", "", answer.content.decode())
    text = html.unescape(re.sub(r"(?s)<[^>]*>", "\n", text))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def test_a_page_says_the_value_its_proof_and_nothing_else(house: House) -> None:
    """The whole text: whoever adds a line to the page says here that it may be there."""
    checkpoint = checkpoints.latest(house.system)
    assert checkpoint is not None
    size, at = f"{checkpoint.size}", checkpoint.at.strftime("%-d %b %Y, %H:%M:%S UTC")
    block = bytes(Block.objects.get(number=checkpoint.size).hash).hex()
    key = notes.keys()[0].key_id("harbour.example/main").hex()
    answer = answer_to()
    assert answer.status_code == 200
    lines = lines_of(answer)
    proof = lines.index("c2sp.org/tlog-proof@v1")
    assert lines[:proof] == [
        "Harbour Casino · House Jackpot",
        "Royal Flush",
        "NZD",
        "1,002.50",
        f"{at}, after block {size}",
        *_HEADINGS,
        f"This value stands in the record of block {size}.",
        f"The record stands in the log of {size} blocks.",
        "The casino signed that log.",
        f"Key {key}",
        "No witness has cosigned this log.",
        *_CONCLUSIONS,
        *_EXPLAINED,
        "About the keys",
        "All figures, and the proof as a file",
        *("Log", "harbour.example/main"),
        *("Blocks in the log", size),
        *("Block", size),
        *("Hash of the block", block),
        *("Root of the log", bytes(checkpoint.root).hex()),
        *("Keys", f"harbour.example/main {key}"),
        "About the keys",
        "Download the proof",
        "(form C2SP tlog-proof; anybody can check it, years from now)",
    ]
    assert "\n".join(lines[proof:]) in answer_to(f"{TIER}proof/").content.decode().replace(
        "\n\n", "\n"
    )
    values = set(re.findall(r'="([^"]*)"', answer.content.decode()))
    assert not values & {"t3", "Table 3", GamingTable.objects.get(code="t3").display_key}


_HEADINGS = [
    "Your phone is checking",
    "Checked by your phone",
    "Checked in part",
    "This does not fit",
    "Scripts are off here, so your phone cannot check anything. Download the proof and check it"
    " elsewhere.",
]
_CONCLUSIONS = [
    "Something on this page is not what was signed. Keep the address, take a screenshot, and"
    " show it to the casino and to the regulator.",
    "This browser cannot do every calculation, so the grey steps are not checked. Try a newer"
    " browser over https, or download the proof.",
    "Check again",
    "What this shows",
]
_EXPLAINED = [
    "Whatever changes this prize is written into a log to which entries can only be added. Every"
    " few seconds the casino signs the whole log: that is a checkpoint. Your phone has calculated,"
    " from the value above, the one number that the casino signed. Had anybody changed a value"
    " afterwards, the numbers would not fit.",
    "A witness is somebody other than the casino, and signs a checkpoint only where nothing earlier"
    " was changed.",
    "The key comes from this site: compare it with the one that the regulator has. This page says"
    " nothing about hands or people, and does not say who wins.",
]


def test_nothing_of_a_claim_is_on_any_page(settings: Settings) -> None:
    """A house with a paid hand: no table, seat, person, card or number of a claim."""
    house = ConfirmedHouse()
    checkpoints.make(house.system)
    display.refresh(house.system.pk)
    row = Block.objects.latest("number")
    address = public_addresses.of_block("main", row.number, bytes(row.hash).hex())
    for page in (TIER, address.removeprefix("https://jackpot.example"), "/meter/keys/"):
        answer = answer_to(page)
        assert answer.status_code == 200
        text = answer.content.decode()
        for secret in ("Table 3", "t3", "MAIN-1", "mere", "david", "Ana", "As", "Ks", "seat"):
            assert not re.search(rf"\b{secret}\b", text), (page, secret)


def test_a_fixed_prize_has_no_page() -> None:
    house = House(fixed_terms(prize=500_000_000))
    house.open("t3")
    play(house)
    checkpoints.make(house.system)
    tier = fixed_terms()["tiers"][0]["code"]
    assert answer_to(f"/meter/main/{tier}/").status_code == 404


def test_before_the_first_checkpoint_the_page_says_so() -> None:
    house = House(royal_terms())
    house.open("t3")
    play(house)
    display.refresh(house.system.pk)
    answer = answer_to()
    assert answer.status_code == 200
    assert "There is no checkpoint of this prize yet." in answer.content.decode()
    assert "c2sp.org" not in answer.content.decode()
    assert answer_to(f"{TIER}proof/").status_code == 404


def test_an_old_checkpoint_is_called_old_where_the_order_has_gone_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = timezone.now() + dt.timedelta(minutes=2)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert "checkpoint is old" not in answer_to().content.decode()  # nothing happened since
    play(house)
    display.refresh(house.system.pk)
    assert "The last checkpoint is old" in answer_to().content.decode()
    checkpoints.make(house.system)
    assert "checkpoint is old" not in answer_to().content.decode()


def test_a_value_that_has_moved_on_stands_beside_the_one_that_is_signed(house: House) -> None:
    play(house)
    display.refresh(house.system.pk)
    lines = lines_of(answer_to())
    assert "1,002.50" in lines
    assert any("The displays show NZD 1,003.00 now" in line for line in lines)


def test_a_tier_that_is_not_in_play_says_so(house: House) -> None:
    house.decide("suspend", second=None, jackpot="house", tier="royal", reason="a leak")
    display.refresh(house.system.pk)
    assert "This prize is suspended" in answer_to().content.decode()
    Head.objects.update(halted_at=timezone.now())
    assert "Jackpot not in play" in answer_to().content.decode()


def test_tables_in_test_mode_are_told_of_without_their_names(house: House) -> None:
    house.open("t7")
    house.say("t7", messages.RoundStarted, round=1, test=True)
    house.post()
    display.refresh(house.system.pk)
    text = answer_to().content.decode()
    assert "Some tables are in test mode" in text
    assert "Table 7" not in text


def test_the_block_of_a_slip_is_shown_under_its_hash_alone(house: House) -> None:
    row = Block.objects.get(number=3)
    digits = bytes(row.hash).hex()
    address = f"/meter/main/block/3/{digits[:16]}/"
    assert public_addresses.of_block("main", 3, digits) == f"https://jackpot.example{address}"
    text = answer_to(address).content.decode()
    assert digits in text
    assert "1,001.00" not in text
    other_end = "1" if digits[15] == "0" else "0"
    for other in (
        f"/meter/main/block/4/{digits[:16]}/",
        f"/meter/main/block/3/{digits[:15]}{other_end}/",
    ):
        assert answer_to(other).status_code == 404
    play(house)
    newest = Block.objects.latest("number")
    address = reverse(
        "meter-block",
        kwargs={
            "system": "main",
            "number": newest.number,
            "start": bytes(newest.hash).hex()[:16],
        },
    )
    assert "No checkpoint covers this block yet" in answer_to(address).content.decode()
    assert answer_to(f"{address}proof/").status_code == 404


def test_what_is_downloaded_is_checked_by_the_verifier(
    house: House, tmp_path: Path, settings: Settings
) -> None:
    witness = Witness(tmp_path / "witness", "witness.example/w1", [])
    settings.CHECKPOINT_PUBLIC_KEYS = " ".join(
        [notes.keys()[0].verifier_key("harbour.example/main"), witness.public_key()]
    )
    newest = checkpoints.latest(house.system)
    assert newest is not None
    cosign(witness, newest)
    keys = answer_to("/meter/keys.txt").content.decode().split()
    assert witness.public_key() in keys
    assert "witness.example/w1 cosigned it as a witness" in answer_to().content.decode()
    block = public_addresses.of_block("main", 2, bytes(Block.objects.get(number=2).hash).hex())
    play(house)
    checkpoints.make(house.system)
    WitnessContact.objects.create(
        system=house.system, witness="witness.example/w1", size=newest.size
    )
    text = answer_to().content.decode()
    assert f"witness.example/w1 cosigned the log of {newest.size} blocks as a witness" in text
    assert f"/meter/main/growth/{newest.size}/" in text
    first = Checkpoint.objects.order_by("size")[0].size
    options = [option for key in keys for option in ("--key", key)]
    for address in (
        f"{TIER}proof/",
        f"{block.removeprefix('https://jackpot.example')}proof/",
        f"/meter/main/growth/{first}/",
    ):
        answer = answer_to(address)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        file = tmp_path / "proof"
        file.write_bytes(answer.content)
        command = [sys.executable, "-m", "verifier", "proof", str(file), *options]
        run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def test_without_a_private_key_the_public_ones_are_those_of_the_settings(
    house: House, settings: Settings
) -> None:
    ours = notes.keys()[0].verifier_key("harbour.example/main")
    settings.CHECKPOINT_SIGNING_KEY = ""
    assert public_keys.published("main") == []
    assert "No key is published here" in answer_to("/meter/keys/").content.decode()
    settings.CHECKPOINT_PUBLIC_KEYS = f"{ours} {ours.replace('main', 'side')}"
    assert [key.line for key in public_keys.published("main")] == [ours]
    assert ours in lines_of(answer_to("/meter/keys/"))
    settings.CHECKPOINT_PUBLIC_KEYS = "no-key"
    with pytest.raises(notes.KeyUnreadable):
        public_keys.published("main")


# Names that the house has given, figures and dates.
DATA = re.compile(
    r"Harbour Casino|House Jackpot|Royal Flush|Main floor|NZD|UTC|harbour\.example/main"
    r"|[0-9a-f]{8,64}|(?<=\d )[A-Z][a-z]{2}(?= \d{4})"
)


def test_every_text_goes_through_gettext(house: House, settings: Settings) -> None:
    row = Block.objects.get(number=2)
    block = public_addresses.of_block("main", 2, bytes(row.hash).hex())
    play(house)
    display.refresh(house.system.pk)
    block = block.removeprefix("https://jackpot.example")
    for address in (TIER, block, "/meter/keys/", "/meter/none/"):
        with pseudo_locale():
            text = answer_to(address).content.decode()
        assert unmarked(text, DATA) == [], address
        assert "⟦" not in answer_to(address).content.decode(), "kept for one language"
        assert ill_set(text) == [], address
