"""Pages that `benchmarks.pages` opens none of, each with the reason. One that is not named here
makes it end with exit code 1, so that a new page is measured or somebody says why not."""

from __future__ import annotations

from collections.abc import Mapping

FORM_ALONE = "405"  # what an address answers that takes a form and shows no page

_FILE = "answers with a file or with values for a program"
_DOOR = "before somebody is logged in, or while the screen is locked"
_OFF = "belongs to what the installation of the benchmark has switched off"
_NO_DATA = "is of something that the past of the benchmark has none of"
_FORM = "takes a form alone, and its number is of something that is not there"
_MOVED = "leads to a page that is measured"

REASONS: dict[str, str] = {
    **dict.fromkeys(("console-picture", "house-logo", "screen-picture"), _FILE),
    **dict.fromkeys(("log-checkpoint", "passkey-challenge", "screen-content"), _FILE),
    **dict.fromkeys(("open-claims", "slip-print"), _FILE),
    **dict.fromkeys(("first-run", "invitation", "locked", "password-new", "tablet"), _DOOR),
    **dict.fromkeys(("log-in-code", "log-in-passkey", "provider-back", "provider-wait"), _DOOR),
    **dict.fromkeys(("meter", "meter-block", "meter-block-proof", "meter-growth"), _OFF),
    **dict.fromkeys(("meter-keys", "meter-nothing", "meter-nothing-below", "meter-proof"), _OFF),
    **dict.fromkeys(("device-intake", "form-draft", "form-file", "program"), _NO_DATA),
    **dict.fromkeys(("exclusions-file", "handover-signed", "quarantined"), _NO_DATA),
    **dict.fromkeys(("screen-page", "screen-preview", "screen-shows", "screen-win"), _NO_DATA),
    **dict.fromkeys(("mail-confirm", "slide", "terms-proposal", "webhook"), _NO_DATA),
    **dict.fromkeys(("alarm-clear", "provider-again", "stop-end", "withdrawal-decide"), _FORM),
    **dict.fromkeys(("security-log", "set-up-changes"), _MOVED),
}


def unlisted(unseen: Mapping[str, str]) -> list[str]:
    """Pages not opened that have no reason, in words; `unseen` as of `page_addresses.walk`."""
    return [
        f"{name}: not measured ({what})"
        for name, what in sorted(unseen.items())
        if what != FORM_ALONE and name not in REASONS
    ]
