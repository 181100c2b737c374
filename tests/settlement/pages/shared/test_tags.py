"""Cards, amounts and times as pages show them."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.utils.translation import override

ZONE = "Pacific/Auckland"
CASINO = SimpleNamespace(currency="NZD", minor_digits=2, timezone=ZONE, dates="", clock="")
YEN = SimpleNamespace(currency="JPY", minor_digits=0, timezone="Asia/Tokyo", dates="", clock="")


def render(source: str, **context: object) -> str:
    libraries = "{% load cards money when console %}"
    return Template(libraries + source).render(Context({"casino": CASINO, **context}))


class TestCards:
    def test_a_card_is_spoken(self) -> None:
        assert 'aria-label="ace of spades"' in render('{% card "As" %}')

    def test_ten_is_written_as_people_write_it(self) -> None:
        assert ">10</text>" in render('{% card "Td" %}')

    def test_suits_are_drawn_not_written(self) -> None:
        html = render("{% cards hand %}", hand=["As", "Kh", "Qd", "Jc"])
        assert html.count("<path") == 4
        assert not set("♠♥♦♣") & set(html)

    def test_what_is_not_a_card_is_shown_as_it_was_typed(self) -> None:
        html = render('{% card "10h" %}')
        assert "card-fault" in html
        assert 'aria-label="not a card: 10h"' in html
        assert "Write Th for the ten of hearts." in html

    def test_what_was_typed_is_escaped(self) -> None:
        assert "<b>" not in render("{% card typed %}", typed="<b>x")

    def test_a_long_text_does_not_break_the_page(self) -> None:
        assert "A" * 13 not in render("{% card typed %}", typed="A" * 200).split("title=")[0]

    def test_a_card_that_nobody_showed(self) -> None:
        assert 'aria-label="card not shown"' in render('{% card "" %}')

    def test_the_cards_that_count_stand_out(self) -> None:
        html = render("{% cards hand counts=made %}", hand=["As", "2c"], made=["As"])
        assert 'class="card-face counts"' in html
        assert 'class="card-face muted"' in html

    def test_without_a_judgement_nothing_is_muted(self) -> None:
        assert "muted" not in render("{% cards hand %}", hand=["As", "2c"])


class TestMoney:
    @pytest.mark.parametrize(
        ("micros", "text"),
        [(10_000_370_000, "10,000.37"), (10_000_379_999, "10,000.37"), (None, "–")],
    )
    def test_money_never_shows_more_than_there_is(self, micros: int | None, text: str) -> None:
        assert render("{{ micros|money:casino }}", micros=micros) == text

    def test_a_currency_without_decimals(self) -> None:
        assert render("{{ m|money:casino }}", m=5_000_000, casino=YEN) == "5"

    def test_exact_shows_every_micro(self) -> None:
        assert render("{{ m|money_exact:casino }}", m=1_234_567) == "1.234567"

    def test_minor_units_of_a_display(self) -> None:
        assert render("{{ m|money_minor:casino }}", m=1000037) == "10,000.37"

    def test_the_code_stands_beside_the_figure(self) -> None:
        html = render("{{ m|amount:casino }}", m=1_000_000)
        assert html == '<span class="amount"><span class="amount-code">NZD</span> 1.00</span>'

    def test_a_sentence_is_not_parted_between_code_and_figure(self) -> None:
        text = "Rounded up to NZD 1.00; it starts at NZD 5.00."
        html = render("{{ text|unparted:casino }}", text=text)
        assert html == "Rounded up to NZD\xa01.00; it starts at NZD\xa05.00."

    @pytest.mark.usefixtures("spoken")
    def test_the_code_stands_where_the_language_has_it(self) -> None:
        with override("de"):
            html = render("{{ m|amount:casino }}", m=1_000_000)
        assert html == '<span class="amount">1,00 <span class="amount-code">NZD</span></span>'

    def test_no_amount_is_a_dash_without_a_code(self) -> None:
        assert render("{{ m|amount:casino }}", m=None) == "–"


class TestTimes:
    AT = dt.datetime(2026, 11, 20, 14, 14, 5, tzinfo=dt.UTC)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("local_time", "21 Nov 2026, 03:14:05"),
            ("local_clock", "03:14:05"),
            ("local_day", "21 Nov 2026"),
        ],
    )
    def test_times_are_the_casinos_own(self, name: str, text: str) -> None:
        assert render(f"{{{{ at|{name}:casino }}}}", at=self.AT) == text
        assert render(f"{{{{ at|{name}:casino }}}}", at=None) == "–"

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "3:14:05 AM"),
            ("es", "3:14:05 a.m."),
            ("zh-hans", "3:14:05 AM"),
            ("de", "03:14:05"),
        ],
    )
    @pytest.mark.usefixtures("spoken")
    def test_a_clock_of_twelve_hours_where_the_language_has_one(
        self, language: str, text: str
    ) -> None:
        house = SimpleNamespace(**{**vars(CASINO), "clock": "twelve"})
        with override(language):
            assert render("{{ at|local_clock:casino }}", at=self.AT, casino=house) == text

    def test_a_gaming_day_is_not_moved_by_the_zone(self) -> None:
        assert render("{{ day|local_day:casino }}", day=dt.date(2026, 11, 20)) == "20 Nov 2026"

    def test_machines_read_the_instant(self) -> None:
        assert 'datetime="2026-11-20T14:14:05+00:00"' in render(
            "{{ at|moment:casino }}", at=self.AT
        )

    @pytest.mark.parametrize(
        ("seconds", "text"),
        [(-3, "0 s"), (45, "45 s"), (725, "12 min"), (11_100, "3 h 05 min"), (90_000, "1 day")],
    )
    def test_waiting_is_said_in_the_unit_that_matters(
        self, monkeypatch: pytest.MonkeyPatch, seconds: int, text: str
    ) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.AT)
        since = self.AT - dt.timedelta(seconds=seconds)
        assert render("{{ since|waiting }}", since=since) == text


class TestPills:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("confirmed", '<span class="pill ok">Confirmed</span>'),
            ("order_in_question", '<span class="pill warn flag">Order in question</span>'),
            ("something_new", '<span class="pill">Something new</span>'),
        ],
    )
    def test_states_and_flags(self, name: str, text: str) -> None:
        assert render("{% pill name %}", name=name) == text
