"""A person's own views of lists: kept, renamed, deleted, one of them opened at first."""

import re

import pytest

from settlement.models import SavedView
from settlement.notifications.kinds import address_of
from settlement.people.preferences import saved_views
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
QUERY = "standing=all&sort=-amount"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal("t7")
    return house


house = kept_house(build_house)


def save(name: str = "Large ones", query: str = QUERY, who: str = "mere", **more: str) -> str:
    form = {"page": "claims", "name": name, "query": query, **more}
    answer = logged_in(who).post("/views/", form)
    assert answer.status_code == 302, answer.status_code
    return str(answer["Location"])


def change(view: SavedView, do: str, who: str = "mere", **more: str) -> int:
    return logged_in(who).post(f"/views/{view.pk}/", {"do": do, **more}).status_code


def test_a_view_is_kept_and_shown_to_its_person_alone(house: ClaimHouse) -> None:
    assert "Save this view" not in page_of("mere", "/claims/")
    assert "Save this view" in page_of("mere", f"/claims/?{QUERY}")
    assert save() == f"/claims/?{QUERY}"
    assert "Large ones" in page_of("mere", "/claims/")
    assert "Large ones" not in page_of("sione", "/claims/")
    assert "Large ones" not in page_of("mere", "/payouts/")
    page = logged_in("mere").get("/claims/?sort=-amount&standing=all&table=").content.decode()
    assert 'href="/claims/?standing=all&amp;sort=-amount" aria-current="true"' in page
    assert "Change this view" in page


def test_what_is_no_choice_of_the_list_is_not_kept(house: ClaimHouse) -> None:
    save(query="standing=all&after=WzFd&page=2&csrfmiddlewaretoken=x&person=mere&x=y&from=")
    assert SavedView.objects.get().query == "standing=all&person=mere"


def test_a_name_once_and_never_empty(house: ClaimHouse) -> None:
    save()
    save(query="standing=closed")
    assert SavedView.objects.get().query == "standing=closed"
    client = logged_in("mere")
    answer = client.post("/views/", {"page": "claims", "name": "   ", "query": QUERY})
    assert "Enter a name for the view" in words(client.get(answer["Location"]))
    assert client.post("/views/", {"page": "home", "name": "x", "query": ""}).status_code == 404
    save("Other")
    other = SavedView.objects.get(name="Other")
    answer = client.post(f"/views/{other.pk}/", {"do": "rename", "name": "Large ones"})
    assert "You have a view of that name" in words(client.get(answer["Location"]))
    assert change(other, "rename", name="Others") == 302
    assert set(SavedView.objects.values_list("name", flat=True)) == {"Large ones", "Others"}


def test_the_list_opens_with_the_default_until_another_is_asked_for(house: ClaimHouse) -> None:
    save(is_default="on")
    mere = logged_in("mere")
    assert mere.get("/claims/")["Location"] == f"/claims/?{QUERY}"
    assert mere.get("/claims/?view=usual").status_code == 200
    assert mere.get("/claims/?standing=all").status_code == 200
    assert logged_in("sione").get("/claims/").status_code == 200
    save("Second", "standing=closed", is_default="on")
    assert SavedView.objects.get(is_default=True).name == "Second"
    assert mere.get("/claims/")["Location"] == "/claims/?standing=closed"
    change(SavedView.objects.get(name="Second"), "usual")
    assert mere.get("/claims/").status_code == 200
    change(SavedView.objects.get(name="Large ones"), "default")
    assert mere.get("/claims/").status_code == 302
    change(SavedView.objects.get(name="Large ones"), "delete")
    assert mere.get("/claims/").status_code == 200


@pytest.mark.parametrize("do", ["rename", "default", "usual", "delete"])
def test_nobody_touches_the_view_of_another(do: str, house: ClaimHouse) -> None:
    save()
    view = SavedView.objects.get()
    assert change(view, do, who="sione", name="mine") == 404
    for name in ("rename", "remove"):
        arguments = ["mine"] if name == "rename" else []
        getattr(saved_views, name)(person("sione"), view.pk, *arguments)
    saved_views.set_default(person("sione"), view.pk, is_default=True)
    view.refresh_from_db()
    assert (view.name, view.is_default) == ("Large ones", False)


def test_there_are_not_more_than_a_person_can_choose_from(house: ClaimHouse) -> None:
    for number in range(saved_views.MOST + 1):
        save(f"View {number}")
    assert SavedView.objects.count() == saved_views.MOST
    save("View 0", "standing=closed")
    assert SavedView.objects.get(name="View 0").query == "standing=closed"


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("/payouts/", "sort=amount&least=1.00"),
        ("/findings/", "sort=-variance&most=5.00"),
        ("/audit-trail/", "area=claims&sort=at"),
    ],
)
def test_other_lists_have_views_too(page: str, query: str, house: ClaimHouse) -> None:
    name = page.strip("/")
    client = logged_in("mere")
    client.post("/views/", {"page": name, "name": "Mine", "query": query, "is_default": "on"})
    target = client.get(page)["Location"]
    assert target.startswith(f"{page}?")
    content = client.get(target).content.decode()
    assert 'aria-current="true"' in content
    assert "Mine" in content


@pytest.mark.parametrize("page", ["/", "/dashboard/", "/drop/"])
def test_links_to_what_is_open_lead_past_the_default(page: str, house: ClaimHouse) -> None:
    """A view that somebody keeps might leave out the very claim of which the page tells."""
    save(is_default="on")
    content = logged_in("mere").get(page).content.decode()
    outside = re.sub(r"<nav\b.*?</nav>", "", content, flags=re.DOTALL)
    assert not re.search(r'href="/(claims|findings)/"', outside)
    assert 'href="/claims/?view=usual"' in outside


def test_a_notification_leads_past_the_default_too() -> None:
    assert address_of("finding.opened", {}) == "/findings/?view=usual"
    assert address_of("claim.confirmed", {}) == "/claims/?view=usual"
    assert address_of("claim.confirmed", {"claim": "main-1"}) == "/claims/main/1/"
