"""What every template must keep to: the content security policy, the design, plain English."""

import re
from pathlib import Path

import pytest
from django.template.loader import get_template, render_to_string

from tests.support.pages.browser.colours import STATIC

PROJECT = Path(__file__).resolve().parents[4]
TEMPLATES = sorted(
    path for folder in (PROJECT / "templates", PROJECT / "demo") for path in folder.rglob("*.html")
)
NAMES = [
    str(path.relative_to(PROJECT / "templates"))
    for path in TEMPLATES
    if path.is_relative_to(PROJECT / "templates")
]

_COMMENT = re.compile(r"{#.*?#}", re.DOTALL)
_INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"""(?:src|href)=["']\s*(?:https?:)?//""")
_STYLES = "partials/styles.html"
_CLASSES = re.compile(r'class="([^"]*)"')


@pytest.mark.parametrize("name", NAMES)
def test_every_template_compiles(name: str) -> None:
    get_template(name)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_that_the_policy_forbids(path: Path) -> None:
    text = _COMMENT.sub("", path.read_text())
    assert not _INLINE.search(text), "the policy blocks inline styles and scripts"
    assert not _ELSEWHERE.search(text), "everything comes from this server"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_line_is_longer_than_a_screen(path: Path) -> None:
    lines = path.read_text().splitlines()
    long = [number for number, line in enumerate(lines, 1) if len(line) > 160]
    assert not long, "a statement a line: break where a space may stand, or make it a component"


def test_the_demo_styles_no_class_of_the_console() -> None:
    """Its pages load the console's sheets, too: a rule of those would move what the demo has."""
    sheets = re.findall(r"jackpot/(\w+\.css)", (PROJECT / "templates" / _STYLES).read_text())
    console = {name for sheet in sheets for name in _styled(STATIC / sheet)}
    assert console
    for sheet in (PROJECT / "demo" / "static" / "demo").glob("*.css"):
        assert not set(_styled(sheet)) & console, sheet.name


def _styled(sheet: Path) -> list[str]:
    """Classes with a rule of their own, whatever they are within."""
    return re.findall(r"^[a-z]*\.([a-z][a-z0-9-]*) \{$", sheet.read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_every_class_is_in_a_style_sheet(name: str) -> None:
    path = PROJECT / "templates" / name
    sheets = "".join(sheet.read_text() for sheet in STATIC.glob("*.css"))
    classes = set(re.findall(r"\.([a-z][a-z0-9_-]*)", sheets))
    used = {
        name
        for value in _CLASSES.findall(_COMMENT.sub("", path.read_text()))
        for name in re.sub(r"{%.*?%}|\S*{{.*?}}", " ", value).split()
    }
    assert used <= classes


@pytest.mark.parametrize("sheet", sorted(STATIC.glob("*.css")), ids=lambda sheet: sheet.name)
def test_style_sheets_ask_for_nothing_from_elsewhere(sheet: Path) -> None:
    text = sheet.read_text()
    assert "url(" not in text
    assert "@import" not in text
    assert len(text.splitlines()) <= 480


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500"])
def test_error_pages_need_nothing_and_say_what_to_do(name: str) -> None:
    # A fault of the console is shown by a template that is given no context at all.
    page = render_to_string(f"{name}.html")
    assert "What to do:" in page


@pytest.mark.urls("tests.support.pages.addresses")
def test_the_locked_page_says_what_to_do() -> None:
    assert "What to do:" in render_to_string("registration/lockout.html")
