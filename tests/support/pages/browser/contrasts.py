"""Axe measures the contrast of each kind of text once, not on every page.

The check of a contrast is most of axe's work, and pages repeat the same texts: the menu, heads of
tables, buttons. Its answer depends on the styles of the text and of what holds it, and on what else
is painted there. A text is let pass when one passed that had all of these the same; what did not
pass, or could not be told, is asked each time.
"""

# In the page, after axe. `contrasts.passed` is what passed before, and grows.
REMEMBER = """
(() => {
  const { checks } = axe._audit;
  const CLEAR = "rgba(0, 0, 0, 0)";
  const PICTURES = "img, canvas, video, iframe, object";
  let chains = new WeakMap();
  let painted = null;

  const hash = (text) => { // cyrb53
    let [one, two] = [0xdeadbeef, 0x41c6ce57];
    for (let place = 0; place < text.length; place++) {
      const letter = text.charCodeAt(place);
      one = Math.imul(one ^ letter, 2654435761);
      two = Math.imul(two ^ letter, 1597334677);
    }
    one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
    two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
    return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36);
  };
  const OF_PAINT = [
    ...["backgroundColor", "backgroundImage", "backgroundClip", "backgroundSize", "opacity"],
    ...["filter", "backdropFilter", "mixBlendMode", "clipPath", "maskImage"],
  ];
  const OF_TEXT = ["color", "fontSize", "fontWeight", "textShadow", "webkitTextStroke"];
  const said = (style, names) => names.map((name) => style[name]).join();
  let plain = ""; // of what paints nothing
  const paint = (element) => {
    const parts = ["::before", "::after"].map((part) => getComputedStyle(element, part));
    const content = parts.filter(({ content }) => content !== "none" && content !== "normal");
    return [
      said(getComputedStyle(element), OF_PAINT),
      ...content.map((part) => said(part, [...OF_PAINT, "position", "width", "height"])),
    ].join();
  };
  // What it paints, and what everything that holds it does.
  const chain = (element) => {
    if (!element) {
      return "";
    }
    if (!chains.has(element)) {
      const [above, own] = [chain(element.parentElement), paint(element)];
      chains.set(element, own === plain ? above : hash(`${above} ${own}`));
    }
    return chains.get(element);
  };
  const textOf = (element) => said(getComputedStyle(element), OF_TEXT) + element.checkVisibility();
  const isPainted = (element) => {
    const style = getComputedStyle(element);
    const isFilled = style.backgroundColor !== CLEAR || style.backgroundImage !== "none";
    return isFilled || element.matches(PICTURES);
  };
  const paintedThere = (element) => {
    painted ??= [...document.body.querySelectorAll("*")]
      .filter(isPainted)
      .map((each) => [each, each.getBoundingClientRect()]);
    const box = element.getBoundingClientRect();
    return painted
      .filter(
        ([each, other]) =>
          other.left < box.right && other.right > box.left &&
          other.top < box.bottom && other.bottom > box.top &&
          !each.contains(element),
      )
      .map(([each]) => chain(each));
  };
  window.contrasts = { passed: new Set(), added: [] };
  contrasts.begin = (passed) => {
    chains = new WeakMap();
    painted = null;
    plain = paint(document.head);
    contrasts.passed = new Set(passed);
    contrasts.added = [];
  };
  const remember = (key) => {
    contrasts.passed.add(key);
    contrasts.added.push(key);
  };
  const keyOfText = (element) =>
    hash([textOf(element), chain(element), ...paintedThere(element)].join());
  const contrast = checks["color-contrast"].evaluate;
  checks["color-contrast"].evaluate = function (node, ...rest) {
    const key = keyOfText(node);
    if (contrasts.passed.has(key)) {
      return true;
    }
    const answer = contrast.call(this, node, ...rest);
    if (answer === true) {
      remember(key);
    }
    return answer;
  };

  const letters = (node) => node.textContent.trim().length;
  const block = (element) =>
    getComputedStyle(element).display.startsWith("inline") ? block(element.parentElement) : element;
  // Links among words: a colour, or something else, tells them apart.
  const keyOfLink = (link) => {
    const style = getComputedStyle(link);
    const more = [style.textDecoration, style.border, style.outline, style.fontFamily];
    return hash([keyOfText(link), textOf(block(link)), ...more].join());
  };
  for (const name of ["link-in-text-block", "link-in-text-block-style"]) {
    const { evaluate } = checks[name];
    checks[name].evaluate = function (node, ...rest) {
      const answer = evaluate.call(this, node, ...rest);
      if (answer === true) {
        remember(keyOfLink(node));
      }
      return answer;
    };
  }
  const isTold = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()) ||
    element.matches("input:not([type=hidden]), select, textarea, [placeholder]");

  // Whether axe would only be asked again what it let pass.
  contrasts.areKnown = () => [...document.body.querySelectorAll("*")].every((element) => {
    const box = element.getBoundingClientRect();
    const isPainted = box.width > 1 && box.height > 1 && box.right > 0 && box.bottom > 0;
    if (!isPainted || !element.checkVisibility() || element.matches("option")) {
      return true;
    }
    const isAmongWords = element.matches("a[href]") && letters(block(element)) > letters(element);
    return (
      (!isTold(element) || contrasts.passed.has(keyOfText(element))) &&
      (!isAmongWords || contrasts.passed.has(keyOfLink(element)))
    );
  });
})();
"""
