"""The payment slip: what stands on it, read back from the PDF; copies are marked and recorded."""

import datetime as dt
import hashlib
import io
import logging
import re
from typing import Any

import msgspec
import pytest
import segno
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ContentStream
from pytest_django import Settings
from reportlab.lib.units import mm

from jackpot.models import Block, Hit, HouseLook
from jackpot.transparency import checkpoints
from settlement.core.errors import NotPermitted
from settlement.evidence import identification
from settlement.models import Action, IdentificationLook, Payout, SlipPrint
from settlement.payments import slips
from settlement.payments.amount_in_words import amount_in_words
from tables.models import Casino
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import PaidHouse, person
from tests.support.pages.pseudo_locale import outside, pseudo_locale
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


house = kept_house(PaidHouse)


def test_what_stands_on_a_slip(house: PaidHouse) -> None:
    text = read(house.print(house.second))
    block = Block.objects.get(
        system=house.system,
        first_seq__lte=house.second.entry_seq,
        last_seq__gte=house.second.entry_seq,
    )
    for line in (
        "Slip MAIN-1-1-2",
        "ORIGINAL",
        house.system.casino.name,
        "Royal Flush",
        "NZD 401.00",
        "NZD four hundred and one and 00/100",
        "Handed over in: Chips 1.00; Cash 400.00",
        "A part of 1,001.00: paid before 600.00, still due 0.00",
        "MAIN-1",
        "seat 3 (winning hand)",
        *("A♠", "K♠", "Q♠", "J♠", "10♠", "2♦", "3♣"),
        "Prize pool before the hit (19.8(c)) NZD 1,000.50",
        "the larger, rounded up to whole 1.00 (19.14(a)) NZD 1,001.00",
        "Amount reserved NZD 1,001.00",
        "Confirmed by sione and mere",
        "Verified by sione",
        "Confirmed by mere",
        "Paid by aroha",
        "Signature of the payee",
        f"payment at sequence no. {house.second.entry_seq:,}, in block {block.number:,}",
        bytes(block.hash).hex(),
        "Printed by aroha",
    ):
        assert line in text, (line, text)
    assert "COPY" not in text
    assert "still due 401.00" in read(house.print(house.first))


def test_everybody_stands_on_it_whatever_the_writers_clock_says(house: PaidHouse) -> None:
    """A payment has the time of its entry: a writer's machine may be some seconds behind."""
    with owner_without_guards("settlement_payout"):
        Payout.objects.update(at=Action.objects.earliest("id").at - dt.timedelta(seconds=3))
    text = read(house.print(Payout.objects.get(pk=house.first.pk)))
    for line in ("Verified by", "Confirmed by", "Paid by"):
        assert line in text


def test_a_reprint_is_a_numbered_copy_of_what_the_original_says(house: PaidHouse) -> None:
    original = read(house.print(house.first))
    first = house.print(house.first, "mere")
    second = read(house.print(house.first))
    assert "COPY 1" in read(first)
    assert "Printed by mere" in read(first)
    assert "COPY 2" in second
    assert "ORIGINAL" not in second
    middle = original.partition("ORIGINAL")[2].partition("Printed by")[0]
    assert middle.partition("Checkpoint")[2] in second
    prints = SlipPrint.objects.order_by("copy")
    assert [(each.copy, each.person.get_username()) for each in prints] == [
        (0, "aroha"),
        (1, "mere"),
        (2, "aroha"),
    ]
    assert bytes(prints[1].digest) == hashlib.sha256(first).digest()


def test_a_copy_does_not_follow_what_became_of_the_claim(house: PaidHouse) -> None:
    house.print(house.second)
    Hit.objects.update(held=house.amount + 5_000_000)
    assert "Amount reserved NZD 1,001.00" in read(house.print(house.second))


NAME = "Zoë Ångström-Šimić"
PLAYER: dict[str, Any] = {
    "seat": 3,
    "name": NAME,
    "born": dt.date(1980, 2, 29),
    "document": "passport",
    "document_number": "LK418805",
}


def test_the_payees_name_stands_on_the_paper_and_nowhere_else(
    house: PaidHouse, caplog: pytest.LogCaptureFixture
) -> None:
    assert "name in capitals" in read(house.print(house.first))
    caplog.set_level(logging.DEBUG)
    identification.identify(house.claim, person("sione"), identification.PlayerIdentity(**PLAYER))
    with CaptureQueriesContext(connection) as queries:
        text = read(house.print(house.second))
    assert f"Paid to: {NAME}" in text
    assert "name in capitals" not in text
    assert NAME not in caplog.text
    assert NAME not in str(queries.captured_queries)
    assert NAME not in str([each.content for each in SlipPrint.objects.all()])
    look = IdentificationLook.objects.get()
    assert (look.person.get_username(), look.purpose) == ("aroha", "pay")
    # Who is identified again since is not on a copy of what was printed before.
    identification.identify(
        house.claim,
        person("sione"),
        identification.PlayerIdentity(**PLAYER | {"name": "Somebody Else"}),
    )
    copy = read(house.print(house.second, "mere"))
    assert f"Paid to: {NAME}" in copy
    assert "Somebody" not in copy
    assert "name in capitals" in read(house.print(house.first))  # as the original


def test_two_prints_of_a_name_have_no_digest_in_common(house: PaidHouse) -> None:
    """Names are few enough to try them all: a digest of what else is known would tell it."""
    slip = slips.slip_of(house.first)
    one, other = (slips.draw(slip, slips.Print(0, "x", "y", NAME, mark)) for mark in "ab")
    assert one != other


def test_who_may_not_look_is_given_no_name(house: PaidHouse) -> None:
    identification.identify(house.claim, person("sione"), identification.PlayerIdentity(**PLAYER))
    number = identification.newest_of(house.claim, 3)
    assert number is not None
    for name in ("tane", "nobody"):
        with pytest.raises(NotPermitted):
            identification.name_on_slip(house.claim, number, person(name))
        with (
            acting_as("web"),
            pytest.raises(DatabaseError, match="may not look"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT name_on_slip(%s, %s)", [number, person(name).pk])
    assert not IdentificationLook.objects.exists()


def test_who_may_print(house: PaidHouse) -> None:
    for name in ("sione", "tane", "ines"):
        with pytest.raises(NotPermitted):
            house.print(house.first, name)
    assert not SlipPrint.objects.exists()


def test_prints_are_never_rewritten(house: PaidHouse) -> None:
    house.print(house.first)
    for role in (None, "web", "worker"):
        for statement in (
            "UPDATE settlement_slipprint SET copy = 7",
            "DELETE FROM settlement_slipprint",
        ):
            with (
                acting_as(role),
                pytest.raises(DatabaseError, match=r"append-only|permission denied"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement)
    with pytest.raises(IntegrityError), transaction.atomic():  # one original alone
        SlipPrint.objects.create(
            payout=house.first,
            copy=0,
            person=person("mere"),
            at=house.first.at,
            digest=b"",
            content={},
        )


def test_the_same_print_is_the_same_bytes(house: PaidHouse) -> None:
    slip = slips.slip_of(house.first)
    printed = slips.Print(0, "Aroha Ngāta", "1 November 2026")
    assert slips.draw(slip, printed) == slips.draw(slip, printed)
    assert "Aroha Ngāta" in read(slips.draw(slip, printed))


def test_the_logo_of_the_house_stands_on_each_page_of_a_slip(house: PaidHouse) -> None:
    def images() -> list[int]:
        pages = PdfReader(io.BytesIO(house.print(house.first))).pages
        return [len(page.images) for page in pages]

    assert set(images()) == {0}
    file = io.BytesIO()
    Image.new("RGBA", (300, 60), "teal").save(file, "PNG")
    HouseLook.objects.create(
        casino=house.system.casino,
        picture=file.getvalue(),
        picture_type="image/png",
        background="#000000",
        text="#ffffff",
        accent="#ffd700",
        font="sans",
    )
    with acting_as("web"):
        assert set(images()) == {1}


def test_a_long_slip_goes_to_another_page(house: PaidHouse) -> None:
    slip = slips.slip_of(house.first)
    many = [each for each in slip.steps for _ in range(12)]
    long = msgspec.structs.replace(slip, steps=many)
    pages = PdfReader(io.BytesIO(slips.draw(long, slips.Print(3, "x", "y")))).pages
    assert len(pages) > 1
    for page in pages:
        text = page.extract_text()
        assert "COPY 3" in text
        assert slip.hash in text
        assert slip.number in text


def test_a_slip_names_its_checkpoint_and_leads_to_its_block(
    house: PaidHouse, settings: Settings
) -> None:
    sign_checkpoints(settings)
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    checkpoint = checkpoints.make(house.system)
    assert checkpoint is not None
    pdf = house.print(house.second)
    text = read(pdf)
    content = SlipPrint.objects.get().content
    assert content is not None
    block, digits = content["block"], content["hash"]
    root = bytes(checkpoint.root).hex()[:16]
    assert f"Signed log of {checkpoint.size} blocks, root {root}" in text
    address = f"jackpot.example/meter/main/block/{block}/{digits[:16]}/"
    assert address in text
    rows = segno.make_qr(f"https://{address}", error="m").matrix_iter()
    assert read_code(pdf) == [bytearray(row) for row in rows]
    # A copy says what the original said, whatever the log has become.
    house.press("t3")
    house.post()
    checkpoints.make(house.system)
    copy = house.print(house.second)
    assert f"Signed log of {checkpoint.size} blocks, root {root}" in read(copy)
    assert read_code(copy) == read_code(pdf)


def read_code(pdf: bytes) -> list[bytearray]:
    """The modules of the code, from the rectangles that are drawn."""
    (page,) = PdfReader(io.BytesIO(pdf)).pages
    stream = ContentStream(page.get_contents(), page.pdf)
    squares = [operands for operands, operator in stream.operations if operator == b"re"]
    modules = [(float(x), float(y)) for x, y, width, height in squares if width == height]
    side = float(next(width for _, _, width, height in squares if width == height))
    count = round(28 * mm / side)
    left = min(x for x, _ in modules) - 4 * side  # the border is white
    top = max(y for _, y in modules) + 5 * side
    rows = [bytearray(count) for _ in range(count)]
    for x, y in modules:
        rows[round((top - y) / side) - 1][round((x - left) / side)] = 1
    return rows


def test_a_block_that_no_checkpoint_covers_yet_is_named_without_one(
    house: PaidHouse, settings: Settings
) -> None:
    assert "Signed log" not in read(house.print(house.first))
    sign_checkpoints(settings)
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    text = read(house.print(house.second))  # there is no log at all
    assert "Signed log" not in text
    assert "jackpot.example" not in text


# What this house and its people are called, months, and the amount in words, which is the
# currency's: no words of the console.
_DATA = re.compile(
    r"(?<!\w)(Harbour Casino|Main floor|Royal Flush|NZD|Table|November|sione|mere|aroha"
    r"|MAIN|UTC|[0-9a-f]{8,}|four|hundred|and|one)(?!\w)"
)


def test_every_text_of_a_slip_goes_through_gettext(house: PaidHouse) -> None:
    with pseudo_locale():
        slip = slips.slip_of(house.second)
        prints = [slips.Print(copy, "aroha", "21 November 2026", "", "0" * 32) for copy in (0, 1)]
        pages = [read(slips.draw(slip, each)) for each in prints]
    assert "COPY 1" in pages[1]
    for page in pages:
        assert " ".join(re.findall(r"[^\W\d_]{2,}", _DATA.sub("", outside(page)))) == ""


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("Jackpot-Auszahlungsbeleg", "600,00 NZD", "Tisch und Platz", "KOPIE 1")),
        ("fr", ("Bordereau de paiement de jackpot", "600,00 NZD", "COPIE 1")),
        ("es", ("Comprobante de pago de jackpot", "600,00 NZD", "COPIA 1")),
        ("zh-hans", ("累积奖金派彩单",)),
    ],
)
def test_each_line_stands_in_a_second_language_too(
    house: PaidHouse, language: str, words: tuple[str, ...]
) -> None:
    Casino.objects.update(slip_language=language)
    first = Payout.objects.select_related("claim__system__casino").earliest("part")
    house.print(first)
    copy = house.print(first)
    content = SlipPrint.objects.get(copy=0).content
    assert content is not None
    second = content["second"]
    assert (content["language"], len(second["facts"])) == (language, len(content["facts"]))
    assert content["steps"][0]["text"] != second["steps"][0]["text"]
    text = read(copy)
    assert "NZD six hundred and 00/100" in text
    assert "Jackpot payment slip" in text
    assert "NZD 600.00" in text
    assert "COPY 1" in text
    with translation.override(language):
        amount = amount_in_words(first.amount, "NZD", 2)
    for word in (*words, amount):
        assert word in text
    # What was kept is what a copy says, whatever the house chose since, and whatever a slip says
    # since: the amount stood in English alone.
    before = {**content, "second": {**second, "words": content["words"]}}
    pdf = slips.draw(msgspec.convert(before, slips.Slip), slips.Print(1, "mere", "now"))
    assert read(pdf).count("00/100") == 1
    Casino.objects.update(slip_language="")
    assert words[0] in read(house.print(Payout.objects.earliest("part")))


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("language", ["de", "fr", "es", "zh-hans"])
def test_nothing_of_a_slip_in_two_languages_leaves_the_paper(
    house: PaidHouse, language: str, settings: Settings
) -> None:
    sign_checkpoints(settings)
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    checkpoints.make(house.system)
    Casino.objects.update(slip_language=language)
    payout = Payout.objects.select_related("claim__system__casino").latest("part")
    assert outside_of_paper(house.print(payout)) == []


def outside_of_paper(pdf: bytes) -> list[str]:
    """Texts that end beyond the right margin, or begin left of the other one."""
    beyond: list[str] = []

    def visit(text: str, _cm: Any, tm: Any, _font: Any, size: float) -> None:
        if text.strip() and not 40 < tm[4] < 560:
            beyond.append(text)

    for page in PdfReader(io.BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    return beyond


def test_a_slip_is_stored_in_english_whoever_prints_it(house: PaidHouse) -> None:
    with pseudo_locale():
        text = read(house.print(house.first))
    assert "⟦" not in text
    assert "⟦" not in str(SlipPrint.objects.get().content)
