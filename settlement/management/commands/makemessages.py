"""Django's command, which finds the phrases of the floors below as well (decision 94)."""

from django.core.management.commands import makemessages

PHRASES = (
    "Phrase",
    "counted:2,3",
    "PhrasedError",
    "CardError",
    "CommissionError",
    "TermsError",
    "UndividedError",
)


class Command(makemessages.Command):
    """Collect the texts of a language for translators."""

    xgettext_options = [  # noqa: RUF012 - an attribute of the instance, as Django declares it
        *makemessages.Command.xgettext_options,
        *(f"--keyword={name}" for name in PHRASES),
    ]
