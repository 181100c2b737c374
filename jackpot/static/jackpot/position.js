// The page of a claim, or of its payments, stays where it was when a form of it brings it back: what
// stood where on the screen, and which sections somebody unfolded or folded. It is kept in this tab,
// for this page and once. Without this file the server's anchors lead to the section of the form.
(function () {
  "use strict";

  const page = document.querySelector("[data-position]");
  const NAME = `jackpot-position ${page.dataset.position}`;
  const STALE_MS = 60000; // who comes back later came another way
  const IN_VIEW_MS = 10000; // what the server says of the form, wherever the page stands; then at its top

  const sections = () => [...page.querySelectorAll("details")];

  // A section by its heading or, where it has none, its first words; the second of that name is another one.
  function nameSections() {
    const counts = new Map();
    return sections().map((section) => {
      const summary = section.querySelector("summary");
      const words = section.id || (summary.querySelector("h2") || summary).textContent.trim();
      counts.set(words, (counts.get(words) || 0) + 1);
      return [`${words} ${counts.get(words)}`, section];
    });
  }

  // On a telephone what is sent unfolded would be several screens: there it opens for whoever asks for it.
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (matchMedia("(max-width: 40rem)").matches) {
    for (const section of page.querySelectorAll(".fold[open]:not(:has(.has-error, .field-errors, .alert.error))")) {
      section.open = Boolean(target) && section.contains(target);
    }
  }

  const asSent = new Map(nameSections().map(([name, section]) => [name, section.open]));

  // What is on the screen, the part of the form before others: by it the page finds its place again.
  function landmark(form) {
    const parts = nameSections().filter(([, section]) => section.matches(".fold"));
    const own = parts.find(([, section]) => section.contains(form));
    const isInView = ([, section]) => {
      const { top, bottom } = section.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    const [name, section] = own || parts.find(isInView) || [];
    return name ? { name, top: section.getBoundingClientRect().top } : null;
  }

  function keep(form) {
    const panel = form && form.closest("details.more"); // what was asked for in it is in the list now
    const byHand = nameSections()
      .filter(([name, section]) => section !== panel && asSent.get(name) !== section.open)
      .map(([name, section]) => [name, section.open]);
    const position = { at: Date.now(), scrolled: scrollY, landmark: landmark(form), byHand };
    try {
      sessionStorage.setItem(NAME, JSON.stringify(position));
    } catch {
      // No room: then it is as without this file.
    }
  }

  function take() {
    try {
      const position = JSON.parse(sessionStorage.getItem(NAME));
      sessionStorage.removeItem(NAME);
      return position && Date.now() - position.at < STALE_MS ? position : null;
    } catch {
      return null;
    }
  }

  function goBack(position) {
    const parts = new Map(nameSections());
    const part = position.landmark && parts.get(position.landmark.name);
    if (part) {
      scrollBy({ top: part.getBoundingClientRect().top - position.landmark.top, behavior: "instant" });
    } else {
      scrollTo({ top: position.scrolled, behavior: "instant" });
    }
    // What was refused comes before the place: the field that needs an answer is on the screen.
    const active = document.activeElement;
    if (active.matches("input, select, textarea")) {
      active.scrollIntoView({ block: "nearest", behavior: "instant" });
    }
  }

  const position = take();
  if (position) {
    const parts = new Map(nameSections());
    for (const [name, open] of position.byHand) {
      if (parts.has(name)) {
        parts.get(name).open = open;
      }
    }
    // The browser would go to the anchor once more when everything is loaded.
    history.replaceState(history.state, "", location.pathname + location.search);
    document.documentElement.dataset.positionKept = "";
    setTimeout(() => delete document.documentElement.dataset.positionKept, IN_VIEW_MS);
    goBack(position);
    addEventListener("load", () => goBack(position), { once: true });
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post" && page.contains(form) && !event.defaultPrevented) {
      keep(form);
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-changed] a")) {
      keep(null);
    }
  });
})();
