"""The words that the script of a screen writes."""

from django.utils.translation import gettext as _


def screen_words() -> dict[str, str]:
    """By the name under which the script asks for each."""
    return {
        "verified": _("being verified"),
        "not_confirmed": _("not confirmed"),
        "won": _("won"),
        "jackpot": _("Jackpot"),
        "suspended": _("Not in play at present"),
        "halted": _("Jackpot not in play"),
        "winners": _("The last winners"),
        "high_hand": _("High hand"),
        "no_high_hand": _("No high hand yet"),
        "left": _("left"),
        "over": _("period over"),
        "last": _("Last period"),
        "waiting": _("Waiting for the jackpot values"),
        "never": _("it was switched on"),
        "delayed": _("VALUES DELAYED"),
        "not_current": _("Values delayed since"),
        "test": _("TEST MODE"),
        "not_paid": _("Nothing shown here is paid"),
        "jackpot_won": _("JACKPOT WON"),
    }
