"""Tables of a system: from a spreadsheet, and into service."""

import io
import re
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from settlement.core.errors import NotPermitted
from settlement.models import SetUpChange
from settlement.set_up import casinos
from settlement.set_up.casinos import NewTable
from tables.keys import key_of
from tables.models import Casino, GamingTable
from tests.support.pages.page_staff import logged_in, page_of, reply, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.people.set_up import hana, harbour, user
from tests.support.play.books import royal_terms

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_a_table_beside_terms_is_put_into_service_by_a_manager_and_a_key_is_replaced() -> None:
    house = ClaimHouse(royal_terms())
    hana, david = user("hana"), user("david")
    with acting_as("web"):
        (before,) = casinos.make_tables(hana, house.system, [NewTable("t9", "Nine")])
        table = GamingTable.objects.get(code="t9")
        assert not table.in_service
        with pytest.raises(NotPermitted):
            casinos.put_into_service(hana, table)
        with pytest.raises(NotPermitted):
            casinos.rekey_table(david, table)
        key = casinos.rekey_table(hana, table)
    assert "New tables to put into service" in page_of("david", "/house-rules/")
    page = f"/set-up/systems/{house.system.code}/"
    assert "Put into service" not in page_of("hana", page)
    assert 'href="/set-up/"' not in logged_in("david").get(page).content.decode()
    assert "In service" in reply("david", page, do="service", code="t9")
    table.refresh_from_db()
    assert table.in_service
    assert key_of(table) == key.key != before.key
    rekeyed, put = SetUpChange.objects.filter(subject="main/t9").order_by("id")[1:]
    assert (rekeyed.by, rekeyed.what, rekeyed.after) == ("hana", "rekeyed", {})
    assert (put.by, put.before, put.after) == ("david", {"in_service": False}, {"in_service": True})


@pytest.mark.parametrize("mark", [";", "\t", "xlsx"])
def test_tables_come_from_spreadsheets_of_every_language(
    harbour: Casino, hana: Any, mark: str
) -> None:
    rows = (("code", "name"), ("t2", "Tisch 2, Fenster"), ("t3", "Tisch 3"))
    content = "\ufeff".encode() + "\r\n".join(mark.join(row) for row in rows).encode()
    if mark == "xlsx":
        book, file = openpyxl.Workbook(), io.BytesIO()
        for row in rows:
            book.worksheets[0].append(row)
        book.save(file)
        content = file.getvalue()
    with acting_as("web"):
        casinos.make_system(hana, harbour, "main", "Main")
    browser = logged_in("hana")
    address = "/set-up/systems/main/"
    upload = SimpleUploadedFile("tables", content)
    preview = browser.post(address, {"do": "file", "file": upload})
    assert "Tisch 2, Fenster" in words(preview)
    form = dict(re.findall(r'name="(content|sha256)" value="([^"]+)"', preview.content.decode()))
    browser.post(address, {"do": "file", **form})
    assert dict(GamingTable.objects.values_list("code", "name")) == dict(rows[1:])
