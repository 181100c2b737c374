// Cards are picked by touch or by keys, and drawn while they are typed. One deck serves all fields
// of a form. Without this file they are typed.
//
// [data-picker] the form; [data-pick] a field: "hole", "board" or "later"; in it [data-cards] the
// input and [data-shown] where its cards lie; [data-deck] the deck, which follows the field that
// takes the next card where it says "follows". data-game: a game's code, or "#" and a field's id.
(function () {
  "use strict";

  const phrases = document.currentScript.dataset; // in the language of the page

  // A phrase with its {names} filled in.
  function phrase(name, values) {
    return phrases[name].replace(/\{(\w+)\}/g, (_, each) => values[each]);
  }

  const CARD = "(?:10|[2-9TJQKA])[SHDC]";
  const ROW = new RegExp(`^(?:${CARD})+$`, "i");
  const ONE = new RegExp(CARD, "gi");
  const BOARD = [5, 5];

  // As the server reads them: "as ks", "As,Ks" and "AsKs" are two cards each.
  function split(text) {
    return text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .flatMap((part) => (ROW.test(part) ? part.match(ONE).map(normalize) : [part]));
  }

  function normalize(text) {
    return text.slice(0, -1).toUpperCase().replace("10", "T") + text.slice(-1).toLowerCase();
  }

  const picks = (form) => [...form.querySelectorAll("[data-pick]")];
  const input = (pick) => pick.querySelector("[data-cards]");
  const held = (pick) => split(input(pick).value);
  const active = (form) => form.querySelector("[data-pick].is-active") || picks(form)[0];

  function setting(form, name) {
    const value = form.dataset[name] || "";
    return value.startsWith("#") ? document.querySelector(value).value : value;
  }

  // How many cards a field has as a rule, and how many at most.
  function room(form, pick) {
    return pick.dataset.pick === "hole"
      ? JSON.parse(form.dataset.holes)[setting(form, "game")] || [2, 7]
      : BOARD;
  }

  function put(pick, cards) {
    input(pick).value = cards.join(" ");
  }

  // --- drawing ---------------------------------------------------------------------------

  function face(form, text) {
    const picture = form.querySelector(`[data-card="${CSS.escape(text)}"] svg`);
    if (picture) {
      return picture.cloneNode(true);
    }
    const fault = document.createElement("span");
    fault.className = "card-fault";
    fault.textContent = text;
    return fault;
  }

  function lay(form, pick, cards) {
    const tray = pick.querySelector("[data-shown]");
    tray.textContent = "";
    held(pick).forEach((text, place) => {
      const button = document.createElement("button");
      const card = face(form, text);
      button.type = "button";
      button.className = "picked";
      button.dataset.remove = String(place);
      button.setAttribute("aria-label", phrase("take", { card: card.getAttribute("aria-label") || text }));
      button.append(card);
      tray.append(button);
      cards.add(text);
    });
  }

  function draw(form) {
    const cards = new Set();
    const chosen = active(form);
    const deck = form.querySelector("[data-deck]");
    for (const pick of picks(form)) {
      pick.classList.toggle("is-active", pick === chosen);
      lay(form, pick, cards);
    }
    const size = setting(form, "size");
    for (const card of deck.querySelectorAll("[data-card]")) {
      card.setAttribute("aria-pressed", String(cards.has(card.dataset.card)));
      card.hidden = Boolean(size) && !card.dataset.of.split(" ").includes(size);
    }
    if (deck.dataset.deck === "follows" && chosen.nextElementSibling !== deck) {
      const focused = document.activeElement;
      chosen.after(deck);
      if (deck.contains(focused)) {
        focused.focus();
      }
    }
    if (!deck.querySelector("[data-card][tabindex='0']:not([hidden])")) {
      deck.querySelector("[data-card]:not([hidden])").tabIndex = 0;
    }
  }

  // --- picking ---------------------------------------------------------------------------

  function choose(form, pick) {
    active(form).classList.remove("is-active");
    pick.classList.add("is-active");
  }

  function say(form, text) {
    form.querySelector("[data-said]").textContent = text;
  }

  function pickCard(form, card) {
    const text = card.dataset.card;
    const name = card.querySelector("svg").getAttribute("aria-label");
    const there = picks(form).find((pick) => held(pick).includes(text));
    const pick = active(form);
    const [usual, most] = room(form, pick);
    if (there) {
      put(there, held(there).filter((each) => each !== text));
      say(form, phrase("back", { card: name }));
    } else if (held(pick).length < most) {
      put(pick, [...held(pick), text]);
      say(form, phrase("held", { card: name, count: held(pick).length, usual }));
    } else {
      say(form, phrase("full", { most }));
    }
    const next = picks(form).find((each) => each.dataset.pick !== "later" && !held(each).length);
    if (!there && held(pick).length === usual && next) {
      choose(form, next);
    }
    draw(form);
  }

  document.addEventListener("click", (event) => {
    const form = event.target.closest("[data-picker]");
    const card = event.target.closest("[data-card]");
    const pick = event.target.closest("[data-pick]");
    const remover = event.target.closest("[data-remove]");
    if (form && card) {
      pickCard(form, card);
    } else if (form && pick) {
      choose(form, pick);
      if (remover) {
        put(pick, held(pick).filter((_, place) => place !== Number(remover.dataset.remove)));
        input(pick).focus({ preventScroll: true });
      }
      draw(form);
    }
  });

  document.addEventListener("focusin", (event) => {
    const form = event.target.closest("[data-picker]");
    const pick = event.target.closest("[data-pick]");
    if (form && pick && event.target.matches("[data-cards]") && pick !== active(form)) {
      choose(form, pick);
      draw(form);
    }
  });

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.closest("[data-picker]");
      if (form) {
        draw(form);
      }
    });
  }

  // --- keys: arrows go from card to card; a rank and then a suit pick one ------------------

  let rank = "";

  function step(deck, card, key) {
    const rows = [...deck.querySelectorAll("[data-row]")].map((row) => [
      ...row.querySelectorAll("[data-card]:not([hidden])"),
    ]);
    const row = rows.findIndex((each) => each.includes(card));
    const place = rows[row].indexOf(card);
    const to = {
      ArrowLeft: [row, place - 1],
      ArrowRight: [row, place + 1],
      ArrowUp: [row - 1, place],
      ArrowDown: [row + 1, place],
    }[key];
    return to && rows[to[0]] && rows[to[0]][to[1]];
  }

  function go(deck, card) {
    for (const each of deck.querySelectorAll("[data-card][tabindex='0']")) {
      each.tabIndex = -1;
    }
    card.tabIndex = 0;
    card.focus();
  }

  document.addEventListener("keydown", (event) => {
    const card = event.target.closest("[data-card]");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const deck = card.closest("[data-deck]");
    const form = card.closest("[data-picker]");
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const beside = step(deck, card, key);
    const match = rank && deck.querySelector(`[data-card="${rank}${key.toLowerCase()}"]:not([hidden])`);
    if (beside) {
      go(deck, beside);
    } else if (match) {
      pickCard(form, match);
      go(deck, match);
    } else if (key === "Escape") {
      input(active(form)).focus();
    } else if (!/^[2-9TJQKA10]$/.test(key)) {
      rank = key.length === 1 && key !== " " ? "" : rank;
      return;
    }
    rank = /^[2-9TJQKA]$/.test(key) ? key : key === "1" || key === "0" ? "T" : "";
    event.preventDefault();
  });

  // --- beginning ---------------------------------------------------------------------------

  function prepare() {
    for (const form of document.querySelectorAll("[data-picker]:not([data-ready])")) {
      form.dataset.ready = "yes";
      form.querySelector("[data-deck]").hidden = false;
      for (const button of form.querySelectorAll("[data-without-script]")) {
        button.hidden = true;
      }
      const empty = picks(form).find((pick) => pick.dataset.pick !== "later" && !held(pick).length);
      choose(form, empty || picks(form)[0]);
      draw(form);
    }
  }

  window.JackpotPicker = { prepare, draw };
  prepare();
})();
