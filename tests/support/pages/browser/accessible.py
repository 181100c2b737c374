"""What of a page on a screen is in somebody's way, by axe-core and by measure."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.support.pages.browser.contrasts import REMEMBER

_DEVTOOLS: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
_PASSED: WeakKeyDictionary[Page, set[str]] = WeakKeyDictionary()  # kinds of text, by contrasts.py

# WCAG 2.2 AA, and what axe holds good beside it: the order of headings, landmarks.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOUR = ["color-contrast", "link-in-text-block"]  # the rules whose answer the theme changes
OF_PLACE = [*OF_COLOUR, "target-size", "scrollable-region-focusable"]  # those that a width changes
_RUN = """async ([wanted, passed, ofPlace]) => {
  let [only, shape] = [wanted, ""];
  contrasts.begin(passed);
  if (only.type === "rule" && contrasts.areKnown()) {
    return [[], []]; // they are those of colour
  }
  if (only.type === "tag") { // another width that shows the same is asked what a width changes
    const isShown = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 0;
    const shown = [...document.body.querySelectorAll("*")].map((each) => Number(isShown(each)));
    shape = shown.join("");
    window.goodShapes ??= new Set();
    if (goodShapes.has(shape)) {
      only = { type: "rule", values: ofPlace };
    }
  }
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    iframes: false, // what stands in a frame is a page of its own
    preload: { assets: ["media"] }, // no rule of these reads style sheets
    runOnly: only,
    rules: wanted.type === "tag" ? { "target-size": { enabled: true } } : {},
  });
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.html.slice(0, 160)}`),
  );
  if (shape && !faults.length) {
    goodShapes.add(shape);
  }
  return [faults, contrasts.added];
}"""
# What changes slowly is looked at when it has changed.
_STILL = """
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; animation: none !important; }");
  document.adoptedStyleSheets.push(still);
"""
_OPEN = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
# A page's own script answers in the next frame to what unfolds, and to another width.
_SETTLE = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_THEME = """(theme) => {
  const light = document.getElementById("light"); // a display has one theme
  if (light) {
    light.media = theme === "light" ? "all" : "print";
  }
}"""
# Of a control or its label one is 44 px each way. A link within a sentence is as high as its line,
# as WCAG has it (2.5.8).
_SMALL = """() => {
  const found = [];
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const isLarge = (box) => box.width >= 43.5 && box.height >= 43.5;
  for (const each of document.querySelectorAll(controls)) {
    const labels = [each.closest("label"), ...(each.labels || [])].filter(Boolean);
    const boxes = [each, ...labels].map((hit) => hit.getBoundingClientRect());
    const [box] = boxes;
    const letters = (node) => node.textContent.trim().length;
    const isInSentence =
      getComputedStyle(each).display === "inline" && letters(each.parentElement) > letters(each);
    const isShown = box.width && box.height && !each.closest("[inert], .visually-hidden, .skip");
    if (isShown && !each.disabled && !isInSentence && !boxes.some(isLarge)) {
      const size = boxes.map((hit) => `${Math.round(hit.width)} x ${Math.round(hit.height)}`);
      found.push(`too small: ${each.outerHTML.slice(0, 160)} ${size.join(", ")}`);
    }
  }
  return found;
}"""
_LENGTHEN = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const longer = (word) => word + word.slice(-Math.ceil(word.length / 3));
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.closest("script, style, code, pre, template")) {
      text.data = text.data.replace(/[a-z]{3,}/gi, longer);
    }
  }
}"""


def prepare(context: BrowserContext) -> None:
    """Every page of this context has axe-core, and stands still."""
    context.add_init_script(AXE_SCRIPT)
    context.add_init_script(REMEMBER)
    context.add_init_script(_STILL)


def use_fingers(screen: Page, is_on: bool) -> None:
    """A screen that is touched, or one with a mouse; style sheets tell them apart."""
    if screen not in _DEVTOOLS:
        _DEVTOOLS[screen] = screen.context.new_cdp_session(screen)
    _DEVTOOLS[screen].send("Emulation.setTouchEmulationEnabled", {"enabled": is_on})


def open_all(screen: Page) -> None:
    """Open what is folded."""
    screen.evaluate(_OPEN)
    settle(screen)


def settle(screen: Page) -> None:
    """Wait until the page has answered to its new size."""
    screen.evaluate(_SETTLE)


def violations(screen: Page, only: Sequence[str] = ()) -> list[str]:
    """What axe finds on this page as it is: by all rules, or these alone."""
    rules: dict[str, Any] = {"type": "tag", "values": TAGS}
    if only:
        rules = {"type": "rule", "values": list(only)}
    passed = _PASSED.setdefault(screen, set())
    faults, added = screen.evaluate(_RUN, [rules, list(passed), OF_PLACE])
    passed.update(added)
    return list(faults)


def use_theme(screen: Page, theme: str) -> None:
    """`light` or `dark`, in place."""
    screen.evaluate(_THEME, theme)


def too_small(screen: Page) -> list[str]:
    """Controls that a finger misses: less than 44 px each way."""
    faults: list[str] = screen.evaluate(_SMALL)
    return faults


def lengthen(screen: Page) -> None:
    """Every word a third longer, as in other languages; no page is loaded again for it."""
    screen.evaluate(_LENGTHEN)
