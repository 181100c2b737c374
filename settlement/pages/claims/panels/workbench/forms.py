"""The forms by which people gather evidence on a claim."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from settlement.core.words.countries import country_options
from settlement.core.words.translation import text_of
from settlement.evidence.attachments import MOST_BYTES
from settlement.models import Identification, IdentificationLook
from settlement.models.evidence import CAPTION_LENGTH, FINDING_LENGTH, NAME_LENGTH, NOTE_LENGTH
from settlement.models.identification import LONGEST
from settlement.pages.shared.forms import ActionForm
from tables.models import Casino

_LINE = {"class": "input", "autocomplete": "off"}
_MOMENT = "%Y-%m-%dT%H:%M:%S"
_AROUND = dt.timedelta(minutes=5)


class NoteForm(ActionForm):
    """Something that whoever reads the claim next should know."""

    text = forms.CharField(
        label=gettext_lazy("A note"),
        help_text=gettext_lazy("Nobody can change it afterwards. Nothing of who a player is."),
        max_length=NOTE_LENGTH,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Write the note.")},
    )


class FootageForm(ActionForm):
    """What surveillance reviewed; times are those of the casino."""

    reviewer = forms.CharField(
        label=gettext_lazy("Reviewed by"), max_length=NAME_LENGTH, widget=forms.TextInput(_LINE)
    )
    reference = forms.CharField(
        label=gettext_lazy("Reference of the footage"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(_LINE),
    )
    camera = forms.CharField(
        label=gettext_lazy("Camera"), max_length=NAME_LENGTH, widget=forms.TextInput(_LINE)
    )
    since = forms.DateTimeField(label=gettext_lazy("From"))
    until = forms.DateTimeField(label=gettext_lazy("To"))
    finding = forms.CharField(
        label=gettext_lazy("What it shows"),
        max_length=FINDING_LENGTH,
        widget=forms.Textarea({"class": "input", "rows": 2}),
    )

    def __init__(self, data: Any = None, *, casino: Casino, around: dt.datetime) -> None:
        self.zone = ZoneInfo(casino.timezone)
        super().__init__(data)
        for name, proposed in (("since", around - _AROUND), ("until", around + _AROUND)):
            self.initial[name] = proposed.astimezone(self.zone).strftime(_MOMENT)
            self.fields[name].widget = forms.DateTimeInput(
                {"class": "input", "type": "datetime-local", "step": 1}, _MOMENT
            )

    def full_clean(self) -> None:
        """Times that are typed are those of the casino's zone."""
        with timezone.override(self.zone):
            super().full_clean()


class AttachForm(ActionForm):
    """A file with a line that says what it shows."""

    caption = forms.CharField(
        label=gettext_lazy("What the file shows"),
        max_length=CAPTION_LENGTH,
        widget=forms.TextInput(_LINE),
    )
    file = forms.FileField(
        label=gettext_lazy("Photograph (JPEG, PNG) or PDF"),
        help_text=text_of(
            gettext_lazy("At most %(size)s MB. No identity documents."),
            size=MOST_BYTES // 1024 // 1024,
        ),
        widget=forms.FileInput(
            {"class": "input", "accept": "image/jpeg,image/png,application/pdf"}
        ),
        error_messages={
            "required": gettext_lazy("Choose the file."),
            "empty": gettext_lazy("This file is empty: send it again."),
        },
    )

    def clean_file(self) -> bytes:
        """The content; a file that is too large is not read."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(
                _(
                    "A file has at most %(most_bytes)s MB: take the photograph smaller, or"
                    " scan in parts."
                )
                % {"most_bytes": MOST_BYTES // 1024 // 1024}
            )
        content: bytes = file.read()
        return content


class IdentifyForm(ActionForm):
    """Who the player of a seat is, by a document that was shown."""

    seat = forms.IntegerField(
        label=gettext_lazy("Seat"),
        min_value=1,
        max_value=23,
        widget=forms.NumberInput({"class": "input"}),
    )
    name = forms.CharField(
        label=gettext_lazy("Name, as on the document"),
        max_length=LONGEST["name"],
        widget=forms.TextInput(_LINE),
    )
    born = forms.DateField(
        label=gettext_lazy("Date of birth"),
        widget=forms.DateInput({"class": "input", "type": "date"}),
    )
    document = forms.ChoiceField(
        label=gettext_lazy("Document"),
        choices=Identification.Document.choices,
        widget=forms.Select({"class": "input"}),
    )
    document_number = forms.CharField(
        label=gettext_lazy("Number of the document"),
        max_length=LONGEST["document_number"],
        widget=forms.TextInput(_LINE),
    )
    tax_number = forms.CharField(
        label=gettext_lazy("Taxpayer number, for forms"),
        required=False,
        max_length=LONGEST["tax_number"],
        widget=forms.TextInput(_LINE),
    )
    address = forms.CharField(
        label=gettext_lazy("Address, for forms"),
        required=False,
        max_length=LONGEST["address"],
        widget=forms.TextInput(_LINE),
    )
    country = forms.ChoiceField(
        label=gettext_lazy("Country of residence, for tax and forms"),
        required=False,
        choices=country_options,
        widget=forms.Select({"class": "input"}),
    )
    note = forms.CharField(
        label=gettext_lazy("Remark"),
        required=False,
        max_length=LONGEST["note"],
        widget=forms.TextInput(_LINE),
    )


class LookForm(forms.Form):
    """Why somebody looks at who the players are."""

    purpose = forms.ChoiceField(
        label=gettext_lazy("What for"),
        choices=[
            (code, label)
            for code, label in IdentificationLook.Purpose.choices
            # Said by the draft itself, and by the file that is opened.
            if code not in (IdentificationLook.Purpose.FORM, IdentificationLook.Purpose.FILED)
        ],
        widget=forms.Select({"class": "input"}),
    )
