// The search over every page: opened by Ctrl-K, by "/" or by a link marked data-search, which leads
// to the page of the search where this file did not arrive. The server draws the results; focus
// stays in the field, and the option that Enter opens is named to screen readers (combobox).
(function () {
  "use strict";

  const palette = document.getElementById("palette");
  if (!palette || !palette.showModal) {
    return;
  }
  const WAIT_MS = 120; // until somebody pauses
  const RECENT = 6;
  const NAME = `jackpot-opened-${document.body.dataset.user}`;

  const input = palette.querySelector("input");
  const list = palette.querySelector("[role=listbox]");
  const status = palette.querySelector("[data-palette-status]");
  const options = () => [...list.querySelectorAll("[role=option]")];
  const selected = () => list.querySelector("[aria-selected=true]");

  let timer = 0;
  let asking = null;

  // --- what was opened lately, in this tab alone, by this person ---------------------------

  function loadRecent() {
    try {
      return JSON.parse(sessionStorage.getItem(NAME)) || [];
    } catch {
      return [];
    }
  }

  function remember(option) {
    const [label, context] = ["label", "context"].map((part) => {
      const line = option.querySelector(`.found-${part}`);
      return line ? line.textContent.trim() : "";
    });
    const address = option.getAttribute("href");
    const rest = loadRecent().filter((each) => each.address !== address);
    try {
      sessionStorage.setItem(NAME, JSON.stringify([{ label, context, address }, ...rest].slice(0, RECENT)));
    } catch {
      // No room: then nothing is offered again.
    }
  }

  function element(name, kind, text) {
    const element = document.createElement(name);
    element.className = kind;
    element.textContent = text;
    return element;
  }

  function offerOpened() {
    const recent = loadRecent();
    if (!recent.length) {
      show([], "");
      return;
    }
    const group = element("div", "", "");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", palette.dataset.recent);
    const title = element("div", "found-title", palette.dataset.recent);
    title.setAttribute("aria-hidden", "true");
    group.append(title);
    recent.forEach((each, n) => {
      const option = element("a", "found-item", "");
      option.id = `palette-recent-${n}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.tabIndex = -1;
      option.href = each.address;
      option.append(element("span", "found-label", each.label), element("span", "found-context", each.context));
      group.append(option);
    });
    show([group], "");
  }

  // --- results -----------------------------------------------------------------------------

  function show(parts, text) {
    list.replaceChildren(...parts);
    status.textContent = text;
    input.setAttribute("aria-expanded", String(options().length > 0));
    select(options()[0]);
  }

  function select(option) {
    const before = selected();
    if (before) {
      before.setAttribute("aria-selected", "false");
    }
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", option.id);
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  async function ask() {
    const text = input.value.trim();
    if (asking) {
      asking.abort();
    }
    if (!text) {
      offerOpened();
      return;
    }
    asking = new AbortController();
    try {
      const answer = await fetch(`${palette.dataset.palette}?q=${encodeURIComponent(text)}`, {
        headers: { "X-Console-Palette": "1" },
        signal: asking.signal,
      });
      if (answer.redirected) {
        location.reload(); // the log-in ended
        return;
      }
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const count = page.querySelector("[data-palette-count]");
      const words = count.textContent.trim();
      count.remove();
      const none = element("p", "palette-hint", words);
      show(count.dataset.paletteCount === "0" ? [none] : [...page.body.children], words);
    } catch (fault) {
      if (fault.name !== "AbortError") {
        show([element("p", "palette-hint", palette.dataset.fault)], palette.dataset.fault);
      }
    }
  }

  // --- keys and taps -----------------------------------------------------------------------

  function open() {
    if (!palette.open) {
      const menu = document.querySelector("[popover]:popover-open");
      if (menu) {
        menu.hidePopover();
      }
      palette.showModal();
      input.select();
      ask();
    }
  }

  const isTyping = (target) => target.matches("input, select, textarea") || target.isContentEditable;

  document.addEventListener("keydown", (event) => {
    const isK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
    if ((isK || isSlash) && !document.querySelector("dialog[open]:not(.palette)")) {
      event.preventDefault();
      open();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-search]")) {
      event.preventDefault();
      open();
    } else if (event.target === palette) {
      palette.close(); // beside it
    }
  });

  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) {
      remember(option);
      palette.close(); // where it leads to a place of this very page
    }
  });

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });

  const STEPS = { ArrowDown: 1, ArrowUp: -1 };

  input.addEventListener("keydown", (event) => {
    const all = options();
    if (STEPS[event.key] && all.length) {
      event.preventDefault();
      const place = all.indexOf(selected()) + STEPS[event.key];
      select(all[(place + all.length) % all.length]);
    }
    if (event.key === "Enter" && selected() && !event.isComposing) {
      event.preventDefault();
      selected().click();
    }
  });
})();
