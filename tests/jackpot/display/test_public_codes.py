"""What a display says of the meter in public: codes of prizes that grow, and the key of the log."""

import pytest
from django.test import Client
from pytest_django import Settings

from jackpot.display import values as display
from jackpot.display.public_codes import public_codes
from jackpot.transparency import notes
from tables.models import GamingTable
from tests.support.play.books import royal_terms
from tests.support.play.fixed_high_hands import fixed_terms
from tests.support.play.house import House
from tests.support.proof.transparency import sign_checkpoints

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(settings: Settings) -> GamingTable:
    """Table 3 with two prizes that grow and one that is fixed; table 7 with the fixed one alone."""
    sign_checkpoints(settings)
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    terms = royal_terms()
    quads = {**terms["tiers"][0], "code": "quads", "name": "Quads", "rank": 2}
    House(
        {**terms, "tiers": [quads, *terms["tiers"]], "tables": ["t3"]},
        {**fixed_terms(), "code": "hourly", "tables": ["t3", "t7"]},
    )
    return GamingTable.objects.select_related("system__casino").get(code="t3")


def test_each_prize_that_grows_has_a_code(table: GamingTable) -> None:
    assert [(code.name, code.address) for code in public_codes(table)] == [
        ("Royal Flush", "https://jackpot.example/meter/main/royal/"),
        ("Quads", "https://jackpot.example/meter/main/quads/"),
    ]
    assert public_codes(table)[0].short == "jackpot.example/meter/main/royal"
    page = Client().get(f"/display/{table.display_key}/").content.decode()
    assert page.count('class="meter-code"') == page.count('class="qr"') == 2
    assert public_codes(GamingTable.objects.get(code="t7")) == []


def test_the_key_stands_among_the_posted_terms(table: GamingTable, settings: Settings) -> None:
    key = notes.keys()[0].key_id("harbour.example/main").hex()
    assert display.notices(table)[-1] == (
        "Values are signed: scan the code on the display to check them. Key of the log:"
        f" {key} (jackpot.example/meter/keys)."
    )
    settings.CHECKPOINT_SIGNING_KEY = "no-key"  # a display goes on
    assert "signed" not in display.notices(table)[-1]


def test_a_house_without_a_public_address_shows_none(
    table: GamingTable, settings: Settings
) -> None:
    settings.PUBLIC_ORIGIN = ""
    assert public_codes(table) == []
    assert "signed" not in display.notices(table)[-1]
    page = Client().get(f"/display/{table.display_key}/").content.decode()
    assert "meter-code" not in page
    assert "display_codes" not in page
