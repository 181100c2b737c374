"""The payment slip drawn as PDF: the only file that knows the PDF library.

The same slip and print give the same bytes. What does not fit goes to a further page, and every
page carries the number, the copy and the checkpoint.
"""

from __future__ import annotations

import io

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfgen.canvas import Canvas

from jackpot.terms.money import format_exact, format_micros
from jackpot.transparency import public_addresses
from settlement.claims.derivation import Step
from settlement.core import pdf_fonts
from settlement.core.pdf_fonts import BOLD, TEXT

WIDTH, HEIGHT = A4
LOGO = (60 * mm, 9 * mm)  # at most, above the name of the house
LEFT, RIGHT, TOP = 18 * mm, WIDTH - 18 * mm, HEIGHT - 16 * mm
CODE = 28 * mm  # the QR code with its white border
GREY, PALE, RED = HexColor("#555555"), HexColor("#bbbbbb"), HexColor("#b00020")
WATERMARK = Color(0, 0, 0, alpha=0.07)
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SIGN = (
    gettext_noop("Received by the payee: name in capitals"),
    gettext_noop("Signature of the payee"),
    gettext_noop("Cashier"),
    gettext_noop("Witness"),
)


class Person(msgspec.Struct, frozen=True):
    """Somebody who acted on the claim; `did` as it stands on the slip."""

    did: str
    name: str
    when: str


class Hand(msgspec.Struct, frozen=True):
    """Cards as reported; `counts` are the five of the hand."""

    hole: list[str]
    board: list[str]
    counts: list[str]
    made: str


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """What a slip says; amounts in micros. `amount` is what was paid, `tax` is withheld of it."""

    number: str
    casino: str
    currency: str
    digits: int
    prize: str
    facts: list[tuple[str, str]]
    amount: int
    words: str
    parts: list[tuple[str, int]]
    line_amount: int
    paid_before: int
    hand: Hand | None
    steps: list[Step]
    people: list[Person]
    entry: int
    block: int
    hash: str
    identification: int | None = None  # whose name stands on it
    # The checkpoint of the log that covers the block; 0 where there was none yet.
    log_size: int = 0
    log_root: str = ""
    address: str = ""  # of the block's public page
    tax: int = 0

    @property
    def net(self) -> int:
        """What was handed over."""
        return self.amount - self.tax

    @property
    def still_due(self) -> int:
        return self.line_amount - self.paid_before - self.amount


class Print(msgspec.Struct, frozen=True):
    """One print: 0 is the original. `payee` is a name; `mark` is kept nowhere else, so that nobody
    finds the name by the digest."""

    copy: int
    by: str
    at: str
    payee: str = ""
    mark: str = ""


def draw(slip: Slip, printed: Print, logo: bytes = b"") -> bytes:
    """The PDF. `logo`: that of the house, a picture; empty: none."""
    pdf_fonts.register()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=True)
    canvas.setTitle(
        _("Payment slip %(number)s COPY %(copy)s") % {"number": slip.number, "copy": printed.copy}
        if printed.copy
        else _("Payment slip %(number)s") % {"number": slip.number}
    )
    canvas.setAuthor(slip.casino)
    canvas.setSubject(printed.mark)
    _Sheet(canvas, slip, printed, logo).draw()
    canvas.save()
    return out.getvalue()


class _Sheet:
    """A canvas with a pen that goes down the page; `y` is where it stands."""

    def __init__(self, canvas: Canvas, slip: Slip, printed: Print, logo: bytes) -> None:
        self.canvas, self.slip, self.printed = canvas, slip, printed
        self.logo = ImageReader(io.BytesIO(logo)) if logo else None
        self.page, self.y = 0, 0.0
        self._new_page()

    def draw(self) -> None:
        self._amount()
        self._facts()
        if self.slip.hand is not None:
            self._cards(self.slip.hand)
        self._steps()
        self._people()
        self._signatures()
        self.canvas.showPage()

    # --- the page -------------------------------------------------------------------------------

    def _new_page(self) -> None:
        if self.page:
            self.canvas.showPage()
        self.page += 1
        canvas, slip = self.canvas, self.slip
        if self.printed.copy:
            self._mark_copy()
        self.y = TOP
        if self.logo is not None:
            canvas.drawImage(
                self.logo,
                LEFT,
                TOP + 5 * mm,
                *LOGO,
                mask="auto",
                anchor="sw",
                preserveAspectRatio=True,
            )
        self._text(LEFT, slip.casino, 13, BOLD)
        self._text(
            RIGHT, _("Slip %(slip_number)s") % {"slip_number": slip.number}, 11, BOLD, right=True
        )
        self.y -= 5.5 * mm
        self._text(LEFT, _("Jackpot payment slip"), 10, colour=GREY)
        which = (
            _("COPY %(copy)s") % {"copy": self.printed.copy} if self.printed.copy else _("ORIGINAL")
        )
        colour = RED if self.printed.copy else black
        self._text(RIGHT, which, 12, BOLD, right=True, colour=colour)
        self.y -= 3 * mm
        self._rule(black)
        self._foot()
        canvas.setFillColor(black)
        self.y -= 7 * mm

    def _mark_copy(self) -> None:
        canvas = self.canvas
        canvas.saveState()
        canvas.setFillColor(WATERMARK)
        canvas.setFont(BOLD, 120)
        canvas.translate(WIDTH / 2, HEIGHT / 2)
        canvas.rotate(52)
        canvas.drawCentredString(0, -40, _("COPY %(copy)s") % {"copy": self.printed.copy})
        canvas.restoreState()

    def _foot(self) -> None:
        slip, y = self.slip, self.y
        self.y = self._foot_top
        self._rule(PALE)
        for text in (
            _("Checkpoint: payment at entry %(entry)s of the order, in block %(block)s")
            % {"entry": f"{slip.entry:,}", "block": f"{slip.block:,}"},
            _("Block hash %(hash)s") % {"hash": slip.hash},
            *self._log(),
            _("Printed by %(by)s, %(printed_at)s. Page %(page)s.")
            % {"by": self.printed.by, "printed_at": self.printed.at, "page": self.page},
        ):
            self.y -= 4 * mm
            self._text(LEFT, text, 7.5, colour=GREY)
        if slip.address:
            self._code(slip.address)
        self.y = y

    @property
    def _foot_top(self) -> float:
        """Higher where the code and what is said of it need room."""
        return CODE + 9 * mm if self.slip.address else 25 * mm + 4 * mm * len(self._log())

    def _log(self) -> list[str]:
        """The signed checkpoint, and where everybody may look at the block."""
        slip, lines = self.slip, []
        if slip.log_size:
            lines.append(
                _("Signed log of %(size)s blocks, root %(root)s")
                % {"size": f"{slip.log_size:,}", "root": slip.log_root}
            )
        if slip.address:
            lines += [
                _("Scan the code to see that this block stands in the casino's log:"),
                slip.address.partition("://")[2],
            ]
        return lines

    def _code(self, address: str) -> None:
        """The QR code in the corner, black on white."""
        rows = public_addresses.qr_modules(address)
        size, top = CODE / len(rows), self._foot_top - 2 * mm
        self.canvas.setFillColor(black)
        for down, row in enumerate(rows):
            for across, is_dark in enumerate(row):
                if is_dark:
                    x, y = RIGHT - CODE + across * size, top - (down + 1) * size
                    self.canvas.rect(x, y, size, size, stroke=0, fill=1)

    def _room(self, height: float) -> None:
        if self.y - height < self._foot_top + 9 * mm:
            self._new_page()

    # --- the parts ------------------------------------------------------------------------------

    def _amount(self) -> None:
        slip = self.slip
        self._text(LEFT, slip.prize, 11, BOLD)
        self.y -= 10 * mm
        self._text(LEFT, f"{slip.currency} {self._money(slip.net)}", 24, BOLD)
        self.y -= 7 * mm
        for line in simpleSplit(slip.words, TEXT, 10, RIGHT - LEFT):
            self._text(LEFT, line, 10)
            self.y -= 5 * mm
        paid_to = (
            _("Paid to: %(payee)s") % {"payee": self.printed.payee} if self.printed.payee else ""
        )
        for line in simpleSplit(paid_to, BOLD, 11, RIGHT - LEFT):
            self._text(LEFT, line, 11, BOLD)
            self.y -= 5.5 * mm
        if slip.tax:
            text = _("Won %(gross)s, tax withheld %(tax)s, handed over %(net)s") % {
                "gross": self._money(slip.amount),
                "tax": self._money(slip.tax),
                "net": self._money(slip.net),
            }
            self._text(LEFT, text, 9, BOLD)
            self.y -= 5 * mm
        amounts = [f"{method} {self._money(amount)}" for method, amount in slip.parts]
        if amounts:
            self._text(LEFT, _("Handed over in: %(parts)s") % {"parts": "; ".join(amounts)}, 9)
            self.y -= 5 * mm
        if slip.paid_before or slip.still_due:
            text = _("A part of %(money)s: paid before %(money_2)s, still due %(money_3)s") % {
                "money": self._money(slip.line_amount),
                "money_2": self._money(slip.paid_before),
                "money_3": self._money(slip.still_due),
            }
            self._text(LEFT, text, 9, BOLD)
            self.y -= 5 * mm
        self.y -= 2 * mm

    def _facts(self) -> None:
        half = (RIGHT - LEFT) / 2
        for place, (name, text) in enumerate(self.slip.facts):
            x = LEFT + half * (place % 2)
            self._text(x, name, 8, colour=GREY)
            self._text(x + 31 * mm, text, 8.5)
            if place % 2 or place == len(self.slip.facts) - 1:
                self.y -= 5 * mm
        self.y -= 3 * mm

    def _cards(self, hand: Hand) -> None:
        self._room(32 * mm)
        self._heading(_("The hand"))
        x, counts = LEFT, set(hand.counts)
        bottom = self.y - 17 * mm
        for text in hand.hole:
            x = self._card(x, bottom, text, text in counts)
        x += 5 * mm
        for text in hand.board:
            x = self._card(x, bottom, text, text in counts)
        self.y = bottom - 5 * mm
        self._text(LEFT, hand.made, 9, BOLD)
        self.y -= 4 * mm
        self._text(
            LEFT,
            _("Hole cards, then the first board. Framed: the cards that count."),
            7.5,
            colour=GREY,
        )
        self.y -= 7 * mm

    def _card(self, x: float, y: float, text: str, counts: bool) -> float:
        canvas, width, height = self.canvas, 12 * mm, 17 * mm
        canvas.setStrokeColor(black if counts else PALE)
        canvas.setLineWidth(1.6 if counts else 0.6)
        canvas.roundRect(x, y, width, height, 1.6 * mm)
        rank, suit = text[:-1].replace("T", "10"), SUITS.get(text[-1:], text[-1:])
        canvas.setFillColor(RED if suit in "♥♦" else black)
        canvas.setFont(BOLD, 17 if len(rank) == 1 else 13.5)
        canvas.drawCentredString(x + width / 2, y + 7 * mm, rank + suit)
        canvas.setFillColor(black)
        canvas.setLineWidth(0.6)
        return x + width + 2 * mm

    def _steps(self) -> None:
        self._room(14 * mm)
        self._heading(_("How the amount came about"))
        for number, step in enumerate(self.slip.steps, start=1):
            text = f"{number}. {step.text}" + (f" ({step.rule})" if step.rule else "")
            lines = simpleSplit(text, TEXT, 8.5, RIGHT - LEFT - 42 * mm)
            self._room(4.3 * mm * len(lines))
            for place, line in enumerate(lines):
                self._text(LEFT, line, 8.5)
                if place == len(lines) - 1 and step.amount is not None:
                    exact = format_exact(step.amount, self.slip.digits)
                    self._text(RIGHT, f"{self.slip.currency} {exact}", 8.5, right=True)
                self.y -= 4.3 * mm
        self.y -= 3 * mm

    def _people(self) -> None:
        self._room(10 * mm + 4.3 * mm * len(self.slip.people))
        self._heading(_("Who"))
        for person in self.slip.people:
            self._text(LEFT, person.did, 8.5, colour=GREY)
            self._text(LEFT + 40 * mm, person.name, 8.5)
            self._text(RIGHT, person.when, 8.5, right=True, colour=GREY)
            self.y -= 4.3 * mm
        self.y -= 2 * mm

    def _signatures(self) -> None:
        self._room(32 * mm)
        half = (RIGHT - LEFT) / 2
        # A name that is printed is not written by hand too.
        for place, text in enumerate(SIGN[1:] if self.printed.payee else SIGN):
            x = LEFT + half * (place % 2)
            if place % 2 == 0:
                self.y -= 13 * mm
            self.canvas.setStrokeColor(black)
            self.canvas.line(x, self.y, x + half - 6 * mm, self.y)
            self.y -= 3.6 * mm
            self._text(x, _(text), 7.5, colour=GREY)
            self.y += 3.6 * mm

    # --- the pen --------------------------------------------------------------------------------

    def _heading(self, text: str) -> None:
        self._text(LEFT, text, 9.5, BOLD)
        self.y -= 1.5 * mm
        self._rule(PALE)
        self.y -= 5 * mm

    def _rule(self, colour: Color) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(0.6)
        self.canvas.line(LEFT, self.y, RIGHT, self.y)

    def _text(
        self,
        x: float,
        text: str,
        size: float,
        font: str = TEXT,
        *,
        right: bool = False,
        colour: Color = black,
    ) -> None:
        self.canvas.setFillColor(colour)
        self.canvas.setFont(font, size)
        (self.canvas.drawRightString if right else self.canvas.drawString)(x, self.y, text)
        self.canvas.setFillColor(black)

    def _money(self, micros: int) -> str:
        return format_micros(micros, self.slip.digits)
