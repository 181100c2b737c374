"""A house under the rules of a place, with one identified player who was paid in two parts."""

import datetime as dt
from pathlib import Path

from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.claims.services import catch_up, pay
from settlement.core.gaming_day import today
from settlement.evidence import identification
from settlement.evidence.identification import PlayerIdentity
from settlement.jurisdiction import rules
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import Payout
from settlement.payments.form_drafts import draft_form
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.roles import acting_as

NAME = "Zoë Ångström-Šimić"
PLAYER = PlayerIdentity(3, NAME, dt.date(1980, 2, 29), "passport", "LK418805")
# The limits of the project's packs, brought down to what the house's one prize of 1,001.00 reaches.
LOW = (
    ("at_least: 2000", "at_least: 350"),
    ("above: 2000", "above: 350"),
    ("at_least: 10000", "at_least: 900"),
    ("above: 10000", "above: 900"),
)
FILER = """
name: Harbour Casino Company
trade_name: Harbour
address: 1 Quay Street
city: Carson City
region: NV
postcode: "89701"
country: US
tax_number: 12-3456789
region_number: NV-77
phone: "+1 775 555 0100"
contact: Compliance office
"""


class LawfulHouse(ConfirmedHouse):
    """A prize of 1,001.00 to seat 3, who is identified: 600.00 in cash, then 401.00 with chips.

    Both were paid before the place's rules were set, and nobody was asked where the player lives;
    `abroad`: after it, to a player from abroad, less 30%.
    """

    def __init__(
        self, folder: Path, settings: Settings, place: str, currency: str, *, abroad: bool = False
    ) -> None:
        super().__init__()
        Casino.objects.update(currency=currency)
        pack = (rules.OWN / f"{place}.yaml").read_text()
        for before, after in LOW:
            pack = pack.replace(before, after)
        (folder / "own.yaml").write_text(pack)
        (folder / "filers").mkdir()
        (folder / "filers" / "harbour.yaml").write_text(FILER)
        settings.JURISDICTION_DIR = str(folder)
        settings.JURISDICTIONS = {"harbour": "own" if abroad else "neutral"}
        with acting_as("web"):
            identification.identify(self.claim, person("aroha"), PLAYER)
        first, second = {"cash": 600 * MICROS}, {"chips": MICROS, "cash": 400 * MICROS}
        if abroad:
            first = {"cash": 420 * MICROS, "tax": 180 * MICROS}
            second = {"chips": MICROS, "cash": 279_700_000, "tax": 120_300_000}
        for parts in (first, second):
            cashier = Reauthenticated(person("aroha"))
            statement = PayeeStatement("foreign" if abroad else "")
            pay(self.claim, cashier, 1, parts, statement=statement)
            self.post()
        catch_up(self.system)
        settings.JURISDICTIONS = {"harbour": "own"}
        self.casino = Casino.objects.get()
        self.first, self.second = Payout.objects.select_related("claim__system__casino").order_by(
            "part"
        )

    def draft(self, payout: Payout, form: str, by: str = "aroha") -> bytes:
        with acting_as("web"):
            return draft_form(payout, form, person(by))

    @property
    def day(self) -> dt.date:
        return today(self.casino)
