"""Two people close a day on its page, which shows all that was checked."""

import pytest
from django.db import connection

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.closing import closes
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated, name_of
from settlement.templatetags.when import local_time
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse, three_days
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import owner_without_guards

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    return three_days(monkeypatch)


def test_pages_lead_two_people_to_the_close(house: LedgerHouse) -> None:
    ines, mere = logged_in("ines"), logged_in("mere")
    address = "/closing/main/2026-10-30/"
    month = ines.get("/closing/?month=2026-10").content.decode()
    assert "To be closed" in month
    assert "30 Oct 2026" in month
    assert "October 2026" in month
    assert (
        "2026-10-30 has to be closed first"
        in ines.get("/closing/main/2026-10-31/").content.decode()
    )
    assert "Propose close" in ines.get(address).content.decode()
    assert "Propose close" not in logged_in("tane").get(address).content.decode()
    ines.post(address, {"key": "00000000-0000-4000-8000-000000000001"})
    proposal = Proposal.objects.get()
    assert "somebody else must approve it" in ines.get(address).content.decode()
    assert "Approve: close" in mere.get(address).content.decode()
    mere.post(f"/proposals/{proposal.pk}/agree/", {"password": PASSWORD})
    house.post()
    assert ines.get("/closing/main/2026-13/").status_code == 404


def test_the_page_shows_all_that_was_checked(house: LedgerHouse) -> None:
    """Done, open, and what this house does not keep; before a proposal and beside it."""

    def rows() -> dict[str, str]:
        page = logged_in("mere").get("/closing/main/2026-10-30/")
        assert page.status_code == 200
        words = page.content.decode()
        for check, _ in page.context["checks"]:
            assert check.title in words
            assert check.note in words
        return {check.title: check.state for check, _ in page.context["checks"]}

    states = {
        "Posting runs, and decisions are carried out": "done",
        "Messages of all units are here and posted": "done",
        "Units of open tables are online": "done",
        "Quarantined messages are reviewed": "done",
        "Held rounds are decided": "done",
        "Requests about rounds are decided": "done",
        "Drop is counted": "not_kept",
        "Bank balance is entered": "not_kept",
        "Variances are explained and signed off": "done",
        "Reconciled without differences": "done",
    }
    assert rows() == states
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    closes.propose(friday, person("ines"))
    assert rows() == states
    commands.queue(house.system, "seal_records", {}, first="console")
    assert rows() == states | {"Posting runs, and decisions are carried out": "open"}
    page = logged_in("mere").get("/closing/main/2026-10-30/").content.decode()
    assert "Approve: close" not in page
    assert "Decisions are queued and not carried out yet." in page
    assert "Not counted by this house" in page
    assert "royal: prize pool" in page
    assert "royal:pool" not in page
    assert (
        "Earlier days are closed"
        in logged_in("mere").get("/closing/main/2026-10-31/").content.decode()
    )


def test_a_close_names_its_people_its_time_and_its_own_figures(house: LedgerHouse) -> None:
    """On the page and in the list; the figures are those of the entry, whatever the ledger says."""
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    agreed = closes.propose(friday, person("ines"))
    closes.agree(agreed, Reauthenticated(person("mere")))
    house.post()
    at = local_time(Entry.objects.get(type="close_day").at, house.system.casino)
    page = words(logged_in("ines").get("/closing/main/2026-10-30/"))
    ines, mere = (name_of(person(name)) for name in ("ines", "mere"))
    assert f"{ines} proposed the close, {mere} approved it: closed {at} at sequence" in page
    row = words(logged_in("ines").get("/closing/?month=2026-10"))
    assert f"{ines}, {mere} {at}" in row
    with owner_without_guards("jackpot_command"), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE jackpot_command SET body = jsonb_set(body, '{figures,royal:pool}', '123456789')"
            " WHERE kind = 'close_day'"
        )
    assert "123.45" in words(logged_in("ines").get("/closing/main/2026-10-30/"))
