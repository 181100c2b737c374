"""Pages inside a rehearsal and outside of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import get_resolver, reverse

from settlement.core.rehearsal_pages import OPEN_INSIDE
from settlement.pages import urls
from settlement.people.factors.demand import OPEN_WITHOUT
from settlement.people.rights import roles
from settlement.people.sessions.sessions import WHILE_LOCKED
from settlement.people.shared.wall_screens import WALL_SCREENS
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

PROJECT = Path(__file__).resolve().parents[4]


house = kept_house(ClaimHouse)


@pytest.fixture
def rehearsal(house: ClaimHouse) -> RehearsalHouse:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    return rehearsal


@pytest.mark.django_db
def test_what_is_inside_says_so_and_sees_nothing_else(
    house: ClaimHouse, rehearsal: RehearsalHouse
) -> None:
    house.hit_royal()
    client = logged_in("mere")
    addresses = {
        *("/", "/claims/", f"/claims/{CODE}/1/", f"/claims/{CODE}/1/print/", "/tables/"),
        *(f"/tables/{CODE}/t3/", "/terms/", f"/terms/{CODE}/house/", "/reconciliation/", "/pools/"),
        *(f"/notices/{CODE}/t3/", "/notifications/", "/account/", "/help/"),
    }
    for address in sorted(addresses):
        answer = client.get(f"/rehearsal{address}")
        assert answer.status_code == 200, address
        page = answer.content.decode()
        assert "REHEARSAL: NO MONEY" in page, address
        assert "MAIN-1" not in page.replace("REHEARSAL-MAIN-1", ""), address
        assert 'href="/claims/' not in page, address  # links stay inside
    assert client.get("/rehearsal/claims/main/1/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("side", ["", "/rehearsal"])
def test_who_has_a_role_everywhere_reads_pages_on_both_sides(
    rehearsal: RehearsalHouse, side: str
) -> None:
    roles.grant(User.objects.create_user("everywhere"), "Surveillance")
    for address in ("/", "/notifications/", "/claims/"):
        assert logged_in("everywhere").get(f"{side}{address}").status_code == 200


@pytest.mark.django_db
def test_whoever_comes_next_begins_outside_and_hears_of_money_inside(
    house: ClaimHouse, rehearsal: RehearsalHouse
) -> None:
    client = logged_in("mere")
    assert "Open claims outside" not in client.get("/rehearsal/").content.decode()
    house.hit_royal()
    page = client.get("/rehearsal/").content.decode()
    assert "Open claims outside, with money: 1" in " ".join(page.split())
    missing = client.get("/rehearsal/tables/none/t1/")
    assert missing.status_code == 404
    assert 'href="/rehearsal/"' in missing.content.decode()  # it leads out by the banner alone
    assert client.post("/rehearsal/logout/")["Location"] == "/login/"
    form = {"username": "mere", "password": PASSWORD}
    assert client.post("/rehearsal/login/", form)["Location"] == "/"
    values = {**form, "next": "/rehearsal/claims/"}
    assert client.post("/rehearsal/login/", values)["Location"] == "/rehearsal/claims/"


@pytest.mark.django_db
def test_what_people_did_stands_in_the_audit_trail_inside_alone(
    house: ClaimHouse, rehearsal: RehearsalHouse
) -> None:
    client = logged_in("ines")
    inside = words(client.get("/rehearsal/audit-trail/"))
    assert "REHEARSAL-MAIN-1" in inside
    assert "REHEARSAL-MAIN" not in words(client.get("/audit-trail/"))


_PARTS: dict[str, Any] = {
    **dict.fromkeys(("number", "payout", "alarm", "place", "file", "stop", "event", "size"), 1),
    "system": CODE,
    "table": "t3",
    "tier": "royal",
    "jackpot": "main",
    "casino": "harbour",
}


@pytest.mark.django_db
def test_what_is_not_named_is_closed_inside(rehearsal: RehearsalHouse) -> None:
    """So that a new page that counts money is, too."""
    client = logged_in("ines")
    closed = [str(page.name) for page in urls.urlpatterns if page.name not in OPEN_INSIDE]
    assert {"payouts", "drop", "closing", "reports", "dashboard", "withheld-tax", "exports"} <= {
        *closed
    }
    patterns = get_resolver("config.urls").reverse_dict
    for name in closed:
        ((_path, parts),) = patterns.getlist(name)[0][0]
        address = reverse(name, kwargs={part: _PARTS.get(part, "x") for part in parts})
        answer = client.get(f"/rehearsal{address}")
        assert answer.status_code == 404, name
        assert "Not part of a rehearsal" in answer.content.decode(), name
    for address in ("/api/systems/", "/meter/keys/", "/screen/"):
        assert client.get(f"/rehearsal{address}").status_code == 404
    assert {*patterns} >= OPEN_INSIDE


_REVERSED = re.compile(r"""{% (?:url|post_form) ['"]([a-z-]+)['"]""")


# Of links in mails and of the provider, which lead outside; and what base.html leaves out inside.
_OUTSIDE = {"invitation", "first-run", "password-new", "mail-confirm", "provider-back"}


_LEFT_OUT = {"search", "password", "tokens"}


def test_where_a_log_in_is_led_to_is_open_inside() -> None:
    """Whoever logs in by the provider, unlocks or adds a second factor does it inside, too."""
    folder = PROJECT / "templates"
    pages = [folder / "base.html", *folder.glob("registration/lo*.html")]
    pages += folder.glob("console/people/screen_lock*.html")
    links = {name for page in pages for name in _REVERSED.findall(page.read_text())}
    led = (WHILE_LOCKED | OPEN_WITHOUT) - WALL_SCREENS
    assert links - _LEFT_OUT <= OPEN_INSIDE
    assert led - _OUTSIDE <= OPEN_INSIDE
