"""Help: every page of the console has it, and what it names is there."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from settlement.help import glossary
from settlement.help.pages import PAGES, explain
from settlement.pages import urls
from settlement.people.rights.roles import ROLES, grant
from settlement.templatetags.help import rule_chip, with_rules
from tests.support.pages.every_address import address_of, parts_of, seed_data
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse

IN_PANEL = {"X-Console-Help": "1"}
CONSOLE = {str(page.name): page for page in urls.urlpatterns}
# What answers with no page of the console's shell: files, streams, parts of pages and forms alone;
# and pages of who is not let in yet.
BARE = {
    *("login", "log-in-code", "log-in-passkey", "logout", "lock", "locked", "awake", "first-run"),
    *("tablet", "tablet-leave", "tablet-end", "invitation", "invitation-revoke"),
    *("password-forgotten", "password-asked", "password-new", "password-code"),
    *("mail-address", "mail-confirm"),
    *("provider-log-in", "provider-back", "provider-wait", "provider-again", "provider-unlink"),
    *("bell", "notifications-read", "notification-open", "browser-add", "browser-end"),
    *("preferences", "pin", "sessions-end", "passkey-options", "passkey-challenge", "factor-end"),
    *("recovery-codes", "key-begin", "key-endorse", "factor-demand", "factor-reset"),
    *("view-save", "view-change", "token-end", "anothers-token-end"),
    *("claim-version", "claim-bundle", "claim-stop", "stop-end", "claim-release-excluded"),
    *("claim-delegate", "claim-deck", "claim-note", "claim-footage", "claim-attach"),
    *("claim-attachment", "withdrawal-decide", "hand-place", "slip-print", "form-draft"),
    *("form-file", "filing-reverse", "filing-attach", "filing-file"),
    *("exclusion-end", "remittance-reverse", "finding-step", "play-leave", "play-word"),
    *("request-refuse", "missed-countersign", "incident-resolve", "gap-close", "alarm-clear"),
    *("table-move", "table-boots", "table-move-finish", "reconcile-now"),
    *("skip-propose", "skip-agree", "open-claims", "open-alarms", "console-stream"),
    *("proposal-approve", "proposal-agree", "proposal-withdraw", "set-up-agree"),
    *(
        "set-up-withdraw",
        "set-up-open",
        "screen-shows",
        "screen-preview",
        "screen-win",
        "console-picture",
        "house-logo",
        "tour",
    ),
    *("terms-json", "log-checkpoint"),
    *("export-cancel", "export-again", "export-download", "export-archive-download"),
    *("return-request", "schedule-end", "export-request"),
    *("security-log", "set-up-changes"),  # addresses of before
}


def test_each_address_has_help_or_is_no_page() -> None:
    assert set(CONSOLE) - set(PAGES) - BARE == set(), "write its help in settlement/help/"
    assert set(PAGES) - set(CONSOLE) <= {"api-docs", "api-operation", "api-problems"}
    assert not set(PAGES) & BARE


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_what_has_no_help_is_no_page_and_each_page_leads_to_its_own() -> None:
    parts = parts_of(seed_data())
    everybody = User.objects.create_user("everybody")
    for role in ROLES:
        grant(everybody, role)
    client: Client = logged_in("everybody")
    for name, page in CONSOLE.items():
        answer = client.get(address_of(page, parts))
        content = b"" if answer.streaming or answer.status_code != 200 else answer.content
        if b'class="page-head"' in content:
            assert name in PAGES, name
            assert f'href="/help/{name}/"'.encode() in content, name


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_help_names_words_rules_and_permissions_that_there_are(name: str) -> None:
    explained = explain(name, lambda _permission: False)
    assert len(explained.terms) == len(PAGES[name].words), "two words in one row of the glossary"
    assert all(glossary.rules_by(rule) for rule in PAGES[name].rules)
    assert all(act.roles for act in explained.acts)
    assert explained.title
    assert explained.purpose.endswith((".", "?"))


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_help_says_what_the_reader_may_do_and_who_may_do_the_rest() -> None:
    house = ClaimHouse()
    house.hit_royal()
    page = page_of("mere", "/help/claim/")  # a manager
    own, others = page.split("What other roles do here")
    assert "Confirm a verified claim" in own
    assert "Pay a confirmed claim Cashier" in others
    assert "19.12" in others
    assert logged_in("mere").get("/help/nothing/").status_code == 404
    assert logged_in("nobody").get("/help/claim/").status_code == 403


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_a_rule_is_shown_in_its_place(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    house = ClaimHouse()
    house.hit_royal()
    client = logged_in("mere")
    page = client.get("/claims/main/1/").content.decode()
    assert 'href="/help/rules/19.14(b)/" data-help' in page
    with django_assert_max_num_queries(8):
        text = client.get("/help/rules/19.14(b)/", headers=IN_PANEL).content.decode()
    assert "sequential" in text
    assert "<html" not in text
    assert "<html" in client.get("/help/rules/19.14(b)/").content.decode()
    assert client.get("/help/rules/4.1/").status_code == 404
    with django_assert_max_num_queries(9):
        text = client.get("/help/claim/", headers=IN_PANEL).content.decode()
    assert "<html" not in text


def test_a_chip_leads_to_its_rules_and_is_plain_where_none_is_known() -> None:
    assert 'href="/help/rules/19.8,19.14(a)/"' in rule_chip("19.8, 19.14(a)")
    assert 'href="/help/rules/19.10/"' in rule_chip("19.10 (previous rules)")
    assert rule_chip("16.5(a)") == '<span class="chip">16.5(a)</span>'
    assert rule_chip("") == ""
    assert rule_chip("<b>") == '<span class="chip">&lt;b&gt;</span>'
    assert with_rules("Decks (4.1) & more") == "Decks (4.1) &amp; more"
    linked = with_rules("Folded (19.17), <b>, 19.17 and 20.1")
    assert linked.startswith('Folded (<a class="rule" href="/help/rules/19.17/"')
    assert ">19.17</a>), &lt;b&gt;, 19.17 and <a" in linked
    assert with_rules(None) == ""
