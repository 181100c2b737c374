"""Shared by tests: terms draft."""

from typing import Any

from django.utils.html import strip_tags

from jackpot.terms.posted_terms import parse
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.pages.terms.document import typed_from
from settlement.terms.drafts import posted_form
from tests.support.books import royal_terms
from tests.support.cast import ClaimHouse
from tests.support.kept_house import kept_house
from tests.support.page_staff import logged_in

KEY = "9f1c3c1a-7b1f-4d9e-8a51-0d8fbb4c8a11"


DRAFT = "/drafts/main/house/"


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms() | {"evidence": dict(BY_DEFAULT)})


house = kept_house(build_house, CLAIM_WAIT_S=0)


def typed(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a browser sends for a document, but for these fields."""
    jackpot, prizes = typed_from(posted_form(parse(document)), 2)
    sent = {
        "prize-TOTAL_FORMS": len(prizes),
        "prize-INITIAL_FORMS": len(prizes),
        "force": "",
        **jackpot,
    }
    for number, prize in enumerate(prizes):
        prize_values = {name: value for name, value in prize.items() if value not in (None, False)}
        sent |= {f"prize-{number}-{name}": value for name, value in prize_values.items()}
    return sent | changes


def as_posted(sent: dict[str, Any]) -> Any:
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    for name, value in sent.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def fragment(address: str, form_values: dict[str, Any]) -> tuple[str, str]:
    """What follows from a form while it is typed: as HTML and in words."""
    sent = form_values | {"preview": "fragment", "key": KEY}
    html: str = logged_in("sione").post(address, sent).content.decode()
    return html, " ".join(strip_tags(html).split())
