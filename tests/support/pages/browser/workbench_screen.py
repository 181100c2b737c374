"""The workbench of a claim, opened on a screen, and whether it fits there."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.support.pages.page_staff import ADDRESS, logged_in


def opened(screen: Page, url: str, name: str, address: str = ADDRESS) -> None:
    """This person's page, without typing a password."""
    key = logged_in(name).cookies["sessionid"].value
    host = urlsplit(url).hostname or ""
    screen.context.add_cookies([{"name": "sessionid", "value": key, "domain": host, "path": "/"}])
    screen.goto(f"{url}{address}")


def fits(screen: Page) -> bool:
    return bool(
        screen.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )
