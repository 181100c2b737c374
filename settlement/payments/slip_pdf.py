"""The payment slip drawn as PDF, by a pen.

The same slip and print give the same bytes. What does not fit goes to a further page, and every
page carries the number, the copy and the checkpoint. With a second language each line stands in
both, the second in grey below the first.
"""

from __future__ import annotations

import io
from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override
from reportlab.lib.colors import Color, black
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from jackpot.labels.figures import with_code, write_amount, write_count, write_exact
from jackpot.transparency import public_addresses
from settlement.core.printing import pdf_fonts
from settlement.core.printing.house_logo import Logo
from settlement.core.printing.paper import SIZES
from settlement.core.printing.pdf_fonts import BOLD, TEXT, lines_of
from settlement.payments.slip_content import Hand, Print, Slip
from settlement.payments.slip_pen import GREY, LEFT, PALE, RED, Pen, Setting

LOGO = (60 * mm, 9 * mm)  # at most, above the name of the house
FOOT_LINE = 4 * mm
CODE = 28 * mm  # the QR code with its white border
TOP = 16 * mm  # below the edge
WATERMARK = Color(0, 0, 0, alpha=0.07)
SIGN = (
    gettext_noop("Received by the payee: name in capitals"),
    gettext_noop("Signature of the payee"),
    gettext_noop("Cashier"),
    gettext_noop("Witness"),
)


def draw(slip: Slip, printed: Print, logo: bytes = b"") -> bytes:
    """The PDF. `logo`: that of the house, a picture; empty: none."""
    pdf_fonts.register()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=SIZES[slip.paper], invariant=True)
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


class _Sheet(Pen):
    """A slip on a canvas."""

    def __init__(self, canvas: Canvas, slip: Slip, printed: Print, logo: bytes) -> None:
        super().__init__(canvas, SIZES[slip.paper])
        self.slip, self.printed = slip, printed
        self.logo = Logo(logo, *LOGO)
        self.page = 0
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

    def _twice(self, say: Callable[[Slip], str]) -> tuple[str, str]:
        """What is said in English, and in the second language; empty without one, or where it is
        the same."""
        slip = self.slip
        english = say(slip)
        if slip.second is None:
            return english, ""
        with override(slip.language):
            second = say(slip.second)
        return english, "" if second == english else second

    # --- the page -------------------------------------------------------------------------------

    def _new_page(self) -> None:
        if self.page:
            self.canvas.showPage()
        self.page += 1
        canvas, slip = self.canvas, self.slip
        if slip.is_rehearsal:
            self._watermark(_("REHEARSAL"), 92)
        elif self.printed.copy:
            self._watermark(self._copy(), 120)
        self.y = self.height - TOP
        self.logo.draw(canvas, LEFT, self.y + 5 * mm)
        self.text(LEFT, slip.casino, 13, BOLD)
        self.text(
            self.right,
            _("Slip %(slip_number)s") % {"slip_number": slip.number},
            11,
            BOLD,
            right=True,
        )
        self.y -= 5.5 * mm
        which, in_second = self._twice(lambda _slip: self._copy())
        colour = RED if self.printed.copy else black
        self.text(self.right, which, 12, BOLD, right=True, colour=colour)
        titles = self._twice(lambda _slip: _("Jackpot payment slip"))
        self.text(LEFT, titles[0], 10, colour=GREY)
        if slip.second is not None:
            self.y -= 4.2 * mm
            self.text(LEFT, titles[1], 9, colour=GREY)
            self.text(self.right, in_second, 9, right=True, colour=colour)
        if slip.is_rehearsal:
            for text in self._twice(lambda _slip: _("REHEARSAL: NO MONEY. Nothing was paid.")):
                self.y -= 5.5 * mm if text else 0
                self.text(LEFT, text, 12, BOLD, colour=RED)
        self.y -= 3 * mm
        self.rule(black)
        self._foot()
        canvas.setFillColor(black)
        self.y -= 7 * mm

    def _copy(self) -> str:
        if not self.printed.copy:
            return _("ORIGINAL")
        return _("COPY %(copy)s") % {"copy": self.printed.copy}

    def _watermark(self, text: str, size: int) -> None:
        canvas = self.canvas
        canvas.saveState()
        canvas.setFillColor(WATERMARK)
        canvas.setFont(BOLD, size)
        canvas.translate(self.width / 2, self.height / 2)
        canvas.rotate(52)
        canvas.drawCentredString(0, -40, text)
        canvas.restoreState()

    def _foot(self) -> None:
        y, self.y = self.y, self._foot_top
        self.rule(PALE)
        for text in self._foot_lines():
            self.y -= FOOT_LINE
            self.text(LEFT, text, 7.5, colour=GREY)
        if self.slip.address:
            self._code(self.slip.address)
        self.y = y

    def _foot_lines(self) -> list[str]:
        """The checkpoint, where everybody may look at the block, and who printed it."""
        slip, printed = self.slip, self.printed
        says: list[Callable[[Slip], str]] = [
            lambda slip: (
                _("Checkpoint: payment at sequence no. %(entry)s, in block %(block)s")
                % {"entry": write_count(slip.entry), "block": write_count(slip.block)}
            ),
            lambda slip: _("Block hash %(hash)s") % {"hash": slip.hash},
        ]
        if slip.log_size:
            says.append(
                lambda slip: (
                    _("Signed log of %(size)s blocks, root %(root)s")
                    % {"size": write_count(slip.log_size), "root": slip.log_root}
                )
            )
        elif slip.log_follows:
            says.append(
                lambda _slip: _(
                    "Signed log: the checkpoint of this block follows, a copy of this slip names it"
                )
            )
        if slip.address:
            says += [
                lambda _slip: _("Scan the code to see that this block stands in the casino's log:"),
                lambda slip: slip.address.partition("://")[2],
            ]
        says.append(
            lambda _slip: (
                _("Printed by %(by)s, %(printed_at)s. Page %(page)s.")
                % {"by": printed.by, "printed_at": printed.at, "page": self.page}
            )
        )
        return [text for say in says for text in self._twice(say) if text]

    @property
    def _foot_top(self) -> float:
        """Higher where the code and what is said of it need room."""
        lines = 13 * mm + FOOT_LINE * len(self._foot_lines())
        return max(lines, CODE + 9 * mm) if self.slip.address else lines

    def _code(self, address: str) -> None:
        """The QR code in the corner, black on white."""
        rows = public_addresses.qr_modules(address)
        size, top = CODE / len(rows), self._foot_top - 2 * mm
        self.canvas.setFillColor(black)
        for down, row in enumerate(rows):
            for across, is_dark in enumerate(row):
                if is_dark:
                    x, y = self.right - CODE + across * size, top - (down + 1) * size
                    self.canvas.rect(x, y, size, size, stroke=0, fill=1)

    def _room(self, height: float) -> None:
        if self.y - height < self._foot_top + 9 * mm:
            self._new_page()

    # --- the parts ------------------------------------------------------------------------------

    def _amount(self) -> None:
        slip = self.slip
        self._both(lambda slip: slip.prize, Setting(11, BOLD, 4.6))
        self.y -= 5.4 * mm
        figure = self._twice(lambda slip: with_code(slip.currency, self._money(slip.net)))
        self.text(LEFT, figure[0], 24, BOLD)
        if figure[1]:
            self.text(self.right, figure[1], 14, right=True, colour=GREY)
        self.y -= 7 * mm
        self._both(lambda slip: slip.words, Setting(10))
        if self.printed.payee:
            payee = {"payee": self.printed.payee}
            self._both(lambda _slip: _("Paid to: %(payee)s") % payee, Setting(11, BOLD, 5.5))
        if slip.tax:
            self._both(
                lambda slip: (
                    _("Won %(gross)s, tax withheld %(tax)s, handed over %(net)s")
                    % {
                        "gross": self._money(slip.amount),
                        "tax": self._money(slip.tax),
                        "net": self._money(slip.net),
                    }
                ),
                Setting(9, BOLD),
            )
        if slip.parts:
            self._both(
                lambda slip: (
                    _("Handed over in: %(parts)s")
                    % {"parts": "; ".join(f"{how} {self._money(part)}" for how, part in slip.parts)}
                ),
                Setting(9),
            )
        if slip.paid_before or slip.still_due:
            self._both(
                lambda slip: (
                    _("A part of %(money)s: paid before %(money_2)s, still due %(money_3)s")
                    % {
                        "money": self._money(slip.line_amount),
                        "money_2": self._money(slip.paid_before),
                        "money_3": self._money(slip.still_due),
                    }
                ),
                Setting(9, BOLD),
            )
        self.y -= 2 * mm

    def _facts(self) -> None:
        half, indent = (self.right - LEFT) / 2, 31 * mm
        facts, second = self.slip.facts, self.slip.second
        for place in range(0, len(facts), 2):
            lowest = top = self.y
            for n, (name, text) in enumerate(facts[place : place + 2]):
                others = second.facts[place + n] if second else (name, text)
                x = LEFT + half * n
                for at, width, size, pair, colour in (
                    (x, indent - 2 * mm, 8, (name, others[0]), GREY),
                    (x + indent, half - indent - 3 * mm, 8.5, (text, others[1]), black),
                ):
                    self.y = top
                    self.pair(at, pair, Setting(size, TEXT, 4, colour), width)
                    lowest = min(lowest, self.y)
            self.y = lowest - 1 * mm
        self.y -= 3 * mm

    def _cards(self, hand: Hand) -> None:
        self._room((41 if self.slip.second else 32) * mm)
        self._heading(lambda _slip: _("The hand"))
        x, counts = LEFT, set(hand.counts)
        bottom = self.y - 17 * mm
        for text in hand.hole:
            x = self.card(x, bottom, text, text in counts)
        x += 5 * mm
        for text in hand.board:
            x = self.card(x, bottom, text, text in counts)
        self.y = bottom - 5 * mm
        self._both(lambda slip: slip.hand.hand_name if slip.hand else "", Setting(9, BOLD, 4))
        self._both(
            lambda _slip: _("Hole cards, then the first board. Framed: the cards that count."),
            Setting(7.5, TEXT, 3.6, GREY),
        )
        self.y -= 3.4 * mm

    def _steps(self) -> None:
        self._room(14 * mm)
        self._heading(lambda _slip: _("How the amount came about"))
        width = self.right - LEFT - 42 * mm
        for number, step in enumerate(self.slip.steps):
            pair = self._twice(lambda slip, at=number: slip.steps[at].text)  # type: ignore[misc]
            text = f"{number + 1}. {pair[0]}" + (f" ({step.rule})" if step.rule else "")
            self._room(4.3 * mm * self.lines((text, pair[1]), 8.5, TEXT, width))
            beside = self.y - 4.3 * mm * (len(lines_of(text, TEXT, 8.5, width)) - 1)
            self.pair(LEFT, (text, pair[1]), Setting(8.5, TEXT, 4.3), width)
            if step.amount is not None:
                below, self.y = self.y, beside
                exact = write_exact(step.amount, self.slip.digits)
                self.text(self.right, with_code(self.slip.currency, exact), 8.5, right=True)
                self.y = below
        self.y -= 3 * mm

    def _people(self) -> None:
        people, second = self.slip.people, self.slip.second
        self._room(10 * mm + (8.2 if second else 4.3) * mm * len(people))
        self._heading(lambda _slip: _("Who"))
        for place, person in enumerate(people):
            other = second.people[place] if second else person
            top = self.y
            did = (person.did, other.did)
            self.pair(LEFT, did, Setting(8.5, TEXT, 4.3, GREY), 38 * mm)
            lowest, self.y = self.y, top
            self.pair(LEFT + 40 * mm, (person.name, other.name), Setting(8.5, TEXT, 4.3), 80 * mm)
            lowest, self.y = min(lowest, self.y), top
            self.text(self.right, person.when, 8.5, right=True, colour=GREY)
            self.y = lowest
        self.y -= 2 * mm

    def _signatures(self) -> None:
        self._room((40 if self.slip.second else 32) * mm)
        half = (self.right - LEFT) / 2
        # A name that is printed is not written by hand too.
        for place, text in enumerate(SIGN[1:] if self.printed.payee else SIGN):
            x = LEFT + half * (place % 2)
            if place % 2 == 0:
                self.y -= (16 if self.slip.second else 13) * mm
            top = self.y
            self.canvas.setStrokeColor(black)
            self.canvas.line(x, self.y, x + half - 6 * mm, self.y)
            self.y -= 3.6 * mm
            pair = self._twice(lambda _slip, text=text: _(text))  # type: ignore[misc]
            self.pair(x, pair, Setting(7.5, TEXT, 3.2, GREY), half - 6 * mm)
            self.y = top

    def _heading(self, say: Callable[[Slip], str]) -> None:
        english, second = self._twice(say)
        self.text(LEFT, english, 9.5, BOLD)
        if second:
            self.text(self.right, second, 9, right=True, colour=GREY)
        self.y -= 1.5 * mm
        self.rule(PALE)
        self.y -= 5 * mm

    def _both(self, say: Callable[[Slip], str], setting: Setting) -> None:
        """Whole lines, in English and below in the second language; the pen goes down."""
        self.pair(LEFT, self._twice(say), setting)

    def _money(self, micros: int) -> str:
        return write_amount(micros, self.slip.digits)
