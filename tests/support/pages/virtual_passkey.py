"""A device with passkeys in a browser."""

from playwright.sync_api import Page


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
