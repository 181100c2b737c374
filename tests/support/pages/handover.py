"""The page of the shift handover: its text, and its form as both people fill it in."""

from typing import Any

from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import PASSWORD

PAGE = "/handover/"


def read(name: str = "mere") -> str:
    """The digest that the form carries."""
    text = logged_in(name).get(PAGE).content.decode()
    return text.partition('name="read" value="')[2].partition('"')[0]


def form(**changed: Any) -> dict[str, Any]:
    return {
        "read": read(),
        "password": PASSWORD,
        "incoming": "david",
        "incoming_password": PASSWORD,
        "remarks": "Seat 3 waits in the lounge",
        **changed,
    }
