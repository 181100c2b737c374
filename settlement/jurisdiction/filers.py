"""Who files the forms of a casino: its legal name, address and numbers, as a house writes them.

One YAML file for each casino, by its code, in `filers/` of JURISDICTION_DIR. Without one the name
of the casino stands on forms, and the rest is left to be filled in by hand.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from settlement.jurisdiction.layouts import FormError
from settlement.jurisdiction.pack import Text
from settlement.jurisdiction.yaml_file import read
from tables.models import Casino


class Filer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`tax_number`: EIN, SIRET, or the number in goAML; `region_number`: that of the state."""

    name: Text
    trade_name: str = ""
    address: str = ""
    city: str = ""
    region: str = ""
    postcode: str = ""
    country: str = ""
    tax_number: str = ""
    region_number: str = ""
    phone: str = ""
    contact: str = ""

    @property
    def place(self) -> str:
        """City, region and postcode in one line."""
        region = " ".join(part for part in (self.region, self.postcode) if part)
        return ", ".join(part for part in (self.city, region) if part)


def filers() -> dict[str, Path]:
    """The files that a house wrote, by the code of the casino."""
    if not settings.JURISDICTION_DIR:
        return {}
    folder = Path(settings.JURISDICTION_DIR) / "filers"
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))}


def filer_of(casino: Casino) -> Filer:
    """FormError where the file says what nobody understands."""
    file = filers().get(casino.code)
    if file is None:
        return Filer(name=casino.name)
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(file: Path, _changed: int) -> Filer:
    filer, wrong = read(file, Filer, {})
    if filer is None:
        raise FormError(
            _("The filer %(file)s cannot be read: %(fault)s.") % {"file": file.name, "fault": wrong}
        )
    return filer
