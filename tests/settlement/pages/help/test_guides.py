"""User guides: each role has one, each task a page and a picture of bounded size."""

import re

import pytest
from pytest_django import DjangoAssertNumQueries

from settlement.help import guides
from settlement.help.guide_tasks import TASKS
from settlement.help.pages import PAGES
from tests.pictures.take import FOLDER, MOST, SCENES
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ROLES, ClaimHouse


def test_each_picture_is_there_and_each_that_is_there_is_shown() -> None:
    assert set(guides.pictures()) == set(TASKS) == set(SCENES), "and `make pictures`"
    files = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert set(files) == {f"{name}.webp" for name in guides.pictures()}, "make pictures"
    assert max(files.values()) <= MOST
    assert all((FOLDER / name).read_bytes()[8:12] == b"WEBP" for name in files)


def test_each_task_begins_on_a_page() -> None:
    assert {task.page for task in TASKS.values()} <= set(PAGES)
    assert set(guides.GUIDES.values()) == set(ROLES.values())
    for guide in guides.GUIDES:
        assert 3 <= len(guides.tasks_of(guide)) <= 8


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_a_guide_leads_to_pages_that_its_reader_may_open(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    ClaimHouse()
    client = logged_in("aroha")
    with django_assert_max_num_queries(8):
        page = client.get("/help/guides/cashier/").content.decode()
    assert "Pay six payees" in page
    assert "jackpot/guides/pay" in page
    leads = re.findall(r'href="(/[^"]*)">\s*Open the page', page)
    assert leads == ["/claims/", "/payouts/", "/drop/", "/handover/"]
    assert all(client.get(address).status_code == 200 for address in leads)
    assert "Open the page" not in page_of("aroha", "/help/guides/administrator/")
    assert client.get("/help/guides/nobody/").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_one_s_own_guide_stands_first() -> None:
    ClaimHouse()
    page = logged_in("ines").get("/help/").content.decode()
    first = re.search(r'href="/help/guides/([a-z-]+)/"', page)
    assert first
    assert first[1] == "compliance"
