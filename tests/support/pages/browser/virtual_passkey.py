"""A device with passkeys in a browser, and the first step of its log-in."""

from playwright.sync_api import Page

from tests.support.people.cast import PASSWORD


def plug_in(screen: Page) -> None:
    """From here on the page's browser has an authenticator whose user is there and agrees."""
    devtools = screen.context.new_cdp_session(screen)
    devtools.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def gives_name_and_password(screen: Page, address: str) -> None:
    screen.goto(f"{address}/login/")
    screen.get_by_label("Name").fill("mere")
    screen.get_by_label("Password").fill(PASSWORD)
    screen.get_by_role("button", name="Log in").click()
