"""Django's command, which finds more: phrases of the floors below (decision 94), and glossary and
rules, which documents keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

from settlement.help import glossary

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

    def process_files(self, file_list: list[Any]) -> None:
        """After what stands in files of code: what the help reads from documents."""
        super().process_files(file_list)
        with (Path(settings.LOCALE_PATHS[0]) / f"{self.domain}.pot").open("a") as template:
            for document, texts in glossary.texts().items():
                for text in texts:
                    msgid = json.dumps(text, ensure_ascii=False)
                    template.write(f'\n\n#. {document}\nmsgid {msgid}\nmsgstr ""\n')
