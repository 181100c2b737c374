"""The draft of terms in its form: typed, sent and compared with what is posted."""

from typing import Any

from django.utils.html import strip_tags

from jackpot.terms.posted_terms import parse
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.pages.terms.document import typed_from
from settlement.terms.drafts import posted_form
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

KEY = "9f1c3c1a-7b1f-4d9e-8a51-0d8fbb4c8a11"


DRAFT = "/drafts/main/house/"


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms() | {"evidence": dict(BY_DEFAULT)})


house = kept_house(build_house, CLAIM_WAIT_S=0)


def typed(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a browser sends for a document, but for these fields."""
    jackpot, prizes = typed_from(posted_form(parse(document)), 2)
    values = {
        "prize-TOTAL_FORMS": len(prizes),
        "prize-INITIAL_FORMS": len(prizes),
        "force": "",
        **jackpot,
    }
    for number, prize in enumerate(prizes):
        prize_values = {name: value for name, value in prize.items() if value not in (None, False)}
        values |= {f"prize-{number}-{name}": value for name, value in prize_values.items()}
    return values | changes


def as_posted(values: dict[str, Any]) -> Any:
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    for name, value in values.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def fragment(address: str, form_values: dict[str, Any]) -> tuple[str, str]:
    """What follows from a form while it is typed: as HTML and in words."""
    fields = form_values | {"preview": "fragment", "key": KEY}
    html: str = logged_in("sione").post(address, fields).content.decode()
    return html, " ".join(strip_tags(html).split())
