"""The first evening of a casino: set up as the documents say, before anything was ever posted."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import Settings

from jackpot.models import Head, Terms
from jackpot.writer.poster import Poster
from settlement.models import Proposal
from settlement.pages import urls
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.pages.terms_draft import typed
from tests.support.people.cast import PASSWORD
from tests.support.play.books import royal_terms

pytestmark = pytest.mark.django_db
OPERATIONS = Path(__file__).resolve().parents[4] / "docs" / "operations.md"
NO_PAGES = {
    *(
        "login",
        "log-in-code",
        "log-in-passkey",
        "logout",
        "console-stream",
        "return-request",
        "first-run",
    ),
    *("passkey-challenge", "preferences", "sessions-end", "recovery-codes", "factor-demand"),
    *("lock", "awake", "pin", "tablet-leave", "browser-add", "notifications-read"),
    *("view-save", "tour", "mail-address"),
    *("provider-log-in", "provider-back", "provider-wait", "provider-unlink"),
}
PAGES = [
    str(page.pattern)
    for page in urls.urlpatterns
    if re.fullmatch(r"[a-z/-]*", str(page.pattern))
    # Log-in and stream are no pages, and files are asked for by a form alone.
    and page.name not in NO_PAGES
]


@pytest.fixture
def casino(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the owner types, as it stands in the documents, and a second manager."""
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr("getpass.getpass", lambda: PASSWORD)
    text = OPERATIONS.read_text().split("### Setting up a casino")[1]
    (block,) = re.findall(r"```python\n(.*?)```", text.split("\n##")[0], re.DOTALL)
    exec(block, {})  # noqa: S102 - of the documents
    anna = User.objects.create_user("anna", password=PASSWORD)
    anna.groups.add(Group.objects.get(name="Casino manager"))


@pytest.mark.usefixtures("casino")
def test_every_page_opens_before_the_writer_ever_ran() -> None:
    assert not Head.objects.exists()
    propose(royal_terms())
    assert len(PAGES) > 12
    anna = User.objects.get(username="anna")
    for role in ("Compliance", "Administrator"):  # who reads the audit trail, and sets up
        anna.groups.add(Group.objects.get(name=role))
    for page in PAGES:
        answer = logged_in("anna").get(f"/{page}", follow=True)  # addresses of before lead on
        assert answer.status_code == 200, page


@pytest.mark.usefixtures("casino")
def test_two_managers_put_the_first_terms_into_effect() -> None:
    propose(royal_terms())
    assert "David Okafor proposes to put terms into effect" in page_of("anna", "/")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "Agreed and queued" in reply("anna", agree, password=PASSWORD)
    poster = Poster()
    while poster.step():
        pass
    assert Terms.objects.get().number == 1
    assert "1,000.00" in page_of("david", "/pools/")


def propose(terms: dict[str, Any]) -> None:
    assert "nothing changes until somebody else approves it" in reply(
        "david", "/drafts/main/", **typed(terms)
    )
