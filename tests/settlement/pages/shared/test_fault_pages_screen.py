"""Pages of a request that is refused or fails, and pages of the API for people, fit every width
and both themes, and axe finds nothing on them."""

from collections.abc import Callable
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from playwright.sync_api import Browser, Route

from jackpot.web import unavailable
from settlement.pages.shared.refusal import permission_denied
from tests.support.pages.browser import accessible
from tests.support.pages.browser.page_faults import faults_of
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser

# As the server draws each: a browser comes to some of them only with the database away.
PAGES: dict[int, Callable[[HttpRequest], HttpResponse]] = {
    400: lambda request: unavailable.bad_request(request, SuspiciousOperation()),
    403: lambda request: permission_denied(request, PermissionDenied("For a casino manager.")),
    413: lambda request: unavailable.too_large(request, 20_000_000),
    500: unavailable.server_error,
    503: lambda request: unavailable.unavailable(request, "database"),
}


def fulfil(answer: HttpResponse, route: Route) -> None:
    route.fulfill(status=answer.status_code, body=answer.content, content_type="text/html")


def test_pages_of_requests_that_fail(browser: Browser, console_url: str) -> None:
    ClaimHouse()
    context = browser.new_context(has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    faults: list[str] = []
    for status, draw in PAGES.items():
        answer = draw(RequestFactory().get("/"))
        assert answer.status_code == status

        path = f"/fault-{status}/"
        context.route(f"{console_url}{path}", partial(fulfil, answer))
        faults += faults_of(screen, console_url, path, status)
    context.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", ["/api/docs/", "/api/docs/pay_claim/", "/api/problems/"])
def test_pages_of_the_api_for_people(browser: Browser, console_url: str, path: str) -> None:
    ClaimHouse()
    context = browser.new_context(has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    opened(screen, console_url, "ines", path)
    faults = faults_of(screen, console_url, path)
    context.close()
    assert not faults, "\n".join(faults)
