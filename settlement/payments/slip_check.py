"""Whether a slip's PDF is a file that the house printed, byte for byte. A selector: keeps nothing.

A file is a print where its digest is that of one. An edited one is known by the number that a slip
carries in its title, whatever else was changed; a scan or photograph of the paper is unknown.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from settlement.core.errors import BadFile
from settlement.models import Payout, SlipPrint
from settlement.payments.slip_content import Slip
from settlement.people.rights.permissions import require

MOST_BYTES = 8 * 1024 * 1024  # a slip has some 100 KB, one with a logo and Chinese letters more
_TITLE = re.compile(rb"Payment slip ([A-Za-z0-9-]{1,80})-(\d{1,9})-(\d{1,4})-(\d{1,4})(?!\d)")


@dataclass(frozen=True, slots=True)
class SlipCheck:
    """What is known of a file. `print`: the one that it is; None: none. `prints`: of the slip that
    it says it is, the original first; empty where the house printed none, or it names none."""

    number: str
    print: SlipPrint | None
    slip: Slip | None
    prints: tuple[SlipPrint, ...]

    @property
    def is_printed(self) -> bool:
        return self.print is not None

    @property
    def is_edited(self) -> bool:
        """It names a slip that the house printed, and is no print of it."""
        return self.print is None and bool(self.prints)

    @property
    def payout(self) -> Payout | None:
        return self.prints[0].payout if self.prints else None


def check_slip(pdf: bytes, user: Any) -> SlipCheck:
    """What the file is, among the slips that the person sees; `user` None: the command, on the
    server. BadFile where it is no PDF, or larger than MOST_BYTES."""
    if user is not None:
        require(user, "export_bundle")
    if len(pdf) > MOST_BYTES:
        raise BadFile(
            _("The file is larger than %(most)s MB: it is not a slip of this console.")
            % {"most": MOST_BYTES // 1024**2}
        )
    if b"%PDF-" not in pdf[:1024]:
        raise BadFile(_("This is not a PDF. Choose the file of a slip."))
    digest = hashlib.sha256(pdf).digest()
    printed = _prints().filter(digest=digest, payout__in=Payout.objects.all()).first()
    payout = printed.payout if printed is not None else _payout_of(pdf)
    if payout is None:
        title = _TITLE.search(pdf)
        number = title[0].decode().removeprefix("Payment slip ") if title else ""
        return SlipCheck(number, None, None, ())
    prints = tuple(_prints().filter(payout=payout).order_by("copy"))
    claim = payout.claim
    number = f"{claim.system.code.upper()}-{claim.number}-{payout.line}-{payout.part}"
    slip = msgspec.convert(prints[0].content, Slip) if prints else None
    return SlipCheck(number, printed, slip, prints)


def _prints() -> QuerySet[SlipPrint]:
    return SlipPrint.objects.select_related("person", "payout__claim__system__casino")


def _payout_of(pdf: bytes) -> Payout | None:
    """The payment whose slip the file says it is."""
    title = _TITLE.search(pdf)
    if title is None:
        return None
    system, claim, line, part = (each.decode() for each in title.groups())
    return (
        Payout.objects.select_related("claim__system__casino")
        .filter(claim__system__code__iexact=system, claim__number=claim, line=line, part=part)
        .first()
    )
