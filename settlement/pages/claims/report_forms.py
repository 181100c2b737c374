"""The form of a report: boards, hands by seat, and what is known of the round (19.11, 19.21)."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.hits.columns import Report
from jackpot.labels.figures import write_amount
from jackpot.terms.money import micros_to_minor, minor_to_micros
from rules.dead_hands import DEAD_HANDS
from settlement.core.words.translation import translated
from settlement.pages.shared.fields import AmountField, CardsField, SeatsField
from settlement.pages.shared.forms import ActionForm

MOST_HANDS = 10
LATER_BOARDS = 2


class ReportForm(ActionForm):
    """What belongs to the whole round."""

    board = CardsField(
        label=gettext_lazy("First board"),
        help_text=gettext_lazy("It alone counts (19.18). Rank, then suit: Qs Js Ts 2d 3c."),
        error_messages={"required": gettext_lazy("Type the cards of the first board.")},
    )
    flop_on_request = forms.BooleanField(
        label=gettext_lazy("All others had folded and the flop was asked for (19.16)"),
        required=False,
    )
    seats_dealt = SeatsField(
        label=gettext_lazy("Seats dealt in"),
        required=False,
        help_text=gettext_lazy("Like 1 2 4 5 7."),
    )
    button_seat = forms.IntegerField(
        label=gettext_lazy("Seat of the button"),
        required=False,
        min_value=1,
        max_value=23,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )

    def __init__(self, data: Any = None, *, digits: int, **options: Any) -> None:
        super().__init__(data, **options)
        self.digits = digits
        for number in range(2, 2 + LATER_BOARDS):
            self.fields[f"board_{number}"] = CardsField(
                label=_("Board %(number)s") % {"number": number},
                required=False,
                help_text=gettext_lazy("Evidence only."),
            )
        self.fields["pot"] = AmountField(label=gettext_lazy("Pot"), digits=digits, required=False)

    @property
    def later_boards(self) -> list[forms.BoundField]:
        return [self[f"board_{number}"] for number in range(2, 2 + LATER_BOARDS)]


class HandForm(forms.Form):
    """One seat's hand."""

    seat = forms.IntegerField(
        label=gettext_lazy("Seat"),
        min_value=1,
        max_value=23,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
        error_messages={"required": gettext_lazy("Which seat?")},
    )
    hole = CardsField(
        label=gettext_lazy("Hole cards"),
        required=False,
        help_text=gettext_lazy(
            "None for a folded or refused hand, as of a player who takes no part."
        ),
    )
    exposed = forms.ChoiceField(
        label=gettext_lazy("Exposed when asked (19.17)"),
        choices=[
            ("yes", gettext_lazy("Yes")),
            ("refused", gettext_lazy("Refused")),
            ("not_requested", gettext_lazy("Not asked")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    folded = forms.BooleanField(label=gettext_lazy("Folded (19.17)"), required=False)
    participating = forms.BooleanField(
        label=gettext_lazy("Takes part in the jackpot"), required=False
    )
    won_pot = forms.BooleanField(label=gettext_lazy("Won the pot"), required=False)
    dead = forms.ChoiceField(
        label=gettext_lazy("Ruled dead (20)"),
        choices=lambda: [
            ("", _("No")),
            *(
                (each.code, f"{translated(each.sentence)} ({translated(each.rule)})")
                for each in DEAD_HANDS.values()
            ),
        ],
        required=False,
        widget=forms.Select({"class": "input"}),
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        unseen = values.get("folded") or values.get("exposed") == "refused" or values.get("dead")
        if "hole" in values and not values["hole"] and not unseen:
            self.add_error("hole", _("Type the hole cards."))
        return values


class _Hands(forms.BaseFormSet):
    def clean(self) -> None:
        if any(self.errors):
            return
        hands = [f.cleaned_data for f in self.forms if not f.cleaned_data.get("DELETE")]
        if not hands:
            raise forms.ValidationError(_("A report needs at least one hand."))
        seats = [hand["seat"] for hand in hands]
        if len(set(seats)) < len(seats):
            raise forms.ValidationError(_("A seat is there twice: each seat has one hand."))


HandForms = forms.formset_factory(
    HandForm,
    formset=_Hands,
    extra=0,
    can_delete=True,
    max_num=MOST_HANDS,
    absolute_max=MOST_HANDS,
)
NEW_HAND: dict[str, Any] = {"exposed": "yes", "participating": True}


def typed_so_far(report: Report | None, seats: list[int], digits: int) -> dict[str, Any]:
    """What the form begins with: the report that stands, or a hand for each seat called."""
    if report is None:
        called = [{**NEW_HAND, "seat": seat} for seat in seats]
        return {"report": {}, "hands": called or [NEW_HAND]}
    first, *later = report.boards or [[]]
    begin = {
        "board": " ".join(first),
        "flop_on_request": report.flop_on_request,
        "seats_dealt": " ".join(map(str, report.seats_dealt or [])),
        "button_seat": report.button_seat,
    }
    for number, board in enumerate(later[:LATER_BOARDS], start=2):
        begin[f"board_{number}"] = " ".join(board)
    if report.pot is not None:
        begin["pot"] = _plain(report.pot, digits)
    hands = [{**msgspec.structs.asdict(hand), "hole": " ".join(hand.hole)} for hand in report.hands]
    return {"report": begin, "hands": hands}


def report_of(form: ReportForm, hands: Any) -> dict[str, Any]:
    """The report in the form that `settlement.claims.services.amend` takes."""
    values = form.cleaned_data
    boards = [values["board"], *(values[field.name] for field in form.later_boards)]
    pot = values["pot"]
    return {
        "boards": [board for board in boards if board],
        "hands": [
            {
                "seat": hand["seat"],
                "hole": hand["hole"],
                "exposed": hand["exposed"],
                "folded": hand["folded"],
                "participating": hand["participating"],
                "won_pot": hand["won_pot"],
                **({"dead": hand["dead"]} if hand["dead"] else {}),
            }
            for hand in (each.cleaned_data for each in hands.forms)
            if not hand.get("DELETE")
        ],
        "flop_on_request": values["flop_on_request"],
        "seats_dealt": values["seats_dealt"],
        "button_seat": values["button_seat"],
        "pot": None if pot is None else micros_to_minor(pot, form.digits),
    }


def _plain(minor: int, digits: int) -> str:
    """An amount as it is typed, exactly."""
    return write_amount(minor_to_micros(minor, digits), digits)
