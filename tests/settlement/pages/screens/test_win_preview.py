"""The preview of a win: by the posted terms, marked, and read by no screen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from jackpot.models import Hit
from settlement.pages.screens import win_preview
from tests.support.pages.page_staff import logged_in
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
MARK = "PREVIEW: nobody has won"
LIMIT = 5_000_000_000


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(limit=LIMIT))


house = kept_house(build_house)


def frozen(page: str) -> Any:
    match = re.search(r'<script id="frozen" type="application/json">(.*?)</script>', page)
    assert match
    return json.loads(match[1])


def preview(number: int, query: str) -> tuple[str, Any]:
    page = logged_in("hana").get(f"/screens/{number}/win/?{query}").content.decode()
    return page, frozen(page)


def test_a_preview_is_of_the_terms_and_is_marked(house: ClaimHouse) -> None:
    _client, screen = paired()
    page, content = preview(screen.pk, "prize=main/royal&amount=reset")
    assert f'<p class="preview-mark" role="note">{MARK}</p>' in page
    (item,) = content["content"]["systems"][0]["news"]
    assert content["win"] == ["main", item["hit"]] == ["main", win_preview.HIT]
    assert (item["prize"], item["amount"], item["kind"]) == ("Royal Flush", 100_000, "win")
    assert item["hand"] == "Royal flush"
    assert len(item["cards"]) == 5
    without = preview(screen.pk, "prize=main/royal&amount=limit&cards=none")[1]
    (item,) = without["content"]["systems"][0]["news"]
    assert (item["amount"], item["cards"], item["hand"]) == (500_000, [], "")
    assert not Hit.objects.exists()


def test_no_screen_reads_a_preview(house: ClaimHouse) -> None:
    client, screen = paired()
    version = screen.version
    preview(screen.pk, "prize=main/royal&amount=now")
    content = client.get("/screen/content").json()
    assert (content["version"], content["systems"][0]["news"]) == (version, [])
    assert "preview" not in client.get("/screen/").content.decode()


def test_what_is_not_posted_is_no_win(house: ClaimHouse) -> None:
    _client, screen = paired()
    page, content = preview(screen.pk, "prize=main/other")
    assert content["win"] == []
    assert MARK not in page
    assert "no prize is posted" in page
    assert logged_in("aroha").get(f"/screens/{screen.pk}/win/").status_code == 403
    html = logged_in("hana").get(f"/screens/{screen.pk}/").content.decode()
    assert html.count(f"/screens/{screen.pk}/win/") == 2, "the frame and what chooses for it"
