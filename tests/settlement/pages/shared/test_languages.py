"""Every text of pages and mails goes through gettext, and what stands between them is well set.

They are drawn in a language of brackets: no text may stand outside them.
"""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from settlement.core.words.countries import country_choices
from settlement.models import AddressNotice, Invitation, MailChange, Notification, ReportExport
from settlement.notifications import mail as notification_mail
from settlement.people.log_ins import forgotten_password, mail_changes
from settlement.people.rights import roles
from settlement.people.staff import invitation_mail
from settlement.reports import delivery
from settlement.reports.catalogue import reports
from tests.support.pages.entrances import PAGES
from tests.support.pages.every_address import SECRET, address_of, parts_of, seed_data
from tests.support.pages.page_staff import logged_in
from tests.support.pages.pseudo_locale import (
    SPOKEN,
    ill_set,
    pseudo_locale,
    read_lines,
    unmarked,
    unmarked_lines,
)
from tests.support.people.cast import ROLES
from tests.support.suite.house_style import PROJECT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

# What the casino of this test is called and has written down, and the names and notes that the
# database and the tables gave: no words of the console.
DATA = re.compile(
    rf"(?<!\w)({SECRET}(-\d+|-program|: (of no system|silent|stuck|read:floor;)"
    rf"| (cards|casino|floor|lounge|name|table|terms|t3))?|{SECRET.upper()}-\d+"
    rf"|{'|'.join([*ROLES, 'everything', 'nobody'])}|username:  ->|of a log-in"
    r"|House Jackpot|Royal Flush|house|royal|NZD|t3|t7|Count sheet 17"
    r"|pay_claim|CSV|XLSX|PDF|PARQUET|https://"
    rf"|{'|'.join(name for _, name in settings.LANGUAGES)}|/(password/new|mail/confirm)/x+/"
    rf"|jackpot/v1/{SECRET}/t3/events"
    rf"|{'|'.join(re.escape(name) for _, name in reversed(country_choices()))}"  # the longer first
    rf"|{'|'.join(sorted({re.escape(law) for each in reports().values() for law in each.rules}))}"
    rf")(?!\w)"
)

# They show the schema's own texts, and say that these are English.
DESCRIBED_IN_ENGLISH = {"api-docs", "api-operation"}


def test_every_page_speaks_through_gettext_and_is_well_set() -> None:
    parts: dict[str, Any] = {**parts_of(seed_data()), "display_key": "guessed"}
    everything = User.objects.create_user("everything")
    for role in dict.fromkeys(ROLES.values()):
        roles.grant(everything, role, None)
    clients = {"everything": logged_in("everything"), "nobody": Client()}
    texts_by_page: dict[str, set[str]] = {}
    ill_set_lines: dict[str, set[str]] = {}
    for client in clients.values():
        client.raise_request_exception = False
        for name, page in PAGES.items():
            with pseudo_locale(), transaction.atomic():
                answer = client.get(address_of(page, parts))
                transaction.set_rollback(True)
            assert answer.status_code < 500, name
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                html = answer.content.decode()
                if texts := unmarked(html, DATA, name not in DESCRIBED_IN_ENGLISH):
                    texts_by_page.setdefault(name, set()).update(texts)
                if lines := ill_set(html):
                    ill_set_lines.setdefault(name, set()).update(lines)
    assert ill_set_lines == {}
    assert texts_by_page == {}
    assert unmarked_in_mails(ReportExport.objects.get()) == {}
    with pseudo_locale():
        mails = [
            invitation_mail.message_of(Invitation(username="nobody"), ""),
            forgotten_password.message_of(User(username="nobody"), "x" * 64),
            mail_changes.message_of(MailChange(person=User(username="nobody")), "x" * 64),
            mail_changes.notice_of(AddressNotice(person=User(username="nobody"))),
            notification_mail.message_of(
                Notification(kind="claim.late", data={}, person=everything)
            ),
        ]
    for mail in mails:
        assert unmarked_lines(f"{mail.subject}\n{mail.body}", DATA) == []


# An amount with the marks of English. Rules have numbers such as 19.14, seconds three decimals.
ENGLISH = re.compile(
    r"(?<![\w.,:])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]|\s?s)|(?<![\w.,:])\d+\.\d{2}(?![\w.])"
)
NO_AMOUNTS = re.compile(r"\b(?:8|19|20)\.\d+|\b13:69F-\d+\.\d+|\b\d+,\d{3} (?:s|Sek|seg|sec)\w*")

# What a browser reads as a number, besides what it shows: it knows the marks of English alone.
MEASURE = re.compile(r"[-+]?\d+(?P<mark>[.,])\d+(?:%|[a-z]{1,4})?")


class _Measures(HTMLParser):
    """The attributes of a page that are a number with decimals."""

    def __init__(self) -> None:
        super().__init__()
        self.by_mark: dict[str, set[str]] = {".": set(), ",": set()}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            is_shown = name in (*SPOKEN, "value")
            measure = None if is_shown else MEASURE.fullmatch((value or "").strip())
            if name == "style":
                measure = MEASURE.search(value or "")
            if measure:
                self.by_mark[measure["mark"]].add(f"{tag} {name}={value}")


@pytest.mark.usefixtures("spoken")
def test_figures_of_a_page_are_those_of_its_reader_and_measures_those_of_browsers() -> None:
    """Spanish has the marks of German, Chinese those of English."""
    parts: dict[str, Any] = {**parts_of(seed_data()), "display_key": "guessed"}
    everything = User.objects.create_user("everything")
    for role in dict.fromkeys(ROLES.values()):
        roles.grant(everything, role, None)
    client = logged_in("everything")
    client.raise_request_exception = False
    english: dict[str, set[str]] = {}
    unread: dict[str, set[str]] = {}
    figures = measures = 0
    for language in ("de", "fr"):
        session = client.session
        session["language"] = language
        session.save()
        for name, page in PAGES.items():
            if name.startswith("api"):
                continue
            with transaction.atomic():
                answer = client.get(address_of(page, parts))
                transaction.set_rollback(True)
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                html = answer.content.decode()
                page_measures = _Measures()
                page_measures.feed(html)
                measures += len(page_measures.by_mark["."])
                if page_measures.by_mark[","]:
                    unread[f"{language} {name}"] = page_measures.by_mark[","]
                if name.startswith("help"):
                    continue
                words = " ".join(read_lines(html))
                figures += len(re.findall(r"\d,\d\d\b", words))
                if wrong := ENGLISH.findall(NO_AMOUNTS.sub("", words)):
                    english.setdefault(f"{language} {name}", set()).update(wrong)
    assert unread == {}
    assert english == {}
    assert (figures > 200, measures > 20) == (True, True)


def unmarked_in_mails(export: ReportExport) -> dict[str, list[str]]:
    """By report: what of the mail at its close nobody marked."""
    lines = {}
    for export.report in reports():
        with pseudo_locale():
            mail = delivery.message_of(export, ["office@example.com"])
        lines[export.report] = unmarked_lines(f"{mail.subject}\n{mail.body}", DATA)
    return {report: unmarked for report, unmarked in lines.items() if unmarked}


def test_mails_are_made_in_one_place() -> None:
    """Whoever makes another one draws it above."""
    floors = ("tables", "jackpot", "settlement", "config")
    sources = [path for floor in floors for path in (PROJECT / floor).rglob("*.py")]
    assert sorted(path for path in sources if "django.core.mail" in path.read_text()) == [
        PROJECT / "settlement" / "notifications" / "mail.py",
        PROJECT / "settlement" / "people" / "log_ins" / "forgotten_password.py",
        PROJECT / "settlement" / "people" / "log_ins" / "mail_changes.py",
        PROJECT / "settlement" / "people" / "staff" / "invitation_mail.py",
        PROJECT / "settlement" / "reports" / "delivery.py",
    ]


SCRIPTS = sorted((PROJECT / "jackpot" / "static" / "jackpot").glob("*.js"))
_LITERAL = re.compile(r'"([^"\n]*)"|`([^`]*)`')
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
# What no page shows: the mode, class names, errors that end as one word of the page.
NO_TEXT = {
    *("use strict", "button quiet", "button quiet fill"),
    *("another form", "the id of a key is not its own"),
}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_no_script_writes_a_sentence_of_its_own(script: Any) -> None:
    """Its words come with the page, in the page's language: `data-...` of the script, or JSON."""
    code = _COMMENT.sub("", script.read_text())
    texts = {one or other for one, other in _LITERAL.findall(code)} - NO_TEXT
    sentences = [text for text in texts if is_sentence(re.sub(r"\$\{[^}]*\}", "X", text))]
    assert not sentences


def is_sentence(text: str) -> bool:
    """Two words beside each other; selectors and markup have signs that no text has."""
    words = re.search(r"(?:^|[ (])[A-Za-z][a-z]* [a-z]{2,}\b", text)
    return bool(words) and not re.search(r"[\[\]=#{}<>]|^\.|, \.", text)


def test_a_sentence_is_told_from_a_selector() -> None:
    assert is_sentence("X too much")
    assert is_sentence("Total matches")
    assert not is_sentence(".deck-row input")
    assert not is_sentence("[data-sum] output")
