// What a screen draws in each layout, from `state`: `content` as the console gave it, `values` by
// system as they are drawn. Nothing here asks anybody.
(function () {
  "use strict";

  const words = JSON.parse(document.getElementById("words").textContent);

  function make(tag, kind, text) {
    const element = document.createElement(tag);
    element.className = kind;
    if (text !== undefined) {
      element.textContent = text;
    }
    return element;
  }

  function money(state, minor) {
    return JackpotStream.amount(minor, state.content.digits);
  }

  // With the code of the currency, where the language has it.
  function amount(state, minor) {
    const parts = [state.content.currency, money(state, minor)];
    return (state.content.is_code_first ? parts : parts.reverse()).join(" ");
  }

  function tiersOf(state) {
    return state.content.systems.flatMap((system) => {
      const display = state.values[system.code];
      return (display ? display.tiers : []).map((tier) => {
        const name = state.content.names[`${system.code}/${tier.tier}`] || tier.name;
        return { ...tier, name, system, display };
      });
    });
  }

  function note(state, tier, now) {
    if (tier.display.state !== "live") {
      return words.halted;
    }
    if (tier.state !== "open") {
      return words.suspended;
    }
    return tier.period ? `${best(state, tier.period)} · ${left(tier.period.ends, now)}` : "";
  }

  // The hand as the language of now says it, where the boards know it.
  function best(state, period) {
    const leaders = state.content.boards.flatMap((board) => board.leaders);
    const leader = leaders.find((each) => each.english === period.best);
    const hand = leader ? leader.hand : period.best;
    return hand
      ? `${hand[0].toUpperCase()}${hand.slice(1)}, ${period.tables.join(" & ")}`
      : words.no_high_hand;
  }

  function left(ends, now) {
    const seconds = Math.max(0, Math.ceil((Date.parse(ends) - now) / 1000));
    const hours = Math.floor(seconds / 3600);
    const minutes = String(Math.floor(seconds / 60) % 60).padStart(hours ? 2 : 1, "0");
    const clock = `${hours ? `${hours}:` : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
    return seconds ? `${clock} ${words.left}` : words.over;
  }

  function prize(state, tier, now) {
    const box = make("article", "prize");
    box.dataset.key = `${tier.system.code}/${tier.tier}`;
    const name = make("p", "prize-name");
    name.append(make("span", "fit", tier.name));
    const line = make("p", "value");
    const inner = make("span", "fit");
    inner.append(make("span", "currency", state.content.currency), make("span", "figure", money(state, tier.value)));
    line.append(inner);
    box.append(name, line, make("p", "note", note(state, tier, now)));
    return box;
  }

  function rows(kind, lines) {
    const list = make("div", `rows ${kind}`);
    for (const cells of lines) {
      const row = make("div", "row");
      row.append(...cells.map(([cell, text]) => make("span", cell, text)));
      list.append(row);
    }
    return list;
  }

  function clock(state, at) {
    const { zone, language } = state.content;
    const isTwelve = state.content.clock === "twelve" && /^(en|es|zh)/.test(language);
    const hour = { timeZone: zone, hour: isTwelve ? "numeric" : "2-digit", minute: "2-digit", hour12: isTwelve };
    const day = { timeZone: zone, day: "numeric", month: "short" };
    const locale = language === "en" ? "en-GB" : language;
    const then = new Date(at);
    const isToday = then.toLocaleDateString(locale, day) === new Date().toLocaleDateString(locale, day);
    const time = then.toLocaleTimeString(isTwelve && locale === "en-GB" ? "en-US" : locale, hour);
    return isToday ? time : `${then.toLocaleDateString(locale, day)}, ${time}`;
  }

  const LAYOUTS = {
    main(state, now) {
      const tiers = tiersOf(state);
      const highest = tiers.reduce((top, tier) => (top && top.value >= tier.value ? top : tier), null);
      return highest ? [prize(state, highest, now)] : [];
    },
    tiers(state, now) {
      return tiersOf(state).map((tier) => prize(state, tier, now));
    },
    lobby(state, now) {
      return state.content.systems.map((system) => {
        const column = make("section", "system");
        const tiers = tiersOf(state).filter((tier) => tier.system === system);
        column.append(make("h2", "system-name", system.name), ...tiers.map((tier) => prize(state, tier, now)));
        return column;
      });
    },
    winners(state) {
      if (!state.content.winners.length) {
        return [];
      }
      const lines = state.content.winners.map((win) => [
        ["what", win.prize],
        ["hand", win.hand],
        ["where", `${win.table} · ${clock(state, win.at)}`],
        ["much", amount(state, win.amount)],
      ]);
      return [make("h2", "heading", words.winners), rows("winners", lines)];
    },
    high_hands(state, now) {
      return state.content.boards.map((board) => {
        const display = state.values[board.system];
        const tier = display && display.tiers.find((each) => each.tier === board.tier);
        const box = make("section", "board");
        const head = make("h2", "heading", board.name);
        head.append(make("span", "much", tier ? ` ${amount(state, tier.value)}` : ""));
        const ends = make("p", "note", board.ends ? left(board.ends, now) : "");
        const lines = board.leaders.map((each) => [
          ["place", `${each.place}`],
          ["hand", each.hand],
          ["where", `${each.table} · ${clock(state, each.at)}`],
        ]);
        const before = board.before.map((each) => [
          ["place", words.last],
          ["hand", `${each.tables.join(" & ")} · ${clock(state, each.ends)}`],
          ["where", amount(state, each.amount)],
        ]);
        box.append(head, ends, lines.length ? rows("leaders", lines) : make("p", "none", words.no_high_hand), rows("before", before));
        return box;
      });
    },
    slides(state, now) {
      const slide = state.slide;
      if (!slide) {
        return [];
      }
      const box = make("section", "slide");
      if (slide.picture) {
        const picture = make("img", "slide-picture");
        picture.src = slide.picture;
        picture.alt = "";
        box.append(picture);
      }
      if (slide.film) {
        box.append(window.ScreenFilms.film(slide.film));
      }
      if (slide.title || slide.text) {
        const text = make("div", "slide-words");
        text.append(make("h2", "slide-title", slide.title), make("p", "slide-text", fill(state, slide.text)));
        box.append(text);
      }
      return [box];
    },
  };

  // A text names a prize as {system/tier}: its value stands there, or three dots while nobody knows it.
  function fill(state, text) {
    return text.replace(/\{([a-z0-9-]+)\/([a-z0-9-]+)\}/g, (_all, code, name) => {
      const display = state.isStale ? null : state.values[code];
      const tier = display && display.tiers.find((each) => each.tier === name);
      return tier ? amount(state, tier.value) : "…";
    });
  }

  function isOn(each, now) {
    return each.windows.some(([since, until]) => Date.parse(since) <= now && now < Date.parse(until));
  }

  function has(state, layout, now) {
    switch (layout) {
      case "slides":
        return state.content.slides.some((each) => isOn(each, now));
      case "winners":
        return state.content.winners.length > 0;
      case "high_hands":
        return state.content.boards.length > 0;
      default:
        return true;
    }
  }

  // The largest size at which each text fits its box; a name never outshines its value. A row that
  // would be cut is left out.
  function fit(root) {
    for (const text of root.querySelectorAll(".fit")) {
      const box = text.parentElement;
      box.style.fontSize = "";
      const size = parseFloat(getComputedStyle(box).fontSize);
      const wide = (box.clientWidth * 0.96) / Math.max(1, text.offsetWidth);
      const high = (box.clientHeight * 0.96) / Math.max(1, text.offsetHeight);
      box.style.fontSize = `${Math.floor(size * Math.min(wide, high))}px`;
    }
    for (const box of root.querySelectorAll(".prize")) {
      const [name, value] = [".prize-name", ".value"].map((each) => box.querySelector(each));
      const most = 0.6 * parseFloat(value.style.fontSize);
      name.style.fontSize = `${Math.min(parseFloat(name.style.fontSize), most)}px`;
    }
    for (const row of root.querySelectorAll(".row")) {
      row.hidden = false;
    }
    for (const list of root.querySelectorAll(".rows")) {
      const end = list.getBoundingClientRect().top + list.clientHeight + 1;
      const area = root.getBoundingClientRect();
      const isTurned = document.body.dataset.turn !== "0" && document.body.dataset.turn;
      for (const row of list.children) {
        row.hidden = !isTurned && row.getBoundingClientRect().bottom > Math.min(end, area.bottom);
      }
    }
  }

  window.ScreenLayouts = { draw: LAYOUTS, has, isOn, fit, fill, note, tiersOf, money, amount, clock, make, words };
})();
