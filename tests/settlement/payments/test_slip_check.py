"""A slip's file is checked: a print, an edited one, and what the house never printed."""

import random
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from settlement.core.errors import BadFile, NotPermitted
from settlement.models import AccessNote, SlipPrint
from settlement.payments.slip_check import MOST_BYTES, check_slip
from tables.visibility.scope import Visible, only
from tests.support.cases.confirmed_house import PaidHouse, person
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(PaidHouse)


def test_each_print_is_known_as_what_it_is(house: PaidHouse) -> None:
    original, copy = house.print(house.first), house.print(house.first, "mere")
    for pdf, number in ((original, 0), (copy, 1)):
        check = check_slip(pdf, person("ines"))
        assert (check.is_printed, check.is_edited, check.number) == (True, False, "MAIN-1-1-1")
        assert check.print is not None
        assert check.print == SlipPrint.objects.get(copy=number)
        assert check.payout == house.first
        assert check.slip is not None
        assert (check.slip.amount, check.slip.entry) == (600_000_000, house.first.entry_seq)


def test_one_byte_is_an_edited_file(house: PaidHouse) -> None:
    """Wherever it was changed but in the name of the slip itself, it is known whose slip it was."""
    pdf = house.print(house.first)
    house.print(house.second)
    title = pdf.index(b"Payment slip MAIN-1-1-1")
    name = range(title, title + len(b"Payment slip MAIN-1-1-1"))
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    places = [each for each in dice.sample(range(20, len(pdf)), 200) if each not in name]
    for place in [*places, len(pdf) - 1]:
        changed = bytearray(pdf)
        changed[place] ^= 1 << dice.randrange(8)
        check = check_slip(bytes(changed), person("ines"))
        assert check.is_edited, f"seed {seed}: byte {place}"
        assert check.number == "MAIN-1-1-1"
        assert len(check.prints) == 1
    assert check_slip(pdf + b"\n", person("ines")).is_edited
    # Another slip's name on it is an edited file of that one.
    other = pdf.replace(b"slip MAIN-1-1-1", b"slip MAIN-1-1-2")
    assert other != pdf
    assert check_slip(other, person("ines")).number == "MAIN-1-1-2"
    assert check_slip(other, person("ines")).is_edited


def test_what_the_house_never_printed_is_unknown(house: PaidHouse) -> None:
    pdf = house.print(house.first)
    for name in (b"slip MAIN-9-1-1", b"slip MAIN-1-1-2", b"slip NONE-1-1-1", b"slop MAIN-1-1-1"):
        check = check_slip(pdf.replace(b"slip MAIN-1-1-1", name), person("ines"))
        assert not check.is_printed
        assert not check.is_edited
        assert check.number == (name[5:].decode() if name.startswith(b"slip") else "")
    for nothing in (b"", b"MAIN-1-1-1", b"%PDF-" + b"x" * MOST_BYTES):
        with pytest.raises(BadFile):
            check_slip(nothing, person("ines"))


def test_who_checks_and_what_is_kept(house: PaidHouse) -> None:
    pdf = house.print(house.first)
    prints, notes = SlipPrint.objects.count(), AccessNote.objects.count()
    for login in ("ines", "mere"):
        assert check_slip(pdf, person(login)).is_printed
    for login in ("aroha", "tane"):
        with pytest.raises(NotPermitted):
            check_slip(pdf, person(login))
    assert (SlipPrint.objects.count(), AccessNote.objects.count()) == (prints, notes)


def test_a_slip_of_another_casino_is_unknown(house: PaidHouse) -> None:
    pdf = house.print(house.first)
    with only(Visible(frozenset({house.system.casino_id + 1}), frozenset())):
        for file in (pdf, pdf + b" "):
            check = check_slip(file, person("ines"))
            assert (check.print, check.slip, check.prints) == (None, None, ())


def test_the_command_says_it_by_its_exit_code(house: PaidHouse, tmp_path: Path) -> None:
    pdf, path, out = house.print(house.first), tmp_path / "slip.pdf", StringIO()
    path.write_bytes(house.print(house.first, "mere"))
    call_command("check_slip", path, stdout=out)
    text = out.getvalue()
    for line in (
        "Slip MAIN-1-1-1: claim MAIN-1, NZD 600.00 paid",
        f"Checkpoint: entry {house.first.entry_seq}, block",
        "Copy 1, printed by mere",
        "PRINTED SO",
    ):
        assert line in text
    assert "Original" not in text
    for content, sentence, code in (
        (pdf + b" ", "EDITED: the file says that it is slip MAIN-1-1-1", 1),
        (pdf.replace(b"MAIN-1-1-1", b"MAIN-7-1-1"), "UNKNOWN: the house printed no slip MAIN-7", 1),
        (b"%PDF-1.4 nothing", "UNKNOWN: the file names no slip", 1),
        (b"nothing", "This is not a PDF", 2),
    ):
        path.write_bytes(content)
        with pytest.raises(CommandError, match=sentence) as refusal:
            call_command("check_slip", path, stdout=StringIO())
        assert refusal.value.returncode == code
