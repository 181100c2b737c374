"""Forms that the console drafts: one YAML file for each, with its boxes and what is in them.

The words are the form's own, in its language. A house may add its own in `forms/` of its folder
(JURISDICTION_DIR); a rule names one by the file's name (`draft`). The layout is the console's: no
copy of an official form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import Meta

from settlement.core.printing.paper import Paper
from settlement.jurisdiction.pack import Text
from settlement.jurisdiction.yaml_file import FileFault, read

OWN = Path(__file__).parent / "forms"
WIDTH = 12  # of a row: boxes share it

# What a box may be filled with: facts of a payment and its gaming day, by name. docs/packs.md says
# what each is; a test compares the two.
FACTS = (
    *("casino.currency",),
    *("filer.name", "filer.trade_name", "filer.address", "filer.place", "filer.region"),
    *("filer.country", "filer.tax_number", "filer.region_number", "filer.phone", "filer.contact"),
    *("person.name", "person.born", "person.document", "person.document_number"),
    *("person.identification", "person.tax_number", "person.address"),
    *("person.country", "person.country_code"),
    *("payment.amount", "payment.withheld", "payment.day", "payment.date", "payment.won_on"),
    *("payment.slip", "payment.cashier"),
    *("day.date", "day.starts", "day.total", "day.cash", "day.payouts", "day.multiple"),
    *("prize.name", "prize.claim", "prize.won", "prize.paid", "prize.withheld", "prize.slips"),
    "rule.percent",
)
# Of a row of a table, by what its rows are.
ROW_FACTS: dict[str, tuple[str, ...]] = {
    "payouts": ("slip", "at", "prize", "amount", "cash"),
    "sharers": ("seat", "name", "tax_number", "address", "won", "share"),
    "blank": (),
}
Width = Annotated[int, Meta(ge=1, le=WIDTH)]


class FormError(FileFault):
    """A form cannot be drafted; the message names the file and what to correct."""


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One box: its number on the form, its name, and what is in it; neither: filled in by hand."""

    name: Text
    box: str = ""
    fact: str = ""
    text: str = ""
    width: Width = WIDTH


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Boxes in rows, or a table: of the payments that count, or of the players who share the prize,
    with empty rows up to `count`, or of empty rows alone."""

    title: Text
    boxes: tuple[Box, ...] = ()
    rows: Literal["payouts", "sharers", "blank"] | None = None
    columns: tuple[Box, ...] = ()
    count: Annotated[int, Meta(ge=1, le=20)] = 1


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A form. `filing`: who files it, and where; `paper`: None, the house's; `dates`: how they are
    written on it."""

    form: Text
    name: Text
    country: Text
    filing: Text
    sections: tuple[Section, ...]
    paper: Paper | None = None
    dates: Text = "%Y-%m-%d"
    amounts: Literal["cents", "whole_up"] = "cents"
    notes: tuple[str, ...] = ()


def layouts() -> dict[str, Path]:
    """Every form that can be drafted, by its name; the house's own go first."""
    own = [Path(settings.JURISDICTION_DIR) / "forms"] if settings.JURISDICTION_DIR else []
    return {file.stem: file for folder in [OWN, *own] for file in sorted(folder.glob("*.yaml"))}


def load_layout(name: str) -> Layout:
    """FormError for one that is not there or says what nobody understands."""
    file = layouts().get(name)
    if file is None:
        raise FormError(
            _("There is no form %(name)s to draft: choose one of %(known)s.")
            % {"name": name, "known": ", ".join(sorted(layouts()))}
        )
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(file: Path, _changed: int) -> Layout:
    layout, wrong = read(file, Layout, {"sections": Section, "boxes": Box, "columns": Box})
    if layout is not None:
        wrong = next(_faults(layout), "")
    if layout is None or wrong:
        raise FormError(
            _("The form %(file)s cannot be drafted: %(fault)s.")
            % {"file": file.name, "fault": wrong}
        )
    return layout


def _faults(layout: Layout) -> Iterator[str]:
    for number, section in enumerate(layout.sections, start=1):
        where = _("section %(number)s") % {"number": number}
        if bool(section.boxes) == bool(section.rows and section.columns):
            yield _("%(where)s has boxes, or rows with columns: keep one of them") % {
                "where": where
            }
        of_row = ROW_FACTS[section.rows or "blank"]
        for fact_names, boxes in ((FACTS, section.boxes), (of_row, section.columns)):
            for box in boxes:
                if box.fact and box.text:
                    yield _("%(where)s, %(box)s has a fact and a text: keep one") % {
                        "where": where,
                        "box": box.name,
                    }
                if box.fact and box.fact not in fact_names:
                    yield _(
                        "%(where)s, %(box)s asks for %(fact)s, which is unknown: choose one of "
                        "%(known)s"
                    ) % {
                        "where": where,
                        "box": box.name,
                        "fact": box.fact,
                        "known": ", ".join(fact_names),
                    }
        if section.columns and sum(each.width for each in section.columns) != WIDTH:
            yield _("%(where)s: the widths of its columns do not add up to %(width)s") % {
                "where": where,
                "width": WIDTH,
            }
