"""The words that the script of a display at a table writes."""

from django.utils.translation import gettext as _


def display_words() -> dict[str, str]:
    """By the name under which the script asks for each; `{...}` is filled there."""
    return {
        "reported": _("Reported, awaiting confirmation"),
        "suspended": _("Not in play at present"),
        "no_high_hand": _("No high hand yet"),
        "and": _("{first} and {second}"),
        "left": _("{best} · {clock} left"),
        "over": _("{best} · period over"),
        "more": _("and {count} more"),
        "seconds": _("{count} seconds ago"),
        "minutes": _("{count} minutes ago"),
    }
