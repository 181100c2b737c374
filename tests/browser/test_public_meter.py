"""The meter in public, from the code on a display to a phone that checks the proof itself."""

import base64
import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import segno
from django.test import override_settings
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from jackpot.display import values as display
from jackpot.models import Block
from jackpot.transparency import checkpoints, notes, public_addresses
from tables.models import GamingTable
from tests.support.pages.browser import accessible
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.pages.public_meter import play
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import KEY, cosign
from verifier.witness.witness import Witness

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ORIGIN = "https://jackpot.example"
LOG = "harbour.example"
EVERY_S = 120  # as the display has it


@pytest.fixture(autouse=True)
def public(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Witness:
    """The console process knows public keys alone; the worker's key is in this process."""
    witness = Witness(tmp_path / "witness", "witness.example/w1", [])
    ours = notes.key_of(KEY).verifier_key(f"{LOG}/main")
    monkeypatch.setenv("PUBLIC_ORIGIN", ORIGIN)
    monkeypatch.setenv("CHECKPOINT_ORIGIN", LOG)
    monkeypatch.setenv("CHECKPOINT_PUBLIC_KEYS", f"{ours} {witness.public_key()}")
    monkeypatch.setenv("METER_CACHE_S", "0")
    return witness


@pytest.fixture
def house(public: Witness, console_url: str) -> House:
    """Some rounds, and a checkpoint that a witness cosigned."""
    house = House(royal_terms())
    house.open("t3")
    play(house, 5)
    with override_settings(CHECKPOINT_ORIGIN=LOG, CHECKPOINT_SIGNING_KEY=KEY):
        checkpoint = checkpoints.make(house.system)
    assert checkpoint is not None
    cosign(public, checkpoint)
    display.refresh(house.system.pk)
    return house


def at_a_turn(screen: Page, seconds: float) -> None:
    """The screen's clock stands so many seconds after a full turn of codes."""
    now = int(timezone.now().timestamp())
    screen.clock.set_fixed_time(now - now % EVERY_S + seconds)


def read_code(screen: Page) -> str:
    """The address in the code as it is drawn: each module is that of the address's own code."""
    code = screen.locator(".meter-code:visible .qr")
    address = code.locator("title").text_content() or ""
    matrix = [list(row) for row in segno.make_qr(address, error="m").matrix_iter()]
    picture = Image.open(io.BytesIO(code.screenshot())).convert("L")
    shades, size = picture.load(), picture.width / len(matrix)
    assert shades is not None
    middles = [int((place + 0.5) * size) for place in range(len(matrix))]
    pixels = [[int(shades[x, y] < 128) for x in middles] for y in middles]  # type: ignore[operator]
    assert pixels == matrix
    return address


def test_from_the_code_on_the_display_to_the_check_on_the_phone(
    house: House, console_url: str, open_screen: OpenScreen
) -> None:
    wall = open_screen("display", 1920, 1080)
    at_a_turn(wall, 2)
    key = GamingTable.objects.get(code="t3").display_key
    wall.goto(f"{console_url}/display/{key}/")
    expect(wall.locator(".meter-code")).to_be_visible()
    expect(wall.locator(".figure")).to_have_text("1,002.50")
    figure, code = (wall.locator(each).bounding_box() for each in (".figure", ".meter-code"))
    assert figure
    assert code
    assert figure["x"] + figure["width"] < code["x"]  # beside the value, not over it
    address = read_code(wall)
    assert address == f"{ORIGIN}/meter/main/royal/"

    phone = open_screen("phone", 390, 844)
    phone.goto(f"{console_url}{urlsplit(address).path}")
    expect(phone.locator("#check")).to_have_attribute("data-state", "ok")
    expect(phone.get_by_role("heading", name="Checked by your phone")).to_be_visible()
    states = phone.locator(".step").evaluate_all("all => all.map((each) => each.dataset.state)")
    assert states == ["ok"] * 4  # value, path, signature, witness
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.context.cookies() == []

    at_a_turn(wall, 12)
    expect(wall.locator(".meter-code")).to_be_hidden()
    at_a_turn(wall, 2)
    expect(wall.locator(".meter-code")).to_be_visible()
    house.press("t3")
    house.call("t3")  # a hand is reported: nothing stands beside it
    house.post()
    display.refresh(house.system.pk)
    expect(wall.locator(".message.reported")).to_be_visible()
    expect(wall.locator(".meter-code")).to_be_hidden()


def changed(pattern: str, page: str) -> str:
    """One letter of what the second group matches another one."""
    match = re.search(pattern, page)
    assert match
    at = match.start(2) + 30
    return page[:at] + ("A" if page[at] != "A" else "B") + page[at + 1 :]


def with_more_in_the_pool(page: str) -> str:
    """Page and leaf say a higher value, and agree."""
    encoded = re.search(r"extra (\S+)", page)
    assert encoded
    leaf = json.loads(base64.b64decode(encoded[1]))
    leaf[4][0][1] += 1_000_000
    forged = base64.b64encode(json.dumps(leaf, separators=(",", ":")).encode()).decode()
    return page.replace(encoded[1], forged).replace("1,002.50", "1,003.50")


def of_another_root(page: str) -> str:
    """The root in the checkpoint and the one on the page: the signature is of the true one."""
    root = re.search(r'data-root="([0-9a-f]+)"', page)
    assert root
    true = bytes.fromhex(root[1])
    false = bytes([true[0] ^ 1]) + true[1:]
    before, after = (base64.b64encode(each).decode() for each in (true, false))
    return page.replace(root[1], false.hex()).replace(before, after)


TAMPERED = {
    "value": (lambda page: page.replace("1,002.50", "1,003.50"), "leaf"),
    "leaf": (with_more_in_the_pool, "path"),
    "path": (lambda page: changed(r"(index \d+\n)(\S+)", page), "path"),
    "root": (of_another_root, "path"),
    "size": (lambda page: re.sub(r'data-size="\d+"', 'data-size="99"', page), "path"),
    "signature": (lambda page: changed(r"(— harbour.example/main )(\S+)", page), "signature"),
    "signature gone": (
        lambda page: page.replace("— harbour.example/main ", "— harbour.example/mail "),
        "signature",
    ),
    "cosignature": (lambda page: changed(r"(— witness.example/w1 )(\S+)", page), "witness"),
    "form": (lambda page: page.replace("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v9"), "leaf"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_proof_is_refused_by_the_phone(
    what: str, house: House, console_url: str, open_screen: OpenScreen
) -> None:
    tamper, step = TAMPERED[what]
    phone = open_screen("phone", 390, 844)

    def serve(route: Route) -> None:
        response = route.fetch()
        page = response.text()
        tampered = tamper(page)
        assert tampered != page
        route.fulfill(response=response, body=tampered)

    phone.route(re.compile(r"/meter/main/royal/$"), serve)
    phone.goto(f"{console_url}/meter/main/royal/")
    expect(phone.locator("#check")).to_have_attribute("data-state", "bad")
    expect(phone.get_by_role("heading", name="This does not fit")).to_be_visible()
    expect(phone.locator(f"[data-step={step}]")).to_have_attribute("data-state", "bad")


NO_ED25519 = """() => {
  const real = crypto.subtle.importKey.bind(crypto.subtle);
  crypto.subtle.importKey = (format, bytes, how, ...rest) =>
    how.name === "Ed25519" ? Promise.reject(new DOMException("no", "NotSupportedError"))
      : real(format, bytes, how, ...rest);
}"""
NO_CRYPTO = "Object.defineProperty(window, 'crypto', { value: {} })"


@pytest.mark.parametrize(
    ("script", "states"),
    [
        (f"({NO_ED25519})()", ["ok", "ok", "unable", "unable"]),
        (NO_CRYPTO, ["unable"] * 4),
    ],
)
def test_what_a_browser_cannot_check_is_said(
    script: str, states: list[str], house: House, console_url: str, open_screen: OpenScreen
) -> None:
    phone = open_screen("phone", 390, 844)
    phone.add_init_script(script)
    phone.goto(f"{console_url}/meter/main/royal/")
    expect(phone.get_by_role("heading", name="Checked in part")).to_be_visible()
    expect(phone.get_by_text("This browser cannot do every calculation")).to_be_visible()
    marks = phone.locator(".step").evaluate_all("all => all.map((each) => each.dataset.state)")
    assert marks == states


def test_the_block_of_a_slip_is_checked(
    house: House, console_url: str, open_screen: OpenScreen
) -> None:
    row = Block.objects.get(number=3)
    with override_settings(PUBLIC_ORIGIN=ORIGIN):
        address = public_addresses.of_block("main", 3, bytes(row.hash).hex())
    phone = open_screen("phone", 390, 844)
    phone.goto(f"{console_url}{urlsplit(address).path}")
    expect(phone.locator("#check")).to_have_attribute("data-state", "ok")
    expect(phone.get_by_role("heading", name="Block 3")).to_be_visible()


def test_pages_fit_every_screen_and_axe_finds_nothing(
    house: House, console_url: str, browser: Browser
) -> None:
    context = browser.new_context()
    accessible.prepare(context)
    page = context.new_page()
    row = Block.objects.get(number=3)
    with override_settings(PUBLIC_ORIGIN=ORIGIN):
        block = urlsplit(public_addresses.of_block("main", 3, bytes(row.hash).hex())).path
    faults = []
    for address in ("/meter/main/royal/", "/meter/keys/", "/meter/nothing/", block):
        page.goto(f"{console_url}{address}")
        expect(page.locator("#check[data-state=wait]")).to_have_count(0)
        accessible.open_all(page)
        for width in (320, 390, 768, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") == width, address
            faults += [f"{width} {address} {fault}" for fault in accessible.violations(page)]
    context.close()
    assert not faults, "\n".join(faults)
