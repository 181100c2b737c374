"""A bundle says offline whether a slip's PDF was printed so."""

from pathlib import Path

import pytest
from django.core.management import call_command

from settlement.core import signing
from tests.support.cases.confirmed_house import PaidHouse
from tests.support.proof.bundles import KEY, write_key_down
from tests.support.suite.kept_house import kept_house
from verifier import bundle as checking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(PaidHouse, BUNDLE_SIGNING_KEY=KEY)


def test_a_bundle_knows_each_print_and_names_what_is_none(
    house: PaidHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, copy = house.print(house.first), house.print(house.first, "mere")
    write_key_down()
    call_command("dispute_bundle", "main-1", out=tmp_path)
    later = house.print(house.first)
    slip = tmp_path / "slip.pdf"
    command = [str(tmp_path / "dispute-main-1.zip"), "--key", signing.public_key()]
    edited = original.replace(b"MAIN-1-1-1", b"MAIN-1-1-2", 1)
    for pdf, sentence, code in (
        (original, "slip.pdf is the original of slip MAIN-1-1-1, printed by aroha at ", 0),
        (copy, "slip.pdf is copy 1 of slip MAIN-1-1-1, printed by mere at ", 0),
        (edited, "slip.pdf is no print of a slip of this claim", 1),
        (original[:-1], "slip.pdf is no print of a slip of this claim", 1),
        (later, "slip.pdf is no print of a slip of this claim", 1),  # after the bundle was made
    ):
        slip.write_bytes(pdf)
        capsys.readouterr()
        assert checking.main([*command, "--slip", str(slip)]) == code
        assert sentence in capsys.readouterr().out
    assert checking.main([*command, "--slip", str(tmp_path / "none.pdf")]) == 2
